"""Reads tool calls: which files they read or changed, their commands, commits, and how they ended."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from memci.digest.session_events import ToolCall
from memci.patterns import LazyPattern

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
        if call.error:
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


_CHANGE_DIRECTORY = LazyPattern(r"cd ([^&;|\n]{1,400})&&\s*")
_COMMITTED = LazyPattern(r"(?m)^\[([^\]\n]{1,200}) ([0-9a-f]{7,40})\] (.{1,300})")
_MESSAGE = LazyPattern(r"git commit(?: -[a-ln-z-]{1,30}){0,8} -a?m ?([\"'])")


def strip_cd(command: str, cwd: str = "") -> str:
    """Return a command without a leading `cd` into the directory of the session."""
    command = command.strip()
    moved = _CHANGE_DIRECTORY.match(command)
    if moved and cwd and moved[1].strip().strip("\"'").rstrip("/") == cwd.rstrip("/"):
        command = command[moved.end() :]
    return command


def first_line(command: str) -> str:
    """Return the first line of a command, and a note of how many follow."""
    first, _, rest = command.partition("\n")
    more = rest.count("\n") + 1 if rest.strip() else 0
    return f"{first.rstrip()} […{more} more lines]" if more else first.rstrip()


def last_lines(output: str, most: int = 4) -> str:
    """Return the last lines of an output, where errors and summaries are."""
    text = output.replace("<tool_use_error>", "").replace("</tool_use_error>", "")
    return "\n".join([line.rstrip() for line in text.split("\n") if line.strip()][-most:])


def parse_commits(command: str, output: str, *, failed: bool) -> list[str]:
    """Return hash and subject of each commit that git reports, or only the subject where git was run with --quiet."""
    if "git commit" not in command and "git -C" not in command:
        return []
    said = [f"{match[2]} {match[3]}" for match in _COMMITTED.finditer(output)]
    if said or failed:
        return said
    return [_parse_subject(match[1], command[match.end() : match.end() + 400]) for match in _MESSAGE.finditer(command)]


def _parse_subject(mark: str, text: str) -> str:
    """Return the first line of a commit message, which may be a here-document inside the quotation marks."""
    if text.startswith("$(cat <<"):
        return text.partition("\n")[2].partition("\n")[0].strip()
    return text.partition("\n")[0].partition(mark)[0].strip()
