"""The text of the first pull request for the example: what a reviewer sees, and where it stands."""

import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from tests.commands.run import memci
from tests.fakes.forge import FakeForge
from tests.publish.stage import BRANCH, run_forge

EXAMPLE = Path(__file__).parents[2] / "examples" / "shop"
GROUPS = ("Learned", "Corrected", "Removed", "Tidied")
# One dream is enough for all tests of a worker: they only read.
_KEPT: dict[str, str] = {}


@pytest.fixture
def body(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the text, with the address of the forge that wrote it replaced."""
    if not _KEPT:
        with run_forge("github", tmp_path / "forge", monkeypatch) as forge:
            _KEPT["body"] = propose(tmp_path / "shop", forge, capsys).replace(forge.web, "https://forge.example")
    return _KEPT["body"]


def propose(shop: Path, forge: FakeForge, capsys: pytest.CaptureFixture[str]) -> str:
    subprocess.run([sys.executable, str(EXAMPLE / "build.py"), str(shop)], check=True, capture_output=True)
    shutil.copytree(shop / ".git" / "objects", forge.bare / "objects", dirs_exist_ok=True)
    shutil.copyfile(shop / ".git/refs/heads/main", forge.bare / "refs/heads/main")
    subprocess.run(["git", "-C", str(shop), "remote", "add", "origin", forge.url], check=True)
    options = ("--engine", "local", "--force", "--transcripts", str(EXAMPLE / "transcripts"))
    done = memci(capsys, shop, "dream", "--pr", *options, "--now", "2026-11-16T03:00:00Z")
    assert done.code == 0, done.err
    (pull,) = forge.pulls
    return pull.body


def list_entries(body: str, group: str) -> list[str]:
    """Return the entries below a heading, as they are written."""
    _, _, rest = body.partition(f"<h3>{group} (")
    return re.findall(r"^<li>(.*)</li>$", rest.partition("</ul>")[0], re.MULTILINE)


def strip_tags(text: str) -> str:
    return unescape(re.sub(r"<[^<>]*>", "", text))


def test_the_headline_adds_up(body: str) -> None:
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", body.partition("\n")[0])}
    found = {group.lower(): len(list_entries(body, group)) for group in GROUPS}
    assert {name: number for name, number in found.items() if number} == {
        name: number for name, number in counts.items() if name in found
    }
    asked = body.partition("<h3>Questions for you</h3>")[2].partition("</ul>")[0]
    assert counts["questions"] == asked.count("<li>") > 0


def test_questions_come_first_with_the_line_and_an_answer(body: str) -> None:
    headings = re.findall(r"<h3>(\w+)", body)
    assert headings[0] == "Questions"
    assert headings[1:4] == ["Learned", "Corrected", "Tidied"]
    asked = strip_tags(body.partition("<h3>Learned")[0])
    assert "It says: Merge freeze until 2026-11-09" in asked
    assert "say what holds now, reword it as history, or remove it" in asked


def test_a_correction_is_a_plain_sentence_with_what_was_there(body: str) -> None:
    told = [strip_tags(entry) for entry in list_entries(body, "Corrected")]
    (moved,) = [entry for entry in told if entry.startswith("Messages of the payment provider")]
    assert moved.startswith("Messages of the payment provider are handled in shop/payments/notifications.py. — ")
    assert "was: Messages of the payment provider are handled in shop/payments/webhook.py." in moved
    assert not any(entry.endswith("found") for entry in told)


def test_what_was_said_is_quoted_with_person_day_and_session(body: str) -> None:
    (said,) = [entry for entry in map(strip_tags, list_entries(body, "Learned")) if "round once" in entry]
    assert re.search(r"“always round once, .*” — Mara Lind, 2026-11-09, session 20261109$", said)


def test_files_and_commits_are_links(body: str) -> None:
    for group in GROUPS:
        for entry in list_entries(body, group):
            # A file that leaves is only in the base.
            assert re.search(
                rf'<a href="https://forge.example/acme/shop/blob/({BRANCH}|[0-9a-f]{{40}})/.claude/', entry
            )
    (moved,) = [entry for entry in list_entries(body, "Corrected") if "notifications.py" in entry]
    assert '<a href="https://forge.example/acme/shop/commit/44fa41e1e7">44fa41e1e7</a>' in moved


def test_nothing_is_in_a_table_that_the_forge_would_cut(body: str) -> None:
    assert "<table" not in body
    assert "\n|" not in body


def test_only_code_is_in_code_font(body: str) -> None:
    prose = [text for text in re.findall(r"<code>(.*?)</code>", body) if unescape(text).count(" ") > 3]
    assert prose == []


def test_candidates_can_be_ticked(body: str) -> None:
    boxes = re.findall(r"^- \[ \] <!-- memci:candidate [0-9a-f]{12} --> “", body, re.MULTILINE)
    assert len(boxes) == int(re.findall(r"<h3>Candidates \((\d+)\)", body)[0]) > 0
    assert "the next dream writes it" in body


def test_a_retired_line_has_its_own_reason(body: str) -> None:
    gone = strip_tags(body.partition("Lines that leave")[2])
    (pointer,) = [row for row in gone.split("\n") if "one subject each" in row]
    assert "says only what feedback_diff_scope.md says" in pointer
    assert "moves content of the index" not in pointer


def test_the_first_pull_request_explains_itself(body: str) -> None:
    assert "This is memci's first proposal for this repository" in body
    assert "Close it to decline it" in body
