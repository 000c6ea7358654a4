"""Prunes the index: no dead pointers, a pointer for every topic, and within the limits of the client."""

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memci.checks.rule import Material
from memci.checks.rules import index_long_entry
from memci.checks.unsafe_topics import find_unsafe
from memci.dream.fit_index import fill_index, fit_index, squeeze_hooks
from memci.dream.inputs import Sources
from memci.engines.protocol import Proposals
from memci.memory.apply_edits import apply_edits
from memci.memory.client_limit import MAX_BYTES
from memci.memory.replace_texts import list_texts
from memci.model.finding import Finding
from memci.model.memory import IndexLine, Pointer, PointerForm, ScopeSnapshot, Snapshot, Topic
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Operation, OperationKind
from memci.prose.similar import normalise

# Half of all real hooks are too long; they are shortened only if the index is nearly full.
_TIGHT = 0.8
# A guard accepts 16 KB of evidence, and an index may get 200 pointers at once.
_MAX_CITED = 20
_MAX_QUOTE = 30
_MAX_LINE = 300
# More than so many topics without a pointer, and most of all: that is meant so.
_MANY_ORPHANS = 10


def prune(scope: ScopeSnapshot, sources: Sources) -> Proposals:
    """Propose an index without dead pointers, with all topics, that fits."""
    if any(item.path == scope.index_path for item in scope.unread):
        yield NeedsPerson("the index cannot be read, so it was left alone", scope.index_path)
        return
    if scope.index:
        moved = "".join(_follow(scope, sources))
        if moved != scope.index.text:
            scope = yield _reindex(scope, moved, "follows topics that moved", sources.findings)
        text = "".join(_clean(scope, sources))
        if scope.index and text != scope.index.text:
            reason = "takes out pointers that lead nowhere or twice to one topic"
            scope = yield _reindex(scope, text, reason, sources.findings)
        if _is_tight(scope):
            operation = _plan_shortening(scope, sources)
            scope = (yield operation) if operation else scope
            text = squeeze_hooks(scope)
            if scope.index and text != scope.index.text:
                scope = yield _reindex(scope, text, "shortens pointers to make room", sources.findings)
    fitted = fit_index(scope)
    if scope.index and fitted.text != scope.index.text:
        kind = OperationKind.REPAIR if fitted.kept else OperationKind.REINDEX
        texts = {scope.index_path: fitted.text, **apply_edits(list_texts(scope), fitted.kept)}
        scope = yield Operation(kind, scope.index_path, texts, "makes the index fit", _cite(scope, sources.findings))
    yield from _fill(scope, sources)


