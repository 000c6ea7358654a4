"""The commit that questions are about, without what may not be shown of it."""

import datetime as dt
import functools
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.citations.answers.shown_text import clean_line
from memci.citations.hidden_paths import is_hidden
from memci.errors import ServiceError
from memci.git.file_tree import CommitTree
from memci.git.repository import Repository
from memci.model.memory import Unread

# How every answer begins that says nothing about the repository.
# Begins the answer about a name that no file has.
ABSENT = "not in the repository"
UNANSWERED = "not answered: "
# For each process.
SECONDS = 20.0
_SHORT = 10


# Without slots, because the cached properties need a `__dict__`.
@dataclass(frozen=True)
class AskedCommit:
    """A commit, its files, and the paths that are hidden."""

    repository: Repository
    commit: str
    tree: CommitTree
    hidden: Collection[str]

    @property
    def short(self) -> str:
        """The beginning of the id."""
        return shorten(self.commit)

    @functools.cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that may be shown, sorted."""
        return tuple(path for path in self.tree.paths() if self.shows(path))

    @property
    def gap(self) -> str:
        """A remark for answers about the past of a shallow clone; "" otherwise."""
        return "\n(shallow clone: older commits are not here)" if self.repository.shallow else ""

    def shows(self, path: str) -> bool:
        """Whether a path may be shown."""
        return not is_hidden(path, self.hidden)

    def read_lines(self, path: str) -> list[str] | str:
        """Return the lines of a file, or why it was not read."""
        text = self.tree.read(PurePosixPath(path))
        if isinstance(text, Unread):
            return text.reason.value
        if "\0" in text:
            return "binary file"
        return text.removesuffix("\n").split("\n") if text else []


def refuse(error: ServiceError) -> str:
    """Return the answer when git failed."""
    return f"{UNANSWERED}{clean_line(error.message)}"


def shorten(commit: str) -> str:
    """Return the beginning of an id, always of the same length: what git chooses depends on the clone."""
    return commit[:_SHORT]


def name_date(time: int) -> str:
    """Return the day of a commit."""
    return dt.datetime.fromtimestamp(time, dt.UTC).date().isoformat()
