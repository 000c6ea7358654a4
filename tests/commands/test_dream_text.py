"""What `memci dream` prints about the example on a terminal: the summary first, in the groups of a pull request."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from tests.commands.run import Done, memci
from tests.report.pages import Parsed
from tests.report.test_terminal_output import run as run_on_terminal

EXAMPLE = Path(__file__).parents[2] / "examples" / "shop"
# In this order.
GROUPS = ["ask", "learned", "corrected", "tidied"]


def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Done:
    shop = tmp_path / "shop"
    subprocess.run([sys.executable, str(EXAMPLE / "build.py"), str(shop)], check=True, capture_output=True)
    common = ("--engine", "local", "--force", "--dry-run", "--transcripts", str(EXAMPLE / "transcripts"))
    done = memci(capsys, shop, "dream", *common, "--now", "2026-11-16T03:00:00Z", *options)
    assert done.code == 0, done.err
    return done


def test_the_summary_comes_first_and_is_grouped_as_in_the_pull_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = dream(tmp_path, capsys).out.split("\n")
    assert re.match(r"total +4 learned, 4 corrected, 4 tidied, 3 questions; ", lines[0])
    kinds = [line.split()[0] for line in lines if re.match(r"  \w", line)]
    assert list(dict.fromkeys(kinds)) == GROUPS
    assert kinds == sorted(kinds, key=GROUPS.index)


def test_the_difference_is_shown_when_asked_for_and_below_the_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "\n+++ b/" not in dream(tmp_path / "short", capsys).out
    out = dream(tmp_path / "long", capsys, "--diff").out
    assert 0 < out.index("total ") + 1 < out.index("\n--- a/") < out.index("\n+++ b/")


def test_page_and_job_summary_have_the_text_of_the_pull_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = dream(tmp_path / "a", capsys).out.split("\n")
    said = [line.partition(": ")[2] for line in told if line.startswith(("  learned", "  corrected"))]
    assert len(said) == 8
    summary = dream(tmp_path / "b", capsys, "--format", "json").json["text"]
    assert summary.startswith("**4 learned, 4 corrected, 4 tidied; 3 questions for you.**")
    target = tmp_path / "page.html"
    dream(tmp_path / "c", capsys, "--report", str(target))
    page = Parsed(target.read_text()).text
    assert all(title in page for title in ("Questions for you", "Learned", "Corrected", "Tidied"))
    plain = unescape(re.sub(r"<[^<>]*>", "", summary))
    assert [
        line for line in said if (words := line.replace("`", "")) not in plain or words not in page.replace("`", "")
    ] == []


def test_the_phases_are_named_on_a_terminal_as_they_begin(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    subprocess.run([sys.executable, str(EXAMPLE / "build.py"), str(shop)], check=True, capture_output=True)
    arguments = ["-C", str(shop), "dream", "--engine", "local", "--force", "--dry-run"]
    code = f"from memci.report import output; output.QUIET_SECONDS = 0; from memci.cli import main; main({arguments!r})"
    steps = re.findall(r"\r\x1b\[K(\w+): .*? …", run_on_terminal([sys.executable, "-c", code]))
    assert list(dict.fromkeys(steps)) == ["orient", "gather", "consolidate", "prune", "done"]
