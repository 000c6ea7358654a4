"""Isolates every test from the real home, the real git configuration and all tokens."""

import gc
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# There are no deadlines: tests never assert a time. `gate` and `ci` try the same examples in every run, so that an
# unrelated change cannot fail; `night` tries new ones.
settings.register_profile(
    "gate", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=15
)
settings.register_profile("ci", settings.get_profile("gate"), max_examples=100)
settings.register_profile("night", settings.get_profile("ci"), derandomize=False)
settings.load_profile(os.environ.get("MEMCI_PROFILE", "gate"))

_TOKENS = ("ANTHROPIC_", "GITHUB_", "GH_", "MEMCI_", "CLAUDE_", "GITEA_", "FORGEJO_", "GITLAB_", "CI_", "ACTIONS_")
# The terminal of the developer must not change any output.
_SCREEN = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
# Set by CI systems; memci tells a job from a person by it.
_JOB = "CI"
_WHO = {"NAME": "A Tester", "EMAIL": "tester@example.org", "DATE": "2026-11-01T12:00:00Z"}


def pytest_collection_finish() -> None:
    """Take the collected tests out of garbage collection: thousands of objects that live to the end of the run."""
    gc.collect()
    gc.freeze()
    # The default of 700 collects all the time while a test parses; together this saves a tenth of the CPU time.
    gc.set_threshold(20_000, 20, 50)


class Homes:
    """Empty home directories; one that a test leaves empty is used again, because most tests write nothing there."""

    def __init__(self, base: Path) -> None:
        # `mktemp` would list thousands of directories to find the next number.
        self._numbers = (base / str(number) for number in itertools.count())
        self._unused: list[Path] = []

    def take(self) -> Path:
        """Return an empty directory."""
        if self._unused:
            return self._unused.pop()
        home = next(self._numbers)
        home.mkdir()
        return home

    def give_back(self, home: Path) -> None:
        """Keep the directory for the next test if it is as it was."""
        if home.is_dir() and not home.is_symlink() and not any(home.iterdir()):
            self._unused.append(home)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    return Homes(tmp_path_factory.mktemp("homes"))


@pytest.fixture(autouse=True)
def _own_environment(_homes: Homes, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in os.environ:
        if name.startswith((*_TOKENS, "GIT_", "XDG_")) or name in (*_SCREEN, _JOB):
            monkeypatch.delenv(name)
    # Beside tmp_path, not in it: tests make tmp_path a repository.
    home = _homes.take()
    monkeypatch.setenv("HOME", str(home))
    for name, directory in {
        "CONFIG": ".config",
        "CACHE": ".cache",
        "DATA": ".local/share",
        "STATE": ".local/state",
    }.items():
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / directory))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        for name, value in _WHO.items():
            monkeypatch.setenv(f"GIT_{role}_{name}", value)
    monkeypatch.setenv("TERM", "dumb")
    yield
    _homes.give_back(home)


@pytest.fixture
def home() -> Path:
    """Return the home directory of this test."""
    return Path(os.environ["HOME"])
