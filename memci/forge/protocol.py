"""The interface to a forge: pull requests and comments, independent of the product."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memci.errors import ServiceError

if TYPE_CHECKING:
    from memci.forge.comments import Comments


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
    # Whether its author may belong to the repository; a forge that does not say so is believed.
    trusted: bool = True


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


class Forge(Protocol):
    """The forge that hosts the repository."""

    name: str
    # The user name that the forge wants beside a token when git pushes.
    git_user: str

    @property
    def comments(self) -> "Comments":
        """The comments of its pull requests."""

    def list_pulls(self, branch: str, state: PullState) -> Sequence[PullRequest]:
        """Return the pull requests of a branch of this repository, newest first."""

    def create_pull(self, draft: Draft) -> PullRequest:
        """Make a pull request; after `UncertainError` it may or may not be there."""

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a pull request another text, and the branch to merge into."""

    def close_pull(self, number: int, *, body: str) -> None:
        """Close a pull request and give it another text."""

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there."""

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""

    def request_reviews(self, number: int, reviewers: Sequence[str]) -> None:
        """Ask people to look; `org/team` names a team."""

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the pull request."""
