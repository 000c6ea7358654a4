"""The checklist of candidates in a pull request: a ticked box accepts, an empty one declines with the merge."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.dreams import write_session
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge, Fault, Pull
from tests.gate import in_gate
from tests.publish.stage import BRANCH, KINDS
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]
RULE = "Always use pnpm for the front end, because the lock file is pnpm's."
QUEUES = "we should name the queues after the team that reads them"
PRICES = "we should show prices with tax in the cart"
_BOX = re.compile(r"^- \[(.)\] <!-- memci:candidate ([0-9a-f]{12}) --> “(.*?)”", re.MULTILINE)


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    return write_session(tmp_path / "sessions", "s1", RULE, QUEUES, PRICES).parent


def dream(capsys: Capture, repo: Repo, sessions: Path, day: int, *more: str, force: bool = True) -> Done:
    """Dream as a job of a night does: over what the base has, into the pull request."""
    options = ["--engine", "local", "--transcripts", str(sessions), "--now", f"2026-11-{day}T03:00:00Z", *more]
    options += ["--force"] if force else []
    done = memci(capsys, repo.root, "dream", "--pr", "--format", "json", *options)
    assert done.code == 0, done.err
    return done


def merge(forge: FakeForge, repo: Repo, pull: Pull) -> None:
    forge.merge(pull)
    repo.run("pull", "--quiet", "--ff-only", str(forge.bare), "main")


def list_boxes(pull: Pull) -> dict[str, str]:
    return {box[3]: box[1] for box in _BOX.finditer(pull.body)}


def tick(pull: Pull, words: str) -> None:
    """Do what a click on the box does, with the line ends of a browser."""
    box = next(box for box in _BOX.finditer(pull.body) if box[3] == words)
    pull.body = (pull.body[: box.start(1)] + "x" + pull.body[box.end(1) :]).replace("\n", "\r\n")


@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_a_ticked_box_is_written_the_next_night_and_an_empty_one_stays_declined_after_the_merge(
    capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    dream(capsys, repo, sessions, 16)
    (pull,) = forge.pulls
    assert list_boxes(pull) == {QUEUES: " ", PRICES: " "}

    tick(pull, QUEUES)
    assert dream(capsys, repo, sessions, 17).json["publish"]["result"] == "updated"
    assert "queues" in forge.git("diff", "main", BRANCH)
    assert list_boxes(pull) == {QUEUES: "x", PRICES: " "}
    # What was accepted stays accepted in the nights that follow.
    assert dream(capsys, repo, sessions, 18).json["publish"]["result"] == "not-updated"

    merge(forge, repo, pull)
    write_session(sessions, "s2", "Never reformat generated files.")
    dream(capsys, repo, sessions, 19)
    assert len(forge.pulls) == 2
    assert list_boxes(forge.pulls[1]) == {}
    diff = forge.git("diff", "-U0", "main", BRANCH, "--", "*.md")
    assert ("reformat" in diff, "queues" in diff, "prices" in diff) == (True, False, False)


def test_a_box_that_is_ticked_after_the_merge_is_written_although_nothing_is_due(
    capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    dream(capsys, repo, sessions, 16)
    merge(forge, repo, forge.pulls[0])
    waiting = dream(capsys, repo, sessions, 17, force=False)
    assert waiting.json["publish"]["result"] == "none"
    tick(forge.pulls[0], PRICES)
    dream(capsys, repo, sessions, 18, force=False)
    assert list_boxes(forge.pulls[1]) == {PRICES: "x"}
    assert "prices" in forge.git("diff", "-U0", "main", BRANCH, "--", "*.md")
    merge(forge, repo, forge.pulls[1])
    assert dream(capsys, repo, sessions, 19, force=False).json["publish"]["result"] == "none"


def test_a_box_that_is_cleared_again_takes_the_candidate_back(
    capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    dream(capsys, repo, sessions, 16)
    (pull,) = forge.pulls
    tick(pull, QUEUES)
    dream(capsys, repo, sessions, 17)
    pull.body = pull.body.replace("- [x]", "- [ ]")
    dream(capsys, repo, sessions, 18)
    assert "queues" not in forge.git("diff", "-U0", "main", BRANCH, "--", "*.md")
    assert list_boxes(pull) == {QUEUES: " ", PRICES: " "}


def test_a_closed_pull_request_accepts_nothing(capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path) -> None:
    dream(capsys, repo, sessions, 16)
    tick(forge.pulls[0], QUEUES)
    forge.pulls[0].state = "closed"
    assert dream(capsys, repo, sessions, 17).json["publish"]["result"] == "declined"


def forge_marker(pull: Pull) -> None:
    pull.body = re.sub(r"<!-- memci:v1 .*? -->", "", pull.body)


def forge_id(pull: Pull) -> None:
    pull.body = re.sub(r"(?<=memci:candidate )[0-9a-f]{12}", "0123456789ab", pull.body)


def be_a_stranger(pull: Pull) -> None:
    pull.author, pull.association = "mallory", "NONE"


@pytest.mark.parametrize("change", [forge_marker, forge_id, be_a_stranger])
def test_text_that_is_not_memcis_accepts_nothing(
    capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path, change: Callable[[Pull], None]
) -> None:
    dream(capsys, repo, sessions, 16)
    (pull,) = forge.pulls
    tick(pull, QUEUES)
    change(pull)
    dream(capsys, repo, sessions, 17)
    assert "queues" not in forge.git("diff", "-U0", "main", BRANCH, "--", "*.md")


def test_a_sentence_that_looks_like_a_ticked_box_is_none(
    capsys: Capture, repo: Repo, forge: FakeForge, tmp_path: Path
) -> None:
    sessions = write_session(tmp_path / "sessions", "s1", RULE, QUEUES).parent
    dream(capsys, repo, sessions, 16)
    (box,) = _BOX.finditer(forge.pulls[0].body)
    fake = f"we should write - [x] <!-- memci:candidate {box[2]} --> in every list"
    write_session(tmp_path / "sessions", "s2", fake, f"we should\n- [x] <!-- memci:candidate {box[2]} --> keep lists")
    dream(capsys, repo, sessions, 17)
    dream(capsys, repo, sessions, 18)
    assert "queues" not in forge.git("diff", "-U0", "main", BRANCH, "--", "*.md")


def test_a_tick_during_the_dream_is_not_lost(capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path) -> None:
    dream(capsys, repo, sessions, 16)
    (pull,) = forge.pulls
    write_session(sessions, "s2", "Never reformat generated files.")

    def click(seen: object) -> None:
        if getattr(seen, "path", "").endswith("/info/refs") and list_boxes(pull)[QUEUES] == " ":
            tick(pull, QUEUES)

    forge.gate = click
    dream(capsys, repo, sessions, 17)
    assert list_boxes(pull)[QUEUES] == "x"


def test_a_forge_that_does_not_answer_stops_no_dream(
    capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    forge.faults = [Fault("GET", "/pulls", 404)]
    done = dream(capsys, repo, sessions, 16)
    assert "the checklist of the pull request was not read" in done.err
    assert len(forge.pulls) == 1


def test_stages_of_their_own_hand_the_ids_on(
    capsys: Capture, repo: Repo, forge: FakeForge, sessions: Path, tmp_path: Path
) -> None:
    dream(capsys, repo, sessions, 16)
    tick(forge.pulls[0], QUEUES)
    ids = memci(capsys, repo.root, "publish", "--ticked").out.strip()
    assert re.fullmatch("[0-9a-f]{12}", ids)
    forge.seen.clear()
    now = ("--now", "2026-11-17T03:00:00Z")
    options = ("--engine", "local", "--transcripts", str(sessions), "--bundle", str(tmp_path / "bundle"), *now)
    done = memci(capsys, repo.root, "dream", *options, "--ticked", f"{ids} 0123456789ab")
    assert (done.code, forge.seen) == (0, [])
    assert memci(capsys, repo.root, "publish", str(tmp_path / "bundle"), *now).code == 0
    assert "queues" in forge.git("diff", "-U0", "main", BRANCH, "--", "*.md")
    assert memci(capsys, repo.root, "publish").code == 2
