"""Which workflows dream."""

from pathlib import Path, PurePosixPath

import pytest

from memci.runs.init import dreams, find_workflows

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
    assert dreams(text) is does


def test_links_and_other_files_are_not_read(tmp_path: Path) -> None:
    place = tmp_path / ".github/workflows"
    place.mkdir(parents=True)
    (place / "a.txt").write_text(JOB)
    (place / "b.yml").mkdir()
    (place / "c.yml").symlink_to(place / "a.txt")
    assert find_workflows(tmp_path) == []
    (place / "d.yaml").write_text(JOB)
    assert find_workflows(tmp_path) == [PurePosixPath(".github/workflows/d.yaml")]
