import json
import shutil
from pathlib import Path

import pytest

from tests.commands.run import memci
from tests.use.year import MEMORY, build_year

NIGHT = ("--engine", "local", "--force", "--now", "2027-01-04T03:00:00Z")


@pytest.fixture(name="model", scope="module")
def fixture_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("year")
    build_year(root)
    return root


@pytest.fixture(name="year")
def fixture_year(model: Path, tmp_path: Path) -> Path:
    return shutil.copytree(model, tmp_path / "year", symlinks=True)


def dream(year: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    """Dream over the sessions of the year and return what became of the only scope."""
    where = ("--transcripts", str(year / "sessions"), "--format", "json")
    (scope,) = memci(capsys, year / "shop", "dream", *(options or NIGHT), *where).json["scopes"]
    assert isinstance(scope, dict)
    return scope


def list_asked(scope: dict[str, object]) -> dict[str, list[str]]:
    """Return the quotations of each question, by the file that it is about."""
    needs = scope["needs_person"]
    assert isinstance(needs, list)
    return {str(Path(need["file"]).name): [proof["quote"] for proof in need["evidence"]] for need in needs}


def test_finds_the_two_disobeyed_rules_and_the_invented_topic_and_nothing_else(
    year: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list_asked(dream(year, capsys)) == {
        "package-manager.md": ["No, use pnpm in every package, never npm.", "no, pnpm in every package, never npm!"],
        "CLAUDE.md": [
            "no: never run git push --force on a shared branch",
            "never run `git push --force` on a shared branch!",
        ],
        "emoji.md": ["let us go on with the basket page, ticket 20, in the usual way"],
    }


def test_what_memory_says_already_is_not_offered(year: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dream(year, capsys)["offered"] == []


def test_a_question_is_shown_with_what_it_proposes(year: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = memci(capsys, year / "shop", "dream", *NIGHT, "--transcripts", str(year / "sessions")).out
    assert "in .claude/settings.json: {" in out
    assert "Bash(git push --force:*)" in " ".join(out.split())


def test_counts_the_sessions_of_each_topic(year: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dream(year, capsys)
    state = json.loads((year / "shop" / MEMORY / ".memci.json").read_text())
    assert state["use"] == {
        # Committed in week 27, so that 24 sessions had them in their index; a session wrote each of them.
        "answers.md": {"loaded": 24, "edited": 1, "last": "2026-07-06"},
        "changelog.md": {"loaded": 24, "edited": 1, "last": "2026-06-08"},
        "emoji.md": {"loaded": 24, "edited": 1, "last": "2026-05-25"},
        "ports.md": {"loaded": 24, "edited": 1, "last": "2026-06-22"},
        "checkout-tests.md": {"loaded": 52, "opened": 3, "last": "2026-10-26"},
        "commit-size.md": {"loaded": 52},
        "package-manager.md": {"loaded": 52},
        "real-database.md": {"loaded": 45, "opened": 1, "last": "2026-10-19"},
        "release-day.md": {"loaded": 52, "opened": 4, "edited": 1, "last": "2026-10-12"},
        # Reading it failed.
        "stock-import.md": {"loaded": 52},
    }
    months = state["use_by_month"]
    assert (len(months), sum(sessions for sessions, _ in months.values())) == (12, 52)
    assert months["2026-10"] == [4, 3]
    assert {key.partition("#")[0]: len(found) for key, found in state["repeated"].items()} == {
        "CLAUDE.md": 2,
        "package-manager.md": 2,
        "real-database.md": 1,
    }


def test_a_session_is_counted_once_and_a_question_asked_once(year: Path, capsys: pytest.CaptureFixture[str]) -> None:
    use = dream(year, capsys)["use"]
    again = dream(year, capsys)
    assert (again["status"], again["needs_person"], again["use"]) == ("unchanged", [], use)
    # A copy of the session under another name has the same records.
    old = year / "sessions" / "00000028-0000-4000-8000-000000000000.jsonl"
    shutil.copy(old, old.with_name("copy.jsonl"))
    new = old.read_text().replace("00000028-", "000000ff-").replace("2026-10-12", "2027-01-11")
    old.with_name("000000ff-0000-4000-8000-000000000000.jsonl").write_text(new)
    later = dream(year, capsys, "--engine", "local", "--force", "--now", "2027-01-12T03:00:00Z")
    assert isinstance(later["use"], dict)
    opened = {"loaded": 53, "cut": 0, "opened": 5, "edited": 2, "last": "2027-01-11"}
    assert later["use"]["topics"]["release-day.md"] == opened


def test_a_third_time_is_asked_about_with_all_times_counted(year: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dream(year, capsys)
    old = next((year / "sessions").glob("00000009-*"))
    new = old.read_text().replace("00000009-", "000000fe-").replace("2026-03-09", "2027-01-11")
    old.with_name("000000fe-0000-4000-8000-000000000000.jsonl").write_text(new)
    # The first two are known from the state alone.
    for path in (year / "sessions").glob("000000[01]*"):
        path.unlink()
    asked = dream(year, capsys, "--engine", "local", "--force", "--now", "2027-01-12T03:00:00Z")["needs_person"]
    assert isinstance(asked, list)
    assert [need["reason"].partition(" although")[0] for need in asked] == [
        "package-manager.md:7: people had to say this again in 3 sessions"
    ]


def test_is_shown_in_status_report_and_pull_request(year: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--transcripts", str(year / "sessions"), "--format", "json", "--dry-run")
    text = memci(capsys, year / "shop", "dream", *NIGHT, *where).json["text"]
    assert isinstance(text, str)
    section = text.partition("<h3>Does memory work?</h3>")[2].partition("</ul>")[0]
    assert section.count("<li>") == 2
    assert "<code>package-manager.md</code> (2 times)" in section
    dream(year, capsys)
    status = memci(capsys, year / "shop", "status", "--now", "2027-01-05").out
    assert (
        "  use       7 of 10 topics opened or edited in a session; never: commit-size.md, package-manager.md, "
        in status
    )
    assert (
        '  again     people had to repeat CLAUDE.md "Never run `git push --force` on a shared branch." (2 times), '
        'package-manager.md "Use pnpm in every package, never npm." (2 times)\n'
    ) in status
    page = memci(capsys, year / "shop", "report", "--now", "2027-01-05").out
    assert "Topics by their use in sessions" in page
    assert "Not obeyed: 2 files" in page
    assert "people had to say &#34;Use pnpm in every package, never npm.&#34; again 2 times" in page
    assert "Never used: 3 files" in page
    assert ">12 of 52 sessions from 2026-01 to 2026-12 opened or edited a topic</desc>" in page
    # Numbers for everybody who does not see the drawing; weeks 0 to 3 of the year, none of which used a topic.
    assert '<tr><th scope="row">2026-01</th><td>4</td><td>0</td></tr>' in page
