"""Pull requests and comments of any forge as values, and what may become of a request."""

import enum
from dataclasses import dataclass

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
