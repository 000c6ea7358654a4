"""Merge requests at GitLab."""

import urllib.parse
from collections.abc import Sequence
from typing import Any

from memci.errors import ServiceError
from memci.forge.answers import GitLabMergeRequest, GitLabProject, convert
from memci.forge.comments import GitLabNotes
from memci.forge.http import Client, quote
from memci.forge.pull_requests import DeniedError, Draft, PullRequest, PullState

_DRAFT = "Draft: "
_STATES = {PullState.OPEN: "opened", PullState.CLOSED: "closed", PullState.MERGED: "merged"}


class GitLab:
    """One project at GitLab."""

    # The user name that it wants beside a token when git pushes.
    git_user = "oauth2"

    def __init__(self, client: Client, path: str, web: str) -> None:
        self._client = client
        self._web = web
        self._root = f"/projects/{quote(path)}"
        self.comments = GitLabNotes(client, self._root)

    def list_pulls(self, branch: str, state: PullState) -> Sequence[PullRequest]:
        """Return the merge requests of a branch of this project, newest first."""
        query = {"state": _STATES[state], "source_branch": branch, "order_by": "created_at", "sort": "desc"}
        found = self._client.list(f"{self._root}/merge_requests", GitLabMergeRequest, "merge requests", **query)
        # A fork may give its branch any name.
        own = (item for item in found if item.source_project_id == item.target_project_id)
        pulls = [_read(item) for item in own if item.source_branch == branch]
        return [pull for pull in pulls if pull.state is state]

    def create_pull(self, draft: Draft) -> PullRequest:
        """Make a merge request; after `UncertainError` it may or may not be there."""
        body = {
            "source_branch": draft.branch,
            "target_branch": draft.base,
            "title": f"{_DRAFT}{draft.title}" if draft.draft else draft.title,
            "description": draft.body,
        }
        made = self._client.send("POST", f"{self._root}/merge_requests", body, again=False)
        return _read(convert(made, GitLabMergeRequest, "a merge request"))

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a merge request another text, and the branch to merge into; a draft stays one."""
        old = self._client.read(f"{self._root}/merge_requests/{number}", str, "a merge request", "title")
        title = f"{_DRAFT}{title}" if old.startswith(_DRAFT) else title
        self._put(number, {"title": title, "description": body, "target_branch": base})

    def close_pull(self, number: int, *, body: str) -> None:
        """Close a merge request and give it another text."""
        self._put(number, {"state_event": "close", "description": body})

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there; GitLab makes those that it does not know."""
        self._put(number, {"add_labels": ",".join(labels)})

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""
        self._put(number, {"remove_labels": label})

    def request_reviews(self, number: int, reviewers: Sequence[str]) -> None:
        """Ask people to look; GitLab wants their numbers."""
        numbers = []
        for name in reviewers:
            found = self._client.read("/users", list[Any], "a user", username=name)
            if not found:
                raise ServiceError(f"there is no user {name}")
            numbers.append(convert(found[0], int, "a user", "id"))
        self._put(number, {"reviewer_ids": numbers})

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the merge request."""
        fields = {"source_branch": branch, "target_branch": base, "title": title}
        query = urllib.parse.urlencode({f"merge_request[{key}]": value for key, value in fields.items()})
        return f"{self._web}/-/merge_requests/new?{query}"

    def read_repository(self) -> GitLabProject:
        """Return the project as the owner of the token sees it."""
        return self._client.read(self._root, GitLabProject, "the project")

    def list_schedules(self) -> Sequence[bool] | None:
        """Return for each schedule whether it is active; None if denied."""
        try:
            return list(self._client.list(f"{self._root}/pipeline_schedules", bool, "schedules", "active"))
        except DeniedError:
            return None

    def _put(self, number: int, body: dict[str, object]) -> None:
        self._client.send("PUT", f"{self._root}/merge_requests/{number}", body)


def _read(item: GitLabMergeRequest) -> PullRequest:
    state = next((state for state, name in _STATES.items() if name == item.state), PullState.CLOSED)
    body, labels = item.description or "", frozenset(item.labels or ())
    return PullRequest(item.iid, item.web_url, state, item.title, body, item.target_branch, labels)
