"""What `memci doctor` says of workflows; the first tables are what it must leave alone."""

from pathlib import Path, PurePosixPath

import pytest

from memci.runs.doctor.result import CheckState
from memci.runs.doctor.workflows import Workflow, dreams, examine_workflow, find_workflow
from memci.runs.init import Reference, render_github

PATH = PurePosixPath(".github/workflows/x.yml")
JOB = """\
on: {schedule: [{cron: "17 3 * * *"}]}
permissions: {contents: write, pull-requests: write}
jobs:
  night:
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - uses: memci/memci@v1
"""


def examine(text: str) -> list[tuple[str, str]]:
    found = examine_workflow(Workflow(PATH, text))
    return [(one.name, one.state.value) for one in found if one.state is not CheckState.OK]


@pytest.mark.parametrize(
    "text",
    [
        render_github("17 3 * * *", Reference("v1", pinned=False)),
        JOB,
        JOB.replace("permissions: {contents: write, pull-requests: write}", "permissions: write-all"),
        JOB.replace("pull-requests: write", "pull-requests: write, issues: read"),
        JOB.replace("fetch-depth: 0", 'fetch-depth: "0"'),
        JOB.replace("uses: memci/memci@v1", "run: pipx run memci -q dream --bundle x && memci publish x"),
        # Whoever only checks needs no schedule and nothing to write.
        "on: pull_request\n" + JOB.partition("\n")[2].replace("@v1", "@v1\n        with: {command: check}"),
        JOB.replace("permissions: {contents: write, pull-requests: write}", "permissions: read-all").replace(
            "@v1", "@v1\n        with: {command: bundle}"
        ),
        # Jobs that have nothing to do with memci may be as they like.
        JOB + "  other:\n    permissions: {}\n    steps: [{run: make}, {uses: actions/checkout@v4}]\n",
        JOB + "  odd: {steps: nonsense}\n",
    ],
)
def test_good_workflows_are_left_alone(text: str) -> None:
    assert examine(text) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('on: {schedule: [{cron: "17 3 * * *"}]}', "on: workflow_dispatch", ("schedule", "problem")),
        ('on: {schedule: [{cron: "17 3 * * *"}]}', "on: [push]", ("schedule", "problem")),
        ("17 3 * * *", "nightly", ("schedule", "problem")),
        (", pull-requests: write", "", ("permissions", "problem")),
        ("contents: write", "contents: read", ("permissions", "problem")),
        ("{contents: write, pull-requests: write}", "{}", ("permissions", "problem")),
        ("{contents: write, pull-requests: write}", "read-all", ("permissions", "problem")),
        ("permissions: {contents: write, pull-requests: write}\n", "", ("permissions", "unknown")),
        ("    timeout-minutes: 30\n", "", ("timeout", "problem")),
        ("        with: {fetch-depth: 0}\n", "", ("checkout", "problem")),
        ("fetch-depth: 0", "fetch-depth: 1", ("checkout", "problem")),
        ("actions/checkout@v4", "acme/checkout@v4", ("checkout", "unknown")),
        ("jobs:\n", "jobs: &a\n", ("workflow", "unknown")),
        ("jobs:\n", "jobs: [\n", ("workflow", "problem")),
        ("jobs:\n", "on: push\njobs:\n", ("workflow", "problem")),
        ("jobs:\n", "work:\n", ("workflow", "problem")),
    ],
)
def test_what_breaks_a_night_is_found(old: str, new: str, found: tuple[str, str]) -> None:
    assert old in JOB
    assert examine(JOB.replace(old, new)) == [found]


def test_a_caller_has_what_the_jobs_of_the_called_workflow_ask_for() -> None:
    text = render_github("17 3 * * *", Reference("v1", pinned=False))
    for line in ("contents: write", "pull-requests: write", "actions: read"):
        assert examine(text.replace(line, "checks: read", 1)) == [("permissions", "problem")]


def test_a_token_of_its_own_may_be_enough() -> None:
    text = JOB.replace("{contents: write, pull-requests: write}", "{contents: read}")
    assert examine(text + "        with: {token: x}\n") == [("permissions", "unknown")]


@pytest.mark.parametrize(
    ("text", "does"),
    [
        (JOB, True),
        ("run: memci dream", True),
        ("uses: memci/memci/.github/workflows/dream.yml@v1", True),
        ("uses: memci/memci/.github/workflows/memory.yml@v1", False),
        ("run: memci check", False),
        ("name: what memci may dream of", False),
        ("uses: memci/memci-setup@v1", False),
    ],
)
def test_which_workflows_dream(text: str, does: bool) -> None:  # noqa: FBT001 -- a table
    assert dreams(Workflow(PATH, text)) is does


def test_links_and_other_files_are_not_read(tmp_path: Path) -> None:
    place = tmp_path / ".github/workflows"
    place.mkdir(parents=True)
    (place / "a.txt").write_text(JOB)
    (place / "b.yml").mkdir()
    (place / "c.yml").symlink_to(place / "a.txt")
    assert find_workflow(tmp_path) is None
    (place / "d.yaml").write_text(JOB)
    assert find_workflow(tmp_path) is not None
