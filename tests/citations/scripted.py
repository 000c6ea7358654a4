"""A repository with memory whose history a test tells step by step, and what memci says about it."""

import contextlib
import functools
import io
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memci.checks.registry import RULES
from memci.checks.rule import Group
from memci.cli import main
from tests.build import BODY_LINE, topic_text
from tests.repository import Repo, make_repository

SCOPE = ".claude/memory"
_TRUTH = frozenset(rule.id for rule in RULES if rule.group is Group.TRUTH)

# Path → content, None for a file that goes, or Moved for one that git sees renamed.
Files = Mapping[str, "str | Moved | None"]


class Moved(NamedTuple):
    """The file comes from there."""

    old: str


class Told(NamedTuple):
    """One finding of a truth rule; the line counts within the body of the topic."""

    rule: str
    line: int
    message: str
    # What is proven stale but may describe the past is only information.
    severity: str = "warning"


@dataclass(frozen=True, slots=True)
class Scripted:
    """A repository with one scope."""

    repo: Repo

    def remember(self, text: str, kind: str = "project") -> str:
        """Write a topic with this body and a pointer to it; return its path."""
        index = self.repo.root / SCOPE / "MEMORY.md"
        pointers = index.read_text() if index.exists() else ""
        # Letters: a number in the name of a topic would say that it is one of a series.
        name = "t" + "".join(chr(ord("a") + int(digit)) for digit in str(pointers.count("\n")))
        self.repo.write(f"{SCOPE}/MEMORY.md", f"{pointers}- [Topic {name}]({name}.md) — what {name} says\n")
        self.repo.write(f"{SCOPE}/{name}.md", topic_text(text, name=name, kind=kind))
        return f"{SCOPE}/{name}.md"

    def body(self, path: str) -> str:
        """Return what a topic says now."""
        return "\n".join((self.repo.root / path).read_text().split("\n")[BODY_LINE - 1 :]).removesuffix("\n")

    def change(self, files: Files, message: str = "change") -> str:
        """Write, move and remove files; return the commit."""
        for path, content in files.items():
            match content:
                case None:
                    # Not `git rm`, to which a name can be a pattern.
                    (self.repo.root / path).unlink()
                case Moved(old=old):
                    self.repo.rename(old, path)
                case _:
                    self.repo.write(path, content)
        return self.repo.commit(message)

    def truth(self, path: str = "", *severities: str) -> list[Told]:
        """Return the problems that the truth rules report, about one topic if it is given; or other severities."""
        return _find_told(run_check(self.repo.root), path, severities or ("warning", "error"))


def make_tests(
    rule: str, before: Files, left_alone: Sequence[str], reported: Sequence[tuple[str, int, str]], after: Files
) -> tuple[Callable[[str], None], Callable[[str, int, str], None]]:
    """Return the two tests of a truth rule: what it leaves alone, and what it reports on which line."""

    @functools.cache
    def told() -> dict[str, list[Told]]:
        return tell(before, (*left_alone, *(body for body, *_ in reported)), after)

    @pytest.mark.parametrize("body", left_alone)
    def leaves_alone(body: str) -> None:
        assert told()[body] == []

    @pytest.mark.parametrize(("body", "line", "message"), reported)
    def reports(body: str, line: int, message: str) -> None:
        assert told()[body] == [Told(rule, line, message)]

    return leaves_alone, reports


def _find_told(report: Any, path: str = "", severities: Sequence[str] = ("warning", "error")) -> list[Told]:
    return [
        Told(found["rule"], found["line"] - BODY_LINE + 1, found["message"], found["severity"])
        for found in report["findings"]
        if found["rule"] in _TRUTH and path in ("", found["file"]) and found["severity"] in severities
    ]


def run_check(root: Path, *arguments: str) -> Any:
    """Run `memci check` in a directory and return its report."""
    out = io.StringIO()
    # Not capsys: histories are shared by the tests of a module.
    with contextlib.redirect_stdout(out):
        code = main(["-C", str(root), "check", "--format", "json", "--now", "2026-11-16", *arguments])
    assert code in (0, 1), code
    return json.loads(out.getvalue())


def begin(root: Path) -> Scripted:
    """Return an empty repository in which memory can be written."""
    return Scripted(make_repository(root))


def tell(
    before: Files, bodies: Iterable[str], *after: Files, kind: str = "project", severities: Sequence[str] = ("warning",)
) -> dict[str, list[Told]]:
    """Commit files together with a topic per body, then each later step; return what is said about each body.

    In the messages, commits are called by what they are: `<begin>`, `<step 1>`, `<step 2>`.
    """
    with tempfile.TemporaryDirectory() as directory:
        scripted = begin(Path(directory))
        paths = {body: scripted.remember(body, kind) for body in bodies}
        names = {scripted.change(before, "begin"): "begin"}
        for number, files in enumerate(after, 1):
            names[scripted.change(files, f"step {number}")] = f"step {number}"
        report = run_check(scripted.repo.root)
    for found in report["findings"]:
        for commit, name in names.items():
            found["message"] = found["message"].replace(commit[:10], f"<{name}>")
    return {body: _find_told(report, path, severities) for body, path in paths.items()}
