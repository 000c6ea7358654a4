"""Patches are read line by line, whatever the lines look like."""

from pathlib import Path

import pytest

from memci.git.commit_contents import iter_patch
from memci.git.repository import find_repository
from tests.repository import Repo, make_repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


def read(repo: Repo, commit: str) -> list[tuple[str, str, str]]:
    repository = find_repository(repo.root)
    assert repository is not None
    return [(line.status, line.new, line.text) for line in iter_patch(repository, commit, 20)]


def test_lines_that_look_like_a_patch_are_lines(repo: Repo) -> None:
    repo.write("a.txt", "-- a/x\n++ b/y\n@@ -1 +1 @@\ndiff --git a/q b/q\n")
    repo.commit()
    repo.write("a.txt", "++ b/.env\n\nrename from a\n\\ No newline")
    found = read(repo, repo.commit())

    assert {path for _, path, _ in found} == {"a.txt"}
    assert [text for _, _, text in found] == [
        "",
        "--- a/x",
        "-++ b/y",
        "-@@ -1 +1 @@",
        "-diff --git a/q b/q",
        "+++ b/.env",
        "+",
        "+rename from a",
        "+\\ No newline",
    ]


def test_files_without_changed_lines_are_named(repo: Repo) -> None:
    repo.write("run.sh", "echo\n")
    repo.write("b.bin", b"\0" * 100)
    repo.write("move me", "".join(f"{number}\n" for number in range(20)))
    repo.commit()
    (repo.root / "run.sh").chmod(0o755)
    repo.write("b.bin", b"\0" * 99)
    repo.rename("move me", "b/move me")
    repo.write("empty b/x b", "")

    assert read(repo, repo.commit()) == [
        ("M", "b.bin", ""),
        ("R", "b/move me", ""),
        ("A", "empty b/x b", ""),
        ("M", "run.sh", ""),
    ]


def test_a_merge_is_compared_with_its_first_parent(repo: Repo) -> None:
    repo.write("a.txt", "1\n")
    repo.commit()
    repo.run("checkout", "--quiet", "-b", "side")
    repo.write("b.txt", "2\n")
    repo.commit()
    repo.run("checkout", "--quiet", "main")
    repo.write("a.txt", "3\n")
    repo.commit()
    repo.run("merge", "--quiet", "--no-edit", "side")

    assert read(repo, repo.run("rev-parse", "HEAD")) == [("A", "b.txt", ""), ("A", "b.txt", "+2")]
