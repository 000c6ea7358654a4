"""What a schema lets through, here and on the wire."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memci.engines.claude.schema import SchemaError, check, parse_json, strip_schema

TEXT = {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]+$"}
NUMBER = {"type": "integer", "minimum": 1, "maximum": 9}
LIST = {"type": "array", "minItems": 1, "maxItems": 2, "items": TEXT}
EITHER = {"anyOf": [TEXT, {"type": "null"}]}
OBJECT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["a"],
    "properties": {"a": TEXT, "b": NUMBER, "c": LIST, "d": EITHER, "e": {"const": "x"}},
}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ("abc", TEXT),
        (1, NUMBER),
        (9, NUMBER),
        (["a", "b"], LIST),
        (None, EITHER),
        ("a", EITHER),
        ({"a": "x"}, OBJECT),
        ({"a": "x", "b": 2, "c": ["a"], "d": None, "e": "x"}, OBJECT),
        (1.5, {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2}),
        (None, {"type": ["string", "null"]}),
        ([1, "x"], {"type": "array"}),
        ({"any": 1}, {"type": "object", "properties": {"any": {}}, "additionalProperties": False}),
    ],
)
def test_what_keeps_to_its_schema_is_let_through(value: object, schema: dict[str, object]) -> None:
    assert check(value, schema) == value


@pytest.mark.parametrize(
    ("value", "schema", "words"),
    [
        ("", TEXT, "shorter than 1"),
        ("abcd", TEXT, "longer than 3"),
        ("A", TEXT, "form"),
        (True, NUMBER, "integer"),
        (1.0, NUMBER, "integer"),
        (0, NUMBER, "minimum of 1"),
        (10, NUMBER, "maximum of 9"),
        ([], LIST, "shorter than 1"),
        (["a"] * 3, LIST, "longer than 2"),
        (["a", 1], LIST, r"reply\[1\]"),
        (7, EITHER, "none of its 2 forms"),
        ({}, OBJECT, "lacks a"),
        ({"a": "x", "secret words": 1}, OBJECT, "^reply has 1 unknown keys$"),
        ({"a": "x", "e": "y"}, OBJECT, r"reply\.e is not one of its 1"),
        ([], OBJECT, "type object"),
        (float("inf"), {"type": "number"}, "number"),
        ("\ud800", {"type": "string"}, "Unicode"),
    ],
)
def test_what_breaks_its_schema_is_named_by_place_and_rule(
    value: object, schema: dict[str, object], words: str
) -> None:
    with pytest.raises(SchemaError, match=words):
        check(value, schema)


def test_an_enum_is_spelled_as_in_the_schema() -> None:
    assert check("CREATE", {"enum": ["create", "retire"]}) == "create"
    with pytest.raises(SchemaError):
        check("creat", {"enum": ["create", "retire"]})


def test_a_keyword_that_nobody_checks_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="uniqueItems"):
        check([], {"type": "array", "uniqueItems": True})


def test_only_what_the_service_takes_is_sent() -> None:
    sent = json.dumps(strip_schema(OBJECT))
    assert all(word not in sent for word in ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"))
    assert all(word in sent for word in ("pattern", "required", "additionalProperties", "anyOf", "const"))


def test_a_property_may_have_the_name_of_a_limit() -> None:
    schema = {"type": "object", "properties": {"maximum": {"type": "integer", "maximum": 3}}}
    assert strip_schema(schema) == {"type": "object", "properties": {"maximum": {"type": "integer"}}}


@given(st.text())
@settings(max_examples=200)
def test_any_text_is_a_value_or_a_schema_error(text: str) -> None:
    with contextlib.suppress(SchemaError):
        assert isinstance(check(parse_json(text), OBJECT), dict)


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 200_000, "1" * 5_000, "NaN", "-Infinity", '{"a":1,"a":1}', ""]
)
def test_hostile_json_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_json(text)
