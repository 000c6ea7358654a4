import functools
import tempfile
from pathlib import Path

import pytest

from memci.checks.rules.commit_missing import RULE
from tests.citations.scripted import Scripted, Told, begin
from tests.repository import Repo

# No commit has this id, and none will begin with it.
GONE = "3f9c2ab71d"


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    return begin(tmp_path / "repo")


@functools.cache
def told(body: str) -> list[Told]:
    with tempfile.TemporaryDirectory() as directory:
        scripted = begin(Path(directory))
        commit = scripted.change({"src/a.py": "x = 1\n"}, "begin")
        scripted.remember(body.format(short=commit[:7], long=commit))
        scripted.change({}, "remember")
        return scripted.truth()


@pytest.mark.parametrize(
    "body",
    [
        "Fixed in commit {short}.",
        "Fixed in commit `{long}`.",
        f"The digest is {GONE}.",
        "Released 20261101, build 1234567.",
        f"~~Fixed in commit {GONE}.~~",
        "The word defaced, a commit of vandalism.",
        f"Part of the same commit. The build is {GONE}.",
        f"The commit made image {GONE}.",
        f"The parser is installed at commit {GONE}.",
        f"Finished on 2026-10-02 (commit {GONE}).",
        f"## Session of 2026-10-02\n\n- Fixed in commit {GONE}, not in commit {{short}}.",
        # The trace of a piece of work.
        f"**Commit:** `{GONE}` — rename the rows (since {{short}})",
        # Nothing says that the memory speaks of commits of this repository.
        f"Fixed in commit {GONE}.",
        f"See https://example.org/commit/{GONE}",
        f"Colour #{GONE[:8]} in commit messages.",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert told(body) == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (f"Fixed in commit {GONE}, not in commit {{short}}.", 1),
        (f"Good as of commit {{short}}.\n\n- reverted by commit `{GONE}`", 3),
    ],
)
def test_reports(body: str, line: int) -> None:
    assert told(body) == [Told(RULE.id, line, f"there is no commit {GONE}")]


def test_a_memory_that_cites_other_repositories_too_is_left_alone(scripted: Scripted) -> None:
    commit = scripted.change({"a.py": "x = 1\n"})
    scripted.remember(f"Fixed in commit {commit[:10]}.")
    scripted.remember(f"Fixed in commit {GONE}.")
    scripted.remember("Fixed in commit 4f9c2ab71d.")
    assert scripted.truth() == []


def test_several_commits_that_are_lost_among_many_are_reported(scripted: Scripted) -> None:
    commits = [scripted.change({"a.py": f"x = {number}\n"}) for number in range(18)]
    scripted.remember("".join(f"- fixed in commit {commit[:10]}\n" for commit in commits))
    scripted.remember(f"Fixed in commit {GONE}.")
    scripted.remember("Fixed in commit 4f9c2ab71d.")
    scripted.change({})
    assert [told.rule for told in scripted.truth()] == [RULE.id] * 2


def test_a_commit_of_another_branch_exists(scripted: Scripted) -> None:
    scripted.change({"a.py": "x = 1\n"})
    scripted.repo.run("checkout", "--quiet", "-b", "side")
    commit = scripted.change({"b.py": "y = 1\n"})
    scripted.repo.run("checkout", "--quiet", "main")
    scripted.remember(f"Fixed in commit {commit[:10]}.")
    assert scripted.truth() == []


def test_a_shallow_clone_cannot_say_that_a_commit_is_missing(scripted: Scripted, tmp_path: Path) -> None:
    scripted.change({"a.py": "x = 1\n"})
    scripted.remember(f"Fixed in commit {GONE}.")
    scripted.change({})
    scripted.repo.run("clone", "--quiet", "--depth=1", f"file://{scripted.repo.root}", str(tmp_path / "shallow"))
    assert Scripted(Repo(tmp_path / "shallow")).truth() == []
