"""The workflow of the documentation that looks after several repositories."""

from pathlib import Path

import pytest
import yaml

from tests.action.acting import ROOT, Runner
from tests.build import topic_text
from tests.commands.dreams import SCOPE, make_shop
from tests.fakes.forge import FakeForge
from tests.repository import make_repository

# Jobs start a dozen processes, and tests run beside each other.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


def read_workflow(runner: Runner) -> str:
    """Return the workflow as it is documented, for a machine without a package index."""
    text = (ROOT / "docs" / "action.md").read_text("utf-8").partition("\n## Many repositories\n")[2]
    content = yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])
    for job in content["jobs"].values():
        job["steps"][-1]["with"]["python"] = str(runner.python)
    # YAML 1.1 takes `on` for a truth.
    del content[True]
    return yaml.safe_dump({**content, "on": "workflow_dispatch"})


def test_each_repository_has_its_own_job_and_one_that_fails_stops_no_other(
    tmp_path: Path, runner: Runner, forge: FakeForge
) -> None:
    shop = make_shop(tmp_path / "shop")
    # A topic without a pointer, which a dream repairs.
    shop.write(f"{SCOPE}/tabs.md", topic_text("Generated files keep their tabs.", name="tabs"))
    shop.commit()
    shop.run("push", "--quiet", str(forge.bare), "main")
    central = make_repository(tmp_path / "central")
    central.write("repositories.txt", "acme/gone\nacme/shop\n")
    central.commit()
    central.run("remote", "add", "origin", f"{forge.web}/acme/central.git")
    workflow = runner.home / "nightly.yml"
    workflow.write_text(read_workflow(runner))

    done = runner.run(central, workflow, secrets={"MEMORY_TOKEN": forge.token})
    assert len(forge.pulls) == 1, done.log
    (pull,) = forge.pulls
    assert (done.code, pull.head, pull.base, pull.state) == (1, "memci/dream", "main", "open"), done.log
    assert forge.git("diff", "--name-only", "main", "memci/dream").split("\n") == [
        f"{SCOPE}/.memci.json",
        f"{SCOPE}/MEMORY.md",
    ]
    # Only the stages at the forge have the token, also where it is another one than that of the job.
    seen = done.find_secrets({forge.token: "token"})
    assert {stage for stage, secrets in seen.items() if secrets} == {"ticked", "publish", "memci publish"}
