"""The comments of a forge, with their authors: who may change which, and what a token is told about itself."""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.forge import NAME, OWNER, FakeForge, RefusedError, Seen


@dataclass
class Written:
    """One comment."""

    id: int
    pull: int
    author: str
    body: str


@dataclass
class CommentRoutes:
    """Comments of one kind of forge; installed before the routes that are there."""

    forge: FakeForge
    kind: str
    # The owner of the token; the token of a job has none that it may ask for.
    user: str = "github-actions[bot]"
    known: bool = False
    written: list[Written] = field(default_factory=list)
    _last: int = 100

    def __post_init__(self) -> None:
        self.forge.routes = [*self._make_routes(), *self.forge.routes]

    def _make_routes(self) -> list[Any]:
        if self.kind == "gitlab":
            root = f"/projects/{OWNER}%2F{NAME}/merge_requests"
            one, every, method = rf"{root}/\d+/notes/(\d+)", rf"{root}/(\d+)/notes", "PUT"
        else:
            root = f"/repos/{OWNER}/{NAME}"
            one, every, method = rf"{root}/issues/comments/(\d+)", rf"{root}/issues/(\d+)/comments", "PATCH"
        return [
            ("GET", "/user", self.whoami),
            ("GET", every, self.list_all),
            ("POST", every, self.write),
            (method, one, self.edit),
            ("DELETE", one, self.delete),
        ]

    def add(self, author: str, body: str, pull: int = 1) -> Written:
        """Let somebody write a comment."""
        self._last += 1
        self.written.append(Written(self._last, pull, author, body))
        return self.written[-1]

    def whoami(self, _: Seen, __: "re.Match[str]") -> tuple[int, Any]:
        if not self.known:
            raise RefusedError(403, "Resource not accessible by integration")
        return 200, {"username" if self.kind == "gitlab" else "login": self.user}

    def list_all(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        found = [self._show(one) for one in self.written if one.pull == int(match[1])]
        return 200, self.forge.page(seen, found, "limit" if self.kind == "gitea" else "per_page")

    def write(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        body = self.forge.fields(seen, "body")["body"]
        if len(body) > 65_536:
            raise RefusedError(422, "Validation Failed", ["body is too long (maximum is 65536 characters)"])
        return 201, self._show(self.add(self.user, body, int(match[1])))

    def edit(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        one = self._find(match[1])
        one.body = self.forge.fields(seen, "body")["body"]
        return 200, self._show(one)

    def delete(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        self.written.remove(self._find(match[1]))
        return 204, None

    def _find(self, number: str) -> Written:
        found = [one for one in self.written if one.id == int(number)]
        if not found:
            raise RefusedError(404, "Not Found")
        return found[0]

    def _show(self, one: Written) -> dict[str, Any]:
        if self.kind == "gitlab":
            return {"id": one.id, "body": one.body, "author": {"username": one.author}}
        user = {"login": one.author}
        if self.kind == "github":
            user["type"] = "Bot" if one.author.endswith("[bot]") else "User"
        # Forges send back other line ends than they got.
        return {"id": one.id, "body": one.body.replace("\n", "\r\n"), "user": user}
