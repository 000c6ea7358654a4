"""The merge requests of GitLab."""

import re
from pathlib import Path
from typing import Any

from tests.fakes.forge import NAME, OWNER, FakeForge, Pull, RefusedError, Seen

_ROOT = f"/projects/{OWNER}%2F{NAME}"
_USERS = {"mara": 7}
# The owner of the token.
_USER = {"username": "shop-bot"}


class _Rest:
    def __init__(self, forge: FakeForge) -> None:
        self.forge = forge
        requests = f"{_ROOT}/merge_requests"
        forge.routes = [
            ("GET", "/user", lambda _, __: (200, _USER)),
            ("GET", requests, self.list_requests),
            ("POST", requests, self.create),
            ("GET", rf"{requests}/(\d+)", self.read),
            ("PUT", rf"{requests}/(\d+)", self.edit),
            ("GET", rf"{requests}/(\d+)/notes", self.notes),
            ("POST", rf"{requests}/(\d+)/notes", self.note),
            ("PUT", rf"{requests}/(\d+)/notes/(\d+)", self.edit_note),
            ("GET", "/users", self.users),
        ]

    def show(self, pull: Pull) -> dict[str, Any]:
        state = "merged" if pull.merged else {"open": "opened"}.get(pull.state, pull.state)
        return {
            "id": 9000 + pull.number,
            "iid": pull.number,
            "web_url": f"{self.forge.web}/{OWNER}/{NAME}/-/merge_requests/{pull.number}",
            "state": state,
            "title": pull.title,
            "description": pull.body,
            "labels": list(pull.labels),
            "source_branch": pull.head,
            "target_branch": pull.base,
            "source_project_id": 5 if pull.home == f"{OWNER}/{NAME}" else 6,
            "target_project_id": 5,
        }

    def list_requests(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        if not self.forge.may_see:
            raise RefusedError(403, "403 Forbidden")
        shown = [self.show(pull) for pull in reversed(self.forge.pulls)]
        found = [item for item in shown if item["state"] == seen.query["state"]]
        found = [item for item in found if item["source_branch"] == seen.query["source_branch"]]
        return 200, self.forge.page(seen, found, "per_page")

    def create(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "source_branch", "target_branch", "title", "description", "labels")
        if not self.forge.may_open:
            raise RefusedError(403, "403 Forbidden")
        source, target = fields["source_branch"], fields["target_branch"]
        if problem := self.forge.check_new(fields["title"], source, target):
            raise RefusedError(422, problem)
        for pull in self.forge.open_pulls():
            if (pull.head, pull.base) == (source, target):
                raise RefusedError(
                    409, f"Another open merge request already exists for this source branch: !{pull.number}"
                )
        pull = Pull(len(self.forge.pulls) + 1, fields["title"], fields["description"], source, target)
        pull.draft = pull.title.startswith("Draft: ")
        self.forge.pulls.append(pull)
        return 201, self.show(pull)

    def read(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        return 200, self.show(self.forge.find(match[1]))

    def edit(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        names = ("title", "description", "state_event", "add_labels", "remove_labels", "reviewer_ids", "target_branch")
        fields = self.forge.fields(seen, *names)
        pull = self.forge.find(match[1])
        pull.title = fields.get("title", pull.title)
        pull.body = fields.get("description", pull.body)
        pull.base = fields.get("target_branch", pull.base)
        if "state_event" in fields:
            assert fields["state_event"] == "close"
            pull.state = "closed"
        pull.labels += [name for name in fields.get("add_labels", "").split(",") if name and name not in pull.labels]
        pull.labels = [name for name in pull.labels if name not in fields.get("remove_labels", "").split(",")]
        pull.reviewers += [name for name, number in _USERS.items() if number in fields.get("reviewer_ids", ())]
        return 200, self.show(pull)

    def notes(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        comments = self.forge.find(match[1]).comments
        items = [{"id": number, "body": text, "author": _USER} for number, text in comments.items()]
        return 200, self.forge.page(seen, items, "per_page")

    def note(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        pull = self.forge.find(match[1])
        pull.comments[len(pull.comments) + 1] = self.forge.fields(seen, "body")["body"]
        return 201, {"id": len(pull.comments)}

    def edit_note(self, seen: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        self.forge.find(match[1]).comments[int(match[2])] = self.forge.fields(seen, "body")["body"]
        return 200, {"id": int(match[2])}

    def users(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        name = seen.query["username"]
        return 200, [{"id": _USERS[name], "username": name}] if name in _USERS else []


def make_gitlab(root: Path, token: str) -> FakeForge:
    """Return a GitLab server."""
    forge = FakeForge(root, token, user="oauth2", api="/api/v4")
    forge.authorised = lambda headers: headers.get("private-token") == token
    _Rest(forge)
    return forge
