"""A forge, a machine that runs workflows for it, and what is in the repository."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.action.acting import Runner
from tests.commands.dreams import SAID, write_session
from tests.fakes.forge import FakeForge
from tests.fakes.forge_github import make_github


def make_secret(head: str, seed: int) -> str:
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789"
    return head + "".join(random.Random(seed).choices(letters, k=36))


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[FakeForge]:
    with make_github(tmp_path / "forge", make_secret("ghp_", 5)) as forge:
        yield forge


@pytest.fixture
def runner(tmp_path: Path, forge: FakeForge) -> Runner:
    return Runner(tmp_path / "machine", forge, forge.token)


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    write_session(tmp_path / "sessions", "one", SAID)
    return tmp_path / "sessions"
