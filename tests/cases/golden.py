"""Whole dreams with their results: `python -m tests.cases.golden` writes what they give now, to be read as a diff.

A case is a directory: `case.yml` says what it shows, what git did and what people said; `before/` and `after/` hold the
memory. `project/` stands for `.claude/memory/`, `agents/NAME/` for `.claude/agent-memory/NAME/` and `files/` for the
rest of the repository, so that nobody takes these directories for the memory of this repository.
"""

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from memci.cli import main as run_memci
from memci.dream.state import STATE_NAME
from tests.commands.dreams import write_session
from tests.repository import Repo, make_repository

CASES = Path(__file__).parent
_PLACES = {"project": ".claude/memory", "agents": ".claude/agent-memory", "files": "."}
NOW = "2026-11-16T03:00:00Z"


@dataclass(frozen=True, slots=True)
class Result:
    """How a dream ended, and the memory after it, by path inside the case."""

    code: int
    out: str
    texts: dict[str, str]


def find_cases() -> list[str]:
    """Return the names of all cases."""
    return sorted(path.parent.name for path in CASES.glob("*/case.yml"))


def read_case(name: str) -> dict[str, Any]:
    """Return what a case says about itself."""
    content: dict[str, Any] = yaml.safe_load((CASES / name / "case.yml").read_text(encoding="utf-8"))
    return content


def build(name: str, root: Path, *, shuffled: bool = False) -> Repo:
    """Make the repository of a case, and its sessions beside it; shuffled, their files have other names."""
    case = read_case(name)
    repo = make_repository(root / "shop")
    repo.write("README.md", "# Shop\n")
    for file, text in read_texts(CASES / name / "before").items():
        repo.write(_place(file), text)
    repo.commit(date=case.get("written", "2026-11-04T12:00:00Z"))
    for old, new in case.get("moved", {}).items():
        repo.rename(_place(old), _place(new))
        repo.commit(f"Move {old}", date="2026-11-08T12:00:00Z")
    for number, session in enumerate(case.get("sessions", [])):
        who, day = session.get("name", f"session-{number}"), str(session.get("day", "2026-11-12"))
        written = write_session(root / "sessions", who, *session["says"], day=day, agent=session.get("agent", ""))
        if shuffled:
            written.rename(written.with_name(f"{100 - number}-{who}.jsonl"))
    return repo


def dream(repo: Repo, *arguments: str) -> Result:
    """Dream as the console script does."""
    sessions = repo.root.parent / "sessions"
    places = ("--transcripts", str(sessions)) if sessions.exists() else ()
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = run_memci(["-C", str(repo.root), "dream", "--engine", "local", "--now", NOW, *places, *arguments])
    return Result(code, out.getvalue(), read_memory(repo.root))


def read_memory(root: Path) -> dict[str, str]:
    """Return the memory of a repository by path inside the case."""
    found: dict[str, str] = {}
    for short, place in list(_PLACES.items())[:2]:
        texts = read_texts(root / place)
        found |= {f"{short}/{path}": text for path, text in texts.items() if PurePosixPath(path).name[0] != "."}
        found |= {f"{short}/{path}": text for path, text in texts.items() if PurePosixPath(path).name == STATE_NAME}
    return dict(sorted(found.items()))


def read_texts(directory: Path) -> dict[str, str]:
    """Return all files below a directory, line ends as they are."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes().decode() for path in paths}


def _place(path: str) -> str:
    first, _, rest = path.partition("/")
    return str(PurePosixPath(_PLACES[first]) / rest)


def update() -> None:
    """Write what every case gives now."""
    for name in find_cases():
        with tempfile.TemporaryDirectory() as directory:
            result = dream(build(name, Path(directory)))
        target = CASES / name / "after"
        shutil.rmtree(target, ignore_errors=True)
        for path, text in result.texts.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(text.encode())


def show_shuffled() -> None:
    """Print the memory after every case, with the environment of this process and shuffled sessions."""
    os.umask(0o077)
    results = {}
    for name in find_cases():
        with tempfile.TemporaryDirectory() as directory:
            results[name] = dream(build(name, Path(directory), shuffled=True)).texts
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    show_shuffled() if sys.argv[1:] == ["--shuffled"] else update()
