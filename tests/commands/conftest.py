"""A forge for the commands that speak to one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.forge import FakeForge
from tests.publish.stage import clone_memory, run_forge
from tests.repository import Repo


@pytest.fixture(params=["github"])
def forge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeForge]:
    with run_forge(request.param, tmp_path / "forge", monkeypatch) as forge:
        yield forge


@pytest.fixture
def repo(tmp_path: Path, forge: FakeForge) -> Repo:
    return clone_memory(tmp_path / "repo", forge)
