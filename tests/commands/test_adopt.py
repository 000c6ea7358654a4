"""`memci adopt`: personal memory of three checkouts of one repository."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.build import topic_text
from tests.commands.own_memory import MEMORY, RELEASE, SECRET, SESSION, TESTS, Person, make_person
from tests.commands.run import Done, memci
from tests.repository import Repo, make_repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository with a topic, a remote and a worktree."""
    repo = make_repository(tmp_path / "shop")
    release = topic_text(f"\n{RELEASE}", name="release-day", description="release on Thursday, never on Friday")
    repo.write(f"{MEMORY}/release_day.md", release)
    repo.write(f"{MEMORY}/MEMORY.md", "# Memory\n\n- [Release day](release_day.md) — on Thursday\n")
    repo.commit()
    repo.run("remote", "add", "origin", "git@github.com:acme/shop.git")
    repo.run("worktree", "add", "--quiet", str(tmp_path / "wt"))
    return repo


@pytest.fixture
def person(home: Path, repo: Repo, tmp_path: Path) -> Iterator[Person]:
    """Yield a person with memory of three checkouts; what they remember must not change."""
    person = make_person(home, repo.root, tmp_path)
    before = person.files()
    yield person
    assert person.files() == before


def run(capsys: pytest.CaptureFixture[str], repo: Repo, *arguments: str) -> Done:
    return memci(capsys, repo.root, "adopt", "--now", "2026-11-16", *arguments)


def status(repo: Repo) -> list[str]:
    return repo.run("status", "--short", "--untracked-files=all").split("\n")


