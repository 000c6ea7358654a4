"""What `memci check` says about guides: the instructions that people write for coding agents."""

import json
from pathlib import Path
from typing import Any

import pytest

from memci.cli import main
from memci.errors import Exit
from tests.citations.scripted import Files, Moved, begin
from tests.repository import Repo

PARSER = "def parse_rows(data):\n    return [row.split() for row in data]\n\n\nLIMIT_OF_ROWS = 500\n"
BEFORE: Files = {
    "src/core/parser.py": PARSER,
    "src/web/page.ts": "export const page = 1\n",
    "package.json": '{"scripts": {"seed": "node seed.js", "test": "vitest"}}\n',
    "docs/setup.md": "Rows go through `src/core/parser.py`.\n",
}
AFTER: Files = {
    "src/rows/parser.py": Moved("src/core/parser.py"),
    "src/web/page.ts": None,
    "package.json": '{"scripts": {"test": "vitest"}}\n',
}


def run(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> Any:
    """Run `memci check` and return its report."""
    capsys.readouterr()
    assert main(["-C", str(root), "check", "--format", "json", "--now", "2026-11-16", *arguments]) in (0, 1)
    return json.loads(capsys.readouterr().out)


def write(root: Path, guides: Files) -> Repo:
    """Commit guides with what they cite, then move, remove and change it."""
    scripted = begin(root)
    scripted.change({**BEFORE, **guides}, "begin")
    scripted.change(AFTER, "change")
    return scripted.repo


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "packages/api/AGENTS.md",
        ".claude/rules/rows.md",
        ".github/copilot-instructions.md",
        ".github/instructions/rows.instructions.md",
        ".cursor/rules/rows.mdc",
        ".cursorrules",
        ".windsurf/rules/rows.md",
        ".kiro/steering/rows.md",
        ".serena/memories/rows.md",
        "GEMINI.md",
    ],
)
def test_guides_of_every_client_are_checked_without_any_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    write(tmp_path, {path: "# Rows\n\nRows go through `src/core/parser.py`.\n"})
    (found,) = run(capsys, tmp_path)["findings"]
    assert (found["rule"], found["file"], found["line"]) == ("path-moved", path, 3)
    assert "src/rows/parser.py" in found["message"]


def test_commands_includes_and_globs_of_a_guide_are_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = '---\npaths:\n  - "src/web/**/*.ts"\n---\n\nPages are small.\n'
    guide = "# Guide\n\nSee @docs/setup.md.\n\n```bash\nnpm run seed\nnpm run test\n```\n"
    write(tmp_path, {"CLAUDE.md": guide, ".claude/rules/web.md": rules})
    found = {(one["rule"], one["file"], one["line"]) for one in run(capsys, tmp_path)["findings"]}
    assert found == {
        ("path-missing", ".claude/rules/web.md", 3),
        ("script-missing", "CLAUDE.md", 6),
        # A file that a guide includes is loaded as a part of it.
        ("path-moved", "docs/setup.md", 1),
    }


@pytest.mark.parametrize(
    "text",
    [
        "Functions are snake_case: `parse_rows()` in `src/core/parser.py`.",
        "Use descriptive names (`parse_rows` not `pr`).",
        "## Naming\n\n- Files: `src/web/page.ts`",
        "<!-- BEGIN GENERATED BLOCK -->\nBe brief.\n<!-- END GENERATED BLOCK -->",
        "Rows went through `src/core/parser.py`, which was removed.",
    ],
)
def test_markers_illustrations_and_history_are_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    write(tmp_path, {"AGENTS.md": f"# Guide\n\n{text}\n"})
    assert run(capsys, tmp_path)["findings"] == []


def test_safety_rules_read_guides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"CLAUDE.md": "Be\u200bbrief.\n"})
    assert [one["rule"] for one in run(capsys, tmp_path)["findings"]] == ["hidden-text"]


def test_fix_writes_proven_renames_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# Rows\n\nRows go through `src/core/parser.py`.\n\nPages go through `src/web/page.ts`.\n"
    write(tmp_path, {"CLAUDE.md": text})
    run(capsys, tmp_path, "--fix")
    assert (tmp_path / "CLAUDE.md").read_text() == text.replace("src/core/parser.py", "src/rows/parser.py")
    assert [one["rule"] for one in run(capsys, tmp_path, "--fix")["findings"]] == ["path-missing"]


def test_a_guide_can_be_named_and_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"CLAUDE.md": "See `src/core/parser.py`.\n", "AGENTS.md": "See `src/core/parser.py`.\n"})
    assert [one["file"] for one in run(capsys, tmp_path, str(tmp_path / "CLAUDE.md"))["findings"]] == ["CLAUDE.md"]
    assert main(["-C", str(tmp_path), "check", "--explain", "CLAUDE.md:1"]) == Exit.DONE
    assert "moved to src/rows/parser.py" in capsys.readouterr().out


def test_since_reports_only_what_a_branch_breaks_in_guides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = write(tmp_path, {"CLAUDE.md": "See `src/core/parser.py`.\n"})
    assert run(capsys, tmp_path, "--since", "HEAD")["findings"] == []
    repo.write("CLAUDE.md", "See `src/core/parser.py`.\nSee `src/web/page.ts`.\n")
    repo.commit("cite what is gone")
    assert [one["line"] for one in run(capsys, tmp_path, "--since", "HEAD~1")["findings"]] == [2]
