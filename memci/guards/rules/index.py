"""index: MEMORY.md stays within its limits, points at what exists, and drops nothing that still fits."""

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from memci.guards.context import Change, Guard
from memci.guards.documents import Document, StatedFact
from memci.guards.evidence_text import make_source
from memci.guards.lost_facts import Proofs, list_new
from memci.guards.proved_wrong import is_proved
from memci.guards.repair_limits import is_repair
from memci.guards.same_subject import content_stems, is_same_subject
from memci.guards.short_texts import find_unsaid
from memci.memory.client_limit import MAX_LINES, MAX_UNITS, count_units
from memci.memory.index import rank
from memci.memory.pointers import MAX_POINTER
from memci.model.memory import Index, IndexLineKind, Pointer, Topic
from memci.model.plan import OperationKind
from memci.patterns import LazyPattern
from memci.prose.markdown import list_comments
from memci.prose.similar import normalise
from memci.redaction.hidden import find_hidden
from memci.redaction.secrets import find_secrets

# Pointers may be dropped when the index is nearly full, and then only until there is room again.
_FULL = 0.9
_ROOMY = 0.7
# A topic with a finding of one of these rules gets no pointer: its description would be loaded in every session.
_UNSAFE = frozenset(("injection", "hidden-text", "secret"))

_CLAUSE_END = LazyPattern(r"(?<=[,;.!?])\s")

# The share of its words that a hook has from its topic.
_MOSTLY = 0.5


def check(change: Change) -> str | None:
    """Refuse an index that is too long, points nowhere, contains prose, or lost a pointer without need."""
    path = change.context.index_path
    if change.operation.texts.get(path) is None:
        return _check_untouched(change) if change.removed else None
    before, after = change.index_before, change.index_after
    # A repaired line is no new content of the index, even if it is no pointer.
    repaired = change.kind is OperationKind.REPAIR and is_repair(path, change)
    numbers = frozenset() if repaired else change.added_numbers[path]
    problems = (
        _check_limits(before, after),
        next(_check_rows(numbers, change), None),
        _check_twice(before, after),
        _check_unsafe(change),
        None if repaired else next(_check_prose(change), None),
        _check_dropped(change),
    )
    return next((problem for problem in problems if problem), None)


def _check_untouched(change: Change) -> str | None:
    """Refuse a removal that leaves its pointer behind."""
    pointers = change.index_before.pointers if change.context.index_path in change.context.draft else ()
    left = next((pointer.target for pointer in pointers if pointer.path in change.removed), None)
    return f"the index would still point at {left}" if left else None


def _measure(index: Index) -> tuple[int, int]:
    return len(index.lines), count_units(index.text)


def _check_limits(before: Index, after: Index) -> str | None:
    limits = zip(_measure(after), _measure(before), (MAX_LINES, MAX_UNITS), ("lines", "characters"), strict=True)
    over = next((limit for limit in limits if limit[0] > max(limit[1], limit[2])), None)
    return f"the index would have {over[0]:,} {over[3]}; the client loads {over[2]:,}" if over else None


def _check_rows(numbers: frozenset[int], change: Change) -> Iterator[str]:
    after = change.index_after
    for row in after.lines:
        if row.line not in numbers:
            continue
        place = f"{after.path.name}:{row.line}"
        # A line between sections says nothing, and is counted as new if a moved section had one, too.
        known = row.kind in {IndexLineKind.POINTER, IndexLineKind.HEADING, IndexLineKind.BLANK} or not row.text.strip(
            "-*_ "
        )
        if not known and not _replaces_prose(row.text, change):
            yield f"{place}: the index holds pointers and headings only"
        if row.pointers and len(row.text) > MAX_POINTER:
            yield f"{place}: a pointer has at most {MAX_POINTER} characters"
        if row.pointers and not row.plain:
            yield f"{place}: a pointer is one list item with one link"
        for pointer in row.pointers:
            known = pointer.path in change.result or pointer.path in change.context.taken
            if not known or pointer.path == after.path:
                yield f"{place} points at {pointer.target[:100]!r}, which is no file of the scope"


def _replaces_prose(text: str, change: Change) -> bool:
    """Tell whether an update puts prose in place of prose about the same."""
    return change.kind is OperationKind.UPDATE and any(is_same_subject(text, old) for old in _list_gone(change))


def _list_gone(change: Change) -> Iterator[str]:
    """Yield the lines of prose that the index would no longer have."""
    kept = {row.text.strip() for row in change.index_after.lines}
    rows = (row for row in change.index_before.lines if row.kind is IndexLineKind.PROSE and row.text.strip())
    yield from (row.text for row in rows if row.text.strip() not in kept)


def _check_twice(before: Index, after: Index) -> str | None:
    old = Counter(pointer.path for pointer in before.pointers)
    new = Counter(pointer.path for pointer in after.pointers)
    twice = next((path for path, count in new.items() if count > max(1, old[path])), None)
    return f"{twice} has more than one pointer" if twice else None


def _check_unsafe(change: Change) -> str | None:
    """Refuse a new pointer to a topic that needs review; one that follows a moved topic is not new."""
    before, after = change.index_before, change.index_after
    said = {(pointer.title, pointer.hook) for pointer in before.pointers}
    pointed = {pointer.path for pointer in before.pointers}
    new = {p.path for p in after.pointers if p.path not in pointed and (p.title, p.hook) not in said}
    for finding in (finding for same in change.context.findings.values() for finding in same):
        if finding.path not in new or finding.rule not in _UNSAFE:
            continue
        document = change.read_result(finding.path)
        if document.text == change.context.original.get(finding.path) or _is_unsafe(document):
            return f"it points at {finding.path.name}, in which {finding.rule} finds something"
    return None


