"""How sentences are built: of a kind or of one thing, explained or not."""

import pytest

from memci.signals.structure import (
    complains,
    concludes,
    explains_itself,
    forbids_kind,
    is_nominal,
    orders_kind,
    recurs,
    speaks_of_kind,
)


@pytest.mark.parametrize(
    "folded",
    ["dont log the address", "dont deploy", "dont run tests yet", "no idea", "no rush", "dont worry about names"],
)
def test_what_is_not_to_be_done_now_is_no_general_prohibition(folded: str) -> None:
    assert not forbids_kind(folded)


@pytest.mark.parametrize(
    "folded", ["dont log addresses", "please never mock repositories", "no default exports in libraries"]
)
def test_a_prohibition_without_an_article_is_general(folded: str) -> None:
    assert forbids_kind(folded)


@pytest.mark.parametrize(("folded", "general"), [("use the second one", False), ("use cursors for paging", True)])
def test_orders_are_general_without_an_article(folded: str, *, general: bool) -> None:
    assert orders_kind(folded) is general


@pytest.mark.parametrize(
    ("folded", "explained"),
    [
        ("use rem, then rerun it", False),
        ("hero on the left, two columns on tablet", False),
        ("use rem, px breaks the zoom of our users", True),
        ("leave it out, renovate takes care of it", True),
    ],
)
def test_a_clause_with_subject_and_verb_explains(folded: str, *, explained: bool) -> None:
    assert explains_itself(folded) is explained


def test_other_shapes() -> None:
    assert concludes("everyone here is on windows, so scripts need a twin")
    assert not concludes("so far so good")
    assert recurs("payroll runs on the 25th of every month")
    assert not recurs("it happened on monday")
    assert complains("you guessed the unit again!")
    assert not complains("you can start now")
    assert speaks_of_kind("textures are power of two")
    assert not speaks_of_kind("the textures are blurry")
    assert is_nominal("table names singular")
    assert not is_nominal("tests are green again")
