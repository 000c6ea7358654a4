import dataclasses

import pytest

from memci.guards.rules.evidence import GUARD
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.model.session import Mention, Origin
from tests.build import topic_text
from tests.guards.scene import FILES, SAID_AT, by, change, check, edit, finding, make_context, said

PUSH = said("never push to main. always open a pull request")
SHORT = said("tabs")
LOG = said("the queue moved to NATS", origin=Origin.LOG)
TOOL = said("push to main", origin=Origin.TOOL)
TWICE = dataclasses.replace(PUSH, repeated=(Mention("s2", "u2", SAID_AT, "never push to main please"),))
DEAD = finding("path-missing", "project_invoices.md", 7, "`billing/render_pdf.py` is gone")
CONTEXT = make_context(PUSH, SHORT, LOG, TOOL, findings=[DEAD])


def make(*evidence: Evidence, kind: str = "feedback") -> Operation:
    return change(OperationKind.CREATE, "a.md", {"a.md": topic_text("A.", kind=kind)}, evidence)


def quote(source: str, text: str, kind: EvidenceKind = EvidenceKind.SIGNAL) -> Evidence:
    return Evidence(kind, source, text)


@pytest.mark.parametrize(
    "operation",
    [
        make(*by(PUSH)),
        make(quote(PUSH.id, "never push to main")),
        make(*by(SHORT)),
        make(*by(LOG)),
        change(OperationKind.UPDATE, "project_invoices.md", {"project_invoices.md": "x"}, by(DEAD)),
        change(OperationKind.RETIRE, "user_zone.md", {"user_zone.md": None}, by(("user_zone.md", "Works from Lisbon"))),
        change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": "x"}, by(("MEMORY.md", "# Memory"))),
        # What a finding shows may be told elsewhere, beside other evidence.
        make(*by(PUSH, DEAD)),
        # Memory may be said in a topic of its own, but not as what a person wants.
        make(*by(("project_deploys.md", "Alerts go to the night shift")), kind="project"),
        # A line that is reworded is its own evidence; what it may say is for other guards.
        change(OperationKind.UPDATE, "user_zone.md", {"user_zone.md": "x"}, by(("user_zone.md", "Works from Lisbon"))),
    ],
)
def test_evidence_that_exists_and_may_be_a_source_passes(operation: Operation) -> None:
    assert check(GUARD, operation, CONTEXT) is None


def test_another_mention_of_the_signal_may_be_quoted() -> None:
    assert check(GUARD, make(quote(TWICE.id, "never push to main please")), make_context(TWICE)) is None


def test_prose_of_the_index_may_move_into_a_project_topic() -> None:
    files = {**FILES, "MEMORY.md": FILES["MEMORY.md"] + "\nThe importer runs at night.\n"}
    texts = {"a.md": topic_text("The importer runs at night."), "MEMORY.md": FILES["MEMORY.md"]}
    moved = by(("MEMORY.md", "The importer runs at night."))
    assert check(GUARD, change(OperationKind.CREATE, "a.md", texts, moved), make_context(files=files)) is None


@pytest.mark.parametrize(
    "operation",
    [
        make(),
        make(quote("nothing", PUSH.text)),
        make(quote(PUSH.id, "Never push to main")),
        make(quote(PUSH.id, "")),
        make(quote(PUSH.id, "\n")),
        make(quote(PUSH.id, "main")),
        make(*by(TOOL)),
        make(*by(PUSH, TOOL)),
        make(*by(DEAD)),
        make(quote("nothing", "x", EvidenceKind.FINDING)),
        make(*by(("user_zone.md", "Works from Lisbon"))),
        make(quote("CLAUDE.md", "x", EvidenceKind.MEMORY)),
        make(*by(PUSH) * 21),
        change(OperationKind.UPDATE, "user_zone.md", {"user_zone.md": "x"}, by(("project_queue.md", "It is Kafka"))),
        change(OperationKind.REPAIR, "user_zone.md", {"user_zone.md": "x"}, by(PUSH)),
        change(OperationKind.UPDATE, "user_zone.md", {"user_zone.md": "x"}, by(DEAD)),
    ],
)
def test_evidence_that_is_missing_forged_or_of_the_wrong_kind_is_refused(operation: Operation) -> None:
    assert check(GUARD, operation, CONTEXT)


@pytest.mark.parametrize("kind", ["user", "feedback"])
def test_what_is_personal_needs_a_persons_words(kind: str) -> None:
    line = "Works from Lisbon, starts late."
    texts = {"a.md": topic_text(line, kind=kind), "user_zone.md": edit("user_zone.md", (line, ""))}
    assert check(GUARD, change(OperationKind.CREATE, "a.md", texts, by(("user_zone.md", line))), CONTEXT)
