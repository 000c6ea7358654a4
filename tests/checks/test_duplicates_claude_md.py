from pathlib import Path, PurePosixPath

import pytest

from memci.checks.rules.duplicates_claude_md import RULE
from memci.memory.topic import parse_topic
from memci.model.memory import Scope, ScopeSnapshot, Trust
from tests.build import material, scope_of, topic, topic_text

GUIDE = """# Project

- Use ruff for linting and formatting, line length 100.
- Python 3.12 only.

Never:
- commit directly to the main branch

```
make deploy
```
"""


def _find(body: str, guides: dict[str, str]) -> list[str]:
    return [finding.message for finding in RULE.check(material(scope_of(topic(body)), guides=guides))]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Releases are cut by Marta.",
        "Use ruff for linting and formatting, line length 120.",
        "Do not use ruff for linting and formatting, line length 100.",
        "Use ruff for linting and formatting, line length 100.\n\nThe hook runs it before each push.",
        "commit directly to the main branch",
        "Use ruff for linting and formatting, line length 100.\n```\nmake lint\n```",
        "**Why:** Use ruff for linting and formatting, line length 100.",
        "Ruff only.",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert _find(body, {"CLAUDE.md": GUIDE}) == []


def test_leaves_alone_what_a_guide_elsewhere_says() -> None:
    body = "Use ruff for linting and formatting, line length 100."
    assert _find(body, {}) == []
    assert _find(body, {"apps/web/CLAUDE.md": GUIDE}) == []
    assert _find(body, {"docs/style.md": GUIDE}) == []


@pytest.mark.parametrize(
    "body",
    [
        "Use ruff for linting and formatting, line length 100.",
        "**Use `ruff`** for linting and formatting, line length 100!",
        "Always use ruff for linting and formatting: line length 100",
        "- Python 3.12 only.\n- Use ruff for linting and formatting, line length 100.",
        "Use ruff for linting and formatting, line length 100.\n\n**Why:** one tool is enough.",
        "Use ruff for linting and formatting, line length 100.\n```\nmake deploy\n```",
    ],
)
def test_reports_what_the_guide_says(body: str) -> None:
    (message,) = _find(body, {"CLAUDE.md": GUIDE})
    assert message.startswith("says only what CLAUDE.md:")


@pytest.mark.parametrize("line", ["Always indent with tabs.", "Use pnpm.", "- **Use** `pnpm`"])
def test_a_short_line_counts_if_it_is_the_same_word_for_word(line: str) -> None:
    guide = f"# Project\n\n{line}\n"
    assert _find(line, {"CLAUDE.md": guide}) == ["says only what CLAUDE.md:3 already says"]
    assert _find(f"{line}\n\n**Why:** one way is enough.", {"CLAUDE.md": guide}) != []
    assert _find(f"{line}\n\nAsk Marta about exceptions.", {"CLAUDE.md": guide}) == []
    assert _find("TODO", {"CLAUDE.md": "# Project\n\nTODO\n"}) == []


def test_names_the_line_and_counts_included_guides() -> None:
    body = "Use ruff for linting and formatting, line length 100."
    assert _find(body, {"CLAUDE.md": GUIDE}) == ["says only what CLAUDE.md:3 already says"]
    assert _find(body, {".claude/rules/style.md": GUIDE}) == ["says only what .claude/rules/style.md:3 already says"]
    assert _find(body, {"CLAUDE.md": "@docs/style.md", "docs/style.md": GUIDE}) == [
        "says only what docs/style.md:3 already says"
    ]


def test_a_guide_applies_to_scopes_below_it() -> None:
    path = PurePosixPath("apps/web/.claude/memory")
    scope = Scope("project", path, Trust.COMMITTED, Path("/nowhere"))
    found = parse_topic(path / "t.md", topic_text("Use ruff for linting and formatting, line length 100."))
    for guide in ("CLAUDE.md", "apps/AGENTS.md", "apps/web/.claude/CLAUDE.md"):
        (finding,) = RULE.check(material(ScopeSnapshot(scope, None, (found,)), guides={guide: GUIDE}))
        assert finding.path == path / "t.md"
        assert finding.line == 7
