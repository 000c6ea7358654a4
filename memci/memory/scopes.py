"""Finds the memory directories of a repository."""

import fnmatch
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from memci.git.file_tree import Tree
from memci.model.memory import INDEX_NAME, Scope, Trust, Unread, Unreadable

_AGENTS = "/.claude/agent-memory/"
_PROJECT = "/.claude/memory/"
_PLAIN = f"/memory/{INDEX_NAME}"
# Searched on disk even if git ignores them.
_USUAL = (PurePosixPath(".claude/agent-memory"), PurePosixPath(".claude/memory"))


def find_scopes(tree: Tree, root: Path, globs: Sequence[str] = ()) -> tuple[Scope, ...]:
    """Return the scopes of a repository, by path; a glob adds directories, one with `!` excludes what is below."""
    listed = tree.paths()
    linked = [f"{path}/" for path in listed if _is_linked_scope(tree, path)]
    found: dict[str, tuple[str, Trust]] = {}
    for path, scope_id in _recognise((*listed, *linked), globs):
        found.setdefault(path, (scope_id, Trust.COMMITTED))
    ignored = [str(item) for directory in _USUAL for item in tree.below(directory) if isinstance(item, PurePosixPath)]
    local = dict(_recognise(ignored, ()))
    # A scope that git lists as one path is a submodule: another repository's memory.
    for path in local.keys() - set(listed):
        found.setdefault(path, (local[path], Trust.LOCAL))
    unwanted = [glob[1:] for glob in globs if glob.startswith("!")]
    return tuple(
        Scope(scope_id, PurePosixPath(path), trust, root / path)
        for path, (scope_id, trust) in sorted(found.items())
        if not any(_is_covered(place, unwanted) for place in _upwards(path))
    )


def list_idle_globs(globs: Sequence[str], scopes: Sequence[Scope]) -> Iterator[str]:
    """Yield a message for each glob for further scopes that matches none, with the reason."""
    for glob in globs:
        if glob.startswith("!") or any(_is_covered(str(scope.path), [glob]) for scope in scopes):
            continue
        if ".." in glob.split("/") or glob.startswith("~"):
            yield f"{glob!r} leads out of the repository, where no scope is looked for"
        elif glob.startswith("/"):
            yield f"{glob!r} is looked up from the root of the repository and matches no directory with Markdown files"
        else:
            yield f"{glob!r} matches no directory with Markdown files"


def _is_linked_scope(tree: Tree, path: str) -> bool:
    """Tell whether a scope is a symbolic link; the client follows it, so it must be reported."""
    if ".claude/" not in path:
        return False
    directory, _, name = f"/{path}".rpartition("/")
    usual = directory.endswith(_AGENTS[:-1]) or f"/{path}".endswith(_PROJECT[:-1])
    if not usual or name.endswith(".md"):
        return False
    text = tree.read(PurePosixPath(path))
    return isinstance(text, Unread) and text.reason is Unreadable.SYMLINK


def _recognise(paths: Iterable[str], globs: Sequence[str]) -> Iterable[tuple[str, str]]:
    wanted = [glob for glob in globs if not glob.startswith("!")]
    for path in paths:
        rooted = f"/{path}"
        if _AGENTS in rooted:
            yield from _recognise_agent(rooted)
        elif _PROJECT in rooted:
            base, _, _ = rooted.partition(_PROJECT)
            yield (base + _PROJECT)[1:-1], _prefix(base) + "project"
        elif rooted.endswith(_PLAIN):
            directory = rooted[1 : -len(INDEX_NAME) - 1]
            yield directory, directory
        if wanted and path.endswith(".md"):
            # A scope may have sub-folders, so every directory above a file is a candidate.
            yield from ((place, place) for place in _upwards(path)[1:] if _is_covered(place, wanted))


def _recognise_agent(rooted: str) -> Iterable[tuple[str, str]]:
    base, _, rest = rooted.partition(_AGENTS)
    agent, slash, _ = rest.partition("/")
    if slash and not agent.startswith("."):
        yield (base + _AGENTS)[1:] + agent, f"{_prefix(base)}agent:{agent}"
    elif rest == INDEX_NAME:
        yield (base + _AGENTS)[1:-1], _prefix(base) + "agents"


def _prefix(base: str) -> str:
    return f"{base[1:]}/" if base else ""


def _upwards(path: str) -> list[str]:
    """Return a path and every directory above it."""
    return [path, *map(str, PurePosixPath(path).parents)]


def _is_covered(path: str, globs: Sequence[str]) -> bool:
    return any(_fits(path, glob.strip("/").split("/")) for glob in globs)


def _fits(path: str, glob: list[str]) -> bool:
    """Tell whether a glob covers a path: `*` stays within one name, `**` matches any number of names."""
    if path == ".":
        return glob == ["."]
    # All positions in the glob that can be reached, step by step, so that no glob takes long.
    reached = {0}
    for name in path.split("/"):
        reached |= {place + 1 for place in reached if glob[place : place + 1] == ["**"]}
        reached = {
            place + (part != "**")
            for place, part in enumerate(glob)
            if place in reached and (part == "**" or fnmatch.fnmatchcase(name, part))
        }
    return bool(reached & ({len(glob)} | ({len(glob) - 1} if glob[-1] == "**" else set())))
