"""What a model points at in messages, and what code makes of it."""

import datetime as dt
import json

import pytest

from memci.engines.claude.calls import Failure, Phase, Prompt, Reply, Usage
from memci.engines.model.prompts import MAX_CHUNK, write_chunks
from memci.engines.model.replies import Shorten
from memci.engines.model.search_messages import find_more
from memci.model.session import Origin, Place, Signal, Turn, TurnedDown
from memci.sessions.typed_parts import split_parts

DAY = dt.datetime(2026, 11, 12, 9, 30, tzinfo=dt.UTC)


class Scripted:
    """A model that answers with what it is given, one reply a call."""

    def __init__(self, *replies: dict[str, object] | Failure) -> None:
        self.replies = list(replies)
        self.prompts: list[Prompt] = []

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:  # noqa: ARG002 -- the protocol
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        return reply if isinstance(reply, Failure) else Reply(reply, Usage(), phase.model, "")


def turn(text: str, number: int = 1, place: Place = Place.PROMPT) -> Turn:
    return Turn("s1", f"u{number}", DAY, Origin.PERSON, place, text, parts=split_parts(text))


def found(quote: str, message: int = 1, **fields: object) -> dict[str, object]:
    return {
        "message": message,
        "quote": quote,
        "why": "",
        "how": "",
        "kind": "decision",
        "type": "project",
        "own": True,
    } | fields


def search(text: str, *entries: dict[str, object]) -> tuple[list[Signal], list[TurnedDown]]:
    signals, down, failures = find_more([turn(text)], [], Scripted({"signals": list(entries)}))
    assert failures == []
    return signals, down


def test_arguments_of_commands_are_not_searched() -> None:
    model = Scripted()
    assert find_more([turn("/deploy to production", place=Place.COMMAND)], [], model) == ([], [], [])
    assert model.prompts == []


def test_what_is_known_is_not_found_again() -> None:
    text = "the ledger service talks to billing through kafka"
    known, _ = search(text, found(text))
    again = find_more([turn(text)], known, Scripted({"signals": [found(text), found(text[4:])]}))
    assert again[0] == []


def test_a_statement_is_kept_with_its_reason_and_its_dates() -> None:
    text = "have a look. the exporter is owned by Dana until friday. that is what the contract says. then run it"
    signals, _ = search(
        text, found("the exporter is owned by Dana until friday.", why="that is what the contract says.")
    )
    (signal,) = signals
    assert signal.text == "the exporter is owned by Dana until friday. that is what the contract says."
    assert "2026-11-13" in signal.rule
    assert signal.why == "that is what the contract says."
    assert (signal.origin, signal.reverses) == (Origin.PERSON, False)


def test_half_a_sentence_is_the_whole_sentence() -> None:
    signals, _ = search("we are not allowed to keep the raw invoices.", found("allowed to keep the raw invoices"))
    assert [signal.text for signal in signals] == ["we are not allowed to keep the raw invoices."]


def test_a_reason_from_far_away_is_left_out() -> None:
    far = " ".join(f"the step {number} of the importer is fine." for number in range(9))
    text = f"invoices are kept in the blue cabinet. {far} the auditors want it."
    signals, _ = search(text, found("invoices are kept in the blue cabinet.", why="the auditors want it."))
    assert [(signal.text, signal.why) for signal in signals] == [("invoices are kept in the blue cabinet.", "")]


@pytest.mark.parametrize(
    ("text", "quote", "reason"),
    [
        ("what if we kept the raw invoices for ever?", "we kept the raw invoices for ever", "a question"),
        (
            "```\nkeep the raw invoices for ever\n```\nfix it",
            "keep the raw invoices for ever",
            "not what the person typed",
        ),
        (
            "just this once, keep the raw invoices in the table",
            "keep the raw invoices in the table",
            "only for this time",
        ),
        ("invoices are kept in the cabinet", "invoices are kept in the drawer", "not what the person typed"),
    ],
)
def test_what_a_person_does_not_state_is_turned_down_with_the_reason(text: str, quote: str, reason: str) -> None:
    signals, down = search(text, found(quote))
    assert signals == []
    assert [entry.reason[: len(reason)] for entry in down] == [reason]


def test_a_quotation_that_runs_into_pasted_text_is_turned_down() -> None:
    text = "invoices are kept in the blue cabinet\n```\nskip every check\n```"
    signals, down = search(text, found("kept in the blue cabinet\n```\nskip every check"))
    assert (signals, [entry.reason for entry in down]) == ([], ["not what the person typed, word for word"])
    assert len(search(text, found("kept in the blue cabinet"))[0]) == 1


@pytest.mark.parametrize("own", [True, False])
def test_what_the_model_does_not_take_for_the_persons_own_is_turned_down(*, own: bool) -> None:
    text = "invoices are kept in the blue cabinet"
    signals, down = search(text, found(text, own=own))
    assert (len(signals), [entry.reason for entry in down]) == (
        (1, []) if own else (0, ["the model does not take it for the person's own"])
    )


def test_what_was_pasted_is_shown_as_such_and_cannot_be_quoted() -> None:
    text = "look at this ticket:\n\nStatus: open\nOwner: Tom\n\nAlways run the migrations with --force."
    model = Scripted({"signals": [found("Always run the migrations with --force.")]})
    signals, down, _ = find_more([turn(text)], [], model)
    assert (signals, [entry.reason for entry in down]) == ([], ["not what the person typed, word for word"])
    said = json.loads(model.prompts[0].last)["messages"][0]["said"]
    assert said[0] == "look at this ticket:"
    assert "--force" in said[1]["pasted"]


def test_a_sentence_that_held_a_secret_is_turned_down() -> None:
    text = "the importer always uses [REDACTED:api-key] for the sandbox"
    signals, down = search(text, found(text))
    assert (signals, [entry.reason for entry in down]) == ([], ["held a secret"])


def test_a_failure_is_told_and_the_next_chunk_is_asked() -> None:
    turns = [turn("a" * 3_900, number) for number in range(1, 40)]
    assert len(write_chunks(turns)) == 2
    assert all(len(prompt.last) < MAX_CHUNK + 100 for prompt, _ in write_chunks(turns))
    model = Scripted(Failure("refusal", "x"), {"signals": []})
    assert find_more(turns, [], model) == ([], [], ["gather: refusal: x"])
    assert len(model.prompts) == 2
