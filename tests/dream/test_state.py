import datetime as dt
import json
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.dream.state import DreamState, ReadPosition, parse_state, render_state
from memci.errors import ConfigError
from memci.model.use import ScopeUse, TopicUse
from tests.build import NOW

PATH = PurePosixPath("memory/.memci.json")
WORDS = st.text(max_size=12)
STATES = st.builds(
    DreamState,
    st.none() | st.datetimes(timezones=st.just(dt.UTC)),
    st.dictionaries(WORDS, st.builds(ReadPosition, WORDS, st.integers(0, 10**9)), max_size=4),
    st.frozensets(WORDS, max_size=4),
    st.dictionaries(WORDS, st.lists(WORDS, max_size=3).map(tuple), max_size=4),
    use=st.builds(
        ScopeUse,
        st.dictionaries(WORDS, st.builds(TopicUse, *[st.integers(0, 99)] * 4, st.none() | st.dates()), max_size=3),
        st.dictionaries(WORDS, st.lists(WORDS, max_size=3).map(tuple), max_size=3),
    ),
)
STATE = DreamState(
    NOW,
    {"b": ReadPosition("u2", 7), "a": ReadPosition("u1", 3)},
    frozenset({"y", "x"}),
    {"t.md": ("a/u1",), "s.md": ("b/u2",)},
)


@given(STATES)
def test_what_is_written_is_what_is_read(state: DreamState) -> None:
    assert parse_state(render_state(state), PATH) == state


def test_the_file_is_sorted_with_one_entry_a_line() -> None:
    text = render_state(STATE)
    assert text == (
        '{\n"declined": [\n  "x",\n  "y"\n],\n"evidence": {\n  "s.md": ["b/u2"],\n  "t.md": ["a/u1"]\n},\n'
        '"last_consolidated_at": "2026-11-16T03:00:00+00:00",\n'
        '"sessions": {\n  "a": ["u1", 3],\n  "b": ["u2", 7]\n},\n"version": 1\n}\n'
    )
    assert list(json.loads(text)) == sorted(json.loads(text))


def test_the_order_in_which_sessions_were_read_does_not_matter() -> None:
    turned = DreamState(STATE.last_consolidated_at, dict(sorted(STATE.cursors.items())), STATE.declined, STATE.evidence)
    assert render_state(turned) == render_state(STATE)


def test_the_file_is_ascii_whatever_stands_in_it() -> None:
    assert render_state(DreamState(None, {"сессия\ud800": ReadPosition("u", 1)})).isascii()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "{" * 5000,
        "<<<<<<< ours\n{}\n>>>>>>> theirs\n",
        render_state(STATE)[:-10],
        render_state(STATE).replace('"sessions"', '"session"'),
        render_state(STATE).replace('["u1", 3]', '"u1"'),
        render_state(STATE).replace('["u1", 3]', '["u1", "three"]'),
        render_state(STATE).replace('["u1", 3]', '["u1", Infinity]'),
        render_state(STATE).replace("2026-11-16T03:00:00+00:00", "yesterday"),
        # Two clocks could be meant.
        render_state(STATE).replace("+00:00", ""),
    ],
)
def test_a_file_that_people_or_merges_broke_is_named_and_not_guessed(text: str) -> None:
    with pytest.raises(ConfigError, match="is damaged") as caught:
        parse_state(text, PATH)
    assert (str(PATH) in caught.value.message, caught.value.hint) == (
        True,
        "resolve the conflict, or delete the file to start anew",
    )


def test_a_file_of_a_newer_version_is_not_read() -> None:
    with pytest.raises(ConfigError, match="newer memci"):
        parse_state(render_state(STATE).replace('"version": 1', '"version": 2'), PATH)
