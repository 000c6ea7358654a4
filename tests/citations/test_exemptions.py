"""Which things that are gone are left alone, because of the text around them or of when they went."""

from pathlib import Path

import pytest

from tests.citations.scripted import Files, Moved, begin, run_check, tell

GONE = "The parser is `src/core/parser.py`."
PARSER = "def parse_rows(data):\n    return data.split()\n"
BEFORE: Files = {"src/core/parser.py": PARSER, "src/core/kept.py": "def keep_rows():\n    return 1\n"}
AFTER: Files = {"src/core/parser.py": None}
LONG = "It reads the rows one after the other and hands them on to whoever asks for them. " * 4


def find_severities(body: str) -> list[str]:
    """Return the severity of what is reported about a topic that cites the parser after it is gone."""
    return [one.severity for one in tell(BEFORE, [body], AFTER, severities=("info", "warning"))[body]]


@pytest.mark.parametrize(
    "body",
    [
        "- `src/core/parser.py`: removed in May",
        # What is to be made.
        f"## Queued next\n\n- {GONE}",
        # Files of others.
        "It is copied to `src/core/parser.py` in target repos.",
        "It is copied to `src/core/parser.py` in the other projects.",
    ],
)
def test_is_silent_where_the_line_itself_is_about_something_else(body: str) -> None:
    assert find_severities(body) == []


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        (f"## Phase 2\n\n{GONE}", "the heading above it names a piece of work"),
        (f"## PROJ-12 rows\n\n{GONE}", "the heading above it names a piece of work"),
        ("- `src/core/parser.py` — updated to the new names", "its sentence describes a change"),
        ("Rows failed in `src/core/parser.py`.", "its sentence describes a change"),
        # A participle without a verb may tell what happened or what happens.
        ("- `src/core/parser.py` — updated by `src/core/kept.py` at each start", "its sentence describes a change"),
        ("- `src/core/parser.py` — created on demand", "its sentence describes a change"),
    ],
)
def test_informs_where_the_words_may_describe_the_past(body: str, condition: str) -> None:
    (told,) = tell(BEFORE, [body], AFTER, severities=("info", "warning"))[body]
    assert told.severity == "info"
    assert told.message.endswith(f"(may describe the past: {condition})")


@pytest.mark.parametrize(
    "body",
    [
        GONE,
        # Neither the length of a text nor a date in it says that it is about the past.
        f"Rows go through `parse_rows()` first. {LONG}",
        f"- Rows go through `parser.py` first. {LONG}",
        f"{GONE}\n\nMeasured again on 2026-03-02.",
        f"{GONE}\n\n" + f"- {LONG[:120]}\n" * 60,
        f"## Rows\n\n{GONE}\n\n## Scope\n\n- Rows",
        f"## Rows (2026-02-25)\n\n{GONE}",
        "`src/core/parser.py` is the same in other projects.",
    ],
)
def test_reports_what_is_said_to_be_there(body: str) -> None:
    assert find_severities(body) == ["warning"]


