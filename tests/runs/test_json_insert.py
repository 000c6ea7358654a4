"""Adding to a JSON text without touching the rest of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.runs.json_insert import insert_value

PATH = ("hooks", "SessionEnd")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "3",
        "",
        "{",
        '{"hooks": []}',
        '{"hooks": {"SessionEnd": {}}}',
        '{"a": 1, "a": 2}',
        '{"hooks": 1, }',
        "{} x" * 0,
    ],
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        insert_value(text, PATH, 1)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("{}\n", '{\n  "hooks": {\n    "SessionEnd": [\n      1\n    ]\n  }\n}\n'),
        (
            '{\n    "a": [1, 2],\n    "b": 0.50\n}',
            (
                '{\n    "a": [1, 2],\n    "b": 0.50,\n    "hooks": {\n'
                '        "SessionEnd": [\n            1\n        ]\n    }\n}'
            ),
        ),
        (
            '{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
            '{\n\t"hooks": {\n\t\t"Stop": [],\n\t\t"SessionEnd": [\n\t\t\t1\n\t\t]\n\t}\n}\n',
        ),
        (
            '{\n  "hooks": {\n    "SessionEnd": [\n      {"x": "]}"}\n    ]\n  }\n}\n',
            '{\n  "hooks": {\n    "SessionEnd": [\n      {"x": "]}"},\n      1\n    ]\n  }\n}\n',
        ),
    ],
)
def test_only_the_new_value_is_added(text: str, new: str) -> None:
    assert insert_value(text, PATH, 1) == new


@given(
    st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3)),
    st.sampled_from([None, 0, 2, 4, "\t"]),
)
def test_everything_else_keeps_its_meaning(values: dict[str, object], indent: int | str | None) -> None:
    values.pop("hooks", None)
    new = insert_value(json.dumps(values, indent=indent), PATH, {"x": 1})
    assert json.loads(new) == values | {"hooks": {"SessionEnd": [{"x": 1}]}}
