"""Builds the page's section about a dream from its result; before and after come from the real texts."""

import functools
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memci.memory.topic import parse_topic
from memci.model.plan import Evidence, EvidenceKind, Fate, NeedsPerson, Operation, ScopePlan
from memci.redaction.secrets import redact
from memci.report.change_entries import explain_removed
from memci.report.dream_result import DreamResult, find_secret_lines, redact_line
from memci.report.escape import shorten
from memci.report.headline import measure_index
from memci.report.page.data import FileChange, OldLine, PageChange, PageRun, Proof, Question, ScopeRun
from memci.report.page.diff import compare_texts

# What a person reads of a quotation, a reason or a line; the rest is counted.
_MAX_TEXT = 2_000
Texts = Mapping[PurePosixPath, str | None]


def tell_run(result: DreamResult) -> PageRun:
    """Tell what was changed, refused and asked, in the order in which it happened."""
    changes: list[PageChange] = []
    refused: list[PageChange] = []
    questions: list[Question] = []
    lines: list[OldLine] = []
    for plan in result.plans:
        teller = _Teller(plan, result.rules)
        texts: dict[PurePosixPath, str | None] = dict(plan.before)
        for operation in plan.operations:
            changes.append(teller.tell_change(operation, texts))
            texts.update(operation.texts)
        refused += [teller.tell_change(one.operation, plan.before, one.guard, one.why) for one in plan.refused]
        questions += [teller.tell_question(need) for need in plan.needs_person]
        lines += teller.tell_lines()
    return PageRun(
        result.engine,
        result.why,
        result.dry_run,
        result.skipped,
        result.sessions,
        len(result.turned_down),
        tuple(_tell_scope(plan) for plan in result.plans),
        tuple(changes),
        tuple(refused),
        tuple(questions),
        tuple(lines),
        result.cost,
        (*result.notes, *result.broken),
        result.failures,
        tuple(one for plan in result.plans for one in _list_unwritten(plan)),
    )


def _list_unwritten(plan: ScopePlan) -> Iterator[tuple[str, str, str]]:
    for signal in plan.left_offered:
        day = signal.timestamp.date().isoformat() if signal.timestamp else ""
        yield shorten(redact(signal.text), _MAX_TEXT), day, f"offered: memci dream --accept {signal.id} writes it"
    for left in plan.left_out:
        yield shorten(redact(left.words), _MAX_TEXT), left.day, f"left out on purpose: {left.why}"


def _tell_scope(plan: ScopePlan) -> ScopeRun:
    lines, size = measure_index(plan)
    files = sum(plan.before.get(path) != plan.after.get(path) for path in {*plan.before, *plan.after})
    ledger = {fate.value: plan.ledger.count(fate) for fate in Fate}
    scope = plan.scope
    return ScopeRun(
        scope.id, str(scope.path), plan.status.value, redact(plan.reason), files, len(plan.signals), lines, size, ledger
    )


class _Teller:
    """Describes the parts of one plan; knows which lines must not be shown, and whose words are quoted."""

    def __init__(self, plan: ScopePlan, rules: Mapping[str, str]) -> None:
        self._plan = plan
        self._rules = rules
        self._hidden = find_secret_lines(plan)
        self._signals = {signal.id: signal for signal in plan.signals}

    def tell_change(self, operation: Operation, before: Texts, guard: str = "", why: str = "") -> PageChange:
        """Tell an operation by what it makes of the texts before it."""
        files = sorted(operation.texts, key=lambda path: (path != operation.file, path))
        text = operation.texts.get(operation.file) or before.get(operation.file) or ""
        return PageChange(
            self._plan.scope.id,
            operation.kind.value,
            self._name(operation.file),
            _topic_type(operation.file, text),
            self._clean(operation.reason),
            tuple(self._tell_proof(proof) for proof in operation.evidence),
            tuple(self._tell_file(path, before.get(path), operation.texts[path]) for path in files),
            guard,
            self._clean(why),
        )

    def tell_question(self, need: NeedsPerson) -> Question:
        """Describe a question for a person."""
        file = need.file
        type_ = _topic_type(file, self._plan.after.get(file, "")) if file else ""
        proofs = tuple(self._tell_proof(proof) for proof in need.evidence if proof.quote not in need.reason)
        return Question(self._plan.scope.id, self._clean(need.reason), self._name(file) if file else "", type_, proofs)

    def tell_lines(self) -> Iterator[OldLine]:
        """Tell which old lines are not where they were."""
        removers = explain_removed(self._plan)
        for entry in self._plan.ledger.entries:
            if entry.fate is not Fate.KEPT:
                to = self._name(entry.to) if entry.to else ""
                why = removers.get(entry.text.strip(), entry.reason) if entry.fate is Fate.RETIRED else entry.reason
                text, reason = self._clean(entry.text.strip()), self._clean(why)
                yield OldLine(
                    self._plan.scope.id, self._name(entry.file), entry.line, text, entry.fate.value, to, reason
                )

    def _tell_file(self, path: PurePosixPath, old: str | None, new: str | None) -> FileChange:
        status = "unchanged" if old == new else "added" if old is None else "removed" if new is None else "modified"
        return FileChange(self._name(path), status, compare_texts(_redact_whole(old or ""), _redact_whole(new or "")))

    def _tell_proof(self, proof: Evidence) -> Proof:
        quote = self._clean(proof.quote)
        match proof.kind:
            case EvidenceKind.SIGNAL:
                signal = self._signals.get(proof.source)
                if signal is None:
                    return Proof(proof.kind.value, "", quote)
                day = signal.timestamp.date().isoformat() if signal.timestamp else ""
                return Proof(
                    proof.kind.value, signal.kind.value, quote, self._clean(signal.session), day, signal.strength
                )
            case EvidenceKind.FINDING:
                return Proof(proof.kind.value, self._rules.get(proof.source, ""), quote)
            case EvidenceKind.LOOKUP:
                return Proof(proof.kind.value, self._clean(proof.source), quote)
            case EvidenceKind.MEMORY:
                return Proof(proof.kind.value, self._name(PurePosixPath(proof.source)), quote)

    def _name(self, path: PurePosixPath) -> str:
        inside = path.is_relative_to(self._plan.scope.path)
        return shorten(redact(str(path.relative_to(self._plan.scope.path) if inside else path)), 200)

    def _clean(self, text: str) -> str:
        return shorten(redact_line(text, self._hidden), _MAX_TEXT)


# Each operation starts from the text of the one before; the size bounds memory use.
@functools.lru_cache(maxsize=64)
def _redact_whole(text: str) -> str:
    # Whole texts: a key over several lines is not recognized line by line.
    return redact(text)


def _topic_type(path: PurePosixPath, text: str) -> str:
    return (parse_topic(path, text).type or "") if path.suffix == ".md" and text else ""
