"""Which things that are gone are left alone, because of the text around them or of when they went."""

from pathlib import Path

import pytest

from tests.drift.scripted import SCOPE, Files, Told, begin, tell

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
