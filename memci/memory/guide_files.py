"""The guides of a repository: finding and reading them, what they include, and to which scopes they apply."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memci.git.file_tree import Tree
from memci.memory.frontmatter import parse_head
from memci.model.memory import Frontmatter, Guide, Scope, Unread
from memci.patterns import LazyPattern
from memci.prose.markdown import mask_code

# The client follows includes this many steps from a file that it loads by itself.
MAX_DEPTH = 5
# What the client, or another agent in its place, loads by itself from a directory.
GUIDE_NAMES = tuple(map(PurePosixPath, ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")))
RULES = PurePosixPath(".claude/rules")
_ROOT = PurePosixPath()
# What follows a path in a sentence.
_BEHIND = ".,;:!?*_]/"


# After a letter it is an e-mail address, after a mark a decorator or part of a name.
_INCLUDE = LazyPattern(r"(?:^|(?<=[\s(]))@([^\s@`'\"<>()\\]+)", re.MULTILINE)


def parse_includes(path: PurePosixPath, text: str) -> tuple[PurePosixPath, ...]:
    """Return what `@path` in this guide may mean inside the repository, in order; not all of it need exist."""
    found = (_resolve(path, match[1]) for match in _INCLUDE.finditer(mask_code(text)))
    return tuple(dict.fromkeys(target for target in found if target))


def find_includes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and text of what a guide includes with `@path`."""
    for match in _INCLUDE.finditer(mask_code(text)):
        start = match.start(1)
        yield text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start), match[1].rstrip(_BEHIND)


def _resolve(path: PurePosixPath, target: str) -> PurePosixPath | None:
    name = target.rstrip(_BEHIND)
    # A committed guide must not reach into the home directory or the disk of the person who runs memci.
    if not name or name[0] in "/~" or "\0" in name:
        return None
    inside = PurePosixPath(posixpath.normpath(path.parent / name))
    return None if inside == _ROOT or inside.parts[0] == ".." else inside


def follow_includes(start: Iterable[PurePosixPath], load: Callable[[PurePosixPath], Guide | None]) -> tuple[Guide, ...]:
    """Load these guides and what they include, each once, nearest first; `load` returns None for other files."""
    seen: set[PurePosixPath] = set()
    guides: list[Guide] = []
    waiting = list(dict.fromkeys(start))
    for _ in range(MAX_DEPTH + 1):
        loaded = [guide for path in waiting if (guide := load(path))]
        guides += loaded
        seen.update(waiting)
        targets = (target for guide in loaded for target in parse_includes(guide.path, guide.text))
        waiting = [target for target in dict.fromkeys(targets) if target not in seen]
    return tuple(guides)


def resolve_home(scope: Scope) -> PurePosixPath:
    """Return the directory whose guides are loaded with the scope, together with those of the directories above."""
    path = scope.path
    if path.is_absolute() or path.parts[:1] == ("~",):
        return _ROOT
    if ".claude" in path.parts:
        return PurePosixPath(*path.parts[: path.parts.index(".claude")])
    return path.parent


def resolve_guide_directory(path: PurePosixPath) -> PurePosixPath | None:
    """Return the directory for which this file is loaded unasked; None if only an include would load it."""
    for parent in path.parents:
        if path.suffix == ".md" and parent.parts[-2:] == RULES.parts:
            return parent.parent.parent
    for name in sorted(GUIDE_NAMES, key=lambda name: -len(name.parts)):
        if path.parts[-len(name.parts) :] == name.parts:
            return path.parents[len(name.parts) - 1]
    return None


def list_guides(guides: Iterable[Guide], scope: Scope) -> tuple[Guide, ...]:
    """Return the guides that the client loads together with a scope."""
    known = {guide.path: guide for guide in guides}
    home = resolve_home(scope)
    return follow_includes((path for path in known if _applies(path, home)), known.get)


def _applies(path: PurePosixPath, home: PurePosixPath) -> bool:
    directory = resolve_guide_directory(path)
    return directory is not None and home.is_relative_to(directory)


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
    wanted = {path for path in tree.paths() if path.endswith(".md") or is_guide(path)}
    found = [PurePosixPath(path) for path in sorted(filter(is_guide, wanted))]
    return follow_includes(found[:_MAX_GUIDES], lambda path: _load(tree, path) if str(path) in wanted else None)


def _load(tree: Tree, path: PurePosixPath) -> Guide | None:
    text = tree.read(path)
    return None if isinstance(text, Unread) or "\0" in text else Guide(path, text)


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


# A rule with one of these is loaded only while the agent works on certain files.
_CONDITIONS = ("paths", "globs")


def read_guides(tree: Tree, scopes: Sequence[Scope]) -> tuple[Guide, ...]:
    """Read the guides of the repository root and of every directory above a scope; unreadable files are skipped.

    A memory file that a guide includes stays memory: it would be found to repeat itself.
    """
    memory = tuple(f"{scope.path}/" for scope in scopes)
    paths = {path for path in tree.paths() if not path.startswith(memory)}
    homes = {PurePosixPath(), *(resolve_home(scope) for scope in scopes)}
    directories = sorted({directory for home in homes for directory in (home, *home.parents)})
    named = [directory / name for directory in directories for name in GUIDE_NAMES]
    rules = sorted(PurePosixPath(path) for path in paths if f"{RULES}/" in path and path.endswith(".md"))

    def load(path: PurePosixPath) -> Guide | None:
        guide = _load(tree, path) if str(path) in paths else None
        return None if guide is None or _is_conditional(guide) else guide

    return follow_includes((*named, *(path for path in rules if resolve_guide_directory(path) in directories)), load)


def _is_conditional(guide: Guide) -> bool:
    head = parse_head(guide.text).frontmatter if RULES.name in guide.path.parts else None
    return isinstance(head, Frontmatter) and any(head.fields.get(key) for key in _CONDITIONS)
