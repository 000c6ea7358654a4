"""The pull requests of GitHub, and of Gitea where it differs; both refuse what the real ones refuse."""

import re
from pathlib import Path
from typing import Any

from tests.fakes.forge import NAME, OWNER, FakeForge, Pull, RefusedError, Seen
from tests.fakes.forge_github_data import ActionsRoutes

_MAX_BODY = 65_536
_NOT_ALLOWED = "GitHub Actions is not permitted to create or approve pull requests."
# The owner of the token.
_USER = {"login": "shop-bot"}


class _Rest:
    """One kind of REST API over the state of a forge."""

    def __init__(self, forge: FakeForge, *, gitea: bool) -> None:
        self.forge = forge
        self.gitea = gitea
        root = f"/repos/{OWNER}/{NAME}"
        forge.routes = [
            ("GET", "/user", lambda _, __: (200, _USER)),
            ("GET", f"{root}/pulls", self.list_pulls),
            ("POST", f"{root}/pulls", self.create),
            ("GET", rf"{root}/pulls/(\d+)", self.read),
            ("PATCH", rf"{root}/pulls/(\d+)", self.edit),
            ("POST", rf"{root}/pulls/(\d+)/requested_reviewers", self.review),
            ("GET", rf"{root}/issues/(\d+)/comments", self.comments),
            ("POST", rf"{root}/issues/(\d+)/comments", self.comment),
            ("PATCH", rf"{root}/issues/comments/(\d+)", self.edit_comment),
            ("GET", rf"{root}/issues/(\d+)/labels", self.list_labels),
            ("POST", rf"{root}/issues/(\d+)/labels", self.add_labels),
            ("DELETE", rf"{root}/issues/(\d+)/labels/([^/]+)", self.remove_label),
        ]
        if gitea:
            forge.routes += [("GET", f"{root}/labels", self.all_labels), ("POST", f"{root}/labels", self.make_label)]

    def show(self, pull: Pull) -> dict[str, Any]:
        owner = pull.home.partition("/")[0]
        merged: dict[str, Any] = {"merged_at": "2026-11-16T03:00:00Z" if pull.merged else None}
        if self.gitea:
            merged["merged"] = pull.merged
        else:
            merged["draft"] = pull.draft
            merged["author_association"] = pull.association
            merged["user"] = {"login": pull.author, "type": "Bot" if pull.author.endswith("[bot]") else "User"}
        head = self.forge.head(pull.head) if pull.home == f"{OWNER}/{NAME}" else "0" * 40
        return {
            "number": pull.number,
            "html_url": f"{self.forge.web}/{OWNER}/{NAME}/pull/{pull.number}",
            "state": pull.state,
            "title": pull.title,
            "body": pull.body or None,
            "labels": [{"id": 1 + self.label_id(name), "name": name} for name in pull.labels],
            "head": {"ref": pull.head, "label": f"{owner}:{pull.head}", "sha": head, "repo": {"full_name": pull.home}},
            "base": {"ref": pull.base, "repo": {"full_name": f"{OWNER}/{NAME}"}},
            **merged,
        }

    def label_id(self, name: str) -> int:
        if name not in self.forge.labels:
            self.forge.labels.append(name)
        return self.forge.labels.index(name)

    def list_pulls(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        if not self.forge.may_see:
            raise RefusedError(403, "Resource not accessible by integration")
        found = [pull for pull in self.forge.pulls if pull.state == seen.query.get("state", "open")]
        head = seen.query.get("head", "")
        if head and not self.gitea:
            found = [pull for pull in found if f"{pull.home.partition('/')[0]}:{pull.head}" == head]
        limit = "limit" if self.gitea else "per_page"
        return 200, self.forge.page(seen, [self.show(pull) for pull in reversed(found)], limit)

    def create(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        draft = () if self.gitea else ("draft", "maintainer_can_modify")
        fields = self.forge.fields(seen, "title", "body", "head", "base", *draft)
        if not self.forge.may_open:
            raise RefusedError(403, _NOT_ALLOWED)
        problem = self.forge.check_new(fields["title"], fields["head"], fields["base"])
        # Gitea opens pull requests in which there is nothing.
        if problem and not (self.gitea and problem.startswith("No commits")):
            raise RefusedError(404 if self.gitea else 422, "Validation Failed", [problem])
        wanted = (fields["head"], fields["base"], f"{OWNER}/{NAME}")
        if any((pull.head, pull.base, pull.home) == wanted for pull in self.forge.open_pulls()):
            name = f"{OWNER}:{fields['head']}"
            raise RefusedError(
                409 if self.gitea else 422, "Validation Failed", [f"A pull request already exists for {name}."]
            )
        if len(fields["body"]) > _MAX_BODY:
            raise RefusedError(422, "Validation Failed", ["body is too long (maximum is 65536 characters)"])
        draft_wanted = fields.get("draft", False)
        assert isinstance(draft_wanted, bool)
        pull = Pull(
            len(self.forge.pulls) + 1, fields["title"], fields["body"], fields["head"], fields["base"], draft_wanted
        )
        self.forge.pulls.append(pull)
        return 201, self.show(pull)

    def read(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        return 200, self.show(self.forge.find(match[1]))

    def edit(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "title", "body", "state", "base")
        pull = self.forge.find(match[1])
        for key, value in fields.items():
            setattr(pull, key, value)
        return 200, self.show(pull)

    def review(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "reviewers", "team_reviewers")
        if "stranger" in fields["reviewers"]:
            raise RefusedError(422, "Reviews may only be requested from collaborators.")
        pull = self.forge.find(match[1])
        pull.reviewers += [*fields["reviewers"], *fields["team_reviewers"]]
        return 201, self.show(pull)

    def comments(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        comments = self.forge.find(match[1]).comments
        items = [{"id": number, "body": text, "user": _USER} for number, text in comments.items()]
        return 200, self.forge.page(seen, items, "limit" if self.gitea else "per_page")

    def comment(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        pull = self.forge.find(match[1])
        number = 1000 * pull.number + len(pull.comments)
        pull.comments[number] = self.forge.fields(seen, "body")["body"]
        return 201, {"id": number, "body": pull.comments[number]}

    def edit_comment(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        pull = self.forge.find(str(int(match[1]) // 1000))
        pull.comments[int(match[1])] = self.forge.fields(seen, "body")["body"]
        return 200, {"id": int(match[1]), "body": pull.comments[int(match[1])]}

    def list_labels(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        return 200, self.show(self.forge.find(match[1]))["labels"]

    def add_labels(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        wanted = self.forge.fields(seen, "labels")["labels"]
        if self.gitea:
            assert all(isinstance(number, int) for number in wanted)
            wanted = [self.forge.labels[number - 1] for number in wanted]
        pull = self.forge.find(match[1])
        pull.labels += [name for name in wanted if name not in pull.labels]
        return 200, self.show(pull)["labels"]

    def remove_label(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        from urllib.parse import unquote

        pull = self.forge.find(match[1])
        name = self.forge.labels[int(match[2]) - 1] if self.gitea else unquote(match[2])
        if name not in pull.labels:
            raise RefusedError(404, "Label does not exist")
        pull.labels.remove(name)
        return (204, None) if self.gitea else (200, [])

    def all_labels(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        items = [{"id": number + 1, "name": name} for number, name in enumerate(self.forge.labels)]
        return 200, self.forge.page(seen, items, "limit")

    def make_label(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "name", "color")
        return 201, {"id": 1 + self.label_id(fields["name"]), "name": fields["name"]}


class FakeGitHub(FakeForge):
    """A forge that also makes commits and keeps artifacts."""

    actions: ActionsRoutes


def make_github(root: Path, token: str) -> FakeGitHub:
    """Return a GitHub Enterprise server, whose API lies beside its pages."""
    forge = FakeGitHub(root, token, api="/api/v3")
    forge.authorised = lambda headers: headers.get("authorization") == f"Bearer {token}"
    _Rest(forge, gitea=False)
    forge.actions = ActionsRoutes(forge)
    return forge


def make_gitea(root: Path, token: str) -> FakeForge:
    """Return a Gitea server."""
    forge = FakeForge(root, token, api="/api/v1")
    forge.authorised = lambda headers: headers.get("authorization") == f"token {token}"
    _Rest(forge, gitea=True)
    return forge
