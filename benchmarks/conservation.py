"""What a dream changes in real memory if the model keeps every line: only what a finding proves may change.

Run as `python -m benchmarks.conservation REPOSITORY…`; each is cloned, and the service is a fake on loopback. Prints
the operations and the changed lines of each repository.
"""

import contextlib
import io
import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from memci.cli import main
from tests.fakes.anthropic_api import FakeApi

NOW = "2026-11-16T03:00:00Z"
_LISTS = ("lookups", "topics", "indexes", "questions", "passed_over", "repairs")


def answer(params: dict[str, Any]) -> object:
    """Keep every line of every topic, in its order."""
    told: dict[str, Any] = {}
    for block in params["messages"][0]["content"]:
        told |= json.loads(block["text"])
    if "pairs" in told:
        return {"pairs": [{"pair": pair["pair"], "says": True, "own": True} for pair in told["pairs"]]}
    if "messages" in told:
        return {"messages": []}
    if "rules" in told:
        return {"repeated": []}
    reply: dict[str, list[object]] = {name: [] for name in _LISTS}
    if "refused" not in told:
        reply["topics"] = [keep_topic(topic) for scope in told["scopes"] for topic in scope["topics"]]
    return reply


def keep_topic(topic: dict[str, Any]) -> dict[str, object]:
    """Return the draft of a topic whose lines all stay."""
    kept = [{"keep": line, "part": "statement", "text": "", "evidence": []} for line in topic["lines"]]
    empty = dict.fromkeys(("scope", "name", "type", "description", "heading", "title", "hook"), "")
    return {"topic": topic["topic"], **empty, "statements": kept, "retired": []}


def dream(root: Path, api: FakeApi) -> dict[str, Any]:
    os.environ |= {"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url}
    printed = io.StringIO()
    arguments = ["dream", "--engine", "claude", "--force", "--now", NOW, "--format", "json", "--max-changes", "10000"]
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        main(["-C", str(root), *arguments])
    result: dict[str, Any] = json.loads(printed.getvalue())
    return result


def run(*arguments: str, root: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def measure(source: Path, target: Path, api: FakeApi) -> None:
    """Dream twice over a clone of a repository, and print what changed."""
    run("clone", "--quiet", "--shared", str(source), str(target), root=source)
    told = dream(target, api)
    changed = run("diff", "--unified=0", "--", "*.md", root=target)
    lines = [line for line in changed.split("\n") if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}]
    made = [operation for scope in told["scopes"] for operation in scope.get("operations", ())]
    again = dream(target, api)
    still = not any(scope.get("operations") for scope in again["scopes"])
    print(f"## {source.name}: {len(made)} operations, {len(lines)} changed lines, {'still' if still else 'NOT STILL'}")
    for operation in made:
        print(f"  {operation['kind']}: {operation['reason']}")
    print("\n".join(f"    {line}" for line in lines))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary, FakeApi(secrets.token_hex(8), answer=answer) as service:
        for number, name in enumerate(sys.argv[1:]):
            measure(Path(name).absolute(), Path(temporary) / str(number), service)
