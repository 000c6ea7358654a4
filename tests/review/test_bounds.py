"""Whatever the texts: every fact is accounted for, equal texts give equal reviews, and nothing is quadratic."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.topic import parse_topic
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, Trust
from memci.report.review_markdown import MAX_LENGTH, render_review_markdown
from memci.report.review_result import ChangeKind, render_review_json
from memci.review.build_review import ReviewJudgement, build_review
from memci.review.compare_scopes import compare
from memci.review.match_facts import match_facts
from memci.review.scope_facts import split_facts
from tests.gate import in_gate

_SCOPE = Scope("project", PurePosixPath("m"), Trust.COMMITTED, Path("/nowhere"))
_SIZE = 64 * 1024


def _snapshot(*bodies: str) -> Snapshot:
    topics = tuple(parse_topic(PurePosixPath(f"m/{number}.md"), body) for number, body in enumerate(bodies))
    return Snapshot((ScopeSnapshot(_SCOPE, None, topics),))


_LINES = st.lists(
    st.sampled_from(
        [
            "- Keep 30 connections open.",
            "- Keep 60 connections open.",
            "# Limits",
            "",
            "Never push.",
            "Push.",
            "```",
            "x",
        ]
    )
    | st.text(max_size=20),
    max_size=12,
).map("\n".join)


@given(_LINES, _LINES)
def test_every_fact_is_in_a_link(one: str, other: str) -> None:
    old, new = (split_facts(_snapshot(text).scopes[0]) for text in (one, other))
    links = match_facts(old, new).links
    assert {id(fact) for link in links for fact in link.old} >= {id(fact) for fact in old}
    lost = {fact.key for link in links if link.kind is ChangeKind.LOST for fact in link.old}
    assert not lost & {fact.key for fact in new}


@given(_LINES)
def test_nothing_changes_when_nothing_changed(text: str) -> None:
    compared = compare(_snapshot(text), _snapshot(text))
    assert (compared.changes, compared.points, compared.moves) == ((), (), ())


@given(_LINES, _LINES)
def test_the_same_texts_give_the_same_bytes(one: str, other: str) -> None:
    reviews = [build_review(_snapshot(one), _snapshot(other), ReviewJudgement(), base="1", head="2") for _ in range(2)]
    assert render_review_json(reviews[0]) == render_review_json(reviews[1])


def _fill(piece: str) -> str:
    return (piece * (_SIZE // len(piece) + 1))[:_SIZE]


@pytest.mark.parametrize(
    "piece",
    in_gate(["a", "a ", "a b c ", "- x\n", "|", "| a | b |\n", "`", "**", "[", "](", "<!--", "# h\n", "not ",
     "1 2 3. ", "不", "\r", "\n", "```\n", "- [ ] a\n", "> ", "_a_ ", "\\", "a: b\n",
     "- the same words again here\n", "a. B. "], 3),
)  # fmt: skip
def test_hostile_texts_are_compared_in_one_pass(piece: str) -> None:
    # What is quadratic runs into the limit for every test.
    text = _fill(piece)
    review = build_review(
        _snapshot(text), _snapshot(text[:-9] + " end", "- new\n"), ReviewJudgement(), base="1", head="2"
    )
    assert len(render_review_markdown(review)) <= MAX_LENGTH


@pytest.mark.slow
def test_many_facts_that_all_change_are_counted_without_comparing_words() -> None:
    old = "".join(f"- The {n} service keeps {n * 3} ledgers in its own {n % 7} store.\n" for n in range(9_000))
    new = "".join(f"- The {n} service keeps {n * 5} ledgers in its own {n % 5} store.\n" for n in range(9_000, 18_000))
    review = build_review(_snapshot(old), _snapshot(new), ReviewJudgement(), base="1", head="2")
    assert any("too many facts" in one.why for one in review.skipped)
    assert len(review.changes) == 18_000


def test_a_line_of_a_megabyte_is_a_fact_like_others() -> None:
    words = " ".join(f"w{n}" for n in range(140_000))
    review = build_review(_snapshot(words), _snapshot(f"{words} more"), ReviewJudgement(), base="1", head="2")
    assert len(review.changes) in {1, 2}
    assert len(render_review_markdown(review)) <= MAX_LENGTH
