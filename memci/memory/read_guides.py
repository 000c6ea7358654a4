"""Reads the guides of scopes: every CLAUDE.md above a scope, and what it includes."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from memci.git.file_tree import Tree
from memci.memory.frontmatter import parse_head
from memci.memory.guide_includes import GUIDE_NAMES, RULES, follow_includes, resolve_guide_directory, resolve_home
from memci.model.memory import Frontmatter, Guide, Scope, Unread

# A rule with one of these is loaded only while the agent works on certain files.
_CONDITIONS = ("paths", "globs")


def read_guides(tree: Tree, scopes: Sequence[Scope]) -> tuple[Guide, ...]:
    """Read the guides of the repository root and of every directory above a scope; unreadable files are skipped."""
    paths = {str(path) for path in tree.paths()}
    homes = {PurePosixPath(), *(resolve_home(scope) for scope in scopes)}
    directories = sorted({directory for home in homes for directory in (home, *home.parents)})
    named = [directory / name for directory in directories for name in GUIDE_NAMES]
    inside = f"{RULES}/"
    rules = sorted(PurePosixPath(path) for path in paths if inside in path and path.endswith(".md"))

    def load(path: PurePosixPath) -> Guide | None:
        text = tree.read(path) if str(path) in paths else None
        if text is None or isinstance(text, Unread) or "\0" in text or _is_conditional(path, text):
            return None
        return Guide(path, text)

    return follow_includes((*named, *(path for path in rules if resolve_guide_directory(path) in directories)), load)


def _is_conditional(path: PurePosixPath, text: str) -> bool:
    if RULES.name not in path.parts:
        return False
    head = parse_head(text).frontmatter
    return isinstance(head, Frontmatter) and any(head.fields.get(key) for key in _CONDITIONS)