def _fill(scope: ScopeSnapshot, sources: Sources) -> Proposals:
    """Propose missing pointers, and report the topics that get none."""
    pointed = {pointer.path for pointer in scope.index.pointers} if scope.index else set()
    orphans = [topic for topic in scope.topics if topic.path not in pointed]
    if pointed and len(orphans) > max(_MANY_ORPHANS, len(scope.topics) // 2):
        # Whoever keeps the index chose what it names.
        reason = f"{len(orphans)} of {len(scope.topics)} topics have no pointer; add those that sessions should know of"
        yield NeedsPerson(reason, scope.index_path)
        return
    unsafe = find_unsafe(scope, orphans, Material(sources.snapshot, sources.now, config=sources.config))
    filled = fill_index(scope, unsafe)
    if filled.text != (scope.index.text if scope.index else ""):
        reason = "gives every topic a pointer" if filled.added else "makes the index fit"
        yield _reindex(scope, filled.text, reason, sources.findings, filled.added)
    if filled.left_out:
        names = ", ".join(str(topic.path.relative_to(scope.scope.path)) for topic in filled.left_out)
        yield NeedsPerson(f"the index has no room for {names}", scope.index_path)
    for path, rule in unsafe.items():
        reason = f"{path.name} got no pointer: {rule} finds something in it"
        yield NeedsPerson(f"{reason}; remove that, or add the pointer by hand if it is harmless", path)


def _follow(scope: ScopeSnapshot, sources: Sources) -> Iterator[str]:
    """Yield the lines with pointers updated to renamed topics."""
    pointed = {pointer.path for pointer in scope.index.pointers} if scope.index else set()
    for row in scope.index.lines if scope.index else ():
        text = row.whole
        for pointer in row.pointers:
            new = _resolve_moved(pointer, scope, sources)
            if new is not None and new not in pointed:
                pointed.add(new)
                text = _point_to(text, pointer, _write_target(new, scope))
        yield text


def _clean(scope: ScopeSnapshot, sources: Sources) -> Iterator[str]:
    """Yield the lines, except those with nothing but a dead pointer."""
    pointed = {pointer.path for pointer in scope.index.pointers} if scope.index else set()
    for row in scope.index.lines if scope.index else ():
        if not row.plain or not _is_dead(row, row.pointers[0], scope, pointed, sources):
            yield row.whole


def _is_dead(
    row: IndexLine, pointer: Pointer, scope: ScopeSnapshot, pointed: set[PurePosixPath | None], sources: Sources
) -> bool:
    if pointer.path is not None and pointer.path not in scope.files and pointer.path not in sources.files:
        new = _resolve_moved(pointer, scope, sources)
        # If a guard refused to update it, a person has to review it.
        return new is None or new in pointed
    return _leaves_repository(pointer, scope) or _is_repeated(row, pointer, scope)


def _point_to(text: str, pointer: Pointer, target: str) -> str:
    """Replace the target of a pointer, and no other text that looks like it."""
    if pointer.form is PointerForm.LINK:
        return text.replace(f"]({pointer.target})", f"]({target})", 1)
    return text.replace(pointer.target, target, 1)


def _write_target(path: PurePosixPath, scope: ScopeSnapshot) -> str:
    inside = str(path.relative_to(scope.scope.path))
    return inside.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


def _resolve_moved(pointer: Pointer, scope: ScopeSnapshot, sources: Sources) -> PurePosixPath | None:
    path = pointer.path
    if path is None or path in scope.files:
        return None
    renamed = sources.renamed.get(path)
    if renamed in scope.files:
        return renamed
    same = [topic.path for topic in scope.topics if topic.path.name.casefold() == path.name.casefold()]
    return same[0] if len(same) == 1 else None


def _leaves_repository(pointer: Pointer, scope: ScopeSnapshot) -> bool:
    """Tell whether a pointer leads to a file outside the repository."""
    if pointer.path is not None:
        return False
    target = pointer.target.replace("\\", "/")
    return target.startswith(("/", "~")) or posixpath.normpath(f"{scope.scope.path}/{target}").startswith("..")


def _is_repeated(row: IndexLine, pointer: Pointer, scope: ScopeSnapshot) -> bool:
    """Tell whether this is a later pointer to the same topic with a redundant hook."""
    earlier = [p for p in scope.index.pointers if p.path == pointer.path and p.line < row.line] if scope.index else []
    topic = scope.topic(pointer.path) if pointer.path else None
    if not earlier or topic is None:
        return False
    said = normalise(f"{earlier[0].hook}\n{topic.description}\n{topic.body}")
    return normalise(pointer.hook) in said


def _is_tight(scope: ScopeSnapshot) -> bool:
    if scope.index is None:
        return False
    return len(scope.index.text.encode("utf-8", "replace")) > _TIGHT * MAX_BYTES


def _plan_shortening(scope: ScopeSnapshot, sources: Sources) -> Operation | None:
    known = {finding.fingerprint for finding in sources.findings}
    found = [f for f in index_long_entry.check(Material(Snapshot((scope,)), sources.now)) if f.fingerprint in known]
    edits = [edit for finding in found if finding.fix for edit in finding.fix.edits]
    if not edits:
        return None
    # A guard does not accept 200 whole messages.
    evidence = tuple(Evidence(EvidenceKind.FINDING, f.fingerprint, f.message[:_MAX_QUOTE]) for f in found if f.fix)
    texts = apply_edits(list_texts(scope), edits)
    return Operation(OperationKind.REPAIR, scope.index_path, texts, "shortens pointers to make room", evidence)


def _reindex(
    scope: ScopeSnapshot, text: str, reason: str, findings: Sequence[Finding], added: Sequence[Topic] = ()
) -> Operation:
    evidence = _cite(scope, findings, added)
    return Operation(OperationKind.REINDEX, scope.index_path, {scope.index_path: text}, reason, evidence)


def _cite(scope: ScopeSnapshot, findings: Sequence[Finding], added: Sequence[Topic] = ()) -> tuple[Evidence, ...]:
    """Cite the findings about the index, and some of the topics that get pointers."""
    about = [found for found in findings if found.rule.startswith("index-") and _concerns(found, scope)]
    rules = [Evidence(EvidenceKind.FINDING, found.fingerprint, found.message) for found in about[:_MAX_CITED]]
    quotes = {topic.path: _quote(topic) for topic in added[:_MAX_CITED]}
    # An empty file gets a pointer but cannot be quoted.
    topics = [Evidence(EvidenceKind.MEMORY, str(path), quote) for path, quote in quotes.items() if quote]
    return (*rules, *topics)


def _quote(topic: Topic) -> str:
    """Quote a topic literally: YAML may have folded or escaped its description."""
    if topic.description.strip() and topic.description in topic.text:
        return topic.description
    return next((line.strip() for line in topic.text.split("\n") if line.strip(" \t\r-")), "")[:_MAX_LINE]


def _concerns(finding: Finding, scope: ScopeSnapshot) -> bool:
    """Tell whether a finding is about the index, or fixed in it."""
    edited = (edit.path for edit in finding.fix.edits) if finding.fix else ()
    return scope.index_path in {finding.path, *edited}
