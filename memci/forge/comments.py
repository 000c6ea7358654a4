"""The comments of a pull request: who wrote them, and whether that is the owner of the token."""

from collections.abc import Sequence

from memci.forge.answers import ForgeComment, ForgeUser, GitObject, PullHead
from memci.forge.http import Client
from memci.forge.protocol import Comment, DeniedError, UncertainError

# Gitea and Forgejo have one user for all jobs; GitHub marks its own.
_BOTS = frozenset(("gitea-actions", "forgejo-actions"))


class GitHubComments:
    """The comments at GitHub, Gitea and Forgejo."""

    def __init__(self, client: Client, root: str, limit: str) -> None:
        self._client = client
        self._root = root
        self._limit = limit

    def read_user(self) -> str:
        """Return the name of the token's owner; "" for the token of a job, which has no owner."""
        return _read_user(self._client)

    def read_head(self, number: int) -> str:
        """Return the commit that a pull request proposes, also one of a fork."""
        return self._client.read(f"{self._root}/pulls/{number}", PullHead, "a pull request").head.sha

    def list(self, number: int) -> Sequence[Comment]:
        """Return all comments, the oldest first."""
        path = f"{self._root}/issues/{number}/comments"
        found = self._client.list(path, ForgeComment, "comments", self._limit)
        return sorted((_read(item, item.user) for item in found), key=lambda comment: comment.id)

    def create(self, number: int, body: str) -> None:
        """Write a comment."""
        self._client.send("POST", f"{self._root}/issues/{number}/comments", {"body": body}, again=False)

    def edit(self, number: int, comment: int, body: str) -> None:  # noqa: ARG002 -- GitLab needs the number
        """Give a comment another text."""
        self._client.send("PATCH", f"{self._root}/issues/comments/{comment}", {"body": body})

    def delete(self, number: int, comment: int) -> None:  # noqa: ARG002 -- GitLab needs the number
        """Remove a comment, if it still exists."""
        _delete(self._client, f"{self._root}/issues/comments/{comment}")


class GitLabComments:
    """The notes at GitLab."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def read_user(self) -> str:
        """Return the name of the token's owner."""
        return _read_user(self._client)

    def read_head(self, number: int) -> str:
        """Return the commit that a merge request proposes, also one of a fork."""
        path = f"{self._root}/merge_requests/{number}"
        return self._client.read(path, GitObject, "a merge request").sha

    def list(self, number: int) -> Sequence[Comment]:
        """Return all notes, the oldest first."""
        found = self._client.list(f"{self._root}/merge_requests/{number}/notes", ForgeComment, "notes")
        return sorted((_read(item, item.author) for item in found), key=lambda comment: comment.id)

    def create(self, number: int, body: str) -> None:
        """Write a note."""
        self._client.send("POST", f"{self._root}/merge_requests/{number}/notes", {"body": body}, again=False)

    def edit(self, number: int, comment: int, body: str) -> None:
        """Give a note another text."""
        self._client.send("PUT", f"{self._root}/merge_requests/{number}/notes/{comment}", {"body": body})

    def delete(self, number: int, comment: int) -> None:
        """Remove a note, if it still exists."""
        _delete(self._client, f"{self._root}/merge_requests/{number}/notes/{comment}")


def _read_user(client: Client) -> str:
    try:
        user = client.read("/user", ForgeUser, "the owner of the token")
    except DeniedError:
        return ""
    if not user.name:
        raise UncertainError("the forge does not name the owner of the token")
    return user.name


def _read(item: ForgeComment, author: ForgeUser | None) -> Comment:
    author = author or ForgeUser()
    bot = author.type == "Bot" or author.name.endswith("[bot]") or author.name in _BOTS
    return Comment(item.id, item.body or "", author.name, bot)


def _delete(client: Client, path: str) -> None:
    try:
        client.send("DELETE", path)
    except DeniedError as error:
        if error.status != 404:
            raise
