"""A review from a file is believed in nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.errors import UnsafeError
from memci.model.finding import Severity
from memci.report.review_json import MAX_BYTES, parse_review, render_review_json
from memci.report.review_markdown import render_review_markdown
from memci.report.review_result import (
    ChangeKind,
    FactChange,
    Move,
    Point,
    Review,
    ReviewStatement,
    ScopeChange,
    SkippedPart,
)

_PLACE = ReviewStatement("a.md", 3, "Keep 30 connections.", "Limits")
_REVIEW = Review(
    base="1" * 40,
    head="2" * 40,
    pull=4,
    kept=9,
    points=(Point("fact-lost", Severity.WARNING, "a.md", 3, "a fact of line 3 is nowhere else"),),
    changes=(FactChange(ChangeKind.LOST, "item", (_PLACE,), (), Severity.WARNING, ("note",), ("s/u",)),),
    moves=(Move("a.md", "b.md", 2, renamed=True),),
    scopes=(ScopeChange("m", "present", 9, 8),),
    claims={"verified": 2},
    skipped=(SkippedPart("history", "shallow"),),
)


def test_what_memci_wrote_is_read_back() -> None:
    assert parse_review(render_review_json(_REVIEW).encode(), "x") == _REVIEW


def _with(**fields: Any) -> bytes:
    return json.dumps({**json.loads(render_review_json(_REVIEW)), **fields}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b" " * (MAX_BYTES + 1),
        _with(schema="memci/review/2"),
        _with(more=1),
        _with(base="main"),
        _with(head="2" * 39 + "\n"),
        _with(pull="4"),
        _with(pull=True),
        _with(pull=-1),
        _with(kept=1.5),
        _with(changes={}),
        _with(changes=[{}]),
        _with(changes=[1] * 20_001),
        _with(claims={"<b>": 1}),
        _with(points=[{"rule": "<b>", "severity": "error", "file": "a", "line": 1, "message": "m"}]),
        _with(points=[{"rule": "secret", "severity": "fatal", "file": "a", "line": 1, "message": "m"}]),
        _with(points=[{"rule": "secret", "severity": "error", "file": "a" * 5_001, "line": 1, "message": "m"}]),
        _with(moves=[{"from": "a", "to": "b", "count": 1, "renamed": 1}]),
        _with(skipped=[["a", "b"]]),
    ],
)
def test_everything_else_is_refused(data: bytes) -> None:
    with pytest.raises(UnsafeError, match="x is refused"):
        parse_review(data, "x")


def test_risk_and_summary_are_told_anew() -> None:
    forged = parse_review(_with(risk="safe to merge", summary="nothing"), "x")
    page = render_review_markdown(forged)
    assert "look at this" in page
    assert "safe to merge" not in page


@given(st.text(), st.text(), st.text())
def test_no_text_gets_out_of_its_place(text: str, heading: str, message: str) -> None:
    said = ReviewStatement(text, 1, text, heading)
    review = Review(
        base="1" * 40,
        head="2" * 40,
        points=(Point("secret", Severity.ERROR, text, 1, message),),
        changes=(FactChange(ChangeKind.REWORDED, "item", (said,), (ReviewStatement("b", 2, message),), notes=(text,)),),
        moves=(Move(text, heading, 1),),
    )
    page = render_review_markdown(review)
    assert page.count("<li>") == 4
    assert page.count("<details") == page.count("</details>") == 3
    assert page.count("<code>") == page.count("</code>")
