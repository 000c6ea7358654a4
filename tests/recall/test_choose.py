import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.client_limit import MAX_TOPIC_LINES, MAX_TOPIC_SHOWN
from memci.recall.choose import (
    ALREADY,
    MANUAL,
    MAX_SESSION_BYTES,
    choose,
    cut_topic,
    describe_age,
    fit_session,
)
from memci.recall.listing import TopicEntry
from memci.recall.local_choice import LocalRanker
from tests.build import NOW
from tests.recall.build import entry, names

REFUNDS = [entry(f"refund-{number}", "Refunds need approval") for number in range(8)]


@dataclass(frozen=True, slots=True)
class Scripted:
    """A ranker that answers what it was told, as a model might."""

    answer: tuple[str, ...]
    name: str = "scripted"

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        assert query
        assert manifest
        return list(self.answer)


def as_it_is(text: str) -> str:
    return text


def test_at_most_five_are_chosen() -> None:
    choice = choose("refund approval", REFUNDS, LocalRanker())
    assert names([one.entry.id for one in choice.chosen]) == [f"refund-{number}" for number in range(5)]


def test_what_was_shown_before_makes_room_for_others() -> None:
    choice = choose("refund approval", REFUNDS, LocalRanker(), already={"m/refund-0.md", "m/refund-2.md"})
    assert names([one.entry.id for one in choice.chosen])[:2] == ["refund-1", "refund-3"]
    assert [(one.id, reason) for one, reason in choice.set_aside] == [
        ("m/refund-0.md", ALREADY),
        ("m/refund-2.md", ALREADY),
    ]


def test_manuals_of_tools_in_use_are_set_aside() -> None:
    manual = entry("docker-usage", "Docker commands", "`docker ps`", kind="reference")
    warning = entry("docker-volumes", "Docker loses data on Macs", kind="feedback")
    choice = choose("docker", [manual, warning], LocalRanker(), tools=["Bash(docker ps)"])
    assert [one.entry for one in choice.chosen] == [warning]
    assert choice.set_aside == ((manual, MANUAL),)


def test_ids_that_are_invented_repeated_or_set_aside_are_dropped() -> None:
    ranker = Scripted(
        ("m/gone.md", "m/refund-3.md", "../../etc/passwd", "m/refund-3.md", "m/refund-1.md", "m/refund-0.md")
    )
    choice = choose("refund", REFUNDS, ranker, already={"m/refund-1.md"})
    assert names([one.entry.id for one in choice.chosen]) == ["refund-3", "refund-0"]


def test_a_choice_without_a_common_word_has_no_score() -> None:
    (chosen,) = choose("money back", REFUNDS, Scripted(("m/refund-0.md",))).chosen
    assert (chosen.score, chosen.why) == (0.0, ())


def test_a_short_topic_is_shown_whole() -> None:
    assert cut_topic("---\nname: a\n---\nText.\n", as_it_is) == ("---\nname: a\n---\nText.", "")
    assert cut_topic("", as_it_is) == ("", "")


def test_a_long_topic_is_cut_at_lines_or_bytes_and_says_so() -> None:
    text, note = cut_topic("x\n" * 300, as_it_is)
    assert text.count("\n") == MAX_TOPIC_LINES - 1
    assert note == "cut at 200 lines; read the file for the rest"
    text, note = cut_topic(("y" * 99 + "\n") * 100, as_it_is)
    assert len(text) == 3_999
    assert note == "cut at 4,096 bytes; read the file for the rest"


def test_a_secret_is_taken_out_before_the_cut() -> None:
    text, _ = cut_topic("a" * (MAX_TOPIC_SHOWN - 10) + "SECRET" * 10, lambda whole: whole.replace("SECRET" * 10, "[-]"))
    assert text.endswith("[-]")


@given(st.text(alphabet=st.sampled_from("aé漢😀\n\ud800\x00"), max_size=9_000))
def test_what_is_shown_is_never_larger_than_it_may_be(text: str) -> None:
    shown, note = cut_topic(text, as_it_is)
    assert len(shown.encode("utf-8", "surrogatepass")) <= MAX_TOPIC_SHOWN
    assert shown.count("\n") < MAX_TOPIC_LINES
    assert text.startswith(shown) or not note


@pytest.mark.parametrize(
    ("before", "texts", "fitting"),
    [([], [], 0), ([], ["a"] * 5, 5), (["x" * MAX_SESSION_BYTES], ["a"], 0), (["x" * 59_999], ["a", "b"], 1)],
)
def test_a_session_is_shown_so_much_in_all(before: list[str], texts: list[str], fitting: int) -> None:
    assert fit_session(before, texts) == fitting


@pytest.mark.parametrize(
    ("age", "note"),
    [
        (dt.timedelta(hours=3), ""),
        (dt.timedelta(hours=47), ""),
        (dt.timedelta(days=-3), ""),
        (dt.timedelta(days=2), "written 2 days ago, verify before relying on it"),
        (dt.timedelta(days=400), "written 400 days ago, verify before relying on it"),
    ],
)
def test_only_old_topics_have_a_note_of_their_age(age: dt.timedelta, note: str) -> None:
    assert describe_age(NOW - age, NOW) == note
    assert describe_age(None, NOW) == ""
