"""`memci merge-driver`, run by real git merges in a repository that `memci init --merge-driver` prepared."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from memci.runs.init import MERGE_DRIVER
from tests.commands.run import memci
from tests.memory.random_versions import make_versions
from tests.memory.test_merge_versions import check_merge
from tests.repository import Repo, make_repository

FILE = ".claude/memory/MEMORY.md"
PROGRAM = f"{shlex.quote(sys.executable)} -m memci "


@pytest.fixture
def repo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Repo:
    """Return a repository whose memory is merged by the memci of this test."""
    repo = make_repository(tmp_path)
    repo.write(".gitattributes", "*.png binary")
    assert memci(capsys, tmp_path, "init", "--merge-driver").code == 0
    repo.run("config", "merge.memci.driver", MERGE_DRIVER.replace("memci ", PROGRAM, 1))
    repo.run("config", "maintenance.auto", "false")
    return repo


def merge(repo: Repo, versions: tuple[str, str, str]) -> int:
    """Commit a base and both sides, merge them, and return the exit code of git."""
    base, ours, theirs = versions
    repo.write(FILE, base)
    start = repo.commit()
    repo.write(FILE, theirs)
    other = repo.commit()
    repo.run("reset", "--quiet", "--hard", start)
    repo.write(FILE, ours)
    repo.write("other.txt", ours)
    repo.commit()
    command = ["git", "merge", "--quiet", "--no-edit", other]
    code = subprocess.run(command, cwd=repo.root, capture_output=True, check=False).returncode
    if code:
        assert repo.run("diff", "--name-only", "--diff-filter=U") == FILE
        repo.run("reset", "--quiet")
    return code


def _merge_random(repo: Repo, seeds: range) -> int:
    clean = 0
    for seed in seeds:
        versions = make_versions(seed)
        code = merge(repo, versions)
        check_merge(seed, versions, (repo.root / FILE).read_text(), clean=code == 0)
        clean += code == 0
    return clean


def test_git_merges_memory_with_it(repo: Repo) -> None:
    assert _merge_random(repo, range(10)) >= 5


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_500_random_merges_with_git_lose_nothing(repo: Repo) -> None:
    assert _merge_random(repo, range(500)) > 400


@pytest.mark.parametrize("program", ["no-such-program ", "sh -c 'exit 70' "])
def test_git_merges_as_always_where_memci_is_missing_or_fails(repo: Repo, program: str) -> None:
    repo.run("config", "merge.memci.driver", MERGE_DRIVER.replace("memci ", program, 1))
    assert merge(repo, ("- a\n", "- ours\n", "- theirs\n")) == 1
    assert (repo.root / FILE).read_text() == "<<<<<<< ours\n- ours\n=======\n- theirs\n>>>>>>> theirs\n"


def test_init_adds_the_attributes_once(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    attributes = (repo.root / ".gitattributes").read_text()
    assert attributes == (
        "*.png binary\n**/.claude/agent-memory/**/*.md merge=memci\n**/.claude/memory/**/*.md merge=memci\n"
    )
    for path in (FILE, "web/.claude/agent-memory/reviewer/a.md"):
        assert repo.run("check-attr", "merge", "--", path) == f"{path}: merge: memci"
    again = memci(capsys, repo.root, "init", "--merge-driver")
    assert "kept   .gitattributes: it has the lines already" in again.out
    assert f"git config merge.memci.driver '{MERGE_DRIVER}'" in again.out
    assert (repo.root / ".gitattributes").read_text() == attributes


def test_a_dry_run_shows_the_attributes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_repository(tmp_path).write("notes/memory/MEMORY.md", "# Memory\n")
    done = memci(capsys, tmp_path, "init", "--merge-driver", "--dry-run")
    assert "| /notes/memory/**/*.md merge=memci" in done.out
    assert not (tmp_path / ".gitattributes").exists()