def test_reports_what_went_within_an_hour_of_being_written(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    topic = scripted.remember(GONE)
    scripted.repo.write("src/core/parser.py", PARSER)
    scripted.repo.commit("begin", "2026-10-01T00:00:00Z")
    (tmp_path / "src/core/parser.py").unlink()
    scripted.repo.commit("end", "2026-10-01T01:00:00Z")
    assert len(scripted.truth(topic)) == 1


def test_reports_every_citation_of_a_proven_move_once_one_is_reported(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    plain = scripted.remember(GONE)
    told = scripted.remember("Rows failed in `src/core/parser.py`.")
    compared = scripted.remember("Not `src/core/parser.py` but `src/rows/parser.py` has the rows.")
    scripted.change(BEFORE)
    scripted.change({"src/rows/parser.py": Moved("src/core/parser.py")})
    assert [one.rule for one in scripted.truth(plain)] == ["path-moved"]
    assert [one.rule for one in scripted.truth(told)] == ["path-moved"]
    assert scripted.truth(compared) == []
    run_check(tmp_path, "--fix")
    assert scripted.body(told) == "Rows failed in `src/rows/parser.py`."


def test_does_not_repair_what_may_describe_the_past(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    told = scripted.remember("Rows failed in `src/core/parser.py`.")
    scripted.change(BEFORE)
    scripted.change({"src/rows/parser.py": Moved("src/core/parser.py")})
    run_check(tmp_path, "--fix")
    assert scripted.body(told) == "Rows failed in `src/core/parser.py`."
    assert [one.severity for one in scripted.truth(told, "info")] == ["info"]


@pytest.mark.parametrize(("path", "found"), [("migrations/0002_rows.py", 0), ("src/core/rows.py", 1)])
def test_a_migration_is_named_for_the_step_that_it_was(path: str, found: int) -> None:
    body = "`AddRows` adds the column of rows."
    told = tell({path: "class AddRows:\n    pass\n"}, [body], {path: None})
    assert len(told[body]) == found


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


KEPT = "\n\ndef keep_rows():\n    return 1\n"
TREE = "```\n{root}/\n└── team/\n    └── agent.py\n```"


@pytest.mark.parametrize(
    ("root", "found"),
    [
        # A placeholder, and a directory that is drawn below another one than the one it was in.
        ("apps/[name]", 0),
        ("apps/<name>", 0),
        ("src/agent", 0),
        # The repository by its name, and the place itself.
        ("shop", 2),
        ("demo/agents", 2),
    ],
)
def test_a_tree_shows_what_was_below_its_root(root: str, found: int) -> None:
    body = TREE.format(root=root)
    before: Files = {"demo/agents/team/agent.py": PARSER, "src/agent/main.py": "x = 1\n"}
    told = tell(before, [body], {"demo/agents/team/agent.py": None})
    assert len(told[body]) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("- `@acme/rows` (da `core/parser.py`): legge le righe", 0),
        ("- `@acme/rows`: legge le righe con `core/parser.py`", 1),
        ("- `@acme/cells` (da `core/parser.py`): legge le righe", 1),
    ],
)
def test_a_bracket_tells_from_where_something_came(body: str, found: int) -> None:
    told = tell(BEFORE, [body], {"packages/rows/src/parser.py": Moved("src/core/parser.py")})
    assert len(told[body]) == found


@pytest.mark.parametrize(
    ("copy", "found"), [("tests/test_rows.py", 0), ("src/core/__tests__/rows.py", 0), ("rows.py", 1)]
)
def test_a_copy_in_a_test_is_no_new_place(copy: str, found: int) -> None:
    body = "`parse_rows()` in `src/core/parser.py` splits them."
    told = tell({"src/core/parser.py": PARSER + KEPT}, [body], {"src/core/parser.py": KEPT, copy: PARSER})
    assert len(told[body]) == found


@pytest.mark.parametrize(
    ("line", "classes", "found"),
    [
        ("  whenShown() { draw(); }", 5, 0),
        ("  whenShown() {\n    draw();\n  }", 5, 0),
        ("  whenShown() { draw(); }", 2, 1),
        ("export function whenShown() {}", 5, 1),
    ],
)
def test_what_many_classes_make_anew_belongs_to_a_framework(line: str, classes: int, found: int) -> None:
    body = "`whenShown()` draws the rows."
    before: Files = {f"page_{number}.js": f"class Page{number} {{\n{line}\n}}\n" for number in range(classes)}
    told = tell(before, [body], dict.fromkeys(before))
    assert len(told[body]) == found


def test_what_only_ignored_files_had_is_not_missed() -> None:
    body = "`parse_rows()` splits them."
    told = tell(BEFORE, [body], {**AFTER, ".gitignore": "src/core/parser.py\n"})
    assert told[body] == []


def test_a_move_that_is_reported_elsewhere_says_nothing_of_a_dated_entry(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    plain = scripted.remember(GONE)
    entry = scripted.remember(f"**Entscheidung (2026-03-02):** eine Datei.\n{GONE}")
    scripted.change(BEFORE)
    scripted.change({"src/rows/parser.py": Moved("src/core/parser.py")})
    assert [one.rule for one in scripted.truth(plain)] == ["path-moved"]
    assert scripted.truth(entry) == []
