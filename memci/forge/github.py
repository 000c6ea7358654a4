"""GitHub and GitHub Enterprise, and Gitea and Forgejo, which have its paths with differences."""

import urllib.parse
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import IO

from memci.forge.answers import ForgeLabel, GitHubArtifact, GitHubPull, GitHubRepository, WorkflowRun, convert
from memci.forge.comments import Comments
from memci.forge.http import Client, quote
from memci.forge.pull_requests import DeniedError, Draft, ForgeError, PullRequest, PullState

# What GitHub calls people who may have write access; others cannot have made a branch here.
_INSIDERS = frozenset(("OWNER", "MEMBER", "COLLABORATOR"))
# A busy repository makes a few hundred a day; older ones are ignored.
_MAX_ARTIFACTS = 1_000


class GitHub:
    """One repository at GitHub."""

    # The user name that it wants beside a token when git pushes.
    git_user = "x-access-token"

    def __init__(self, client: Client, path: str, web: str) -> None:
        self._client = client
        self._owner, _, self._repo = path.partition("/")
        self._web = web
        self._root = f"/repos/{quote(self._owner)}/{quote(self._repo)}"
        self.comments = Comments(client, self._root)

    def list_pulls(self, branch: str, state: PullState) -> Sequence[PullRequest]:
        """Return the pull requests of a branch of this repository, newest first."""
        asked = "open" if state is PullState.OPEN else "closed"
        # Gitea does not know `head` and sends all, so what comes back is always looked at.
        query = {"state": asked, "head": f"{self._owner}:{branch}", "sort": "created", "direction": "desc"}
        pulls = self._client.list(f"{self._root}/pulls", GitHubPull, "pull requests", **query)
        found = [_read(pull) for pull in pulls if self._is_own(pull, branch)]
        return sorted((pull for pull in found if pull.state is state), key=lambda pull: -pull.number)

    def create_pull(self, draft: Draft) -> PullRequest:
        """Make a pull request; after `UncertainError` it may or may not be there."""
        body = self._describe(draft)
        path = f"{self._root}/pulls"
        try:
            made = self._client.send("POST", path, body, again=False)
        except ForgeError as error:
            # Private repositories of free accounts have no drafts.
            if not (error.status == 422 and body.pop("draft", False) and "raft" in error.message):
                raise
            made = self._client.send("POST", path, body, again=False)
        return _read(convert(made, GitHubPull, "a pull request"))

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a pull request another text, and the branch to merge into."""
        self._client.send("PATCH", f"{self._root}/pulls/{number}", {"title": title, "body": body, "base": base})

    def close_pull(self, number: int, *, body: str) -> None:
        """Close a pull request and give it another text."""
        self._client.send("PATCH", f"{self._root}/pulls/{number}", {"state": "closed", "body": body})

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there; GitHub makes those that it does not know."""
        self._client.send("POST", f"{self._root}/issues/{number}/labels", {"labels": list(labels)})

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""
        self._client.send("DELETE", f"{self._root}/issues/{number}/labels/{quote(label)}")

    def request_reviews(self, number: int, reviewers: Sequence[str]) -> None:
        """Ask people to look; `org/team` names a team."""
        teams = [name.rpartition("/")[2] for name in reviewers if "/" in name]
        body = {"reviewers": [name for name in reviewers if "/" not in name], "team_reviewers": teams}
        self._client.send("POST", f"{self._root}/pulls/{number}/requested_reviewers", body)

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the pull request."""
        names = f"{urllib.parse.quote(base)}...{urllib.parse.quote(branch)}"
        return f"{self._web}/compare/{names}?{urllib.parse.urlencode({'expand': 1, 'title': title})}"

    def read_repository(self) -> GitHubRepository:
        """Return the repository as the owner of the token sees it."""
        return self._client.read(self._root, GitHubRepository, "the repository")

    def may_open_pulls(self) -> bool | None:
        """Whether jobs may open pull requests; None if the token may not read that."""
        path, key = f"{self._root}/actions/permissions/workflow", "can_approve_pull_request_reviews"
        try:
            return self._client.read(path, bool, "the permissions of workflows", key)
        except DeniedError:
            return None

    def read_workflow_state(self, name: str) -> str | None:
        """Return the state of a workflow: active, disabled_inactivity, …; "" if there is none, None if denied."""
        try:
            return self._client.read(f"{self._root}/actions/workflows/{quote(name)}", str, "the workflow", "state")
        except DeniedError as error:
            return "" if error.status == 404 else None

    def list_artifacts(self) -> Sequence[GitHubArtifact]:
        """Return the artifacts of all runs, the newest first; needs `actions: read`."""
        pages = self._client.list(f"{self._root}/actions/artifacts", GitHubArtifact, "artifacts", within="artifacts")
        newest = islice(pages, _MAX_ARTIFACTS)
        return sorted(newest, key=lambda artifact: (artifact.created, artifact.id), reverse=True)

    def name_workflow(self, run: int) -> str:
        """Return the file name of the workflow of a run."""
        found = self._client.read(f"{self._root}/actions/runs/{run}", WorkflowRun, "a run")
        # `.github/workflows/review.yml@refs/heads/main`
        return found.path.partition("@")[0].rpartition("/")[2]

    def download_artifact(self, artifact: GitHubArtifact, into: IO[bytes], limit: int) -> str:
        """Write the zip into a file and return its SHA-256."""
        return self._client.download(f"{self._root}/actions/artifacts/{artifact.id}/zip", into, limit)

    def _describe(self, draft: Draft) -> dict[str, object]:
        body = {"title": draft.title, "body": draft.body, "base": draft.base, "head": draft.branch}
        return {**body, "draft": True} if draft.draft else {**body}

    def _is_own(self, pull: GitHubPull, branch: str) -> bool:
        """Whether the branch is in this repository: a fork may give its branch any name."""
        home = pull.head.repo.full_name if pull.head.repo else ""
        return pull.head.ref == branch and home.lower() == f"{self._owner}/{self._repo}".lower()


def _read(pull: GitHubPull) -> PullRequest:
    merged = pull.merged_at or pull.merged
    state = PullState.OPEN if pull.state == "open" else PullState.MERGED if merged else PullState.CLOSED
    labels = frozenset(label.name for label in pull.labels or ())
    bot = pull.user is not None and pull.user.type == "Bot"
    trusted = bot or pull.author_association is None or pull.author_association in _INSIDERS
    return PullRequest(pull.number, pull.html_url, state, pull.title, pull.body or "", pull.base.ref, labels, trusted)


# Older servers have no field for drafts, only this prefix of the title.
_DRAFT = "WIP: "
_COLOUR = "#7057ff"


class Gitea(GitHub):
    """One repository at Gitea or Forgejo."""

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a pull request another text, and the branch to merge into; a draft stays one."""
        old = self._client.read(f"{self._root}/pulls/{number}", str, "a pull request", "title")
        title = f"{_DRAFT}{title}" if old.startswith(_DRAFT) else title
        super().edit_pull(number, title=title, body=body, base=base)

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there; they are named by number and must exist."""
        path = f"{self._root}/labels"
        known = {label.name: label.id for label in self._client.list(path, ForgeLabel, "labels")}
        for name in labels:
            if name not in known:
                made = self._client.send("POST", path, {"name": name, "color": _COLOUR}, again=False)
                known[name] = convert(made, ForgeLabel, "a label").id
        numbers = [known[label] for label in labels]
        self._client.send("POST", f"{self._root}/issues/{number}/labels", {"labels": numbers})

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""
        path = f"{self._root}/issues/{number}/labels"
        for item in self._client.read(path, list[ForgeLabel], "labels"):
            if item.name == label:
                self._client.send("DELETE", f"{path}/{item.id}")

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the pull request."""
        return f"{self._web}/compare/{quote(base)}...{quote(branch)}?{urllib.parse.urlencode({'title': title})}"

    def _describe(self, draft: Draft) -> dict[str, object]:
        title = f"{_DRAFT}{draft.title}" if draft.draft else draft.title
        return super()._describe(replace(draft, title=title, draft=False))
