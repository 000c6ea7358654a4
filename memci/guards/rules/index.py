"""index: MEMORY.md stays within its limits, points at what exists, and drops nothing that still fits."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memci.guards.changes import added_numbers, find_result, index_path
from memci.guards.context import Ground, Guard
from memci.guards.repair import is_repair
from memci.guards.support import find_unsupported, make_source
from memci.memory.client_limit import MAX_BYTES, MAX_LINES
from memci.memory.head_values import find_in_file
from memci.memory.index import parse_index
from memci.memory.index_rank import rank
from memci.memory.pointers import MAX_POINTER
from memci.memory.topic import parse_topic
from memci.model.memory import Index, IndexLineKind, Pointer, Topic
from memci.model.plan import Operation, OperationKind
from memci.prose.markdown import find_comments
from memci.prose.similar import normalise
from memci.redaction.hidden import find_hidden
from memci.redaction.secrets import find_secrets

# Pointers may leave when the index is nearly full, and then only until there is room again.
_FULL = 0.9
_ROOMY = 0.7
# A topic with a finding of one of these rules gets no pointer: its description would be part of every session.
_UNSAFE = frozenset(("injection", "hidden-text", "secret"))


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse an index that is too long, points nowhere, says things itself, or lost a pointer without need."""
    path = index_path(ground)
    text = operation.texts.get(path)
    if text is None and None not in operation.texts.values():
        return None
    before = parse_index(path, ground.draft.get(path, ""), (), (*ground.draft, *ground.taken))
    if text is None:
        return _check_untouched(operation, before, ground)
    result = find_result(operation, ground)
    after = parse_index(path, text, (), (*result, *ground.taken))
    # A repaired line is what it was: content stays content until it moves.
    repaired = operation.kind is OperationKind.REPAIR and is_repair(path, operation, ground)
    numbers = frozenset() if repaired else added_numbers(operation, ground)[path]
    problems = (
        _check_limits(before, after),
        next(_check_rows(after, numbers, result, ground), None),
        _check_twice(before, after),
        _check_unsafe(before, after, result, ground),
        None if repaired else next(_check_prose(before, result, operation), None),
        _check_dropped(before, after, result, operation),
    )
    return next((problem for problem in problems if problem), None)


def _check_untouched(operation: Operation, before: Index, ground: Ground) -> str | None:
    """Refuse a removal that leaves its pointer behind."""
    removed = {path for path, text in operation.texts.items() if text is None}
    left = next((pointer.target for pointer in before.pointers if pointer.path in removed), None)
    return f"the index would still point at {left}" if left and index_path(ground) in ground.draft else None


def _measure(index: Index) -> tuple[int, int]:
    return len(index.lines), len(index.text.encode("utf-8", "replace"))


def _check_limits(before: Index, after: Index) -> str | None:
    limits = zip(_measure(after), _measure(before), (MAX_LINES, MAX_BYTES), ("lines", "bytes"), strict=True)
    over = next((limit for limit in limits if limit[0] > max(limit[1], limit[2])), None)
    return f"the index would have {over[0]:,} {over[3]}; the client loads {over[2]:,}" if over else None


def _check_rows(
    after: Index, numbers: frozenset[int], result: Mapping[PurePosixPath, str], ground: Ground
) -> Iterator[str]:
    for row in after.lines:
        if row.line not in numbers:
            continue
        place = f"{after.path.name}:{row.line}"
        if row.kind not in {IndexLineKind.POINTER, IndexLineKind.HEADING, IndexLineKind.BLANK}:
            yield f"{place}: the index holds pointers and headings only"
        if len(row.text) > MAX_POINTER:
            yield f"{place}: a pointer has at most {MAX_POINTER} characters"
        if row.pointers and not row.plain:
            yield f"{place}: a pointer is one list item with one link"
        for pointer in row.pointers:
            known = pointer.path in result or pointer.path in ground.taken
            if not known or pointer.path == after.path:
                yield f"{place} points at {pointer.target[:100]!r}, which is no file of the scope"


