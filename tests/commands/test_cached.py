"""What `memci check` keeps for its next run, in repositories that are large enough to need it."""

import shutil
from pathlib import Path

import pytest

from tests.build import topic_text
from tests.commands.run import check
from tests.repository import Repo, make_repository

TOPIC = ".claude/memory/a.md"
BODY = (
    "Taxes: `compute_tax` in `src/tax.py`, `round_up()`, and `TAX_MODE`.\nRun it with `FAST_PATH`, after `warm_up()`."
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of many files whose memory names what was in some of them."""
    root = tmp_path_factory.mktemp("large")
    repo = make_repository(root)
    repo.run("config", "user.name", "A Tester")
    repo.run("config", "user.email", "tester@example.org")
    for number in range(1_000):
        repo.write(f"lib/p{number % 10}/m{number}.py", f"def made_{number}():\n    return {number}\n")
    repo.write("src/tax.py", "def compute_tax(order):\n    return round_up(order)\n")
    repo.write("src/round.py", "import os\n\ndef round_up(x):\n    return os.environ['TAX_MODE'], FAST_PATH\n")
    repo.write("src/warm.py", "def warm_up():\n    return 1\n")
    repo.write(TOPIC, topic_text(BODY, name="a"))
    repo.write(".claude/memory/MEMORY.md", "- [A](a.md) — about it\n")
    repo.commit("first", date="2026-09-01T12:00:00Z")
    # What is gone has to be looked for in the files that have changed since.
    repo.write("src/warm.py", "READY = True\n")
    for number in range(200):
        repo.write(f"lib/p{number % 10}/m{number}.py", f"def made_{number}():\n    return -{number}\n")
    repo.commit("cold", date="2026-09-02T12:00:00Z")
    # One pack instead of a thousand files for each test to copy.
    repo.run("gc", "--quiet")
    return root


@pytest.fixture
def repo(made: Path, tmp_path: Path) -> Repo:
    shutil.copytree(made, tmp_path / "repo", symlinks=True)
    return Repo((tmp_path / "repo").resolve())


def find_cache(repo: Repo) -> Path:
    return repo.root / ".git" / "memci" / "past-names"


def test_the_work_tree_stays_as_it_was(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    check(capsys, repo.root)
    assert find_cache(repo).exists()
    assert repo.run("status", "--porcelain", "--ignored") == ""


def test_a_small_repository_keeps_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = make_repository(tmp_path)
    small.write("src/tax.py", "def compute_tax(order): pass\n")
    small.write(TOPIC, topic_text(BODY, name="a"))
    small.commit()
    check(capsys, small.root)
    assert not find_cache(small).exists()


def test_every_run_says_what_a_first_run_would_say(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    def remove_name() -> None:
        repo.write("src/round.py", "def round_up(x):\n    return x\n")

    def commit() -> None:
        repo.commit("second", date="2026-10-01T12:00:00Z")

    def move_name() -> None:
        repo.write("src/tax.py", "from src.more import compute_tax\n\nX = compute_tax\n")
        repo.write("src/more.py", "def compute_tax(order):\n    return TAX_MODE\n")

    def go_back() -> None:
        repo.run("checkout", "--quiet", "HEAD~1")

    def remember_more() -> None:
        repo.write(TOPIC, topic_text(f"{BODY}\nAlso `made_17` and `made_up_name`.", name="a"))

    def nothing() -> None:
        pass

    said = []
    for change in (nothing, nothing, remove_name, commit, move_name, commit, go_back, remember_more):
        change()
        kept = check(capsys, repo.root).out
        cache = find_cache(repo).read_bytes()
        find_cache(repo).unlink()
        assert check(capsys, repo.root).out == kept
        find_cache(repo).write_bytes(cache)
        said.append(kept)
    assert said[0] == said[1]
    assert "symbol-missing" in said[3] or "env-missing" in said[3]


def test_an_unchanged_tree_leaves_the_cache_alone(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    check(capsys, repo.root)
    before = find_cache(repo).stat()
    check(capsys, repo.root)
    assert find_cache(repo).stat().st_ino == before.st_ino


def test_worktrees_share_what_is_kept(repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = check(capsys, repo.root).out
    before = find_cache(repo).stat().st_ino
    repo.run("worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    assert check(capsys, tmp_path / "second").out == first
    assert find_cache(repo).stat().st_ino == before


@pytest.mark.parametrize("damage", ["bytes", "directory", "link", "read-only"])
def test_a_cache_that_cannot_be_used_changes_nothing(
    repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    first = check(capsys, repo.root)
    match damage:
        case "bytes":
            find_cache(repo).write_bytes(b"\x00" * 100)
        case "directory":
            find_cache(repo).unlink()
            find_cache(repo).mkdir()
        case "link":
            shutil.move(find_cache(repo).parent, tmp_path / "moved")
            find_cache(repo).parent.symlink_to(tmp_path / "moved")
        case _:
            find_cache(repo).unlink()
            find_cache(repo).parent.chmod(0o500)
            (repo.root / ".git").chmod(0o500)
    again = check(capsys, repo.root)
    (repo.root / ".git").chmod(0o700)
    find_cache(repo).parent.chmod(0o700)
    assert (again.out, again.err, again.code) == (first.out, first.err, first.code)
