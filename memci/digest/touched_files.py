"""Counts which files a session read or changed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from memci.digest.session_events import ToolCall

_READING = ("Read", "NotebookRead")
_EDITING = ("Edit", "MultiEdit", "NotebookEdit", "Update")
_WRITING = ("Write", "Create")
_PATHS = ("file_path", "notebook_path", "path")


@dataclass(slots=True)
class Touched:
    """What was done to one file."""

    path: str
    reads: int = 0
    edits: int = 0
    writes: int = 0
    # Calls that failed, or that the person refused.
    failures: int = 0
    # The position of the last change among the calls.
    changed_at: int = -1
    calls: list[ToolCall] = field(default_factory=list)

    @property
    def changes(self) -> int:
        """The number of changes."""
        return self.edits + self.writes


def list_touched(calls: Iterable[ToolCall], cwd: str) -> list[Touched]:
    """List the files that were read or changed, in the order of their first use."""
    files: dict[str, Touched] = {}
    for position, call in enumerate(calls):
        if call.tool not in (*_READING, *_EDITING, *_WRITING):
            continue
        path = next((call.text(key) for key in _PATHS if call.text(key)), "")
        if not path:
            continue
        name = shorten_path(path, cwd)
        file = files.setdefault(name, Touched(name))
        file.calls.append(call)
        if call.result is not None and call.result.failed:
            file.failures += 1
        elif call.tool in _READING:
            file.reads += 1
        else:
            file.edits += call.tool in _EDITING
            file.writes += call.tool in _WRITING
            file.changed_at = position
    return list(files.values())


def shorten_path(path: str, cwd: str) -> str:
    """Return a path relative to the directory of the session, if it is inside."""
    path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    return path[len(cwd) + 1 :] if cwd and path.startswith(f"{cwd}/") else path
