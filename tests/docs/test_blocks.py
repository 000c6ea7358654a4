"""What pages show can be typed, and what they configure is valid."""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
import yaml
from check_jsonschema import main as check_jsonschema  # type: ignore[import-untyped]  # it has no types
from click.testing import CliRunner

from memci.errors import Exit
from memci.settings_file import parse_config, parse_pyproject
from tests.gate import in_gate
from tools.docs.reading import GENERATED, ROOT, Block, list_blocks, list_pages
from tools.docs.sandbox import make_sandbox

# Lines that are not run here, and why.
NOT_RUN = {
    "make dream": "installs from the package index; everything else of it is run below",
    "make test": "runs this test",
    "pip install git+https://github.com/memci/memci": "needs the network",
    "gh attestation verify memci-1.2.3-py3-none-any.whl --repo memci/memci": "needs the forge and a release",
    "gh attestation verify oci://ghcr.io/memci/memci:1.2.3 --repo memci/memci": "needs the forge and a release",
}
_LANGUAGES = {"sh", "console", "yaml", "toml", "mermaid"}
_SCHEMAS = {"jobs": "vendor.github-workflows", "stages": "vendor.gitlab-ci"}


def list_commands(block: Block) -> list[str]:
    """Return the lines of a block without their comments."""
    lines = [line.partition("  # ")[0].strip() for line in block.text.split("\n")]
    return [line for line in lines if line and line not in NOT_RUN]


@pytest.mark.parametrize("page", [page for page in list_pages() if page not in GENERATED])
def test_a_block_says_what_it_is_and_outputs_are_made_by_running(page: str) -> None:
    assert {block.language for block in list_blocks(page=page)} <= _LANGUAGES


def test_what_is_not_run_is_still_shown() -> None:
    shown = {line.strip() for block in list_blocks("sh") for line in block.text.split("\n")}
    assert set(NOT_RUN) <= shown


@pytest.mark.parametrize("block", in_gate(b for b in list_blocks("sh") if b.page != "docs/commands.md"), ids=str)
def test_commands_can_be_typed_one_after_the_other(block: Block, tmp_path: Path) -> None:
    sandbox = make_sandbox(tmp_path.resolve())
    lines = list_commands(block)
    # A page that begins elsewhere says so.
    start = sandbox.directory if "cd your-repository" in lines else None
    for ran in sandbox.run(lines, start):
        allowed = {Exit.DONE, Exit.FINDINGS} if "memci check" in ran.line else {Exit.DONE}
        assert ran.code in allowed, f"{ran.line}\n{ran.out}"


def test_make_dream_dreams_over_the_example(tmp_path: Path) -> None:
    sandbox = make_sandbox(tmp_path.resolve())
    # What needs the package index counts as done.
    make = f"make --old-file=.venv/memci BIN={tmp_path}/bin PYTHON={sys.executable} SHOP={tmp_path}/shop dream"
    done = sandbox.run([make, f"git -C {tmp_path}/shop status --short"], ROOT)
    assert [ran.code for ran in done] == [Exit.DONE, Exit.DONE], done
    alone, modelled = done[0].out.split("The same night with a model")
    for out in (alone, modelled):
        assert "  corrected  reviewer/project_payment_messages.md: " in out
        # One screen each.
        assert out.count("\n") <= 40
    assert "memci dream --dry-run" in modelled
    assert " M .claude/memory/front-end.md\n" in done[1].out


@pytest.mark.parametrize("block", list_blocks("yaml"), ids=str)
def test_yaml_is_valid_for_what_reads_it(block: Block, tmp_path: Path) -> None:
    value = yaml.safe_load(block.text)
    schema = next((schema for key, schema in _SCHEMAS.items() if key in value), None)
    if schema:
        (tmp_path / "block.yml").write_text(block.text, encoding="utf-8")
        for name in (schema, "custom.github-workflows-require-timeout")[: 2 if "jobs" in value else 1]:
            done = CliRunner().invoke(check_jsonschema, ["--builtin-schema", name, str(tmp_path / "block.yml")])
            assert done.exit_code == 0, done.output
    elif "repos" in value:
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        # A branch would be another version for everybody.
        assert all(re.fullmatch(r"v\d+\.\d+\.\d+", repo["rev"]) for repo in value["repos"])
        named = {hook["id"] for repo in value["repos"] for hook in repo["hooks"]}
        assert named <= {hook["id"] for hook in hooks}
    else:
        assert parse_config(block.text, PurePosixPath(".memci.yml")).path


@pytest.mark.parametrize("block", list_blocks("yaml", page="docs/review.md"), ids=str)
def test_workflows_that_touch_what_forks_propose_pass_the_auditor(block: Block, tmp_path: Path) -> None:
    target = tmp_path / ".github/workflows/block.yml"
    target.parent.mkdir(parents=True)
    target.write_text(block.text, encoding="utf-8")
    command = [str(Path(sys.executable).with_name("zizmor")), "--offline", "--quiet", "--persona=auditor", str(target)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("block", list_blocks("toml"), ids=str)
def test_toml_is_valid_for_memci(block: Block) -> None:
    assert parse_pyproject(block.text, PurePosixPath("pyproject.toml")).path
