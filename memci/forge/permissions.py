"""Reads the permissions of a token and the set-up of a repository at its forge."""

from collections.abc import Sequence

from memci.forge.answers import GitHubRepository, GitLabProject
from memci.forge.http import Client, quote
from memci.forge.protocol import DeniedError


class GitHubRights:
    """The set-up of one repository at GitHub; Gitea knows the first part of it."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def read(self) -> GitHubRepository:
        """Return the repository as the owner of the token sees it."""
        return self._client.read(self._root, GitHubRepository, "the repository")

    def may_open_pulls(self) -> bool | None:
        """Whether jobs may open pull requests; None if the token may not read that."""
        path, key = f"{self._root}/actions/permissions/workflow", "can_approve_pull_request_reviews"
        try:
            return self._client.read(path, bool, "the permissions of workflows", key)
        except DeniedError:
            return None

    def read_workflow(self, name: str) -> str | None:
        """Return the state of a workflow: active, disabled_inactivity, …; "" if there is none, None if denied."""
        try:
            return self._client.read(f"{self._root}/actions/workflows/{quote(name)}", str, "the workflow", "state")
        except DeniedError as error:
            return "" if error.status == 404 else None


class GitLabRights:
    """The set-up of one project at GitLab."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def read(self) -> GitLabProject:
        """Return the project as the owner of the token sees it."""
        return self._client.read(self._root, GitLabProject, "the project")

    def list_schedules(self) -> Sequence[bool] | None:
        """Return for each schedule whether it is active; None if denied."""
        try:
            return list(self._client.list(f"{self._root}/pipeline_schedules", bool, "schedules", "active"))
        except DeniedError:
            return None
