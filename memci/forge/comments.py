"""The comments of a pull request: who wrote them, and whether that is the owner of the token."""

from collections.abc import Iterator, Sequence

from memci.forge.answers import ForgeComment, ForgeUser
from memci.forge.http import Client
from memci.forge.protocol import Comment, DeniedError, UncertainError

# Gitea and Forgejo have one user for all jobs; GitHub marks its own.
_BOTS = frozenset(("gitea-actions", "forgejo-actions"))


class Comments:
    """The comments at GitHub, Gitea and Forgejo."""

    # Below the repository: a pull request, its comments, and one of them.
    _pull, _all, _one = "/pulls/{0}", "/issues/{0}/comments", "/issues/comments/{1}"
    _pull_name, _name = "a pull request", "comments"
    _head: tuple[str, ...] = ("head", "sha")
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

    def read_head(self, number: int) -> str:
        """Return the commit that a pull request proposes, also one of a fork."""
        return self._client.read(self._root + self._pull.format(number), str, self._pull_name, *self._head)

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

    def keep(self, number: int, mark: str, text: str) -> None:
        """Write a comment that begins with `mark`; one that is there already is replaced."""
        body = f"{mark}\n{text}"
        for old in self._iterate(number):
            if old.body.startswith(mark):
                if old.body != body:
                    self.edit(number, old.id, body)
                return
        self.create(number, body)

    def _iterate(self, number: int) -> Iterator[Comment]:
        for item in self._client.list(self._root + self._all.format(number), ForgeComment, self._name):
            # GitHub's name for the writer, and GitLab's.
            author = item.user or item.author or ForgeUser()
            bot = author.type == "Bot" or author.name.endswith("[bot]") or author.name in _BOTS
            yield Comment(item.id, item.body or "", author.name, bot)


class GitLabNotes(Comments):
    """The notes at GitLab."""

    _pull, _all, _one = "/merge_requests/{0}", "/merge_requests/{0}/notes", "/merge_requests/{0}/notes/{1}"
    _pull_name, _name = "a merge request", "notes"
    _head = ("sha",)
    _edit = "PUT"