@pytest.mark.usefixtures("person")
def test_a_preview_writes_nothing(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    done = run(capsys, repo, "--diff")
    assert done.code == 0
    assert status(repo) == [""]
    assert "+Run `make unit` before every commit." in done.out
    assert "add --write" in done.out


@pytest.mark.usefixtures("person")
def test_topics_of_all_checkouts_are_adopted_once(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    done = run(capsys, repo, "--write", "--format", "json").json
    assert (done["schema"], done["written"]) == ("memci/adopt/1", True)
    assert [source["topics"] for source in done["sources"]] == [3, 1, 2]
    assert {(one["kind"], Path(one["file"]).name) for one in done["scope"]["operations"]} == {
        ("create", "feedback_tests.md"),
        ("create", "reference_latency.md"),
        ("update", "release_day.md"),
        ("reindex", "MEMORY.md"),
    }
    index = (repo.root / MEMORY / "MEMORY.md").read_text()
    assert index.count("](feedback_tests.md)") == index.count("](reference_latency.md)") == 1
    assert (repo.root / MEMORY / "release_day.md").read_text().endswith("The release notes are written on Wednesday.\n")
    assert (repo.root / MEMORY / "feedback_tests.md").read_text() == TESTS.replace("  node_type: memory\n", "").replace(
        f"  originSessionId: {SESSION}\n  modified: 2026-11-01T10:00:00.000Z\n", ""
    )
    left = status(repo)
    again = run(capsys, repo, "--write", "--format", "json").json
    assert (again["written"], again["scope"]["operations"], status(repo)) == (False, [], left)
    assert memci(capsys, repo.root, "check").code == 0
    assert memci(capsys, repo.root, "undo").code == 0
    assert status(repo) == [""]


@pytest.mark.usefixtures("person")
def test_nothing_private_is_adopted(capsys: pytest.CaptureFixture[str], repo: Repo, home: Path) -> None:
    done = run(capsys, repo, "--write", "--diff")
    written = "".join(path.read_text() for path in (repo.root / MEMORY).rglob("*") if path.is_file())
    for private in (SECRET, SESSION, "Go for ten years", "German", "another project", str(home), ".claude/projects"):
        assert private not in written
    assert SECRET not in done.out
    assert "staging.md: secret finds something in it" in done.out
    assert "user_role.md: about you; --include user_role adopts it" in done.out
    assert "MEMORY.md: 1 line outside of topics" in done.out


@pytest.mark.usefixtures("person")
def test_a_topic_about_the_person_is_adopted_if_it_is_named(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    assert run(capsys, repo, "--write", "--include", "user_role.md").code == 0
    assert "Go for ten years" in (repo.root / MEMORY / "user_role.md").read_text()
    unknown = run(capsys, repo, "--include", "nobody")
    assert (unknown.code, "no topic 'nobody'" in unknown.err) == (2, True)


@pytest.mark.usefixtures("person")
def test_a_secret_stays_even_if_it_is_named(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    done = run(capsys, repo, "--write", "--include", "staging")
    assert "staging.md: secret finds something in it; take that out first" in done.out
    assert not (repo.root / MEMORY / "staging.md").exists()


def test_what_contradicts_the_project_is_asked(
    capsys: pytest.CaptureFixture[str], repo: Repo, person: Person, tmp_path: Path
) -> None:
    repo.write(f"{MEMORY}/rebase.md", topic_text("Always rebase feature branches before merging.", name="rebase"))
    text = topic_text("Never rebase feature branches before merging.", name="merging")
    target = person.remember(tmp_path / "wt", "merging.md", text)
    done = run(capsys, repo, "--format", "json").json
    target.unlink()
    (need,) = done["scope"]["needs_person"]
    mine, theirs = (f'"{word} rebase feature branches before merging."' for word in ("Never", "Always"))
    assert need["reason"] == f"{mine} (merging.md) contradicts {theirs}"


@pytest.mark.usefixtures("person")
def test_a_missing_scope_is_made_only_when_written(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    repo.run("rm", "--quiet", "-r", MEMORY)
    run(capsys, repo)
    assert not (repo.root / MEMORY).is_dir()
    assert run(capsys, repo, "--write").code == 0
    assert "](feedback_tests.md)" in (repo.root / MEMORY / "MEMORY.md").read_text()


@pytest.mark.usefixtures("person")
def test_nothing_is_written_through_a_link(capsys: pytest.CaptureFixture[str], repo: Repo, tmp_path: Path) -> None:
    repo.run("rm", "--quiet", "-r", MEMORY)
    (tmp_path / "outside").mkdir()
    repo.link(MEMORY, tmp_path / "outside")
    assert run(capsys, repo, "--write").code == 5
    assert not list((tmp_path / "outside").iterdir())


def test_without_any_memory_there_is_nothing_to_adopt(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    assert run(capsys, repo).out == "nothing to adopt: you have no memory of this repository\n"


def test_what_the_repository_has_no_more_is_asked(capsys: pytest.CaptureFixture[str], repo: Repo, home: Path) -> None:
    for path in ("src/import.py", "src/old.py", "docs/a.md", "docs/b.md"):
        repo.write(path, f"about {path}\n" * 9)
    repo.commit()
    repo.run("rm", "--quiet", "-r", "src/import.py", "docs")
    repo.rename("src/old.py", "src/new.py")
    gone = repo.commit("drop the import")[:10]
    body = "Run `src/import.py` after `src/old.py:3`, see `docs/`.\nIt was in `src/import.py` once.\nOr `src/new.py`."
    Person(home).remember(repo.root, "imports.md", topic_text(body, name="imports"))
    done = run(capsys, repo, "--format", "json", "--write").json
    assert [need["reason"] for need in done["scope"]["needs_person"]] == [
        f"imports.md:8: this cites src/import.py, which was removed in {gone}",
        f"imports.md:8: this cites src/old.py, which is now src/new.py (renamed in {gone})",
        f"imports.md:8: this cites docs/, which was removed in {gone}",
    ]
    assert run(capsys, repo, "--format", "json").json["scope"]["needs_person"] == []


def test_a_clone_of_a_local_remote_is_found_however_its_path_is_written(
    capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path
) -> None:
    repo = make_repository(tmp_path / "here")
    repo.run("remote", "add", "origin", str(tmp_path / "shop.git"))
    repo.commit()
    clone = make_repository(tmp_path / "there")
    clone.run("remote", "add", "origin", "../here/../shop.git")
    person = Person(home)
    person.remember(clone.root, "tests.md", topic_text("Run the tests twice.", name="tests"))
    person.work_in(clone.root)
    assert "Run the tests twice." in run(capsys, repo).out
