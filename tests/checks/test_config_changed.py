from pathlib import PurePosixPath

import pytest

from memci.checks.rule import Material
from memci.checks.rules.config_changed import RULE
from memci.config import Config, Ignore
from memci.model.finding import Finding, Severity
from memci.model.memory import Snapshot
from tests.build import NOW

PATH = PurePosixPath(".memci.yml")
IGNORE = Ignore("secret", "*", "noisy", 2)


def run(before: Config | None, after: Config) -> list[Finding]:
    return list(RULE.check(Material(Snapshot(()), NOW, config=after, base_config=before)))


def test_leaves_alone() -> None:
    config = Config(ignore=(IGNORE,), path=PATH)
    assert run(None, config) == []
    assert run(config, config) == []
    assert run(Config(), Config(path=PATH)) == []


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (Config(), Config(ignore=(IGNORE,), path=PATH), "secret is ignored in *"),
        (Config(), Config(fail_on="never", path=PATH), "fail_on goes from error to never"),
        (Config(fail_on="warning"), Config(fail_on="error", path=PATH), "fail_on goes from warning to error"),
        (Config(), Config(scopes=("!docs/**",), path=PATH), "!docs/** is left out"),
        (Config(scopes=("notes",), path=PATH), Config(), "notes is no scope any more"),
    ],
)
def test_looser_settings_are_an_error(before: Config, after: Config, what: str) -> None:
    (finding,) = run(before, after)
    assert (finding.path, finding.severity) == (PATH, Severity.ERROR)
    assert finding.message == f"the settings change: {what}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Config(ignore=(IGNORE,)), Config(path=PATH)),
        (Config(), Config(fail_on="info", path=PATH)),
        (Config(), Config(scopes=("notes",), path=PATH)),
    ],
)
def test_stricter_settings_are_a_note(before: Config, after: Config) -> None:
    (finding,) = run(before, after)
    assert finding.severity is Severity.INFO
