"""The comments of a pull request: who wrote them, and whether that is the owner of the token."""

from collections.abc import Sequence
from typing import Any

from memci.forge.http import Client, reading
from memci.forge.protocol import Comment, DeniedError

# Gitea and Forgejo have one user for all jobs; GitHub marks its own.
_BOTS = frozenset(("gitea-actions", "forgejo-actions"))


class GitHubComments:
    """The comments at GitHub, Gitea and Forgejo."""

    def __init__(self, client: Client, root: str, limit: str) -> None:
        self._client = client
        self._root = root
        self._limit = limit

    def find_user(self) -> str:
        """Return the name of the token's owner; "" for the token of a job, which is nobody's."""
        return _find_user(self._client, "login")

    def find_head(self, number: int) -> str:
        """Return the commit that a pull request proposes, also one of a fork."""
        with reading("a pull request"):
            return str(self._client.get(f"{self._root}/pulls/{number}").value["head"]["sha"])

    def list(self, number: int) -> Sequence[Comment]:
        """Return all comments, the oldest first."""
        found = self._client.pages(f"{self._root}/issues/{number}/comments", self._limit)
        with reading("comments"):
            return sorted((_read(item, item.get("user") or {}, "login") for item in found), key=lambda one: one.id)

    def create(self, number: int, body: str) -> None:
        """Write a comment."""
        self._client.send("POST", f"{self._root}/issues/{number}/comments", {"body": body}, again=False)

    def edit(self, number: int, comment: int, body: str) -> None:  # noqa: ARG002 -- GitLab needs the number
        """Give a comment another text."""
        self._client.send("PATCH", f"{self._root}/issues/comments/{comment}", {"body": body})

    def delete(self, number: int, comment: int) -> None:  # noqa: ARG002 -- GitLab needs the number
        """Remove a comment; one that is gone already is no error."""
        _delete(self._client, f"{self._root}/issues/comments/{comment}")


class GitLabComments:
    """The notes at GitLab."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def find_user(self) -> str:
        """Return the name of the token's owner."""
        return _find_user(self._client, "username")

    def find_head(self, number: int) -> str:
        """Return the commit that a merge request proposes, also one of a fork."""
        with reading("a merge request"):
            return str(self._client.get(f"{self._root}/merge_requests/{number}").value["sha"])

    def list(self, number: int) -> Sequence[Comment]:
        """Return all notes, the oldest first."""
        found = self._client.pages(f"{self._root}/merge_requests/{number}/notes")
        with reading("notes"):
            return sorted((_read(item, item.get("author") or {}, "username") for item in found), key=lambda one: one.id)

    def create(self, number: int, body: str) -> None:
        """Write a note."""
        self._client.send("POST", f"{self._root}/merge_requests/{number}/notes", {"body": body}, again=False)

    def edit(self, number: int, comment: int, body: str) -> None:
        """Give a note another text."""
        self._client.send("PUT", f"{self._root}/merge_requests/{number}/notes/{comment}", {"body": body})

    def delete(self, number: int, comment: int) -> None:
        """Remove a note; one that is gone already is no error."""
        _delete(self._client, f"{self._root}/merge_requests/{number}/notes/{comment}")


def _find_user(client: Client, field: str) -> str:
    try:
        with reading("the owner of the token"):
            return str(client.get("/user").value[field])
    except DeniedError:
        return ""


def _read(item: Any, author: Any, field: str) -> Comment:
    name = str(author.get(field) or "")
    bot = author.get("type") == "Bot" or name.endswith("[bot]") or name in _BOTS
    return Comment(int(item["id"]), str(item.get("body") or ""), name, bot)


def _delete(client: Client, path: str) -> None:
    try:
        client.send("DELETE", path)
    except DeniedError as error:
        if error.status != 404:
            raise
