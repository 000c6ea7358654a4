"""Where a proposal goes: the branch, its base, the remote and the forge; settled before anything is done."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memci.deadline import start_deadline
from memci.errors import UsageError
from memci.forge.detect import Forge, classify_forge, make_forge, parse_address, read_token
from memci.git.remotes import Remote, current_branch, give_login, open_remote
from memci.git.repository import Repository
from memci.git.workspace import Workspace
from memci.stores.branches import check_branch, list_default_branches

# Enough for a dozen requests and a few git commands; otherwise the forge is down, and the next run continues.
_SECONDS = 600.0
_OTHER = "--branch memci/dream"


@dataclass(frozen=True, slots=True)
class PublishRequest:
    """The options of a publish run."""

    bundles: tuple[Path, ...]
    branch: str
    base: str | None
    forge: str
    remote: str
    draft: bool
    labels: tuple[str, ...]
    reviewers: tuple[str, ...]
    dry_run: bool
    now: dt.datetime
    # The settings of the dream, if not the default file.
    config: Path | None = None
    # The time for all requests to the remote and the forge.
    seconds: float = _SECONDS


@dataclass(frozen=True, slots=True)
class Places:
    """Where a proposal goes."""

    branch: str
    base: str
    remote: Remote
    # None without a forge, or without a token in a dry run.
    forge: Forge | None


def open_places(workspace: Workspace, request: PublishRequest, environment: Mapping[str, str]) -> Places:
    """Return where to publish; refuse unusable targets, without any request."""
    repository = workspace.repository
    if repository is None:
        raise UsageError("publishing needs a git repository", hint="run memci inside it, or use -C")
    branch = check_branch(request.branch, "the branch", _OTHER)
    # CI calls its branch refs/heads/main.
    named = (request.base or _current_branch(repository)).removeprefix("refs/heads/")
    base = check_branch(named, "the base", "--base main")
    if branch == base:
        raise UsageError(f"{branch} cannot be both the branch and its base", hint=_OTHER)
    check_default(branch, list_default_branches(repository))
    remote, forge = _open(repository, request, environment)
    return Places(branch, base, remote, forge)


def check_default(branch: str, defaults: Collection[str]) -> None:
    """Refuse the default branch for proposals."""
    if branch in defaults:
        raise UsageError(f"{branch} is the default branch, which is not memci's to move", hint=_OTHER)


def _open(
    repository: Repository, request: PublishRequest, environment: Mapping[str, str]
) -> tuple[Remote, Forge | None]:
    deadline = start_deadline(request.seconds)
    remote = replace(open_remote(repository, request.remote), deadline=deadline)
    address = parse_address(remote.url)
    kind = classify_forge(address, environment) if request.forge == "auto" else request.forge
    if request.forge == "auto" and kind == "none" and address is not None:
        hint = "--forge github, gitea or gitlab; or none, which only pushes the branch"
        raise UsageError(f"{address.host} is no forge that memci knows", hint=hint)
    if kind == "none" or (request.dry_run and not read_token(kind, environment)):
        return give_login(remote, "x-access-token", read_token("none", environment)), None
    forge = make_forge(kind, address, environment, deadline=deadline)
    return give_login(remote, forge.git_user, read_token(kind, environment)), forge


def _current_branch(repository: Repository) -> str:
    current = current_branch(repository)
    if not current:
        raise UsageError("no branch is checked out, so the base is unknown", hint="--base main")
    return current
