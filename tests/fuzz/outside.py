"""Targets beyond memory and transcripts: reviews, the page, lists of repositories, and what a forge answers."""

import contextlib
import functools
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from memci.errors import ServiceError, UsageError
from memci.forge.github import GitHub
from memci.forge.gitlab import GitLab
from memci.forge.http import Client
from memci.forge.pull_requests import PullState
from memci.forge.timed_request import parse_message, parse_wait
from memci.model.finding import Severity
from memci.redaction.hidden import find_hidden
from memci.report.page.render import render_page
from memci.report.review_markdown import render_review_markdown
from memci.report.review_result import ChangeKind, FactChange, Move, Point, Review, ReviewStatement, SkippedPart
from memci.review.compare_scopes import compare
from memci.review.scope_facts import split_facts
from memci.runs.shard import MAX_JOBS, read_repositories
from tests.build import snapshot_of
from tests.fuzz.target import JSON, MARKUP, Target
from tests.report.pages import make_report
from tests.report.test_page import check as check_page

_BETWEEN = "\x1e"
_NUMBER = 4


def _compare(text: str) -> None:
    before, _, after = text.partition(_BETWEEN)
    old, new = (snapshot_of({"MEMORY.md": "- [A](a.md) — hook\n", "a.md": side}) for side in (before, after))
    facts = split_facts(old.scopes[0])
    lines = before.count("\n") + 1
    assert all(1 <= fact.line <= lines for fact in facts if fact.path.name == "a.md")
    same = compare(old, old)
    assert (same.changes, same.points, same.moves, same.kept) == ((), (), (), len(facts))
    compared = compare(old, new)
    assert compared.changes == compare(old, new).changes
    assert len(compared.said) == len(split_facts(new.scopes[0]))


def _make_review(text: str) -> Review:
    said = ReviewStatement(text, 3, text, text)
    return Review(
        base="1" * 40,
        head="2" * 40,
        pull=_NUMBER,
        kept=9,
        points=(Point("fact-lost", Severity.WARNING, text, 3, text),),
        changes=(FactChange(ChangeKind.LOST, "item", (said,), (), Severity.WARNING, (text,), (text,)),),
        moves=(Move(text, text, 2, renamed=True),),
        claims={"verified": 2},
        skipped=(SkippedPart(text, text),),
    )


def _show_review(text: str) -> None:
    assert not find_hidden(render_review_markdown(_make_review(text)).replace("\n", " "))


def _show(text: str) -> None:
    check_page(render_page(make_report(text, operations=1, topics=1)))


@functools.cache
def _scratch() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory()


def _list(text: str) -> None:
    target = Path(_scratch().name) / "list"
    target.write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(UsageError):
        names = read_repositories(target)
        assert len(set(names)) == len(names) <= MAX_JOBS
        assert all(name.isascii() and name.count("/") == 1 and not name.startswith("-") for name in names)


class _Answering(Client):
    """Gets the same answer whatever it asks for."""

    value: object = None

    def send(
        self,
        method: str,  # noqa: ARG002 -- as the client has it
        path: str,  # noqa: ARG002
        body: Mapping[str, object] | None = None,  # noqa: ARG002
        *,
        query: Mapping[str, str | int] | None = None,
        again: bool = True,  # noqa: ARG002
    ) -> object:
        return self.value if not query or query["page"] == 1 else []


# What GitHub, Gitea and GitLab send of pull requests, comments and artifacts.
_ITEM: dict[str, object] = {
    "number": 1, "iid": 1, "id": 1, "html_url": "u", "web_url": "u", "state": "open", "title": "t", "body": "b",
    "description": "d", "base": {"ref": "main"}, "target_branch": "main", "labels": [],
    "head": {"ref": "b", "sha": "1", "repo": {"full_name": "o/r"}}, "user": {"login": "a"}, "author": {"username": "a"},
    "name": "n", "size_in_bytes": 1, "expired": False, "created_at": "2026-11-16T03:00:00Z", "workflow_run": {"id": 1},
    "source_branch": "b", "source_project_id": 1, "target_project_id": 1,
}  # fmt: skip


def _answer(text: str) -> None:
    parse_message(text.encode("utf-8", "surrogatepass"))
    line = "".join(character for character in text if character.isprintable())
    headers = {"Retry-After": line, "X-RateLimit-Reset": line, "X-RateLimit-Remaining": "0"}
    waits = [parse_wait(status, headers) for status in (429, 403, 503)]
    assert all(wait is None or wait >= 0 for wait in waits)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    odd = [{**_ITEM, name: value} for name in _ITEM]
    for _client().value in (value, [value], {"artifacts": [value]}, *([one] for one in odd)):
        _ask(_client())


@functools.cache
def _client() -> _Answering:
    return _Answering("https://forge.example", ("Authorization", "Bearer t"))


def _ask(client: Client) -> None:
    github, gitlab = GitHub(client, "o/r", "https://forge.example/o/r"), GitLab(client, "o/r", "https://forge.example")
    for ask in (
        lambda: github.list_pulls("b", PullState.OPEN),
        lambda: gitlab.list_pulls("b", PullState.OPEN),
        lambda: github.comments.list(1),
        lambda: gitlab.comments.list(1),
        github.list_artifacts,
    ):
        with contextlib.suppress(ServiceError):
            ask()


_FACTS = (
    *MARKUP, _BETWEEN, "- Never push to main.\n", "- Push to main.\n", "Use port 8080.\n", "| a | b |\n|---|---|\n",
    "## Limits\n", "- [x] done\n", "1. first\n", "The limit is 30.\n", "```sh\nmake test\n```\n",
)  # fmt: skip
_PAGE = (
    *MARKUP, "<script>", "</script>", "</title>", "</style>", '"', "'", " onload=", "javascript:", "<![CDATA[", "]]>",
    "<?", "&lt;", "&#60;", "{{", "}}", "{%", "<svg ", "<base href=//e>",
)  # fmt: skip
_REPOSITORIES = (
    "o/r\n",
    "o",
    "/",
    ".",
    "..",
    "#",
    "\n",
    " ",
    "-",
    "\t",
    "\r",
    "é/é",
    '{"shards":',
    '"shard"',
    "\ufeff",
)
_DATES = ("Wed, 21 Oct ", "2026", "99999", " 07:28:00 GMT", "-1", "12", ":", "+9999", "٣", "1e400", "4" * 20)

OUTSIDE = (
    Target("facts", _FACTS, _compare),
    Target("reviews", (*JSON, "4", '"schema"', '"points"', '"changes"', "memci/review/1", "\u202e"), _show_review),
    Target("page", _PAGE, _show, share=4),
    Target("lists", (*_REPOSITORIES, *JSON), _list),
    Target("answers", (*JSON, *_DATES, '"number"', '"user"', '"head"', '"repo"'), _answer),
)
