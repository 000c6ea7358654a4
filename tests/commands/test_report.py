"""`memci report` and `dream --report`: the same figures as everywhere else, from real repositories."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memci.errors import Exit
from memci.report.escape import json_text
from memci.report.page.render import Report
from memci.runs.report import ReportRequest, make_report
from memci.runs.scopes import open_scopes
from tests.build import NOW as MOMENT
from tests.build import topic_text
from tests.commands.dreams import CREATED, NOW, SAID, SCOPE, make_shop, read_tree, write_session
from tests.commands.run import memci
from tests.report.pages import Parsed
from tests.repository import Repo, make_repository

Capture = pytest.CaptureFixture[str]


def write_topic(repo: Repo, name: str, body: str, description: str = "what it says") -> None:
    repo.write(f"{SCOPE}/{name}.md", topic_text(body, name=name, description=description))


def report(root: Path, *scopes: str) -> Report:
    request = ReportRequest(tuple(root / scope for scope in scopes), MOMENT)
    return make_report(open_scopes(root, None), request, lambda _: None)


# Nothing to tell.


def test_no_memory_is_said(capsys: Capture, tmp_path: Path) -> None:
    make_repository(tmp_path)
    done = memci(capsys, tmp_path, "report", *NOW)
    assert done.code == Exit.DONE
    assert "No memory here." in done.out
    assert report(tmp_path).scopes == ()


def test_a_directory_without_git_has_no_dates(tmp_path: Path) -> None:
    write_topic(Repo(tmp_path), "a", "Alpha.")
    (scope,) = report(tmp_path).scopes
    assert scope.topics[0].written is None


def test_a_scope_that_does_not_exist_is_bad_usage(capsys: Capture, tmp_path: Path) -> None:
    make_shop(tmp_path)
    assert memci(capsys, tmp_path, "report", "nowhere").code == Exit.USAGE
    assert memci(capsys, tmp_path, "report", "README.md").code == Exit.USAGE


def test_the_memory_is_not_touched(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path)
    before = read_tree(tmp_path)
    memci(capsys, tmp_path, "report", *NOW)
    assert read_tree(tmp_path) == before
    assert repo.run("status", "--porcelain") == ""


# What is told.


def test_the_figures_are_those_of_status(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path)
    write_topic(repo, "b", "See `src/gone.py` and `README.md`.")
    repo.commit()
    (status,) = memci(capsys, tmp_path, "status", "--format", "json", *NOW).json["scopes"]
    (scope,) = report(tmp_path).scopes
    assert json.loads(json_text(scope.status)) == status


def test_a_false_claim_is_dated_by_the_commit_that_broke_it(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    repo.write("src/app.py", "def start():\n    return 1\n")
    repo.write("src/other.py", "x = 1\n")
    write_topic(repo, "a", "The entry is `src/app.py`, beside `src/other.py`.")
    repo.commit(date="2026-08-01T12:00:00Z")
    repo.delete("src/app.py")
    commit = repo.commit(date="2026-09-10T12:00:00Z")
    (scope,) = report(tmp_path).scopes
    (claim,) = scope.false_claims
    assert (str(claim["day"]), claim["commit"], claim["text"]) == ("2026-09-10", commit[:10], "src/app.py")
    assert scope.status.claims["missing"] == 1
    (topic,) = scope.topics
    assert topic.claims == {"missing": 1, "verified": 1}


def test_recall_is_asked_in_the_words_of_each_description(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    write_topic(repo, "ports", "Port 8080.", "which port the service listens on")
    write_topic(repo, "rounding", "Round once.", "how amounts of money are rounded")
    for number in range(6):
        write_topic(repo, f"same{number}", "Same.", "the same words about deploying everywhere")
    repo.commit()
    (scope,) = report(tmp_path).scopes
    ranks = {topic.file: topic.rank for topic in scope.topics}
    assert (ranks["ports.md"], ranks["rounding.md"]) == (1, 1)
    # Of six that say the same a session is given five.
    assert sorted(ranks[f"same{number}.md"] for number in range(6)) == [0, 1, 2, 3, 4, 5]


def test_only_the_named_scope_is_told(tmp_path: Path) -> None:
    repo = make_shop(tmp_path)
    repo.write(".claude/agent-memory/reviewer/a.md", topic_text("Alpha."))
    repo.commit()
    value = report(tmp_path, ".claude/agent-memory/reviewer")
    assert [scope.status.scope.id for scope in value.scopes] == ["agent:reviewer"]


# The file.


def test_the_page_is_written_where_it_was_asked_for(capsys: Capture, tmp_path: Path) -> None:
    make_shop(tmp_path / "shop")
    target = tmp_path / "memory.html"
    done = memci(capsys, tmp_path / "shop", "report", "--out", str(target), *NOW)
    assert done.code == Exit.DONE
    assert target.read_text() == memci(capsys, tmp_path / "shop", "report", *NOW).out
    assert "1 scope, 1 topic, no errors" in Parsed(target.read_text()).text


def test_a_terminal_is_not_filled_with_a_page(tmp_path: Path) -> None:
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "memci", "-C", str(tmp_path), "report"]
    done = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, check=False)
    os.close(terminal)
    os.close(reader)
    assert done.returncode == 2
    assert b"--out memory.html" in done.stderr


def test_a_dream_is_told_with_the_health_it_leaves(capsys: Capture, tmp_path: Path) -> None:
    write_session(tmp_path / "sessions", "s1", SAID)
    make_shop(tmp_path / "shop")
    target = tmp_path / "dream.html"
    arguments = ("--transcripts", str(tmp_path / "sessions"), "--report", str(target))
    done = memci(capsys, tmp_path / "shop", "dream", *NOW, *arguments)
    assert done.code == Exit.DONE
    text = Parsed(target.read_text()).text
    assert "1 learned, 1 tidied; index 4 of 200 lines" in text
    assert "total     1 learned, 1 tidied; index 4 of 200 lines\n" in done.out
    assert "Never mock the database" in text
    assert ", 2026-11-12, session s1" in text
    # The health of what is there now.
    assert CREATED in text
    assert "2 topics" in text


def test_equal_dreams_give_equal_pages(capsys: Capture, tmp_path: Path) -> None:
    write_session(tmp_path / "sessions", "s1", SAID)
    pages = []
    for name in ("one", "two"):
        make_shop(tmp_path / name / "shop")
        arguments = ("--transcripts", str(tmp_path / "sessions"), "--report", str(tmp_path / f"{name}.html"))
        memci(capsys, tmp_path / name / "shop", "dream", *NOW, *arguments)
        pages.append((tmp_path / f"{name}.html").read_bytes())
    assert pages[0] == pages[1]


@pytest.mark.parametrize("arguments", [("--dry-run",), ("--format", "json")])
def test_the_page_does_not_change_what_a_dream_prints(
    capsys: Capture, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    outs = []
    for name, more in (("one", ()), ("two", ("--report", str(tmp_path / "dream.html")))):
        write_session(tmp_path / name / "sessions", "s1", SAID)
        make_shop(tmp_path / name / "shop")
        places = ("--transcripts", str(tmp_path / name / "sessions"))
        out = memci(capsys, tmp_path / name / "shop", "dream", *NOW, *places, *arguments, *more).out
        said = "" if not more else f"report    {tmp_path / 'dream.html'}\n"
        outs.append({**json.loads(out), "timings": {}} if "json" in arguments else out.removesuffix(said))
    assert outs[0] == outs[1]
    assert (tmp_path / "dream.html").exists()


def test_a_dream_whose_page_cannot_be_written_is_done_all_the_same(capsys: Capture, tmp_path: Path) -> None:
    write_session(tmp_path / "sessions", "s1", SAID)
    shop = make_shop(tmp_path / "shop")
    target = tmp_path / ("x" * 300)
    arguments = ("--transcripts", str(tmp_path / "sessions"), "--report", str(target))
    done = memci(capsys, shop.root, "dream", *NOW, *arguments)
    assert done.code == Exit.DEGRADED
    assert "no report was written" in done.err
    assert (shop.root / SCOPE / CREATED).exists()


def test_it_says_what_it_wrote_and_makes_no_directories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_shop(tmp_path / "shop")
    out = tmp_path / "memory.html"
    assert memci(capsys, repo.root, "report", "--out", str(out)).out == f"wrote {out}: 1 scope, 1 topic, no errors\n"
    assert memci(capsys, repo.root, "report", "-q", "--out", str(out)).out == ""
    missing = tmp_path / "mistyped" / "memory.html"
    for command in (("report", "--out"), ("dream", "--report")):
        done = memci(capsys, repo.root, *command, str(missing))
        assert (done.code, "there is no directory" in done.err) == (2, True)
    assert not missing.parent.exists()


@pytest.mark.parametrize(("lines", "tone"), [(159, ""), (160, "warn"), (201, "bad")])
def test_the_budget_warns_where_the_client_begins_to_nag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: int, tone: str
) -> None:
    repo = make_shop(tmp_path / "shop")
    repo.write(f"{SCOPE}/MEMORY.md", "\n" * (lines - 1) + "# End\n")
    page = memci(capsys, repo.root, "report").out
    assert f'<dt>Index now</dt><dd class="{tone}">' in page


@pytest.mark.parametrize(
    ("remote", "form"),
    [
        ("git@github.com:acme/shop.git", "https://github.com/acme/shop/{}blob/{}/.claude/memory/"),
        ("https://gitlab.com/acme/shop.git", "https://gitlab.com/acme/shop/-/{}blob/{}/.claude/memory/"),
        ("https://codeberg.org/acme/shop", "https://codeberg.org/acme/shop/{}src/commit/{}/.claude/memory/"),
        ("/srv/git/shop.git", ""),
    ],
)
def test_files_and_commits_are_linked_at_a_known_forge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], remote: str, form: str
) -> None:
    repo = make_shop(tmp_path / "shop")
    write_topic(repo, "plans", "Plans are in `lib/plans.py`.")
    repo.write("lib/plans.py", "x = 1\n")
    repo.commit("add plans")
    repo.delete("lib/plans.py")
    gone = repo.commit("drop plans")[:10]
    repo.run("remote", "add", "origin", remote)
    page = memci(capsys, repo.root, "report").out
    links = [link for link in re.findall(r'href="([^"]*)"', page) if not link.startswith("#")]
    if not form:
        assert links == []
        return
    base = form.format("", repo.run("rev-parse", "HEAD").strip())
    assert {f"{base}warehouse.md", f"{base}plans.md", f"{base}plans.md#L7"} <= set(links)
    assert any(link.endswith(f"/commit/{gone}") for link in links)


def test_a_page_of_several_scopes_has_a_list_to_jump_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_shop(tmp_path / "shop")
    repo.write(".claude/agent-memory/reviewer/MEMORY.md", "# Memory\n")
    page = memci(capsys, repo.root, "report").out
    assert '<nav class="jump" aria-label="Scopes">' in page
    assert page.count('href="#scope-') == page.count('id="scope-') == 2
