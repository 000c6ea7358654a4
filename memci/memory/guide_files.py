"""Finds the guides of a repository: the files of instructions that people write for coding agents."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memci.git.file_tree import Tree
from memci.memory.guide_includes import follow_includes
from memci.model.memory import Guide, Unread
from memci.patterns import LazyPattern

# By name in any directory, or in the directory of their client.
_GUIDE = LazyPattern(
    r"(?:^|/)(?:(?:CLAUDE|CLAUDE\.local|AGENTS|GEMINI)\.md|\.(?:cursorrules|windsurfrules|clinerules)"
    r"|\.claude/rules/.+\.md|\.github/(?:copilot-instructions|instructions/.+)\.md|\.cursor/rules/.+\.mdc"
    r"|\.(?:windsurf/rules|clinerules|kiro/steering|serena/memories)/.+\.md)"
)
_FOREIGN = frozenset(
    {"node_modules", "vendor", "third_party", ".venv", "venv", "site-packages", "fixtures", "testdata"}
)
# More guides than any public repository has; the others are not checked.
_MAX_GUIDES = 500
_KEY = LazyPattern(r"(?:paths|globs|applyTo|fileMatchPattern):(.*)")


def is_guide(path: str) -> bool:
    """Whether a file is a guide, judging by its name; copies of other repositories and test data are none."""
    return _GUIDE.search(path) is not None and _FOREIGN.isdisjoint(path.split("/"))


def read_all_guides(tree: Tree) -> tuple[Guide, ...]:
    """Read every guide and the Markdown files that guides include; unreadable files are skipped."""
    paths = frozenset(tree.paths())

    def load(path: PurePosixPath) -> Guide | None:
        wanted = str(path) in paths and (is_guide(str(path)) or path.suffix == ".md")
        text = tree.read(path) if wanted else None
        return None if text is None or isinstance(text, Unread) or "\0" in text else Guide(path, text)

    found = [PurePosixPath(path) for path in sorted(paths) if is_guide(path)]
    return follow_includes(found[:_MAX_GUIDES], load)


def list_patterns(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and text of each glob in the head of a rule that says for which files it is loaded."""
    rows = text.split("\n")
    inside = False
    for number, row in enumerate(rows[1:], 2) if rows[0].rstrip() == "---" else ():
        key = _KEY.match(row)
        if row.rstrip() == "---":
            return
        inside = bool(key) or (inside and row[:1] in (" ", "-"))
        for found in (
            re.finditer(r"[\w.@*{}\[\]/-]*[*/][\w.@*{},\[\]/-]*", row[key.start(1) :] if key else row) if inside else ()
        ):
            yield number, found.start() + (key.start(1) if key else 0) + 1, found[0].rstrip(",")
