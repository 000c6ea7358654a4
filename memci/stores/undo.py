"""Taking back the last dream in a scope."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.stores.apply import apply_plan, recover
from memci.stores.journal import LAST, JournalChange, read_journal
from memci.stores.lock import Lock


@dataclass(frozen=True, slots=True)
class Undone:
    """The files that are as they were before the dream: with their old bytes, or gone again."""

    restored: tuple[PurePosixPath, ...]
    removed: tuple[PurePosixPath, ...]


def undo(lock: Lock) -> Undone | None:
    """Restore bytes and modes; return None if there is no dream to undo."""
    recover(lock)
    journal = read_journal(lock.state, LAST)
    if journal is None:
        return None
    changes = {file.path: JournalChange(file.new, file.old, file.old_mode) for file in journal.files}
    apply_plan(changes, lock, undoes=True)
    return Undone(
        tuple(file.path for file in journal.files if file.old is not None),
        tuple(file.path for file in journal.files if file.old is None),
    )
