"""The life of the one comment that a review keeps on a pull request, at each kind of forge."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memci.cli import main
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge, Fault, Seen
from tests.fakes.forge_comments import CommentRoutes
from tests.publish.stage import KINDS, run_forge
from tests.repository import Repo
from tests.review.scenes import SCOPE, Scene, build, index, topic

_MARK = "<!-- memci:review -->"
_BODY = "# Deploys\n\n- Deploy on Tuesdays, because support is staffed then.\n- Keep 30 connections open.\n"
_FILES: dict[str, str | bytes] = {"MEMORY.md": index("deploys"), "deploys.md": topic(_BODY)}


@pytest.fixture(params=sorted(KINDS))
def forge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeForge]:
    with run_forge(request.param, tmp_path / "forge", monkeypatch) as made:
        yield made


@pytest.fixture
def comments(request: pytest.FixtureRequest, forge: FakeForge) -> CommentRoutes:
    kind = request.node.callspec.params["forge"]
    if kind == "github":
        return CommentRoutes(forge, kind)
    return CommentRoutes(forge, kind, user="gitea-actions" if kind == "gitea" else "shop-bot", known=kind == "gitlab")


def _change(repo: Repo, body: str) -> None:
    repo.write(f"{SCOPE}/deploys.md", topic(body))
    repo.commit("more")


def _make(tmp_path: Path, forge: FakeForge, body: str) -> Repo:
    after: dict[str, str | bytes] = {**_FILES, "deploys.md": topic(body)}
    repo = build(tmp_path / "work", Scene("a change", _FILES, after))
    repo.run("remote", "add", "origin", forge.url)
    return repo


def _comment(capsys: pytest.CaptureFixture[str], repo: Repo) -> Done:
    return memci(capsys, repo.root, "review", "--base", "main", "--pull", "1", "--comment", "--now", "2026-11-16")


def test_the_life_of_a_comment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeForge, comments: CommentRoutes
) -> None:
    repo = _make(tmp_path, forge, _BODY)
    assert _comment(capsys, repo).code == 0
    assert (comments.written, forge.writes()) == ([], [])

    _change(repo, _BODY.replace("30", "60"))
    assert _comment(capsys, repo).code == 0
    (written,) = comments.written
    assert written.body.startswith(_MARK)
    assert "number-changed" in written.body

    forge.seen.clear()
    assert _comment(capsys, repo).code == 0
    assert (len(comments.written), forge.writes()) == (1, [])
    assert "comment unchanged" in _comment(capsys, repo).err

    _change(repo, _BODY.replace("30", "90"))
    assert _comment(capsys, repo).code == 0
    assert [one.id for one in comments.written] == [written.id]
    assert ">90<" in written.body

    _change(repo, _BODY)
    assert _comment(capsys, repo).code == 0
    assert comments.written == []


def test_the_comments_of_other_people_are_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeForge, comments: CommentRoutes
) -> None:
    repo = _make(tmp_path, forge, _BODY.replace("30", "60"))
    theirs = comments.add("mallory", f"{_MARK}\nall is well")
    _comment(capsys, repo)
    assert [one.author for one in comments.written] == ["mallory", comments.user]
    assert theirs.body == f"{_MARK}\nall is well"
    _change(repo, _BODY)
    _comment(capsys, repo)
    assert comments.written == [theirs]


def test_two_runs_at_once_leave_one_comment(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    forge: FakeForge,
    comments: CommentRoutes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Threads share the working directory, and the later one goes back to where the other one was.
    monkeypatch.chdir(tmp_path)
    repo = _make(tmp_path, forge, _BODY.replace("30", "60"))
    barrier = threading.Barrier(2)
    posts: list[Seen] = []

    def wait(seen: Seen) -> None:
        # Both have looked before either writes.
        if seen.method == "POST" and len(posts) < 2:
            posts.append(seen)
            barrier.wait()

    forge.gate = wait
    arguments = ["-C", str(repo.root), "review", "--base", "main", "--pull", "1", "--comment"]
    codes: list[int] = []
    runs = [threading.Thread(target=lambda: codes.append(main(arguments))) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    capsys.readouterr()
    assert codes == [0, 0]
    assert len(posts) == 2
    assert len(comments.written) == 1


def test_a_token_that_may_not_comment_does_not_cost_the_review(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeForge, comments: CommentRoutes
) -> None:
    repo = _make(tmp_path, forge, _BODY.replace("30", "60"))
    forge.faults.append(Fault("POST", "comments|notes", 403))
    done = _comment(capsys, repo)
    assert (done.code, comments.written) == (3, [])
    assert "not written" in done.err
    assert "30 became 60" in done.out


def test_without_a_pull_request_or_a_token_nothing_is_done(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    forge: FakeForge,
    comments: CommentRoutes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo = _make(tmp_path, forge, _BODY.replace("30", "60"))
    lost = memci(capsys, repo.root, "review", "--base", "main", "--comment")
    assert (lost.code, "--pull" in lost.err) == (2, True)
    monkeypatch.delenv("MEMCI_TOKEN")
    bare = _comment(capsys, repo)
    assert (bare.code, "token" in bare.err, comments.written) == (2, True, [])
