import gzip
import tarfile
import zipfile
from pathlib import Path

import pytest

from memci.errors import UsageError
from memci.git.repository import Repository, find_repository
from memci.sessions.read_result import FileStatus, Reading, ReadLimits
from memci.sessions.read_turns import is_foreign, read_transcripts
from tests.repository import Repo, make_repository
from tests.sessions.build import dump, user, write


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
    reading = read_transcripts(["git:sessions/v1"], repository=repository)
    below = read_transcripts(["git:sessions/v1:cd"], repository=repository)
    assert sorted(turn.text for turn in reading.turns) == ["always squash", "never rebase"]
    assert [turn.session for turn in below.turns] == ["two"]
    by_name = {report.name: report for report in reading.files}
    assert by_name["git:sessions/v1:ab/1/link.jsonl"].status is FileStatus.REFUSED
    assert by_name["git:sessions/v1:ef/3/full.jsonl"].reason == "the same as ab/1/full.jsonl"
    assert not (published.root / "ab").exists()


def test_finds_the_branch_of_the_origin(published: Repo, tmp_path: Path) -> None:
    published.run("clone", "--quiet", str(published.root), str(tmp_path / "clone"))
    repository = open_repository(Repo(tmp_path / "clone"))
    assert len(read_transcripts(["git:sessions/v1"], repository=repository).turns) == 2


def test_a_large_object_is_not_read(published: Repo) -> None:
    reading = read_transcripts(
        ["git:sessions/v1:cd"], repository=open_repository(published), limits=ReadLimits(blob_bytes=9)
    )
    assert [(report.status, report.reason) for report in reading.files] == [
        (FileStatus.NOT_READ, "larger than 9 bytes")
    ]


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


OUTPUT = "5f0c/tool-results/b1.json"


def make_output(root: Path) -> Path:
    """Put a session and a stored output of a tool that looks like one below a directory."""
    write(root, "5f0c.jsonl", user("said"))
    return write(root, OUTPUT, user("not said", sessionId="other"))


def find_output(reading: Reading) -> list[tuple[FileStatus, str]]:
    assert "not said" not in [turn.text for turn in reading.turns]
    reason = "stored output of a tool, not a session"
    return [(report.status, report.name) for report in reading.files if report.reason == reason]


def test_stored_output_of_a_tool_below_a_directory_is_no_session(tmp_path: Path) -> None:
    output = make_output(tmp_path)
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [turn.text for turn in reading.turns] == ["said"]
    assert find_output(reading) == [(FileStatus.FOREIGN, str(output))]


def test_stored_output_of_a_tool_is_refused_if_it_or_its_directory_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = make_output(tmp_path)
    assert find_output(read_transcripts([str(output)], repository=None)) == [(FileStatus.REFUSED, str(output))]
    assert find_output(read_transcripts([str(output.parent)], repository=None)) == [(FileStatus.FOREIGN, str(output))]
    monkeypatch.chdir(output.parent)
    assert find_output(read_transcripts(["b1.json"], repository=None)) == [(FileStatus.REFUSED, "b1.json")]


@pytest.mark.parametrize("separator", ["/", "\\"])
def test_stored_output_of_a_tool_in_a_bundle_is_no_session(tmp_path: Path, separator: str) -> None:
    make_output(tmp_path / "in")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as bundle:
        for name in ("5f0c.jsonl", OUTPUT):
            bundle.writestr(name.replace("/", separator), (tmp_path / "in" / name).read_bytes())
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as packed:
        packed.add(tmp_path / "in", "in")
    for place, member in (("all.zip", OUTPUT.replace("/", separator)), ("all.tar.gz", f"in/{OUTPUT}")):
        reading = read_transcripts([str(tmp_path / place)], repository=None)
        assert [turn.text for turn in reading.turns] == ["said"]
        assert [name.rpartition("!")[2] for _, name in find_output(reading)] == [member]


def test_stored_output_of_a_tool_on_a_branch_is_no_session(repo: Repo) -> None:
    make_output(repo.root)
    repo.commit()
    repository = open_repository(repo)
    for place in ("git:main", "git:main:5f0c/tool-results", f"git:main:{OUTPUT}"):
        reading = read_transcripts([place], repository=repository)
        assert find_output(reading) == [(FileStatus.FOREIGN, f"git:main:{OUTPUT}")]


@pytest.mark.parametrize("name", ["agent-1.jsonl", "agent-1.json", "agent-1.jsonl.gz", "other.jsonl"])
def test_nobody_speaks_in_the_file_of_a_sub_agent_however_it_is_named(tmp_path: Path, name: str) -> None:
    data = dump(user("not said"))
    target = tmp_path / "5f0c" / "subagents" / name
    target.parent.mkdir(parents=True)
    target.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    for place in (tmp_path, target.parent, target):
        reading = read_transcripts([str(place)], repository=None)
        assert reading.turns == ()
