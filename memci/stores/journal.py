"""The record of a change of several files, written outside the memory before the change begins.

`pending.json` is a change that may have begun; its rename to `last.json` is the moment from which it counts. That file
then serves to undo it.
"""

import contextlib
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from memci.errors import UnsafeError
from memci.patterns import LazyPattern
from memci.stores.files import write_file
from memci.stores.state_directory import sync_directory

PENDING = "pending.json"
LAST = "last.json"
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
    # An undo cannot be undone, so its journal goes when it is done.
    undoes: bool
    format: Literal[1] = 1

    @property
    def staging(self) -> PurePosixPath:
        """The directory in the scope with the other version of every file during the change."""
        return PurePosixPath(f".memci-{self.token}")


def write_pending(state: Path, journal: Journal) -> None:
    """Write the journal to disk."""
    import msgspec

    # Not encoded by msgspec: it refuses names that are not Unicode.
    text = json.dumps(msgspec.to_builtins(journal, enc_hook=str)).encode()
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
    import msgspec

    path = state / name
    with contextlib.suppress(FileNotFoundError):
        digest, _, text = path.read_bytes().partition(b"\n")
        try:
            if digest.decode() == hashlib.sha256(text).hexdigest():
                journal = msgspec.convert(json.loads(text), Journal, dec_hook=_parse_path)
                # It is the name of a directory.
                if _TOKEN.fullmatch(journal.token):
                    return journal
        except ValueError:
            pass
        hint = "compare the memory with its last good state, then remove the file"
        raise UnsafeError(f"{path} is damaged; nothing was changed", hint=hint)
    return None


def _parse_path(_: type, text: str) -> PurePosixPath:
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or not path.name:
        raise ValueError("not a path below the scope")
    return path
