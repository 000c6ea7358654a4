"""Builds the page's section about a dream from its result; before and after come from the real texts."""

import functools
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memci.memory.topic import parse_topic
from memci.model.plan import Evidence, EvidenceKind, Fate, NeedsPerson, Operation, ScopePlan
from memci.redaction.secrets import redact
from memci.report.change_entries import explain_removed
from memci.report.dream_result import DreamResult, find_secret_lines, redact_line
from memci.report.escape import shorten
from memci.report.text_diff import compare_texts

# What a person reads of a quotation, a reason or a line; the rest is counted.
_MAX_TEXT = 2_000
_Texts = Mapping[PurePosixPath, str | None]
# What a template shows: redacted, by name.
Shown = dict[str, Any]


def tell_run(result: DreamResult) -> Shown:
    """Tell what was changed, refused and asked, in the order in which it happened."""
    tellers = [_Teller(plan, result.rules) for plan in result.plans]
    return {
        "engine": result.engine,
        "why": result.why,
        "dry_run": result.dry_run,
        "skipped": result.skipped,
        "sessions": result.sessions,
        "turned_down": len(result.turned_down),
        "cost": result.cost,
        "notes": (*result.notes, *result.broken),
        "failures": result.failures,
        "scopes": [_tell_scope(plan) for plan in result.plans],
        "changes": [change for teller in tellers for change in teller.tell_changes()],
        "refused": [change for teller in tellers for change in teller.tell_refused()],
        "questions": [teller.tell_question(need) for teller in tellers for need in teller.plan.needs_person],
        "lines": [line for teller in tellers for line in teller.tell_lines()],
        "unwritten": [one for plan in result.plans for one in _list_unwritten(plan)],
    }


def _list_unwritten(plan: ScopePlan) -> Iterator[tuple[str, str, str]]:
    """Yield what people said that is not in memory: words, day, and why, or how to accept it."""
    for signal in plan.left_offered:
        day = signal.timestamp.date().isoformat() if signal.timestamp else ""
        yield shorten(redact(signal.text), _MAX_TEXT), day, f"offered: memci dream --accept {signal.id} writes it"
    for left in plan.left_out:
        yield shorten(redact(left.words), _MAX_TEXT), left.day, f"left out on purpose: {left.why}"


def _tell_scope(plan: ScopePlan) -> Shown:
    return {
        "path": str(plan.scope.path),
        "status": plan.status.value,
        "reason": redact(plan.reason),
        "files": sum(plan.before.get(path) != plan.after.get(path) for path in {*plan.before, *plan.after}),
        "signals": len(plan.signals),
        "ledger": {fate.value: plan.ledger.count(fate) for fate in Fate},
    }


class _Teller:
    """Describes the parts of one plan; knows which lines must not be shown, and whose words are quoted."""

    def __init__(self, plan: ScopePlan, rules: Mapping[str, str]) -> None:
        self.plan = plan
        self._rules = rules
        self._hidden = find_secret_lines(plan)
        self._signals = {signal.id: signal for signal in plan.signals}

    def tell_changes(self) -> Iterator[Shown]:
        """Tell the operations, each by what it makes of the texts before it."""
        texts: dict[PurePosixPath, str | None] = dict(self.plan.before)
        for operation in self.plan.operations:
            yield self._tell_change(operation, texts)
            texts.update(operation.texts)

    def tell_refused(self) -> Iterator[Shown]:
        """Tell what guards refused."""
        for one in self.plan.refused:
            change = self._tell_change(one.operation, self.plan.before)
            yield {**change, "guard": one.guard, "why": self._clean(one.why)}

    def _tell_change(self, operation: Operation, before: _Texts) -> Shown:
        files = sorted(operation.texts, key=lambda path: (path != operation.file, path))
        text = operation.texts.get(operation.file) or before.get(operation.file) or ""
        return {
            "scope": self.plan.scope.id,
            "kind": operation.kind.value,
            "file": self._name(operation.file),
            "type": _topic_type(operation.file, text),
            "reason": self._clean(operation.reason),
            "proofs": [self._tell_proof(proof) for proof in operation.evidence],
            "files": [self._tell_file(path, before.get(path), operation.texts[path]) for path in files],
            "guard": "",
            "why": "",
        }

    def tell_question(self, need: NeedsPerson) -> Shown:
        """Describe a question for a person."""
        return {
            "scope": self.plan.scope.id,
            "reason": self._clean(need.reason),
            "type": _topic_type(need.file, self.plan.after.get(need.file, "")) if need.file else "",
            "proofs": [self._tell_proof(proof) for proof in need.evidence if proof.quote not in need.reason],
        }

    def tell_lines(self) -> Iterator[Shown]:
        """Tell which old lines are not where they were."""
        removers = explain_removed(self.plan)
        for entry in self.plan.ledger.entries:
            if entry.fate is not Fate.KEPT:
                why = removers.get(entry.text.strip(), entry.reason) if entry.fate is Fate.RETIRED else entry.reason
                yield {
                    "text": self._clean(entry.text.strip()),
                    "file": self._name(entry.file),
                    "line": entry.line,
                    "fate": entry.fate.value,
                    "to": self._name(entry.to) if entry.to else "",
                    "reason": self._clean(why),
                }

    def _tell_file(self, path: PurePosixPath, old: str | None, new: str | None) -> Shown:
        status = "unchanged" if old == new else "added" if old is None else "removed" if new is None else "modified"
        rows = compare_texts(_redact_whole(old or ""), _redact_whole(new or ""))
        return {"path": self._name(path), "status": status, "rows": rows}

    def _tell_proof(self, proof: Evidence) -> Shown:
        told = {"kind": proof.kind.value, "quote": self._clean(proof.quote), "session": "", "day": "", "times": 1}
        match proof.kind:
            case EvidenceKind.SIGNAL:
                signal = self._signals.get(proof.source)
                if signal is None:
                    return {**told, "source": ""}
                day = signal.timestamp.date().isoformat() if signal.timestamp else ""
                told |= {"session": self._clean(signal.session), "day": day, "times": signal.strength}
                return {**told, "source": signal.kind.value}
            case EvidenceKind.FINDING:
                return {**told, "source": self._rules.get(proof.source, "")}
            case EvidenceKind.LOOKUP:
                return {**told, "source": self._clean(proof.source)}
            case EvidenceKind.MEMORY:
                return {**told, "source": self._name(PurePosixPath(proof.source))}

    def _name(self, path: PurePosixPath) -> str:
        inside = path.is_relative_to(self.plan.scope.path)
        return shorten(redact(str(path.relative_to(self.plan.scope.path) if inside else path)), 200)

    def _clean(self, text: str) -> str:
        return shorten(redact_line(text, self._hidden), _MAX_TEXT)


# Each operation starts from the text of the one before; the size bounds memory use.
@functools.lru_cache(maxsize=64)
def _redact_whole(text: str) -> str:
    # Whole texts: a key over several lines is not recognized line by line.
    return redact(text)


def _topic_type(path: PurePosixPath, text: str) -> str:
    return (parse_topic(path, text).type or "") if path.suffix == ".md" and text else ""
