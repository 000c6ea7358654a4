"""Finds the memory directories of a repository, and the personal ones of the user who runs memci."""

import fnmatch
import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UsageError
from memci.git.file_tree import MAX_FILE_BYTES, Tree, WorkTree
from memci.git.repository import Repository
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


_POLICY = Path("/etc/claude-code/managed-settings.json")
_LOCAL_AGENTS = PurePosixPath(".claude/agent-memory-local")
_LOCAL_SETTINGS = PurePosixPath(".claude/settings.local.json")


def find_user_scopes(root: Path, repository: Repository | None, environment: Mapping[str, str]) -> tuple[Scope, ...]:
    """Return the user's own scopes that exist: agents of the user, local agents, and the auto memory."""
    home = Path(environment.get("HOME") or Path.home())
    config = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    try:
        found = [*_agents(config / "agent-memory", _show(config, home) / "agent-memory", "user", Trust.USER)]
        # A committed link could make any directory of the machine a scope; a real directory below the root cannot.
        if (root / _LOCAL_AGENTS).resolve() == root.resolve() / _LOCAL_AGENTS:
            found += _agents(root / _LOCAL_AGENTS, _LOCAL_AGENTS, "local", Trust.LOCAL)
        auto = _auto_directory(root, repository, environment, home, config)
        if auto.is_dir():
            found.append(Scope("auto", _show(auto, home), Trust.USER, auto))
    except OSError as error:
        raise ServiceError(f"cannot read your own memory: {error.filename}: {error.strerror}") from error
    return tuple(found)


def _agents(directory: Path, shown: PurePosixPath, prefix: str, trust: Trust) -> Iterator[Scope]:
    if not directory.is_dir():
        return
    for path in sorted(directory.iterdir()):
        if path.is_dir() and not path.is_symlink() and not path.name.startswith("."):
            yield Scope(f"{prefix}:{path.name}", shown / path.name, trust, path)


def _show(path: Path, home: Path) -> PurePosixPath:
    return PurePosixPath("~") / path.relative_to(home).as_posix() if path.is_relative_to(home) else PurePosixPath(path)


def _auto_directory(
    root: Path, repository: Repository | None, environment: Mapping[str, str], home: Path, config: Path
) -> Path:
    """Return where the client keeps the auto memory of this repository.

    The repository's committed settings are never used: a hostile repository could point at ~/.ssh.
    """
    override = environment.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
    if override:
        return validate_directory(override, home)
    local = "" if repository and _is_tracked(repository, _LOCAL_SETTINGS) else _read_local(root)
    for text in (_read(_POLICY), local, _read(config / "settings.json")):
        named = _parse_setting(text)
        if named:
            return validate_directory(named, home)
    # All worktrees of a repository share one memory, kept under the name of the main one.
    main = repository.common.parent if repository and repository.common.name == ".git" else root
    return config / "projects" / re.sub("[^A-Za-z0-9]", "-", str(main)) / "memory"


def _is_tracked(repository: Repository, path: PurePosixPath) -> bool:
    # On case-insensitive disks names that differ only by case are one file.
    return any(name.casefold() == str(path) for name in repository.list_tracked())


def _read_local(root: Path) -> str:
    """Read the local settings, but not through links: a committed `.claude` could link to committed settings."""
    text = WorkTree(root).read(_LOCAL_SETTINGS)
    return text if isinstance(text, str) else ""


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(MAX_FILE_BYTES)
    except (OSError, ValueError):
        # Absent or broken settings are the client's concern; the next source is read.
        return ""


def _parse_setting(text: str) -> str:
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    named = settings.get("autoMemoryDirectory") if isinstance(settings, dict) else None
    return named if isinstance(named, str) else ""


def validate_directory(named: str, home: Path) -> Path:
    """Return a directory named in a setting; raise if it cannot be a memory directory."""
    text = str(home) + named[1:] if named == "~" or named.startswith("~/") else named
    path = Path(posixpath.normpath(text)) if "\0" not in text else Path()
    # Shares, drives, roots, the home directory and its parents are never valid.
    if text.startswith(("//", "\\\\")) or not path.is_absolute() or len(path.parts) < 3 or home.is_relative_to(path):
        raise UsageError(f"{named!r} cannot be a memory directory", hint="name an absolute path below your home")
    if ".." in PurePosixPath(text).parts:
        raise UsageError(f"{named!r} leaves its own directory", hint="name the directory without ..")
    return path
