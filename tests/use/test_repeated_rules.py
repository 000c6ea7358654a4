import datetime as dt

import pytest

from memci.model.session import Origin, Place, Turn
from memci.sessions.typed_parts import split_parts
from memci.use.repeated_rules import find_repetitions, list_rules, may_repeat
from tests.build import topic

RULES = list_rules(
    [topic("Use pnpm in every package, never npm.\n\n- Wait 30 seconds before a second try, never less.")], ()
)
AT = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)


def repeats(text: str, *, before: str = "npm install", place: Place = Place.PROMPT) -> list[str]:
    """Return the rules that a message repeats."""
    turn = Turn("s", "u", AT, Origin.PERSON, place, text, before=before, parts=split_parts(text))
    return [found.rule.text for found in find_repetitions([turn], RULES)]


@pytest.mark.parametrize(
    "text",
    [
        # The opposite, another number, another subject.
        "use npm in every package, never pnpm",
        "wait 90 seconds before a second try, never less",
        "use pnpm in every container, never docker",
        # A question, and what somebody else says.
        "do we use pnpm in every package, never npm?",
        "the ticket says:\n> Use pnpm in every package, never npm.",
        # Much else beside it.
        "the basket page, which we moved in May, broke: use pnpm in every package of it, never npm, and show me",
        # Too short to tell, or only near.
        "never npm",
        "pnpm in the package, never npm as always",
        "no, pnpm",
    ],
)
def test_what_only_resembles_a_rule_repeats_nothing(text: str) -> None:
    assert repeats(text) == []


def test_the_first_message_of_a_session_is_a_request() -> None:
    assert repeats("use pnpm in every package, never npm", before="") == []


def test_the_argument_of_a_command_is_no_correction() -> None:
    assert repeats("use pnpm in every package, never npm", place=Place.COMMAND) == []


@pytest.mark.parametrize(
    ("text", "before", "place", "may"),
    [
        ("lint fails", "Done.", Place.PROMPT, True),
        ("why is npm in here again?", "Done.", Place.PROMPT, True),
        ("用 pnpm 安装", "Done.", Place.PROMPT, True),
        ("use pnpm", "", Place.REJECTION, True),
        # Nothing was done yet; no words; another's words; the argument of a command.
        ("use pnpm here", "", Place.PROMPT, False),
        ("ok", "Done.", Place.PROMPT, False),
        ("> use pnpm here", "Done.", Place.PROMPT, False),
        ("use pnpm here", "Done.", Place.COMMAND, False),
    ],
)
def test_a_reaction_to_what_the_agent_did_may_repeat_a_rule(text: str, before: str, place: Place, *, may: bool) -> None:
    turn = Turn("s", "u", AT, Origin.PERSON, place, text, before=before, parts=split_parts(text))
    assert may_repeat(turn) is may


@pytest.mark.parametrize(
    "text",
    [
        "use pnpm in every package, never npm",
        "No, use PNPM in every package, never npm!",
        "again: in every package use pnpm and never npm",
        "looks good. pnpm in every package, never npm. go on",
    ],
)
def test_nearly_equal_wording_repeats_the_rule(text: str) -> None:
    assert repeats(text) == ["Use pnpm in every package, never npm."]


def test_a_refusal_needs_no_binding_word() -> None:
    rules = list_rules([topic("Run the formatter before every commit, always.")], ())
    text = "run the formatter before every commit"
    turn = Turn("s", "u", AT, Origin.PERSON, Place.REJECTION, text, parts=split_parts(text))
    assert len(find_repetitions([turn], rules)) == 1
