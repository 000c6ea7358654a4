"""The interface to a forge: pull requests and comments, independent of the product."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memci.errors import ServiceError


class PullState(enum.StrEnum):
    """The state of a pull request."""

    OPEN = "open"
    MERGED = "merged"
    # Closed without being merged.
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request whose branch is in the repository itself; those of forks are never returned."""

    number: int
    url: str
    state: PullState
    title: str
    body: str
    base: str
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Draft:
    """A pull request to be made."""

    title: str
    body: str
    base: str
    branch: str
    draft: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of a pull request."""

    id: int
    body: str
    author: str
    # Whether the forge marks its author as a bot.
    bot: bool


class ForgeError(ServiceError):
    """A forge refused a request with this HTTP status."""

    def __init__(self, message: str, *, hint: str = "", status: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class DeniedError(ForgeError):
    """The token is valid but not sufficient, or the forge hides the resource."""


class ExistsError(ForgeError):
    """The resource exists already."""


class UncertainError(ServiceError):
    """No answer, or an unclear one: the request may have been executed."""


class Comments(Protocol):
    """The comments of the pull requests of a repository."""

    def read_user(self) -> str:
        """Return the name of the token's owner; "" if the forge does not tell."""

    def read_head(self, number: int) -> str:
        """Return the commit that a pull request proposes, also one of a fork."""

    def list(self, number: int) -> Sequence[Comment]:
        """Return all comments, the oldest first."""

    def create(self, number: int, body: str) -> None:
        """Write a comment."""

    def edit(self, number: int, comment: int, body: str) -> None:
        """Give a comment another text."""

    def delete(self, number: int, comment: int) -> None:
        """Remove a comment, if it still exists."""


class Forge(Protocol):
    """The forge that hosts the repository."""

    name: str
    # The user name that the forge wants beside a token when git pushes.
    git_user: str

    @property
    def comments(self) -> Comments:
        """The comments of its pull requests."""

    def list_pulls(self, branch: str, state: PullState) -> Sequence[PullRequest]:
        """Return the pull requests of a branch of this repository, newest first."""

    def create_pull(self, draft: Draft) -> PullRequest:
        """Make a pull request; after `UncertainError` it may or may not be there."""

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a pull request another text, and the branch to merge into."""

    def close_pull(self, number: int, *, body: str) -> None:
        """Close a pull request and give it another text."""

    def comment(self, number: int, mark: str, text: str) -> None:
        """Write a comment that begins with `mark`; one that is there already is replaced."""

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there."""

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""

    def request_reviews(self, number: int, reviewers: Sequence[str]) -> None:
        """Ask people to look; `org/team` names a team."""

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the pull request."""
