"""Runs as a PostToolUse hook: checks the memory file that the agent has just written, and tells it what is wrong.

Must not import the rules before it knows that the file is memory, because the agent waits for it after every write.
"""

import datetime as dt
import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from memci.errors import MemciError

if TYPE_CHECKING:
    from memci.git.file_tree import WorkTree
    from memci.model.memory import Scope, ScopeSnapshot, Unread

# A limit for the input of a hook, which has the whole file that was written.
_MAX_INPUT = 16 << 20
# More would bury what matters; the agent corrects these and is told of the next ones.
_MAX_FINDINGS = 10


def answer() -> None:
    """Run the hook as `memci check --hook` does without any option."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # nothing else is there at start-up
    sys.stdout.write(run_check_hook(None, dt.datetime.now(dt.UTC)))
    sys.stdout.flush()


def run_check_hook(config: Path | None, now: dt.datetime) -> str:
    """Return the answer of the hook, "" if there is nothing to tell; a hook must not fail."""
    try:
        written, directory = _parse(sys.stdin.read(_MAX_INPUT))
        if written is None or written.suffix != ".md" or not written.is_file():
            return ""
        lines = _check(written, directory, config, now)
    except MemciError as error:
        lines = [f"memci could not check the memory: {error.message}"]
    except Exception as error:  # noqa: BLE001 -- a bug must not disturb the session, and its text may hold secrets
        sys.stderr.write(f"memci: the memory was not checked: {type(error).__name__}\n")
        lines = []
    return _answer(lines) if lines else ""


def _parse(text: str) -> tuple[Path | None, Path]:
    """Return the file that a tool has written, if it is one, and where the session works."""
    hook: Any = json.loads(text)
    named = hook["tool_input"].get("file_path")
    directory = Path(hook.get("cwd") or ".")
    return (directory / named if isinstance(named, str) else None), directory


def _check(written: Path, directory: Path, config_path: Path | None, now: dt.datetime) -> list[str]:
    from memci.git.file_tree import WorkTree
    from memci.memory.user_scopes import find_user_scopes
    from memci.runs.scopes import open_scopes

    target = written.resolve()
    found = open_scopes(directory, config_path)
    workspace = found.workspace
    inside = [scope for scope in found.scopes if target.is_relative_to(scope.target.resolve())]
    own = [] if inside else find_user_scopes(workspace.root, workspace.repository, os.environ)
    scopes = [*inside, *(scope for scope in own if target.is_relative_to(scope.target.resolve()))]
    if not scopes:
        return []
    from memci.checks.rule_names import load_file_rules
    from memci.dream.check_memory import check_snapshot, verify_file
    from memci.memory.guide_files import read_guides
    from memci.model.finding import Severity
    from memci.model.memory import Snapshot
    from memci.report.check_github import render_line

    # The innermost one, if they are nested.
    scope = max(scopes, key=lambda each: len(each.target.parts))
    path = scope.path / PurePosixPath(target.relative_to(scope.target.resolve()))
    tree = workspace.tree if inside else WorkTree(scope.target, shown=scope.path)
    snapshot = Snapshot((_read_file(tree, scope, path),), read_guides(workspace.tree, (scope,) if inside else ()))
    truth = verify_file(workspace, snapshot, path)
    findings = check_snapshot(snapshot, found.config, now, truth, rules=load_file_rules(path)).problems
    wanted = [one for one in findings if one.path == path]
    wanted = sorted((one for one in wanted if one.severity is not Severity.INFO), key=lambda one: -one.severity.rank)
    lines = [render_line(one) + (f"; {one.suggestion}" if one.suggestion else "") for one in wanted[:_MAX_FINDINGS]]
    return [f"memci checked the memory that was just written to {path}; correct this:", *lines] if lines else []


def _read_file(tree: "WorkTree", scope: "Scope", path: PurePosixPath) -> "ScopeSnapshot":
    """Return a scope of which only one file is read: what others say is the matter of `memci check`."""
    from memci.memory.snapshot import read_scope

    listed = tuple(item for item in tree.below(scope.path) if isinstance(item, PurePosixPath) and item != path)
    return replace(read_scope(_OneFile(tree, path), scope), others=listed)


@dataclass(frozen=True, slots=True)
class _OneFile:
    """A tree with one file."""

    tree: "WorkTree"
    path: PurePosixPath

    def paths(self) -> list[str]:
        return [str(self.path)]

    def below(self, _: PurePosixPath) -> list["PurePosixPath | Unread"]:
        return [self.path]

    def read(self, path: PurePosixPath) -> "str | Unread":
        return self.tree.read(path)


def _answer(lines: list[str]) -> str:
    from memci.report.escape import visible

    context = "\n".join(map(visible, lines))
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": context}}) + "\n"
