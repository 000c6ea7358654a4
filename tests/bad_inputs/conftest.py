"""A repository with one clean scope, transcripts beside it, and a model and a forge for those that ask one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bad_inputs.stage import Stage, make_repo
from tests.engines.model.conftest import api, scene
from tests.fakes.forge import FakeForge
from tests.publish.stage import run_forge
from tests.repository import Repo

__all__ = ["api", "scene"]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository with one clean scope."""
    return make_repo(tmp_path / "repo")


@pytest.fixture
def stage(tmp_path: Path, repo: Repo, home: Path, capsys: pytest.CaptureFixture[str]) -> Stage:
    """Return the repository with a session beside it in which a person gives a rule."""
    return Stage(repo, tmp_path / "sessions", home, capsys)


@pytest.fixture
def forge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeForge]:
    """Return a forge whose token memci has."""
    with run_forge("github", tmp_path / "forge", monkeypatch) as forge:
        yield forge
