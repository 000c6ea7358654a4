import json
from pathlib import Path

import pytest

from memci.checks.registry import RULES
from tests.commands.run import memci

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_it_finds_why_and_what_to_do(tmp_path: Path, capsys: Capture, rule: object) -> None:
    done = memci(capsys, tmp_path, "rule", rule.id)  # type: ignore[attr-defined]  # a rule
    said = " ".join(done.out.split())
    assert all(" ".join(text.split()) in said for text in (rule.summary, rule.why, rule.remedy))  # type: ignore[attr-defined]


def test_all_rules_are_listed_and_an_unknown_one_is_guessed(tmp_path: Path, capsys: Capture) -> None:
    assert memci(capsys, tmp_path, "rule").out.count("\n") >= len(RULES)
    done = memci(capsys, tmp_path, "rule", "path-moveed")
    assert (done.code, "did you mean path-moved?" in done.err) == (2, True)
    shown = json.loads(memci(capsys, tmp_path, "rule", "secret", "--format", "json").out)
    assert (shown["schema"], shown["rules"][0]["severity"]) == ("memci/rule/1", "error")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(tmp_path: Path, capsys: Capture, shell: str) -> None:
    assert f"_MEMCI_COMPLETE={shell}_complete" in memci(capsys, tmp_path, "completion", shell).out
