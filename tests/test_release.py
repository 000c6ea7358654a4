"""The workflow of a release: its own scripts are run, with a `gh` that only notes what it is asked."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from memci import __version__

ROOT = Path(__file__).parents[1]
JOBS: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
# A forge on which v9.9.9 is the newest release, and which has no tag `v0` yet.
GH = """#!/bin/sh
echo "$*" >> asked
case "$*" in
  "release view"*) echo v9.9.9 ;;
  *PATCH*v0*) exit 1 ;;
esac
"""


def run_step(place: Path, job: str, word: str, **variables: str) -> int:
    """Run the step of a job that has a word in its script, and return its exit code."""
    (script,) = (step["run"] for step in JOBS[job]["steps"] if word in step.get("run", ""))
    environment = {"PATH": f"{place}:{os.environ['PATH']}", "GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "f" * 40}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=place, env=environment | variables, capture_output=True, check=False).returncode


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "gh").write_text(GH)
    (tmp_path / "gh").chmod(0o755)
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.3\n\n- this\n\n## 1.2.2\n\n- that\n\n## 1.2.1\n\n## 1\n"
    )
    return tmp_path


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    assert f"    rev: v{__version__}\n" in (ROOT / "README.md").read_text("utf-8")
    heads = re.findall(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heads[0] in {"Unreleased", __version__}


def test_the_text_of_a_release_is_its_section_of_the_changelog(place: Path) -> None:
    assert run_step(place, "build", "CHANGELOG.md", GITHUB_REF_NAME="v1.2.3") == 0
    assert (place / "notes/notes.md").read_text() == "\n- this\n\n"


@pytest.mark.parametrize("tag", ["v1.2.1", "v1.2", "v3.0.0"])
def test_without_a_section_there_is_no_release(place: Path, tag: str) -> None:
    assert run_step(place, "build", "CHANGELOG.md", GITHUB_REF_NAME=tag) != 0


@pytest.mark.parametrize(
    ("tag", "asked"),
    [
        ("v9.9.9", ["PATCH repos/o/r/git/refs/tags/v9 --field sha={sha} --field force=true"]),
        # Mends an older release.
        ("v9.8.1", []),
    ],
)
def test_the_moving_tag_names_the_newest_release(place: Path, tag: str, asked: list[str]) -> None:
    assert run_step(place, "major-tag", "gh api", GITHUB_REF_NAME=tag) == 0
    found = (place / "asked").read_text().splitlines()
    assert found[1:] == [f"api --method {line.format(sha='f' * 40)}" for line in asked]


def test_the_first_release_makes_the_moving_tag(place: Path) -> None:
    (place / "gh").write_text(GH.replace("v9.9.9", "v0.2.0"))
    assert run_step(place, "major-tag", "gh api", GITHUB_REF_NAME="v0.2.0") == 0
    last = (place / "asked").read_text().splitlines()[-1]
    assert last == f"api --method POST repos/o/r/git/refs --field ref=refs/tags/v0 --field sha={'f' * 40}"


def test_whoever_may_publish_waits_for_a_person_and_for_what_was_attested() -> None:
    writing = {
        name
        for name, job in JOBS.items()
        if {"contents", "packages"} & {key for key, value in job["permissions"].items() if value == "write"}
    }
    assert writing == {"image", "release", "major-tag"}
    assert all(JOBS[name]["environment"] == "release" for name in (*writing, "package-index"))
    assert [JOBS[name]["needs"] for name in ("package-index", "image")] == ["attest", "attest"]
    assert JOBS["attest"]["needs"] == ["build", "install"]
    # A password or a key would be a secret of the repository.
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text("utf-8")