def _check_twice(before: Index, after: Index) -> str | None:
    old = Counter(pointer.path for pointer in before.pointers)
    new = Counter(pointer.path for pointer in after.pointers)
    twice = next((path for path, count in new.items() if count > max(1, old[path])), None)
    return f"{twice} has more than one pointer" if twice else None


def _check_unsafe(before: Index, after: Index, result: Mapping[PurePosixPath, str], ground: Ground) -> str | None:
    """Refuse a pointer to a topic that people have to look at first; one that follows a moved topic is not new."""
    said = {(pointer.title, pointer.hook) for pointer in before.pointers}
    pointed = {pointer.path for pointer in before.pointers}
    new = {p.path for p in after.pointers if p.path not in pointed and (p.title, p.hook) not in said}
    for finding in (finding for same in ground.findings.values() for finding in same):
        text = result.get(finding.path, "")
        unchanged = text == ground.original.get(finding.path)
        if finding.path in new and finding.rule in _UNSAFE and (unchanged or _is_unsafe(finding.path, text)):
            return f"it points at {finding.path.name}, in which {finding.rule} finds something"
    return None


def _is_unsafe(path: PurePosixPath, text: str) -> bool:
    return bool(find_in_file(parse_topic(path, text)) or find_hidden(text) or find_comments(text) or find_secrets(text))


def _check_prose(before: Index, result: Mapping[PurePosixPath, str], operation: Operation) -> Iterator[str]:
    """Find content of the index that is neither there any more nor in a topic that the operation writes."""
    texts = [text for path in operation.texts if (text := result.get(path))]
    written = "\n".join(normalise(text) for text in texts)
    for row in before.lines:
        if row.kind is IndexLineKind.PROSE and row.text.strip() and normalise(row.text) not in written:
            yield f"{before.path.name}:{row.line} said something that is nowhere else now"


def _check_dropped(
    before: Index, after: Index, result: Mapping[PurePosixPath, str], operation: Operation
) -> str | None:
    kept = {pointer.path for pointer in after.pointers}
    hooks: dict[PurePosixPath | None, str] = {}
    for pointer in after.pointers:
        hooks[pointer.path] = f"{hooks.get(pointer.path, '')}\n{pointer.hook}"
    dropped = []
    for pointer in before.pointers:
        text = result.get(pointer.path) if pointer.path else None
        if pointer.path is None or text is None:
            continue
        topic = parse_topic(pointer.path, text)
        if pointer.path not in kept:
            dropped.append(topic)
        if pointer.path not in operation.texts and not _is_said(pointer, topic, hooks.get(pointer.path, "")):
            return f"what the pointer to {pointer.target} says would be nowhere else"
    return _check_order(dropped, before, after, result) if dropped else None


def _is_said(pointer: Pointer, topic: Topic, hook: str) -> bool:
    if not pointer.hook or normalise(pointer.hook) in normalise(hook):
        return True
    said = (topic.name.replace("-", " "), topic.description, topic.body, hook)
    return not find_unsupported(pointer.hook, make_source(said))


def _check_order(dropped: list[Topic], before: Index, after: Index, result: Mapping[PurePosixPath, str]) -> str | None:
    limits = (MAX_LINES, MAX_BYTES)
    if not any(size > _FULL * limit for size, limit in zip(_measure(before), limits, strict=True)):
        return f"it drops the pointer to {dropped[0].path.name} although the index has room"
    if all(size < _ROOMY * limit for size, limit in zip(_measure(after), limits, strict=True)):
        return "it drops more pointers than the index needs to fit"
    pinned = next((topic for topic in dropped if topic.pinned), None)
    if pinned:
        return f"it drops the pointer to {pinned.path.name}, which is pinned"
    first = min(dropped, key=rank)
    texts = ((row.pointers[0].path, result.get(row.pointers[0].path or after.path)) for row in after.lines if row.plain)
    kept = [parse_topic(path, text) for path, text in texts if path and text]
    worse = next((topic for topic in kept if not topic.pinned and rank(topic) > rank(first)), None)
    return f"it drops {first.path.name} and keeps {worse.path.name}, which ranks lower" if worse else None


GUARD = Guard("index", "The index stays within its limits, points at what exists, and drops nothing that fits.", check)
