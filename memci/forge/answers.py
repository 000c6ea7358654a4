"""The parts of the forges' JSON that memci reads, as their documentation describes them.

Dataclasses rather than msgspec's own structs, so that commands without a forge do not wait for the import.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from memci.forge.pull_requests import UncertainError

_T = TypeVar("_T")
# GitLab's number for the role that may push and open merge requests.
_DEVELOPER = 30


def convert(value: Any, kind: type[_T], what: str, *keys: str) -> _T:
    """Return parsed JSON, or what these keys lead to, as a typed value; another shape is an error of the service."""
    import msgspec

    # Not decoded by msgspec: it refuses half a surrogate pair, and a comment of anybody may have one.
    try:
        for key in keys:
            value = value[key]
        return msgspec.convert(value, kind)
    # The last one is raised for half a surrogate pair where an object or a number is expected.
    except (LookupError, TypeError, msgspec.ValidationError, UnicodeEncodeError) as error:
        raise UncertainError(f"the forge answered the request for {what} with something else") from error


@dataclass(frozen=True, slots=True)
class RepositoryName:
    """The repository of a branch."""

    full_name: str = ""


@dataclass(frozen=True, slots=True)
class PullBranch:
    """A branch of a pull request; `repo` is None if the fork was deleted."""

    ref: str
    repo: RepositoryName | None = None


@dataclass(frozen=True, slots=True)
class ForgeLabel:
    """A label; only Gitea needs its id."""

    name: str
    id: int


@dataclass(frozen=True, slots=True)
class GitHubPull:
    """A pull request at GitHub, Gitea or Forgejo."""

    number: int
    html_url: str
    state: str
    title: str
    body: str | None
    head: PullBranch
    base: PullBranch
    labels: Sequence[ForgeLabel] | None = None
    # GitHub's lists have only the time, Gitea has both.
    merged_at: str | None = None
    merged: bool | None = None
    # Only GitHub says what the author is to the repository.
    user: "ForgeUser | None" = None
    author_association: str | None = None


@dataclass(frozen=True, slots=True)
class GitLabMergeRequest:
    """A merge request at GitLab."""

    iid: int
    web_url: str
    state: str
    title: str
    description: str | None
    source_branch: str
    target_branch: str
    source_project_id: int | None
    target_project_id: int
    labels: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class ForgeUser:
    """A user: GitHub and Gitea name them `login`, GitLab `username`."""

    login: str | None = None
    username: str | None = None
    type: str | None = None

    @property
    def name(self) -> str:
        """The name; "" if the forge does not give one."""
        return self.login or self.username or ""


@dataclass(frozen=True, slots=True)
class ForgeComment:
    """A comment, or a note of GitLab; `user` and `author` are None for deleted accounts."""

    id: int
    body: str | None = None
    user: ForgeUser | None = None
    author: ForgeUser | None = None


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """The run of an artifact, or a run by itself."""

    id: int | None = None
    path: str = ""
    head_branch: str | None = None
    repository_id: int | None = None
    head_repository_id: int | None = None


@dataclass(frozen=True, slots=True)
class GitHubArtifact:
    """A zip that a run uploaded; the run is absent if it was deleted."""

    id: int
    name: str
    size_in_bytes: int
    expired: bool | None
    created_at: dt.datetime | None
    digest: str | None = None
    workflow_run: WorkflowRun | None = None

    @property
    def run(self) -> WorkflowRun:
        """Its run; of a deleted one nothing is known."""
        return self.workflow_run or WorkflowRun()

    @property
    def created(self) -> dt.datetime:
        """When it was uploaded; long ago if GitHub does not say so."""
        created = self.created_at or dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
        return created if created.tzinfo else created.replace(tzinfo=dt.UTC)

    @property
    def ours(self) -> bool:
        """Whether the run was about a commit of this repository, not of a fork."""
        return self.run.repository_id is not None and self.run.repository_id == self.run.head_repository_id

    @property
    def sha256(self) -> str:
        """SHA-256 of the zip; "" if GitHub does not know it."""
        kind, _, digest = (self.digest or "").partition(":")
        return digest if kind == "sha256" else ""


@dataclass(frozen=True, slots=True)
class GitHubRepository:
    """A repository at GitHub or Gitea; tokens of a job are not told their permissions."""

    default_branch: str
    permissions: Mapping[str, bool] | None = None
    archived: bool | None = None

    @property
    def push(self) -> bool | None:
        """Whether the token may push; None if the forge does not tell."""
        return (self.permissions or {}).get("push")


@dataclass(frozen=True, slots=True)
class GitLabAccess:
    """The role of a user in a project or a group."""

    access_level: int


@dataclass(frozen=True, slots=True)
class GitLabProject:
    """A project at GitLab."""

    default_branch: str
    permissions: Mapping[str, GitLabAccess | None] | None = None
    archived: bool | None = None

    @property
    def push(self) -> bool | None:
        """Whether the token may push and open merge requests; None if the forge does not tell."""
        levels = [access.access_level for access in (self.permissions or {}).values() if access]
        return max(levels) >= _DEVELOPER if levels else None
