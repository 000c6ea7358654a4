"""Running memci in this process, as the console script does."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memci.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def findings(self) -> list[tuple[str, str, int]]:
        return [(finding["rule"], finding["file"], finding["line"]) for finding in self.json["findings"]]


def memci(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> Done:
    """Run memci in a directory."""
    capsys.readouterr()
    code = main(["-C", str(root), *arguments])
    captured = capsys.readouterr()
    return Done(code, captured.out, captured.err)


def check(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> Done:
    """Run `memci check --format json` as of a fixed day."""
    return memci(capsys, root, "check", "--format", "json", "--now", "2026-11-16", *arguments)
