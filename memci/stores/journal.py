"""The record of a change of several files, written outside the memory before the change begins.

`pending.json` is a change that may have begun; its rename to `last.json` is the moment from which it counts. That file
then serves to undo it.
"""

import base64
import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import UnsafeError
from memci.patterns import LazyPattern
from memci.stores.files import write_file
from memci.stores.state_directory import sync_directory

PENDING = "pending.json"
LAST = "last.json"
_FORMAT = 1
_TOKEN = LazyPattern(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class JournalChange:
    """New bytes for a file, None to remove it; `old` is what was read, None if there was no file."""

    old: bytes | None
    new: bytes | None
    # The permissions of the new file; None keeps those of the old one.
    mode: int | None = None


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One file before and after; a mode is None without a file, or if it does not matter."""

    path: PurePosixPath
    old: bytes | None
    new: bytes | None
    old_mode: int | None
    new_mode: int | None


@dataclass(frozen=True, slots=True)
class Journal:
    """A change of several files."""

    token: str
    files: tuple[Rewrite, ...]
    # The directories that the change has to make.
    made: tuple[PurePosixPath, ...]
    # The time of the client's lock before; None if there was none.
    before_ns: int | None
    # An undo cannot be undone, so its journal goes when it is done.
    undoes: bool

    @property
    def staging(self) -> PurePosixPath:
        """The directory in the scope with the other version of every file during the change."""
        return PurePosixPath(f".memci-{self.token}")


def write_pending(state: Path, journal: Journal) -> None:
    """Write the journal to disk."""
    fields = {
        "format": _FORMAT,
        "token": journal.token,
        "files": [_dump(file) for file in journal.files],
        "made": [str(path) for path in journal.made],
        "before_ns": journal.before_ns,
        "undoes": journal.undoes,
    }
    text = json.dumps(fields).encode()
    write_file(state, PurePosixPath(PENDING), hashlib.sha256(text).hexdigest().encode() + b"\n" + text)


def commit_pending(state: Path) -> None:
    """Commit the change."""
    (state / PENDING).rename(state / LAST)
    sync_directory(state)


def drop_journal(state: Path, name: str) -> None:
    """Remove a journal."""
    (state / name).unlink(missing_ok=True)
    sync_directory(state)


def keep_pending(state: Path, journal: Journal) -> Path:
    """Rename a journal that has the only copy of the old bytes; return its new path."""
    kept = state / f"left-{journal.token}.json"
    (state / PENDING).rename(kept)
    sync_directory(state)
    return kept


def drop_strays(state: Path) -> None:
    """Remove the incomplete journals of killed runs."""
    for path in state.glob(".memci-*"):
        path.unlink(missing_ok=True)


def read_journal(state: Path, name: str) -> Journal | None:
    """Return a journal, or None if there is none; refuse one that was modified."""
    path = state / name
    with contextlib.suppress(FileNotFoundError):
        digest, _, text = path.read_bytes().partition(b"\n")
        try:
            if digest.decode() == hashlib.sha256(text).hexdigest():
                return _parse(json.loads(text))
        except (ValueError, TypeError, KeyError):
            pass
        hint = "compare the memory with its last good state, then remove the file"
        raise UnsafeError(f"{path} is damaged; nothing was changed", hint=hint)
    return None


def _dump(file: Rewrite) -> dict[str, object]:
    old, new = (None if data is None else base64.b64encode(data).decode() for data in (file.old, file.new))
    return {"path": str(file.path), "old": old, "new": new, "old_mode": file.old_mode, "new_mode": file.new_mode}


def _parse(fields: Mapping[str, object]) -> Journal:
    match fields:
        case {
            "format": 1,
            "token": str(token),
            "files": list(files),
            "made": list(made),
            "before_ns": int() | None as before_ns,
            "undoes": bool(undoes),
        } if _TOKEN.fullmatch(token):
            paths = tuple(_parse_path(path) for path in made)
            return Journal(token, tuple(_parse_file(file) for file in files), paths, before_ns, undoes)
    raise ValueError("not a journal")


def _parse_file(file: Mapping[str, object]) -> Rewrite:
    match file:
        case {
            "path": str(path),
            "old": str() | None as old,
            "new": str() | None as new,
            "old_mode": int() | None as old_mode,
            "new_mode": int() | None as new_mode,
        }:
            before, after = (None if data is None else base64.b64decode(data, validate=True) for data in (old, new))
            return Rewrite(_parse_path(path), before, after, old_mode, new_mode)
    raise ValueError("not a file of a journal")


def _parse_path(text: object) -> PurePosixPath:
    path = PurePosixPath(str(text))
    if path.is_absolute() or ".." in path.parts or not path.name:
        raise ValueError("not a path below the scope")
    return path
