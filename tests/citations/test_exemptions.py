"""Which things that are gone are left alone, because of the text around them or of when they went."""

from pathlib import Path

import pytest

from tests.citations.scripted import SCOPE, Files, Moved, Told, begin, tell

GONE = "The parser is `src/core/parser.py`."
PARSER = "def parse_rows(data):\n    return data.split()\n"
BEFORE: Files = {"src/core/parser.py": PARSER, "src/core/kept.py": "def keep_rows():\n    return 1\n"}
AFTER: Files = {"src/core/parser.py": None}
LONG = "It reads the rows one after the other and hands them on to whoever asks for them. " * 4


def find_rules(body: str) -> list[str]:
    """Return the rules that speak of a topic that cites the parser after it is gone."""
    return [one.rule for one in tell(BEFORE, [body], AFTER)[body]]


@pytest.mark.parametrize(
    "body",
    [
        # A story, by its length, in a paragraph and in an item.
        f"Rows go through `parse_rows()` first. {LONG}",
        f"- Rows go through `parse_rows()` first. {LONG}",
        f"Rows go through `parser.py` first. {LONG}",
        # A day anywhere in a topic.
        f"{GONE}\n\nMeasured again on 2026-03-02.",
        # As long as only minutes of work are.
        f"{GONE}\n\n" + f"- {LONG[:120]}\n" * 60,
        # What was done to a file.
        "- `src/core/parser.py` — updated to the new names",
        "- `src/core/parser.py` — added DR-4",
        "- `src/core/parser.py`: added the check for empty rows",
        # What is to be made.
        f"## Rows\n\n{GONE}\n\n## What NOT to ship in v1\n\n- Columns",
        f"## Rows\n\n{GONE}\n\n## Non-goals\n\n- Columns",
        f"## Queued next\n\n- {GONE}",
        # Files of others.
        "It is copied to `src/core/parser.py` in target repos.",
        "It is copied to `src/core/parser.py` in the other projects.",
    ],
)
def test_leaves_records_of_work_alone(body: str) -> None:
    assert find_rules(body) == []


@pytest.mark.parametrize(
    "body",
    [
        GONE,
        # A path that is written out is no part of the story.
        f"Rows go through `src/core/parser.py` first. {LONG}",
        # Neither are fences and tables.
        f"```\nrun src/core/parser.py\n{LONG}\n```\n\n{GONE}",
        f"| step | file | why |\n|---|---|---|\n| 1 | `parse_rows()` | {LONG} |",
        "- `src/core/parser.py` — updated by `src/core/kept.py` at each start",
        "- `src/core/parser.py` — created on demand",
        f"## Rows\n\n{GONE}\n\n## Scope\n\n- Rows",
        "`src/core/parser.py` is the same in other projects.",
    ],
)
def test_reports_what_is_said_to_be_there(body: str) -> None:
    assert len(find_rules(body)) == 1


@pytest.mark.parametrize(("hours", "found"), [(3, 0), (23, 0), (25, 1), (24 * 30, 1)])
def test_what_went_within_a_day_was_in_work(tmp_path: Path, hours: int, found: int) -> None:
    scripted = begin(tmp_path)
    topic = scripted.remember(GONE)
    scripted.repo.write("src/core/parser.py", PARSER)
    scripted.repo.commit("begin", "2026-10-01T00:00:00Z")
    (tmp_path / "src/core/parser.py").unlink()
    scripted.repo.commit("end", f"2026-10-{1 + hours // 24:02}T{hours % 24:02}:00:00Z")
    assert len(scripted.truth(topic)) == found


