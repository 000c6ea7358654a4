"""No test sees the real home, the real git configuration or a token."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is not a failure: tests never assert a time. `gate` and `ci` try the same examples in every run, so
# that they fail only for those who broke something; `night` looks for new ones.
settings.register_profile(
    "gate", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=15
)
settings.register_profile("ci", settings.get_profile("gate"), max_examples=100)
settings.register_profile("night", settings.get_profile("ci"), derandomize=False)
settings.load_profile(os.environ.get("MEMCI_PROFILE", "gate"))

_TOKENS = ("ANTHROPIC_", "GITHUB_", "GH_", "MEMCI_", "CLAUDE_", "GITEA_", "FORGEJO_", "GITLAB_", "CI_", "ACTIONS_")
# What runs tests side by side says how wide its own lines are.
_SCREEN = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
# What runs jobs sets this, and memci tells a job from a person by it.
_JOB = "CI"
_WHO = {"NAME": "A Tester", "EMAIL": "tester@example.org", "DATE": "2026-11-01T12:00:00Z"}


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the directories that become homes. `mktemp` would list thousands of them to find the next number."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_environment(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith((*_TOKENS, "GIT_", "XDG_")) or name in (*_SCREEN, _JOB):
            monkeypatch.delenv(name)
    # Beside tmp_path, not in it: tests make tmp_path a repository.
    home = next(_homes)
    home.mkdir()
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


@pytest.fixture
def home() -> Path:
    """Return the home directory of this test."""
    return Path(os.environ["HOME"])
