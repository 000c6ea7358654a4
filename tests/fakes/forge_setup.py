"""How a forge is set up, as far as an owner of a token can see it: rights, workflows, schedules."""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.forge import NAME, OWNER, FakeForge, RefusedError, Seen


@dataclass
class Setup:
    """What the forge says; None is answered with 403."""

    # None: the answer has no such field, as for the token of a job.
    push: bool | None = True
    visible: bool = True
    archived: bool = False
    may_open: bool | None = True
    # "" stands for a workflow that is not known.
    workflow: str | None = "active"
    schedules: list[bool] | None = field(default_factory=lambda: [True])


class _Rest:
    def __init__(self, forge: FakeForge, setup: Setup) -> None:
        self.setup = setup
        root = f"/repos/{OWNER}/{NAME}"
        project = f"/projects/{OWNER}%2F{NAME}"
        # Before those that are there: whoever needs less of an answer gets this one.
        forge.routes[:0] = [
            ("GET", root, self.repository),
            ("GET", f"{root}/actions/permissions/workflow", self.permissions),
            ("GET", rf"{root}/actions/workflows/([^/]+)", self.workflow),
            ("GET", project, self.project),
            ("GET", f"{project}/pipeline_schedules", self.schedules),
        ]

    def repository(self, _: Seen, __: "re.Match[str]") -> tuple[int, Any]:
        self.check(self.setup.visible, 404)
        item = {"default_branch": "main", "archived": self.setup.archived, "private": True}
        rights = {} if self.setup.push is None else {"permissions": {"pull": True, "push": self.setup.push}}
        return 200, item | rights

    def permissions(self, _: Seen, __: "re.Match[str]") -> tuple[int, Any]:
        self.check(self.setup.may_open is not None)
        answer = {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": self.setup.may_open}
        return 200, answer

    def workflow(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        self.check(self.setup.workflow is not None)
        self.check(bool(self.setup.workflow), 404)
        return 200, {"path": f".github/workflows/{match[1]}", "state": self.setup.workflow}

    def project(self, _: Seen, __: "re.Match[str]") -> tuple[int, Any]:
        level = {True: 30, False: 20, None: None}[self.setup.push]
        access = {"project_access": {"access_level": level} if level else None, "group_access": None}
        return 200, {
            "default_branch": "main",
            "archived": self.setup.archived,
            "visibility": "private",
            "permissions": access,
        }

    def schedules(self, _: Seen, __: "re.Match[str]") -> tuple[int, Any]:
        self.check(self.setup.schedules is not None)
        return 200, [{"id": 1, "active": active} for active in self.setup.schedules or ()]

    @staticmethod
    def check(allowed: bool, status: int = 403) -> None:  # noqa: FBT001 -- reads as a sentence
        if not allowed:
            raise RefusedError(status, "Not Found" if status == 404 else "Resource not accessible by integration")


def add_setup(forge: FakeForge) -> Setup:
    """Let a forge answer questions about its set-up; what it says can be changed."""
    setup = Setup()
    _Rest(forge, setup)
    return setup
