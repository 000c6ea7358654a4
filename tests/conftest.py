"""No test sees the real home, the real git configuration or a token."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is not a failure: tests never assert a time. The gate tries the same examples in every run, so that
# it fails only for those who broke something; `make fuzz` and `make faults` look for new ones.
settings.register_profile("gate", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("random", settings.get_profile("gate"), derandomize=False)
settings.load_profile("random" if os.environ.get("MEMCI_RANDOM") else "gate")

_TOKENS = ("ANTHROPIC_", "GITHUB_", "GH_", "MEMCI_", "CLAUDE_", "GITEA_", "FORGEJO_", "GITLAB_", "CI_", "ACTIONS_")
# What runs tests side by side says how wide its own lines are.
_SCREEN = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
# What runs jobs sets this, and memci tells a job from a person by it.
_JOB = "CI"
_WHO = {"NAME": "A Tester", "EMAIL": "tester@example.org", "DATE": "2026-11-01T12:00:00Z"}


@pytest.fixture(autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith((*_TOKENS, "GIT_", "XDG_")) or name in (*_SCREEN, _JOB):
            monkeypatch.delenv(name)
    # Beside tmp_path, not in it: tests make tmp_path a repository.
    home = tmp_path_factory.mktemp("home")
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