def _is_unsafe(document: Document) -> bool:
    text = document.text
    return bool(document.injections or find_hidden(text) or list_comments(text) or find_secrets(text))


def _check_prose(change: Change) -> Iterator[str]:
    """Find content of the old index that no written file has, and that nothing proves wrong."""
    path = change.context.index_path
    gone = list(_list_gone(change))
    # An earlier operation may have moved it.
    said = "\n".join(change.read_result(path).normalised for path in change.result) if gone else ""
    lost = [text for text in gone if normalise(text) not in said]
    if not lost:
        return
    added = (
        row.text for row in change.index_after.lines if row.line in change.added_numbers[path] and not row.pointers
    )
    new = (*list_new(change.written_topics, change.replaced_topics), *(_state(path, text) for text in added))
    quoted = tuple(quote for _, quote in change.quotations)
    kept = tuple(quote for source, quote in change.quotations if quote in change.result.get(source, ""))
    evidence = (change.findings, change.signals, change.lookups)
    proofs = Proofs(*evidence, new, quoted, kept, confirmed=change.confirmed, lines=change.ended)
    for text in lost:
        if change.kind not in {OperationKind.UPDATE, OperationKind.RETIRE} or not is_proved(
            _state(path, text), proofs, change.context
        ):
            lost_words = _find_lost_words(text, "\n".join((said, *(fact.key for fact in new))))
            yield f'{path.name} said "{lost_words[:80]}", which is nowhere else now'


def _find_lost_words(text: str, said: str) -> str:
    """Return the first clause of a line that is nowhere, or all of it."""
    clauses = [clause.strip(" -*+>") for clause in _CLAUSE_END.split(text.strip())]
    lost = next((clause for clause in clauses if normalise(clause).strip(" .,;") not in said), "")
    return lost or text.strip()


def _state(path: PurePosixPath, line: str) -> StatedFact:
    text = line.strip().lstrip("-*+> ")
    return StatedFact(path, normalise(text), negated=False, text=text)


def _check_dropped(change: Change) -> str | None:
    before, after = change.index_before, change.index_after
    kept = {pointer.path for pointer in after.pointers}
    hooks: dict[PurePosixPath | None, str] = {}
    for pointer in after.pointers:
        hooks[pointer.path] = f"{hooks.get(pointer.path, '')}\n{pointer.hook}"
    dropped = []
    for pointer in before.pointers:
        if pointer.path is None or pointer.path not in change.result:
            continue
        topic = change.read_result(pointer.path).topic
        if pointer.path not in kept:
            dropped.append(topic)
        lost = (
            "" if pointer.path in change.operation.texts else _find_unsaid(pointer, topic, hooks.get(pointer.path, ""))
        )
        if lost and not _was_said(pointer, change) and not _is_over(pointer, change):
            return f'what the pointer to {pointer.target} says would be nowhere else: "{pointer.hook[:120]}" ({lost})'
    return _check_order(dropped, change) if dropped else None


def _was_said(pointer: Pointer, change: Change) -> bool:
    """Tell whether a hook mostly says what its topic said before this dream changed it: then it has to change, too."""
    before = change.context.original.get(pointer.path, "") if pointer.path else ""
    if not before or before == change.context.draft.get(pointer.path or change.context.index_path):
        return False
    words = content_stems(pointer.hook)
    told = content_stems(f"{before}\n{change.context.draft.get(pointer.path or change.context.index_path, '')}")
    return len(words & told) >= _MOSTLY * len(words)


def _is_over(pointer: Pointer, change: Change) -> bool:
    """Tell whether a rule found that what a pointer says is over, in the index or in its topic."""
    words = content_stems(pointer.hook)
    for finding in (found for group in change.context.findings.values() for found in group):
        rows = change.context.original.get(finding.path, "").split("\n")
        if finding.rule == "date-expired" and finding.line <= len(rows):
            line = rows[finding.line - 1]
            near = finding.path == pointer.path and len(words & content_stems(line)) >= _MOSTLY * len(words)
            if near or (finding.path == change.context.index_path and f"({pointer.target})" in line):
                return True
    return False


def _find_unsaid(pointer: Pointer, topic: Topic, hook: str) -> str:
    """Return what a hook says that neither its topic nor the new hook does; "" if there is nothing."""
    if not pointer.hook or normalise(pointer.hook) in normalise(hook):
        return ""
    said = (topic.name.replace("-", " "), topic.description, topic.body, hook)
    return find_unsaid(pointer.hook, make_source(said))


def _check_order(dropped: list[Topic], change: Change) -> str | None:
    before, after = change.index_before, change.index_after
    limits = (MAX_LINES, MAX_UNITS)
    if not any(size > _FULL * limit for size, limit in zip(_measure(before), limits, strict=True)):
        return f"it drops the pointer to {dropped[0].path.name} although the index has room"
    if all(size < _ROOMY * limit for size, limit in zip(_measure(after), limits, strict=True)):
        return "it drops more pointers than the index needs to fit"
    pinned = next((topic for topic in dropped if topic.pinned), None)
    if pinned:
        return f"it drops the pointer to {pinned.path.name}, which is pinned"
    first = min(dropped, key=rank)
    paths = (row.pointers[0].path for row in after.lines if row.plain)
    kept = [change.read_result(path).topic for path in paths if path and change.result.get(path)]
    worse = next((topic for topic in kept if not topic.pinned and rank(topic) > rank(first)), None)
    return f"it drops {first.path.name} and keeps {worse.path.name}, which ranks lower" if worse else None


GUARD = Guard(
    "index",
    "The index stays within its limits, points at what exists, gains no prose, and drops nothing that fits.",
    check,
)
