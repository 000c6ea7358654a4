"""What a schema lets through, here and on the wire."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.engines.claude.check_reply import SchemaError, check, parse_json, strip_schema

TEXT = {"type": "string", "maxLength": 3}
NUMBER = {"type": "integer"}
LIST = {"type": "array", "maxItems": 2, "items": TEXT}
ENUM = {"type": "string", "enum": ["create", "retire"]}
OBJECT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["a"],
    "properties": {"a": TEXT, "b": NUMBER, "c": LIST, "d": {"type": "boolean"}, "e": ENUM},
}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ("abc", TEXT),
        ("", TEXT),
        (1, NUMBER),
        (["a", "b"], LIST),
        ({"a": "x"}, OBJECT),
        ({"a": "x", "b": 2, "c": ["a"], "d": True, "e": "create"}, OBJECT),
    ],
)
def test_what_keeps_to_its_schema_is_let_through(value: object, schema: dict[str, object]) -> None:
    assert check(value, schema) == value


@pytest.mark.parametrize(
    ("value", "schema", "words"),
    [
        ("abcd", TEXT, "longer than 3"),
        (None, TEXT, "type string"),
        (True, NUMBER, "integer"),
        (1.0, NUMBER, "integer"),
        (1, {"type": "boolean"}, "boolean"),
        (["a"] * 3, LIST, "longer than 2"),
        (["a", 1], LIST, r"reply\[1\]"),
        ({}, OBJECT, "lacks a"),
        ({"a": "x", "secret words": 1}, OBJECT, "^reply has 1 unknown keys$"),
        ({"a": "x", "e": "y"}, OBJECT, r"reply\.e is not one of its 2"),
        ([], OBJECT, "type object"),
        ("\ud800", {"type": "string"}, "Unicode"),
    ],
)
def test_what_breaks_its_schema_is_named_by_place_and_rule(
    value: object, schema: dict[str, object], words: str
) -> None:
    with pytest.raises(SchemaError, match=words):
        check(value, schema)


def test_an_enum_is_spelled_as_in_the_schema() -> None:
    assert check("CREATE", ENUM) == "create"
    with pytest.raises(SchemaError):
        check("creat", ENUM)


def test_a_keyword_that_nobody_checks_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="uniqueItems"):
        check([], {"type": "array", "uniqueItems": True})


def test_only_what_the_service_takes_is_sent() -> None:
    sent = json.dumps(strip_schema(OBJECT))
    assert all(word not in sent for word in ("maxLength", "maxItems"))
    assert all(word in sent for word in ("required", "additionalProperties", "enum", "items"))


def test_a_property_may_have_the_name_of_a_limit() -> None:
    schema = {"type": "object", "properties": {"maxItems": {"type": "string", "maxLength": 3}}}
    assert strip_schema(schema) == {"type": "object", "properties": {"maxItems": {"type": "string"}}}


@given(st.text())
def test_any_text_is_a_value_or_a_schema_error(text: str) -> None:
    with contextlib.suppress(SchemaError):
        assert isinstance(check(parse_json(text), OBJECT), dict)


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 200_000, "1" * 5_000, "NaN", "-Infinity", '{"a":1,"a":1}', ""]
)
def test_hostile_json_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_json(text)
