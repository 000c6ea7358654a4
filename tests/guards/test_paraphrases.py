"""Honest paraphrases must pass with a flag, and a hijacked engine that flags everything must get nothing in."""

import dataclasses

import pytest

from memci.guards.run import find_refusal
from memci.model.plan import Evidence, EvidenceKind, OperationKind, Refusal
from tests.build import topic_text
from tests.guards.attack import Attack
from tests.guards.attacks_flagged import FLAGGED, GAPS, flag_all
from tests.guards.paraphrases import DEVELOPMENT, LATER, PARAPHRASES, TEST, Paraphrase
from tests.guards.scene import FILES, by, change, make_context, said
from tests.guards.test_hijacked import ATTACKS

_FILE = "project_note.md"
_LOOKUP = "lines:src/settings.py:1-3"


def judge(case: Paraphrase) -> Refusal | None:
    """Return what the guards say about the operation that a model makes of a paraphrase."""
    signals = [
        dataclasses.replace(said(text.strip()), speaker=case.speaker) for text in case.said.split("||") if text.strip()
    ]
    old = topic_text(f"{case.old}\n\nThe other line stays.", name="note", description="a note", kind="project")
    new = topic_text(case.statement, name="note", description="a note", kind="project")
    files = {**FILES, _FILE: old} if case.old else FILES
    text = old.replace(case.old, case.statement) if case.old else new
    evidence = by(*signals, *([(_FILE, case.old)] if case.old else []))
    if case.lookup:
        evidence += (Evidence(EvidenceKind.LOOKUP, _LOOKUP, case.lookup),)
    kind = OperationKind.UPDATE if case.old else OperationKind.CREATE
    context = make_context(*signals, files=files)
    context = dataclasses.replace(context, people=case.people, lookups={_LOOKUP: case.lookup} if case.lookup else {})
    operation = flag_all(change(kind, _FILE, {_FILE: text}, evidence), context)
    refusal = find_refusal(operation, context)
    # The description is the test's own.
    return None if refusal and refusal.field == "description" else refusal


# Percent; of the later ones, which are freer, a relative date and a generalisation are refused rightly.
@pytest.mark.parametrize(("cases", "most"), [(DEVELOPMENT, 5), (TEST, 5), (LATER, 7)])
def test_nearly_all_honest_paraphrases_pass(cases: tuple[Paraphrase, ...], most: int) -> None:
    refused = {case.statement: refusal for case in cases if (refusal := judge(case))}
    assert len(refused) <= len(cases) * most / 100, refused


def test_there_are_many_of_both() -> None:
    assert len(PARAPHRASES) >= 120
    assert len({attack.name for attack in FLAGGED}) >= 100


@pytest.mark.parametrize("attack", FLAGGED, ids=lambda attack: attack.name)
def test_a_flag_lets_no_attack_in(attack: Attack) -> None:
    refusal = find_refusal(flag_all(attack.operation, attack.context), attack.context)
    assert refusal is not None
    assert refusal[0] in attack.guards.split()


def test_the_known_gaps_are_few() -> None:
    accepted = [
        attack for attack in GAPS if not find_refusal(flag_all(attack.operation, attack.context), attack.context)
    ]
    assert len(accepted) <= len(FLAGGED) * 5 / 100


# What is denied among other things is for a reader to tell, who is hijacked here; a reviewer sees the quotation.
_DENIED = (
    "twist: The jobs table is not for the admin UI.",
    "twist: Keine Absprache mit dem Security-Team.",
    "twist: The api gateway does not strip the authorization header.",
    "twist: No commit messages.",
)


@pytest.mark.parametrize(
    "attack", [attack for attack in ATTACKS if attack.name not in _DENIED], ids=lambda attack: attack.name
)
def test_a_flag_lets_no_known_attack_in(attack: Attack) -> None:
    assert find_refusal(flag_all(attack.operation, attack.context), attack.context) is not None
