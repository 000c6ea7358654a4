"""What must hold for the files of the action, whatever they do."""

import re
from typing import Any

import pytest
import yaml

from action.inputs import PREFIX
from tests.action.acting import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}|\$/")


def test_every_input_is_optional_documented_and_used() -> None:
    used = str(STEPS)
    for name, declared in ACTION["inputs"].items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert declared["description"]
        assert "default" in declared
        assert f"inputs.{name} " in used or f"inputs.{name}'" in used, name


def test_values_reach_scripts_through_the_environment_only() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert all(name.startswith(PREFIX) for name in step.get("env", {}))


@pytest.mark.parametrize(("secret", "stage"), [("inputs.token", "ticked publish"), ("inputs.anthropic-", "dream")])
def test_a_secret_is_given_to_the_stages_that_need_it(secret: str, stage: str) -> None:
    steps = [step["run"].rpartition(" ")[2] for step in STEPS if secret in str(step.get("env", ""))]
    assert steps == stage.split()


def test_every_output_is_one_that_the_report_sets() -> None:
    assert {output["value"] for output in ACTION["outputs"].values()} == {
        f"${{{{ steps.report.outputs.{name} }}}}" for name in ACTION["outputs"]
    }


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_what_others_wrote_is_pinned(path: Any) -> None:
    used = re.findall(r"^ *(?:- )?uses: (\S+)", path.read_text("utf-8"), re.MULTILINE)
    assert used
    assert [name for name in used if not PINNED.fullmatch(name)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_workflow_runs_what_a_fork_wrote_with_rights_of_ours(path: Any) -> None:
    content = yaml.safe_load(path.read_text("utf-8"))
    # YAML 1.1 takes `on` for a truth.
    assert "pull_request_target" not in str(content[True])
    assert content["permissions"] == {}
    for job in content["jobs"].values():
        assert job["timeout-minutes"]
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False
