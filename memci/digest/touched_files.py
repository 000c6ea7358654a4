"""Counts which files and functions a session read or changed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memci.digest.session_events import ToolCall
from memci.patterns import LazyPattern

_READING = ("Read", "NotebookRead")
_EDITING = ("Edit", "MultiEdit", "NotebookEdit", "Update")
_WRITING = ("Write", "Create")
_PATHS = ("file_path", "notebook_path", "path")
# Definitions listed for one edit.
MAX_NAMES = 8


@dataclass(slots=True)
class Touched:
    """What was done to one file."""

    path: str
    reads: int = 0
    edits: int = 0
    writes: int = 0
    # Calls that failed, or that the person refused.
    failures: int = 0
    functions: dict[str, None] = field(default_factory=dict)
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
            for function in _list_functions(call):
                file.functions[function] = None
    return list(files.values())


def shorten_path(path: str, cwd: str) -> str:
    """Return a path relative to the directory of the session, if it is inside."""
    path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    return path[len(cwd) + 1 :] if cwd and path.startswith(f"{cwd}/") else path


def _list_functions(call: ToolCall) -> list[str]:
    edits = call.input.get("edits")
    parts: list[Mapping[str, object]] = [call.input]
    parts += [part for part in edits if isinstance(part, Mapping)] if isinstance(edits, list) else []
    texts = [part.get(key) for part in parts for key in ("old_string", "new_string", "content", "new_source")]
    found = {name: None for text in texts if isinstance(text, str) for name in parse_definitions(text[:40_000])}
    return list(found)[:MAX_NAMES]


def parse_definitions(text: str) -> dict[str, str]:
    """Return the names that source code defines, in order, each with its first defining line."""
    found: dict[str, str] = {}
    for match in _DEFINITION.finditer(text):
        name = next(group for group in match.groups() if group)
        end = text.find("\n", match.end())
        found.setdefault(name, text[match.start() : end if end >= 0 else None])
    return found


def _definition_source() -> str:
    name = r"([A-Za-z_$][\w$]{1,60})"
    modifiers = r"export|default|pub|pub\(crate\)|public|private|protected|static|async|abstract|final"
    lead = rf"^[ \t]{{0,40}}(?:(?:{modifiers}) ){{0,4}}"
    return (
        rf"{lead}(?:def|class|function\*?|fn|struct|enum|trait|interface|type|module|impl|record|object|fun) {name}"
        rf"|^func (?:\([^()\n]{{1,80}}\) )?{name}"
        rf"|{lead}(?:const|let|var) {name} = (?:async )?(?:\(|function\b|[\w$]{{1,40}} =>)"
    )


_DEFINITION = LazyPattern(_definition_source, re.MULTILINE)
