"""Builds the page's section about a dream: the text of the pull request, and below each change the files themselves."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memci.memory.topic import parse_topic
from memci.model.plan import EvidenceKind, Fate, OperationKind, PlanStatus
from memci.redaction.secrets import redact
from memci.report.change_entries import ChangeEntry, ChangeGroup
from memci.report.dream_result import DreamResult
from memci.report.headline import describe_waiting
from memci.report.open_questions import OpenQuestion
from memci.report.summary_parts import PLAIN, PartsWriter, read_summary
from memci.report.text_diff import compare_texts
from memci.report.text_templates import Level

# What a person reads of a quotation, a reason or a line; the rest is counted.
_LEVEL = Level(quote=2_000, name=200, rows=0, details=50)
# What a template shows: redacted, by name.
Shown = dict[str, Any]


def tell_run(result: DreamResult) -> Shown:
    """Tell what was changed, refused and asked, in the words of the pull request."""
    summary = read_summary(result.plans, None, PLAIN)
    operations = [one.kind for plan in result.plans for one in plan.operations]
    refused = [one for writer in summary.writers for one in _tell_refused(writer, result.rules)]
    return {
        "result": result,
        "proposed": sum(kind is not OperationKind.REINDEX for kind in operations) + len(refused),
        "reindexed": sum(OperationKind.REINDEX in {one.kind for one in plan.operations} for plan in result.plans),
        "questions": [_tell_question(writer, question) for writer, question in summary.questions],
        "changes": list(_tell_changes(summary.entries, summary.writers, result.rules)),
        "waiting": describe_waiting(result.plans),
        "refused": refused,
        "fates": Counter(entry.fate for plan in result.plans for entry in plan.ledger.entries),
        "lines": [line for writer in summary.writers for line in _tell_lines(writer)],
    }


def _tell_question(writer: PartsWriter, question: OpenQuestion) -> Shown:
    return {
        **writer.tell_question(question, _LEVEL),
        "scope": writer.plan.scope.id,
        "type": _topic_type(question.file, writer.plan.after.get(question.file, "")) if question.file else "",
    }


def _tell_changes(
    entries: tuple[tuple[PartsWriter, ChangeEntry], ...], writers: tuple[PartsWriter, ...], rules: Mapping[str, str]
) -> Iterator[Shown]:
    """Yield the entries of the pull request, each with those of its files that no earlier one shows."""
    shown: set[PurePosixPath] = set()
    for writer, entry in entries:
        paths = [path for path in entry.files if path in writer.plan.changed_files and path not in shown]
        shown.update(paths)
        sources = (proof.source for proof in entry.evidence if proof.kind is EvidenceKind.FINDING)
        yield _tell_change(writer, entry, paths) | {"rules": sorted({rules[one] for one in sources if one in rules})}
    for writer in (one for one in writers if one.plan.status is PlanStatus.CHANGED):
        # An index follows its topics without an entry of its own.
        for path in (one for one in writer.plan.changed_files if one not in shown):
            yield _tell_change(writer, ChangeEntry(ChangeGroup.TIDIED, (path,), reason="follows the others"), [path])


def _tell_change(writer: PartsWriter, entry: ChangeEntry, paths: list[PurePosixPath]) -> Shown:
    plan = writer.plan
    text = plan.after.get(entry.files[0]) or plan.before.get(entry.files[0]) or ""
    return {
        **writer.tell_entry(entry, _LEVEL),
        "group": entry.group.value,
        "scope": plan.scope.id,
        "type": _topic_type(entry.files[0], text),
        "rules": [],
        "diffs": [_tell_file(writer, path, plan.before.get(path), plan.after.get(path)) for path in paths],
    }


def _tell_refused(writer: PartsWriter, rules: Mapping[str, str]) -> list[Shown]:
    """Tell what guards refused, in the order in which it was proposed."""
    told = []
    for one, line in zip(writer.plan.refused, writer.tell_refused(_LEVEL), strict=True):
        operation, before = one.operation, writer.plan.before
        text = operation.texts.get(operation.file) or before.get(operation.file) or ""
        found = {rules.get(proof.source, "") for proof in operation.evidence if proof.kind is EvidenceKind.FINDING}
        told.append(
            {
                "said": line,
                "scope": writer.plan.scope.id,
                "type": _topic_type(operation.file, text),
                "rules": [one.guard, *sorted(filter(None, found))],
                "diffs": [
                    _tell_file(writer, path, before.get(path), new) for path, new in sorted(operation.texts.items())
                ],
            }
        )
    return told


def _tell_lines(writer: PartsWriter) -> Iterator[Shown]:
    """Tell which old lines are not where they were."""
    for entry in writer.plan.ledger.entries:
        if entry.fate is not Fate.KEPT:
            told = writer.tell_removed(entry, _LEVEL)
            told["reason"] = told["reason"] if entry.fate is Fate.RETIRED else ""
            yield {**told, "fate": entry.fate.value, "to": writer.name(entry.to, _LEVEL) if entry.to else ""}


def _tell_file(writer: PartsWriter, path: PurePosixPath, old: str | None, new: str | None) -> Shown:
    status = "unchanged" if old == new else "added" if old is None else "removed" if new is None else "modified"
    # Whole texts: a key over several lines is not recognized line by line.
    rows = compare_texts(redact(old or ""), redact(new or ""))
    return {"path": writer.name(path, _LEVEL), "status": status, "rows": rows}


def _topic_type(path: PurePosixPath, text: str) -> str:
    return (parse_topic(path, text).type or "") if path.suffix == ".md" and text else ""
