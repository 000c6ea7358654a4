from pathlib import Path

import pytest

from tests.citations.scripted import begin, run_check

RULES = "Be brief.\n"


@pytest.mark.parametrize(
    "files",
    [
        {"AGENTS.md": RULES},
        {"AGENTS.md": RULES, "CLAUDE.md": " \n"},
        {"AGENTS.md": RULES, "CLAUDE.md": "@AGENTS.md\n"},
        {"AGENTS.md": RULES, "CLAUDE.md": "See @docs/all.md\n", "docs/all.md": "@../AGENTS.md\n"},
        {"AGENTS.md": RULES, "CLAUDE.md": "Read AGENTS.md first.\n"},
        {"AGENTS.md": RULES, "CLAUDE.md": RULES},
        {"AGENTS.md": RULES, "web/CLAUDE.md": "Pages are small.\n"},
        {"CLAUDE.md": RULES, "GEMINI.md": "Pages are small.\n", ".cursorrules": "Pages are small.\n"},
    ],
)
def test_leaves_alone(tmp_path: Path, files: dict[str, str]) -> None:
    scripted = begin(tmp_path)
    scripted.change(files)
    assert run_check(tmp_path)["findings"] == []


@pytest.mark.parametrize(
    ("files", "place", "instead"),
    [
        ({"AGENTS.md": RULES, "CLAUDE.md": "Pages are small.\n"}, "AGENTS.md", "CLAUDE.md"),
        ({"AGENTS.md": RULES, ".claude/CLAUDE.md": "Pages are small.\n"}, "AGENTS.md", ".claude/CLAUDE.md"),
        ({"web/AGENTS.md": RULES, "CLAUDE.md": "Pages are small.\n"}, "web/AGENTS.md", "CLAUDE.md"),
        ({"web/AGENTS.md": RULES, "CLAUDE.md": RULES, "web/CLAUDE.md": "Hi.\n"}, "web/AGENTS.md", "web/CLAUDE.md"),
    ],
)
def test_reports(tmp_path: Path, files: dict[str, str], place: str, instead: str) -> None:
    scripted = begin(tmp_path)
    scripted.change(files)
    (found,) = run_check(tmp_path)["findings"]
    assert (found["rule"], found["severity"], found["file"]) == ("guide-not-loaded", "info", place)
    assert found["message"] == f"Claude Code does not load this file: {instead} takes its place"
