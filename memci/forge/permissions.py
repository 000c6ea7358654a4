"""What a token may do in a repository, and how the forge is set up; nothing is changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memci.forge.http import Client, quote, reading
from memci.forge.protocol import DeniedError

# GitLab's number for the role that may push and open merge requests.
_DEVELOPER = 30


@dataclass(frozen=True, slots=True)
class Rights:
    """A repository as the owner of the token sees it; None where the forge does not say."""

    default_branch: str
    push: bool | None
    archived: bool = False
    private: bool | None = None


class GitHubRights:
    """The set-up of one repository at GitHub; Gitea knows the first part of it."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def read(self) -> Rights:
        """Return what may be done."""
        with reading("the repository"):
            item = self._client.get(self._root).value
            # Tokens of a job have no such field.
            push = (item.get("permissions") or {}).get("push")
            return Rights(str(item["default_branch"]), push, bool(item.get("archived")), item.get("private"))

    def may_open_pulls(self) -> bool | None:
        """Whether jobs may open pull requests; None if only somebody with more rights may know."""
        try:
            with reading("the permissions of workflows"):
                answer = self._client.get(f"{self._root}/actions/permissions/workflow").value
                return bool(answer["can_approve_pull_request_reviews"])
        except DeniedError:
            return None

    def read_workflow(self, name: str) -> str | None:
        """Return the state of a workflow: active, disabled_inactivity, …; "" if there is none, None if denied."""
        try:
            with reading("the workflow"):
                return str(self._client.get(f"{self._root}/actions/workflows/{quote(name)}").value["state"])
        except DeniedError as error:
            return "" if error.status == 404 else None

    def list_rules(self, branch: str) -> Sequence[str] | None:
        """Return the kinds of rules for a branch, whether it exists or not; None if denied."""
        try:
            with reading("the rules of the branch"):
                rules = self._client.pages(f"{self._root}/rules/branches/{quote(branch)}")
                return [str(rule["type"]) for rule in rules]
        except DeniedError:
            return None


class GitLabRights:
    """The set-up of one project at GitLab."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def read(self) -> Rights:
        """Return what may be done."""
        with reading("the project"):
            item = self._client.get(self._root).value
            access = [found["access_level"] for found in (item.get("permissions") or {}).values() if found]
            push = max(access) >= _DEVELOPER if access else None
            return Rights(str(item["default_branch"]), push, bool(item.get("archived")), _is_private(item))

    def list_schedules(self) -> Sequence[bool] | None:
        """Return for each schedule whether it is active; None if denied."""
        try:
            with reading("schedules"):
                return [bool(item["active"]) for item in self._client.pages(f"{self._root}/pipeline_schedules")]
        except DeniedError:
            return None


def _is_private(item: Any) -> bool:
    return bool(item.get("visibility") != "public")
