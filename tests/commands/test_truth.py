"""What `memci check` says about citations: with --since, with --explain, in its totals."""

from pathlib import Path

import pytest

from memci.errors import Exit
from tests.build import BODY_LINE, topic_text
from tests.commands.run import check, memci
from tests.repository import Repo, make_repository

TOPIC = ".claude/memory/a.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Return a repository whose memory cites two files, one of which was renamed later."""
    repo = make_repository(tmp_path)
    repo.write("src/auth/login.py", "def login(user):\n    return user.check()\n")
    repo.write("src/tax.py", "def compute_tax(order):\n    return order * 2\n")
    repo.write(TOPIC, topic_text("Login is in `src/auth/login.py`.\nTaxes are in `src/tax.py`.", name="a"))
    repo.write(".claude/memory/MEMORY.md", "- [A](a.md) — about it\n")
    repo.commit("first", date="2026-09-01T12:00:00Z")
    repo.rename("src/auth/login.py", "src/accounts/login.py")
    repo.commit("accounts get a package", date="2026-10-10T12:00:00Z")
    return repo


def test_totals_by_verdict_and_reason_are_in_the_output(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(TOPIC, (repo.root / TOPIC).read_text() + "We plan to add `src/new.py`. See `src/never.py`.\n")
    repo.commit("more", date="2026-10-11T12:00:00Z")
    done = check(capsys, repo.root)
    assert done.json["claims"] == {
        "verified": 1,
        "moved": 1,
        "missing": 0,
        "unverifiable": 2,
        "reasons": {"planned": 1, "never existed": 1},
    }
    text = memci(capsys, repo.root, "check").out
    assert "4 claims: 1 verified, 1 moved, 2 unverifiable" in " ".join(text.split())


def test_a_rename_names_the_commit_and_is_repaired_once(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = check(capsys, repo.root).json["findings"]
    assert (finding["rule"], finding["line"]) == ("path-moved", BODY_LINE)
    assert finding["message"].startswith("src/auth/login.py is now src/accounts/login.py: moved in ")
    assert finding["message"].endswith(" on 2026-10-10 (accounts get a package)")
    assert check(capsys, repo.root, "--fix").json["summary"]["fixed"] == 1
    assert "Login is in `src/accounts/login.py`.\n" in (repo.root / TOPIC).read_text()
    assert check(capsys, repo.root, "--fix").json["summary"]["fixed"] == 0


def test_since_leaves_out_what_was_stale_before(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(TOPIC, (repo.root / TOPIC).read_text() + "Another line.\n")
    assert check(capsys, repo.root, "--since", "HEAD").findings == []


def test_since_reports_what_the_change_breaks(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    base = repo.run("rev-parse", "HEAD")
    repo.delete("src/tax.py")
    repo.commit("taxes are gone", date="2026-11-01T12:00:00Z")
    assert check(capsys, repo.root, "--since", base).findings == [("path-missing", TOPIC, BODY_LINE + 1)]


def test_since_reports_invented_paths_on_new_lines_only(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    old = (repo.root / TOPIC).read_text()
    repo.write(TOPIC, old + "Fees are in `src/fees.py`; `HashMap` is a type.\n")
    (finding,) = check(capsys, repo.root, "--since", "HEAD").json["findings"]
    assert (finding["rule"], finding["line"]) == ("path-missing", BODY_LINE + 2)
    assert finding["message"] == "src/fees.py does not exist and never did"
    assert [rule for rule, _, _ in check(capsys, repo.root).findings] == ["path-moved"]


def test_explain_shows_the_chain_of_evidence(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, repo.root, "check", "--explain", f"{TOPIC}:{BODY_LINE}")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == f"src/auth/login.py  (path at {TOPIC}:{BODY_LINE}:14)"
    assert lines[1] == "  holds now  no"
    assert lines[2].startswith("  written    ")
    assert lines[2].endswith(" on 2026-09-01")
    assert lines[3] == "  held then  src/auth/login.py"
    assert lines[4].endswith(" on 2026-10-10 (accounts get a package)")
    assert lines[5] == "  verdict    moved to src/accounts/login.py; git or equal lines prove it"


def test_explain_says_when_a_line_claims_nothing(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, repo.root, "check", "--explain", f"{TOPIC}:2")
    assert done.out == f"{TOPIC}:2: this line says nothing about the repository that could be checked\n"


@pytest.mark.parametrize("place", ["x", "x:", ":3", f"{TOPIC}:y", "nowhere.md:3", "src/tax.py:1"])
def test_explain_refuses_what_is_no_line_of_memory(repo: Repo, capsys: pytest.CaptureFixture[str], place: str) -> None:
    assert memci(capsys, repo.root, "check", "--explain", place).code == Exit.USAGE
