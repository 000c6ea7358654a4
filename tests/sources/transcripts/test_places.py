from pathlib import Path

import pytest

from memci.errors import UsageError
from memci.git import Repository, find_repository
from memci.sources.transcripts import Limits, Status, is_foreign, read_transcripts
from tests.repository import Repo, make_repository
from tests.sources.transcripts.build import dump, user


def open_repository(repo: Repo) -> Repository:
    found = find_repository(repo.root)
    assert found is not None
    return found


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = make_repository(tmp_path / "repo")
    made.write("main.py", "print(1)\n")
    made.commit()
    return made


@pytest.fixture
def published(repo: Repo) -> Repo:
    """Publish two sessions on a branch of their own, one of them twice."""
    repo.run("checkout", "--quiet", "--orphan", "sessions/v1")
    repo.write("ab/1/full.jsonl", dump(user("always squash", sessionId="one")))
    repo.write("cd/2/full.jsonl", dump(user("never rebase", sessionId="two")))
    repo.write("ef/3/full.jsonl", (repo.root / "ab/1/full.jsonl").read_bytes())
    repo.write("ab/1/metadata.json", '{"x": 1}')
    repo.link("ab/1/link.jsonl", "full.jsonl")
    repo.commit()
    repo.run("checkout", "--quiet", "main")
    return repo


def test_reads_sessions_published_on_a_branch(published: Repo) -> None:
    repository = open_repository(published)
    try:
        reading = read_transcripts(["git:sessions/v1"], repository=repository)
        below = read_transcripts(["git:sessions/v1:cd"], repository=repository)
    finally:
        repository.close()
    assert sorted(turn.text for turn in reading.turns) == ["always squash", "never rebase"]
    assert [turn.session for turn in below.turns] == ["two"]
    by_name = {report.name: report for report in reading.files}
    assert by_name["git:sessions/v1:ab/1/link.jsonl"].status is Status.REFUSED
    assert by_name["git:sessions/v1:ef/3/full.jsonl"].reason == "the same as ab/1/full.jsonl"
    assert not (published.root / "ab").exists()


def test_finds_the_branch_of_the_origin(published: Repo, tmp_path: Path) -> None:
    published.run("clone", "--quiet", str(published.root), str(tmp_path / "clone"))
    repository = open_repository(Repo(tmp_path / "clone"))
    try:
        assert len(read_transcripts(["git:sessions/v1"], repository=repository).turns) == 2
    finally:
        repository.close()


def test_a_large_object_is_not_read(published: Repo) -> None:
    reading = read_transcripts(
        ["git:sessions/v1:cd"], repository=open_repository(published), limits=Limits(blob_bytes=9)
    )
    assert [(report.status, report.reason) for report in reading.files] == [(Status.NOT_READ, "larger than 9 bytes")]


@pytest.mark.parametrize("reference", ["gone", "--output=x", ""])
def test_a_branch_that_does_not_exist_is_an_error(repo: Repo, reference: str) -> None:
    with pytest.raises(UsageError, match="no such commit"):
        read_transcripts([f"git:{reference}"], repository=open_repository(repo))


def test_a_branch_needs_a_repository() -> None:
    with pytest.raises(UsageError, match="needs a git repository"):
        read_transcripts(["git:main"], repository=None)


def test_only_another_repository_of_this_machine_is_foreign(repo: Repo, tmp_path: Path) -> None:
    repository = open_repository(repo)
    other = make_repository(tmp_path / "other")
    repo.run("worktree", "add", "--quiet", str(tmp_path / "tree"))
    (tmp_path / "plain").mkdir()
    here = (
        None,
        "",
        "relative",
        "/home/ci/work/repo",
        "/\0",
        str(repo.root),
        str(tmp_path / "tree"),
        str(tmp_path / "plain"),
    )
    assert [cwd for cwd in here if is_foreign(cwd, repository)] == []
    assert is_foreign(str(other.root), repository)


def test_another_clone_of_the_project_is_not_foreign(repo: Repo, tmp_path: Path) -> None:
    repo.run("clone", "--quiet", str(repo.root), str(tmp_path / "clone"))
    assert not is_foreign(str(tmp_path / "clone"), open_repository(repo))
