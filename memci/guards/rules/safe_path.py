"""safe-path: an operation touches only files that its kind may touch, inside its scope."""

from pathlib import PurePosixPath

from memci.guards.context import Change, Context, Guard
from memci.memory.snapshot import LOG_DIRECTORY, parse_day
from memci.model.plan import OperationKind
from memci.patterns import LazyPattern

# A merge of more topics than this is a rewrite, which should be reviewed in steps.
_MAX_REMOVED = 5
# Names with a special meaning to other programs, and those that Windows reserves.
_RESERVED = LazyPattern(r"(?:memory|claude|claude\.local|agents|gemini|readme|license|con|prn|aux|nul|com\d|lpt\d)\.md")
_SAFE_NAME = LazyPattern(r"[a-z0-9]+(?:[_-][a-z0-9]+)*\.md")
# Room for the type and a handful of words.
_MAX_NAME = 80


def check(change: Change) -> str | None:
    """Refuse files outside the scope, unsafe names, and files that this kind of operation may not touch."""
    operation, context = change.operation, change.context
    if not operation.texts:
        return "it changes no file"
    # A merge may leave the surviving topic unchanged, if it has everything already.
    stays = operation.kind is OperationKind.MERGE and operation.file in context.draft
    if operation.file not in operation.texts and not stays:
        return f"it says that it is about {operation.file} and does not change it"
    for path, text in operation.texts.items():
        if problem := _check_path(path, context):
            return problem
        if text is None and path not in context.draft:
            return f"{path} is not there to be removed"
        if path in context.draft and text is not None and _is_same(path, text, context):
            return f"{path} stays as it is"
    return _check_kind(change)


def _check_path(path: PurePosixPath, context: Context) -> str | None:
    if path in context.taken:
        return f"{path} is not a file that memci may write"
    if path in context.draft or path == context.index_path:
        return None
    name = path.name
    if path.parent != context.scope or str(path) != f"{context.scope}/{name}":
        return f"{str(path)[:200]!r} is not directly in the scope"
    if not _SAFE_NAME.fullmatch(name) or len(name) > _MAX_NAME or _RESERVED.fullmatch(name):
        return f"{name[:200]!r} is not a safe name for a topic"
    if parse_day(PurePosixPath(name)) or name.startswith(LOG_DIRECTORY + "."):
        return f"{name} is the name of a daily log"
    # As a case-insensitive file system compares them.
    alike = (other for other in (*context.draft, *context.taken) if other.name.casefold() == name.casefold())
    same = next((other for other in alike if other.parent == path.parent), None)
    return f"{name} and {same.name} are one file on some disks" if same else None


def _is_same(path: PurePosixPath, text: str, context: Context) -> bool:
    """Tell whether nothing changes; blank lines count only in the index, which has a limit of lines."""
    old = context.draft[path]
    if path == context.index_path or text == old:
        return text == old
    lines = ([line.rstrip() for line in version.split("\n") if line.strip()] for version in (old, text))
    return next(lines) == next(lines)


def _check_kind(change: Change) -> str | None:
    operation, context, removed = change.operation, change.context, change.removed
    made = {path for path in operation.texts if path not in context.draft} - {context.index_path}
    topics = set(operation.texts) - {context.index_path}
    if context.index_path in removed:
        return "it removes the index"
    sources = {path for path, _ in change.quotations}
    allowed = {
        OperationKind.CREATE: not removed and made == {operation.file} and topics - made <= sources,
        # The prose of an index may be corrected, too.
        OperationKind.UPDATE: not removed and not made and topics in ({operation.file}, set()),
        OperationKind.MERGE: topics - removed <= {operation.file} | sources
        and operation.file not in removed
        and not made
        and len(removed) <= _MAX_REMOVED
        and (bool(removed) or bool(topics - {operation.file}) or context.index_path in operation.texts),
        OperationKind.REPAIR: not removed and not made,
        OperationKind.RETIRE: topics in ({operation.file}, set()) and not made,
        OperationKind.REINDEX: not topics,
    }
    if allowed[operation.kind]:
        return None
    return f"this is not what a {operation.kind.value} may do: {_describe(change, made)}"


def _describe(change: Change, made: set[PurePosixPath]) -> str:
    acts = (
        ("removes" if text is None else "makes" if path in made else "changes", path)
        for path, text in change.operation.texts.items()
    )
    return "; ".join(f"{act} {path}" for act, path in list(acts)[:4])


GUARD = Guard("safe-path", "An operation touches only files of its scope that its kind may touch.", check)
