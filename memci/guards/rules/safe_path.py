"""safe-path: an operation touches only files that its kind may touch, inside its scope."""

import functools
import re
from pathlib import PurePosixPath

from memci.guards.changes import cited_memory, index_path
from memci.guards.context import Ground, Guard
from memci.memory.daily_logs import LOG_DIRECTORY, find_day
from memci.model.plan import Operation, OperationKind

# A merge of more topics than this is a rewrite; a person should look at it in steps.
_MAX_REMOVED = 5
# Names that another program gives a meaning of its own, and those that Windows does not allow.
_RESERVED = re.compile(r"(?:memory|claude|claude\.local|agents|gemini|readme|license|con|prn|aux|nul|com\d|lpt\d)\.md")


@functools.cache
def _safe_name() -> re.Pattern[str]:
    # The type and a handful of words fit into this.
    return re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*\.md")


_MAX_NAME = 80


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse files outside the scope, unsafe names, and files that this kind of operation has no business with."""
    if not operation.texts:
        return "it changes no file"
    # A merge may leave the topic that stays as it was, if it says everything already.
    stays = operation.kind is OperationKind.MERGE and operation.file in ground.draft
    if operation.file not in operation.texts and not stays:
        return f"it says that it is about {operation.file} and does not change it"
    for path, text in operation.texts.items():
        if problem := _check_path(path, ground):
            return problem
        if text is None and path not in ground.draft:
            return f"{path} is not there to be removed"
        if path in ground.draft and text is not None and _is_same(path, text, ground):
            return f"{path} stays as it is"
    return _check_kind(operation, ground)


def _check_path(path: PurePosixPath, ground: Ground) -> str | None:
    if path in ground.taken:
        return f"{path} is not a file that memci may write"
    if path in ground.draft or path == index_path(ground):
        return None
    name = path.name
    if path.parent != ground.scope or str(path) != f"{ground.scope}/{name}":
        return f"{str(path)[:200]!r} is not directly in the scope"
    if not _safe_name().fullmatch(name) or len(name) > _MAX_NAME or _RESERVED.fullmatch(name):
        return f"{name[:200]!r} is not a safe name for a topic"
    if find_day(PurePosixPath(name)) or name.startswith(LOG_DIRECTORY + "."):
        return f"{name} is the name of a daily log"
    others = (*ground.draft.find(_fold, _fold(path)), *(other for other in ground.taken if _fold(other) == _fold(path)))
    return f"{name} and {others[0].name} are one file on some disks" if others else None


def _fold(path: PurePosixPath, _text: str = "") -> str:
    """Return a path as a disk sees it that does not know upper case."""
    return f"{path.parent}/{path.name.casefold()}"


def _is_same(path: PurePosixPath, text: str, ground: Ground) -> bool:
    """Tell whether nothing changes; blank lines of a topic are nothing, those of an index count against its limit."""
    old = ground.draft[path]
    if path == index_path(ground) or text == old:
        return text == old
    lines = ([line.rstrip() for line in version.split("\n") if line.strip()] for version in (old, text))
    return next(lines) == next(lines)


def _check_kind(operation: Operation, ground: Ground) -> str | None:
    removed = {path for path, text in operation.texts.items() if text is None}
    made = {path for path in operation.texts if path not in ground.draft} - {index_path(ground)}
    topics = set(operation.texts) - {index_path(ground)}
    if index_path(ground) in removed:
        return "it removes the index"
    sources = {path for path, _ in cited_memory(operation, ground)}
    allowed = {
        OperationKind.CREATE: not removed and made == {operation.file} and topics - made <= sources,
        OperationKind.UPDATE: not removed and not made and topics == {operation.file},
        OperationKind.MERGE: topics - removed <= {operation.file}
        and operation.file not in removed
        and not made
        and 0 < len(removed) <= _MAX_REMOVED,
        OperationKind.REPAIR: not removed and not made,
        OperationKind.RETIRE: topics == {operation.file} and not made,
        OperationKind.REINDEX: not topics,
    }
    if allowed[operation.kind]:
        return None
    return f"this is not what a {operation.kind.value} may do: {_describe(operation, made)}"


def _describe(operation: Operation, made: set[PurePosixPath]) -> str:
    acts = (
        ("removes" if text is None else "makes" if path in made else "changes", path)
        for path, text in operation.texts.items()
    )
    return "; ".join(f"{act} {path}" for act, path in list(acts)[:4])


GUARD = Guard("safe-path", "An operation touches only files of its scope that its kind may touch.", check)
