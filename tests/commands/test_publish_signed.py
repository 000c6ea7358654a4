"""`memci publish --commit-mode api`: the forge makes the commit and signs it; the lease and people's rights stay."""

from pathlib import Path

import pytest

from tests.fakes.forge import Fault, Seen
from tests.fakes.forge_github import FakeGitHub
from tests.gate import in_gate
from tests.publish.scenes import PNPM, REVIEWER, TABS, dream_into
from tests.publish.stage import BRANCH, TOMORROW, publish, push_as_person
from tests.repository import Repo, make_repository

API = ("--commit-mode", "api")


def find_committer(forge: FakeGitHub) -> str:
    return forge.git("log", "-1", "--format=%an|%cn", BRANCH)


def test_the_life_of_a_signed_proposal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub
) -> None:
    repo.write("old.md", "x")
    quiet = publish(capsys, repo, dream_into(tmp_path / "quiet", repo), *API)
    assert (quiet.code, quiet.json["result"], forge.writes()) == (0, "none", [])

    first = publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM), *API)
    assert (first.code, first.json["result"], first.json["notes"]) == (0, "created", [])
    assert forge.head(BRANCH) == first.json["commit"]
    assert find_committer(forge) == "github-actions[bot]|GitHub"
    assert "gpgsig" in forge.git("cat-file", "commit", BRANCH)
    assert forge.git("rev-list", "--parents", "-1", BRANCH).split(" ")[1:] == [repo.run("rev-parse", "HEAD")]
    files = forge.git("diff", "--name-only", "main", BRANCH).split("\n")
    assert all(file.startswith(f"{REVIEWER}/") for file in files)
    # What git would have pushed has the same files.
    plain = publish(capsys, repo, dream_into(tmp_path / "plain", repo, PNPM), "--branch", "memci/plain")
    assert forge.git("rev-parse", "memci/plain^{tree}") == forge.git("rev-parse", f"{BRANCH}^{{tree}}")
    assert plain.json["commit"] != first.json["commit"]

    forge.seen.clear()
    again = publish(capsys, repo, dream_into(tmp_path / "again", repo, PNPM, now=TOMORROW), *API)
    assert (again.json["result"], again.json["commit"]) == ("not-updated", first.json["commit"])
    assert forge.writes() == []

    more = publish(capsys, repo, dream_into(tmp_path / "more", repo, PNPM, TABS), *API)
    assert (more.json["result"], forge.head(BRANCH)) == ("updated", more.json["commit"])
    # Either kind of commit is known as memci's by the other mode.
    other = publish(capsys, repo, dream_into(tmp_path / "other", repo, TABS))
    assert (other.json["result"], find_committer(forge)) == ("updated", "memci|memci")
    back = publish(capsys, repo, dream_into(tmp_path / "back", repo, PNPM), *API)
    assert (back.json["result"], find_committer(forge)) == ("updated", "github-actions[bot]|GitHub")

    over = publish(capsys, repo, dream_into(tmp_path / "over", repo), *API)
    assert (over.json["result"], forge.head(BRANCH)) == ("closed", "")


def test_a_signed_commit_is_known_again_without_a_pull_request(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub
) -> None:
    forge.may_open = False
    first = publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM), *API)
    assert (first.code, first.json["result"]) == (4, "fallback")
    forge.may_open = True
    second = publish(capsys, repo, dream_into(tmp_path / "second", repo, PNPM, TABS), *API)
    assert (second.code, second.json["result"], len(forge.pulls)) == (0, "created", 1)


@pytest.mark.slow
def test_commits_of_people_stop_a_signed_proposal_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM), *API)
    theirs = push_as_person(forge, tmp_path)
    second = dream_into(tmp_path / "second", repo, PNPM, TABS)
    done = publish(capsys, repo, second, *API)
    assert (done.code, done.json["result"], forge.head(BRANCH)) == (5, "blocked", theirs)
    assert not any("/git/" in seen.path for seen in forge.writes()[-2:])

    # Amending keeps the message, but neither committer nor signature.
    forge.git("update-ref", f"refs/heads/{BRANCH}", f"{theirs}^")
    clone = make_repository(tmp_path / "amend")
    clone.run("fetch", "--quiet", str(forge.bare), BRANCH)
    clone.run("checkout", "--quiet", "FETCH_HEAD")
    clone.run("commit", "--quiet", "--amend", "--no-edit")
    clone.run("push", "--quiet", "--force", str(forge.bare), f"HEAD:refs/heads/{BRANCH}")
    done = publish(capsys, repo, second, *API)
    assert (done.code, done.json["result"]) == (5, "blocked")


def test_a_commit_that_comes_while_the_forge_signs_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM), *API)
    theirs: list[str] = []

    def intrude(seen: Seen) -> None:
        # The last moment at which somebody can come: git asks for the branches and pushes with what it was told.
        if seen.query.get("service") == "git-receive-pack" and not theirs:
            theirs.append(push_as_person(forge, tmp_path))

    forge.gate = intrude
    done = publish(capsys, repo, dream_into(tmp_path / "second", repo, PNPM, TABS), *API)
    assert done.code == 5
    assert [forge.head(BRANCH)] == theirs


def test_a_token_that_is_not_signed_for_gives_memcis_own_commit_and_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub
) -> None:
    forge.data.signs = False
    done = publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM), *API)
    assert (done.code, done.json["result"], find_committer(forge)) == (3, "created", "memci|memci")
    assert "does not sign" in done.json["notes"][0]
    again = publish(capsys, repo, dream_into(tmp_path / "again", repo, PNPM), *API)
    assert (again.code, again.json["result"]) == (0, "not-updated")


@pytest.mark.parametrize("what", in_gate(["blobs", "trees", "commits"]))
@pytest.mark.parametrize("status", in_gate([403, 404, 409, 422, 502]))
def test_a_refusal_leaves_the_branch_as_it_was(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    repo: Repo,
    forge: FakeGitHub,
    what: str,
    status: int,
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    forge.faults.append(Fault("POST", f"/git/{what}$", status, times=4))
    done = publish(capsys, repo, bundle, *API)
    assert (done.code, forge.head(BRANCH), forge.pulls) == (4, "", [])
    forge.faults.clear()
    assert publish(capsys, repo, bundle, *API).json["result"] == "created"


def test_another_commit_than_was_asked_for_is_not_pushed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    repo: Repo,
    forge: FakeGitHub,
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    honest = forge.data.write
    main = forge.git("rev-parse", "main^{tree}")

    def lie(kind: str, content: bytes) -> str:
        if kind == "commit":
            content = f"tree {main}".encode() + content[content.index(b"\n") :]
        return honest(kind, content)

    forge.data.write = lie  # type: ignore[method-assign]  # a server that does something else than it was asked for
    done = publish(capsys, repo, dream_into(tmp_path / "bundle", repo, PNPM), *API)
    assert (done.code, "another commit" in done.err, forge.head(BRANCH)) == (5, True, "")


@pytest.mark.parametrize("forge", ["gitea", "gitlab"], indirect=True)
def test_only_github_makes_commits(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub
) -> None:
    done = publish(capsys, repo, dream_into(tmp_path / "bundle", repo, PNPM), *API)
    assert (done.code, "--commit-mode git" in done.err, forge.writes()) == (2, True, [])