def test_an_index_is_kept_up_whatever_the_day_brings(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    scripted.repo.write(f"{SCOPE}/MEMORY.md", f"# Parser, as of 2026-09-30\n\n{GONE}\n\n" + f"- {LONG[:120]}\n" * 60)
    scripted.repo.write("src/core/parser.py", PARSER)
    scripted.repo.commit("begin", "2026-10-01T00:00:00Z")
    (tmp_path / "src/core/parser.py").unlink()
    scripted.repo.commit("end", "2026-10-01T03:00:00Z")
    assert [one.rule for one in scripted.truth()] == ["path-missing"]


def test_the_frontmatter_is_no_part_of_a_statement(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    topic = scripted.remember("Text.")
    scripted.repo.write(topic, f"---\nname: rows\ndescription: {LONG}\ntype: project\n---\nCall `parse_rows()`.\n")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    assert [one.rule for one in scripted.truth(topic)] == ["symbol-missing"]


def cite(count: int) -> str:
    return "\n".join(f"- `app/part_{number}/main.py` is part {number}" for number in range(count))


@pytest.mark.parametrize(("gone", "kept", "found"), [(6, 3, 0), (9, 5, 0), (5, 0, 5), (6, 4, 6)])
def test_a_topic_most_of_whose_things_are_gone_is_about_something_else(gone: int, kept: int, found: int) -> None:
    body = cite(gone + kept)
    files: Files = {f"app/part_{number}/main.py": f"x = {number}\n" for number in range(gone + kept)}
    after: Files = {f"app/part_{number}/main.py": None for number in range(gone)}
    told: list[Told] = tell(files, [body], after)[body]
    assert len(told) == found


@pytest.mark.parametrize(("path", "found"), [("migrations/0002_rows.py", 0), ("src/core/rows.py", 1)])
def test_a_migration_is_named_for_the_step_that_it_was(path: str, found: int) -> None:
    body = "`AddRows` adds the column of rows."
    told = tell({path: "class AddRows:\n    pass\n"}, [body], {path: None})
    assert len(told[body]) == found


@pytest.mark.parametrize(("length", "found"), [(400, 1), (700, 0)])
def test_entries_of_an_index_may_be_longer_than_paragraphs(tmp_path: Path, length: int, found: int) -> None:
    scripted = begin(tmp_path)
    entry = f"- Rows go through `parse_rows()` first. {LONG * 3}"[:length]
    scripted.repo.write(f"{SCOPE}/MEMORY.md", f"{entry}.\n")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    assert len(scripted.truth()) == found


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("Rows (2026-02-25)", 0),
        ("Rows, Feb 25, 2026", 0),
        ("Review of rows, Feb 2026", 0),
        ("Rows (added Feb 2026)", 1),
        ("Rows, since 2026-02", 1),
    ],
)
def test_a_month_above_entries_of_an_index_says_since_when_they_hold(tmp_path: Path, heading: str, found: int) -> None:
    scripted = begin(tmp_path)
    scripted.repo.write(f"{SCOPE}/MEMORY.md", f"## {heading}\n\n- Rows go through `parse_rows()`\n")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    assert len(scripted.truth()) == found


@pytest.mark.parametrize(("ignored", "found"), [("docs/schema/*.md\n", 0), ("docs/schema/a.md\n", 1), ("", 1)])
@pytest.mark.parametrize("cited", ["docs/schema/", "docs/schema/b.md", "schema/b.md"])
def test_what_git_ignores_since_is_made_by_a_program(cited: str, ignored: str, found: int) -> None:
    body = f"The tables are in `{cited}`."
    before: Files = {"docs/schema/a.md": "# a\n", "docs/schema/b.md": "# b\n"}
    told = tell(before, [body], dict.fromkeys(before) | {".gitignore": ignored})
    assert len(told[body]) == found


@pytest.mark.parametrize(("new", "found"), [("log/events-20260408-2317.jsonl", 0), ("log/events-old.jsonl", 1)])
def test_a_file_that_was_put_away_with_a_date_is_written_anew(new: str, found: int) -> None:
    body = "Events go to `log/events.jsonl`."
    told = tell({"log/events.jsonl": "{}\n" * 20}, [body], {new: Moved("log/events.jsonl")})
    assert len(told[body]) == found


@pytest.mark.parametrize(("heading", "found"), [("Known issues", 0), ("Bugs", 0), ("Parts", 1)])
def test_lines_of_faults_are_left_alone_because_the_fault_may_be_mended(heading: str, found: int) -> None:
    body = f"## {heading}\n\n- `src/core/parser.py:1` `parse_rows` splits every row"
    told = tell(BEFORE, [body], {"src/core/parser.py": "import csv\n\n\n" + PARSER})
    assert len(told[body]) == found
