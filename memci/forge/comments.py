"""The comments of a pull request: who wrote them, and the one that memci keeps there."""

import enum
from collections.abc import Iterator, Sequence

from memci.forge.answers import ForgeComment, ForgeUser
from memci.forge.http import Client
from memci.forge.pull_requests import Comment, DeniedError, UncertainError

# Gitea and Forgejo have one user for all jobs; GitHub marks its own.
_BOTS = frozenset(("gitea-actions", "forgejo-actions"))


class Kept(enum.StrEnum):
    """What was done to the comment."""

    NONE = "none"
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    DELETED = "deleted"


class Comments:
    """The comments at GitHub, Gitea and Forgejo."""

    # Below the repository: the comments of a pull request, and one of them.
    _all, _one = "/issues/{0}/comments", "/issues/comments/{1}"
    _name = "comments"
    _edit = "PATCH"

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def read_user(self) -> str:
        """Return the name of the token's owner; "" for the token of a job, which has no owner."""
        try:
            user = self._client.read("/user", ForgeUser, "the owner of the token")
        except DeniedError:
            return ""
        if not user.name:
            raise UncertainError("the forge does not name the owner of the token")
        return user.name

    def list(self, number: int) -> Sequence[Comment]:
        """Return all comments, the oldest first."""
        return sorted(self._iterate(number), key=lambda comment: comment.id)

    def create(self, number: int, body: str) -> None:
        """Write a comment."""
        self._client.send("POST", self._root + self._all.format(number), {"body": body}, again=False)

    def edit(self, number: int, comment: int, body: str) -> None:
        """Give a comment another text."""
        self._client.send(self._edit, self._root + self._one.format(number, comment), {"body": body})

    def delete(self, number: int, comment: int) -> None:
        """Remove a comment, if it still exists."""
        try:
            self._client.send("DELETE", self._root + self._one.format(number, comment))
        except DeniedError as error:
            if error.status != 404:
                raise

    def keep(self, number: int, mark: str, body: str) -> Kept:
        """Make `body`, which begins with `mark`, the one such comment of this token; delete it if there is no body."""
        own = self._list_own(number, mark)
        if not body:
            for comment in own:
                self.delete(number, comment.id)
            return Kept.DELETED if own else Kept.NONE
        if own:
            return self._update(number, own, body)
        self.create(number, body)
        # Another run may have created one at the same time: keep the oldest.
        self._update(number, self._list_own(number, mark), body)
        return Kept.CREATED

    def _update(self, number: int, own: Sequence[Comment], body: str) -> Kept:
        is_same = not own or _plain(own[0].body) == _plain(body)
        if not is_same:
            self.edit(number, own[0].id, body)
        for comment in own[1:]:
            self.delete(number, comment.id)
        return Kept.UNCHANGED if is_same else Kept.UPDATED

    def _list_own(self, number: int, mark: str) -> Sequence[Comment]:
        """Return the comments with the mark that were written with this token: anybody can write the mark."""
        marked = [comment for comment in self.list(number) if comment.body.startswith(mark)]
        user = self.read_user() if marked else ""
        return [comment for comment in marked if (comment.author == user if user else comment.bot)]

    def _iterate(self, number: int) -> Iterator[Comment]:
        for item in self._client.list(self._root + self._all.format(number), ForgeComment, self._name):
            # GitHub's name for the writer, and GitLab's.
            author = item.user or item.author or ForgeUser()
            bot = author.type == "Bot" or author.name.endswith("[bot]") or author.name in _BOTS
            yield Comment(item.id, item.body or "", author.name, bot)


class GitLabNotes(Comments):
    """The notes at GitLab."""

    _all, _one = "/merge_requests/{0}/notes", "/merge_requests/{0}/notes/{1}"
    _name = "notes"
    _edit = "PUT"


def _plain(body: str) -> str:
    """Normalise a comment: forges change line endings and strip whitespace."""
    return body.replace("\r\n", "\n").strip()
