"""`memci adopt --pr`: a person's own memory becomes a pull request, and nothing private with it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memci.publish.bundle import BundleRun
from memci.runs.adopt import AdoptRequest, adopt
from memci.runs.dream import write_proposal
from memci.runs.scopes import open_scopes
from tests.build import NOW
from tests.commands.own_memory import MEMORY, SECRET, SESSION, TESTS, Person, make_person
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge
from tests.publish.stage import push_as_person
from tests.repository import Repo

BRANCH = "memci/adopt"


@pytest.fixture(autouse=True)
def person(home: Path, repo: Repo, tmp_path: Path) -> Iterator[Person]:
    """Yield a person with memory of three checkouts; what they remember must not change."""
    repo.run("worktree", "add", "--quiet", str(tmp_path / "wt"))
    person = make_person(home, repo.root, tmp_path)
    clone = tmp_path / "clone"
    Repo(clone).run("remote", "set-url", "upstream", repo.run("remote", "get-url", "origin"))
    before = person.files()
    yield person
    assert person.files() == before


def adopt_pr(capsys: pytest.CaptureFixture[str], repo: Repo, *arguments: str) -> Done:
    return memci(capsys, repo.root, "adopt", "--pr", "--now", NOW.isoformat(), "--format", "json", *arguments)


def test_becomes_a_pull_request_and_nothing_here_changes(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, home: Path
) -> None:
    done = adopt_pr(capsys, repo, "--label", "memory")
    assert (done.code, done.json["written"], done.json["publish"]["result"]) == (0, False, "created"), done.err
    (pull,) = forge.pulls
    assert (pull.head, pull.labels, pull.title.partition(":")[0]) == (BRANCH, ["memory"], "Adopt memory")
    assert ("— the proposer's own memory" in pull.body, ", session " in pull.body) == (True, False)
    assert repo.run("status", "--porcelain") == ""
    written = forge.git("diff", "main", BRANCH)
    assert all(f"+{line}" in written for line in TESTS.splitlines()[-3:])
    assert {path for path in forge.git("diff", "--name-only", "main", BRANCH).split() if ".memci" in path} == set()
    private = (SECRET, SESSION, "Go for ten years", "user_role", "staging", "German", "another project", str(home))
    everything = written + pull.body + pull.title + forge.git("log", "--format=%B", BRANCH)
    assert [text for text in private if text in everything] == []


def test_a_second_run_is_still_and_so_is_one_after_the_merge(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge
) -> None:
    adopt_pr(capsys, repo)
    forge.seen.clear()
    assert (adopt_pr(capsys, repo).json["publish"]["result"], forge.writes()) == ("not-updated", [])
    forge.merge(forge.pulls[0])
    repo.run("fetch", "--quiet", str(forge.bare), "main")
    repo.run("merge", "--quiet", "FETCH_HEAD")
    merged = adopt_pr(capsys, repo).json
    assert (merged["scope"]["operations"], merged["publish"]["result"]) == ([], "none")


def test_what_people_closed_or_changed_stays(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, tmp_path: Path
) -> None:
    adopt_pr(capsys, repo)
    push_as_person(forge, tmp_path, BRANCH)
    blocked = adopt_pr(capsys, repo)
    assert (blocked.code, blocked.json["publish"]["result"]) == (5, "blocked")


def test_a_first_memory_can_be_proposed(capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge) -> None:
    repo.run("rm", "--quiet", "-r", ".claude")
    repo.commit()
    repo.run("push", "--quiet", str(forge.bare), "main")
    done = adopt_pr(capsys, repo)
    assert done.json["publish"]["result"] == "created", done.err
    assert f"{MEMORY}/MEMORY.md" in forge.git("diff", "--name-only", "main", BRANCH)


def test_a_bundle_cannot_say_that_somebody_remembers_it(
    capsys: pytest.CaptureFixture[str], repo: Repo, tmp_path: Path
) -> None:
    found = open_scopes(repo.root, None)
    plan = adopt(found, AdoptRequest(None, (), write=False, now=NOW), os.environ, lambda _: None).plan
    write_proposal(tmp_path / "bundle", found.workspace, (plan,), {}, BundleRun("", NOW, "local"))
    done = memci(capsys, repo.root, "publish", "--validate", str(tmp_path / "bundle"), "--now", NOW.isoformat())
    assert (done.code, "refused by the guard" in done.err) == (5, True), done.err


def test_wrong_options_are_refused(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    assert adopt_pr(capsys, repo, "--write").code == 2
    alone = memci(capsys, repo.root, "adopt", "--label", "memory")
    assert (alone.code, "add --pr" in alone.err) == (2, True)
