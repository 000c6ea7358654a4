"""The index at the end of a dream: every pointer leads somewhere, every topic has one, and the client loads it all."""

import posixpath
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from memci.checks import index_long_entry
from memci.checks.rule import Material
from memci.dream.filling import fill_index, squeeze_hooks
from memci.dream.sources import Sources
from memci.engines.engine import Proposals
from memci.model import Finding, IndexLine, Pointer, ScopeSnapshot, Snapshot, Topic
from memci.operation import Evidence, EvidenceKind, NeedsPerson, Operation, OperationKind
from memci.text.cut import MAX_BYTES
from memci.text.edits import apply_edits
from memci.text.replacing import find_texts
from memci.text.similarity import normalise

# Half of all real hooks are too long; they are cut only where the room is needed.
_TIGHT = 0.8


def prune(scope: ScopeSnapshot, sources: Sources) -> Proposals:
    """Propose an index without dead pointers, with every topic, that fits."""
    if any(item.path == scope.index_path for item in scope.unread):
        yield NeedsPerson("the index cannot be read, so it was left alone", scope.index_path)
        return
    if scope.index:
        kept = [row for line in scope.index.lines for row in _clean(line, scope, sources)]
        text = "".join(kept)
        if text != scope.index.text:
            reason = "takes out pointers that lead nowhere or twice to one topic"
            scope = yield _reindex(scope, text, reason, sources.findings)
        if _is_tight(scope):
            operation = _plan_shortening(scope, sources)
            scope = (yield operation) if operation else scope
            text = squeeze_hooks(scope)
            if scope.index and text != scope.index.text:
                scope = yield _reindex(scope, text, "shortens pointers to make room", sources.findings)
    filled = fill_index(scope)
    if filled.text != (scope.index.text if scope.index else ""):
        kind = OperationKind.REPAIR if filled.kept else OperationKind.REINDEX
        texts = {scope.index_path: filled.text, **apply_edits(find_texts(scope), filled.kept)}
        reason = "gives every topic a pointer" if filled.added else "makes the index fit"
        yield Operation(kind, scope.index_path, texts, reason, _cite(scope, sources.findings, filled.added))
    if filled.left_out:
        names = ", ".join(str(topic.path.relative_to(scope.scope.path)) for topic in filled.left_out)
        yield NeedsPerson(f"the index has no room for {names}", scope.index_path)


def _clean(row: IndexLine, scope: ScopeSnapshot, sources: Sources) -> Iterable[str]:
    """Return the line with pointers that follow renames; nothing if all it has is a pointer to nowhere."""
    text = row.whole
    for pointer in row.pointers:
        if pointer.path is not None and pointer.path not in scope.files:
            new = _find_new_place(pointer.path, scope, sources)
            if new is not None:
                text = text.replace(pointer.target, str(new.relative_to(scope.scope.path)))
            elif row.plain:
                return
        elif row.plain and (_leaves_repository(pointer, scope) or _is_repeated(row, pointer, scope)):
            return
    yield text


def _find_new_place(path: PurePosixPath, scope: ScopeSnapshot, sources: Sources) -> PurePosixPath | None:
    pointed = {pointer.path for pointer in scope.index.pointers} if scope.index else set()
    renamed = sources.renamed.get(path)
    if renamed in scope.files and renamed not in pointed:
        return renamed
    same = [topic.path for topic in scope.topics if topic.path.name.casefold() == path.name.casefold()]
    return same[0] if len(same) == 1 and same[0] not in pointed else None


def _leaves_repository(pointer: Pointer, scope: ScopeSnapshot) -> bool:
    """Tell a pointer to the machine from one that cites a file of the repository."""
    if pointer.path is not None:
        return False
    target = pointer.target.replace("\\", "/")
    return target.startswith(("/", "~")) or posixpath.normpath(f"{scope.scope.path}/{target}").startswith("..")


def _is_repeated(row: IndexLine, pointer: Pointer, scope: ScopeSnapshot) -> bool:
    """Tell a later pointer to the same topic whose hook says nothing of its own."""
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
    found = [f for f in index_long_entry.check(Material(Snapshot((scope,)), sources.now)) if f.fix]
    edits = [edit for finding in found if finding.fix for edit in finding.fix.edits]
    if not edits:
        return None
    evidence = tuple(Evidence(EvidenceKind.FINDING, f.fingerprint, f.message) for f in found)
    texts = apply_edits(find_texts(scope), edits)
    return Operation(OperationKind.REPAIR, scope.index_path, texts, "shortens pointers to make room", evidence)


def _reindex(scope: ScopeSnapshot, text: str, reason: str, findings: Sequence[Finding]) -> Operation:
    evidence = _cite(scope, findings, ())
    return Operation(OperationKind.REINDEX, scope.index_path, {scope.index_path: text}, reason, evidence)


def _cite(scope: ScopeSnapshot, findings: Sequence[Finding], added: Sequence[Topic]) -> tuple[Evidence, ...]:
    """Cite what the rules say of the index, and the topics that it gets pointers to."""
    about = [found for found in findings if found.rule.startswith("index-") and _concerns(found, scope)]
    rules = [Evidence(EvidenceKind.FINDING, found.fingerprint, found.message) for found in about]
    topics = [Evidence(EvidenceKind.MEMORY, str(topic.path), topic.description) for topic in added]
    return (*rules, *topics)


def _concerns(finding: Finding, scope: ScopeSnapshot) -> bool:
    return finding.path == scope.index_path or finding.path in scope.files
