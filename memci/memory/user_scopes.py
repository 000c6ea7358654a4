"""Finds the personal memory of the user who runs memci: outside the repository, or in it but never committed."""

import json
import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UsageError
from memci.git.file_tree import MAX_FILE_BYTES, WorkTree
from memci.git.repository import Repository
from memci.model.memory import Scope, Trust
from memci.patterns import LazyPattern

_POLICY = Path("/etc/claude-code/managed-settings.json")
_LOCAL_AGENTS = PurePosixPath(".claude/agent-memory-local")
_LOCAL_SETTINGS = PurePosixPath(".claude/settings.local.json")
# Where the client makes worktrees, as part of the name of a memory.
_WORKTREES = "--claude-worktrees-"
# The place of a session stands in its first records.
_PLACE = LazyPattern(r'"cwd": ?("[^"\\]{1,4000}")')
_MAX_START = 1 << 20


def find_user_scopes(root: Path, repository: Repository | None, environment: Mapping[str, str]) -> tuple[Scope, ...]:
    """Return the user's own scopes that exist: agents of the user, local agents, and the auto memory."""
    home, config = _find_places(environment)
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


def find_auto_scopes(
    repository: Repository, environment: Mapping[str, str], belongs: Callable[[Path], bool]
) -> tuple[Scope, ...]:
    """Return the auto memories of every directory that the repository was used in, the current one first.

    Clients of different versions call a memory after the repository or after the worktree. Of directories with other
    names, `belongs` is asked about the place that their newest session ran in.
    """
    home, config = _find_places(environment)
    listed = os.fsdecode(repository.run("worktree", "list", "--porcelain")).split("\n")
    places = [repository.root, *(Path(line[9:]) for line in listed if line.startswith("worktree "))]
    slugs = [_make_slug(place) for place in places]
    found = [_auto_directory(repository.root, repository, environment, home, config)]
    try:
        projects = sorted((config / "projects").iterdir()) if (config / "projects").is_dir() else []
        for project in (each for each in projects if (each / "memory").is_dir()):
            own = any(project.name == slug or project.name.startswith(slug + _WORKTREES) for slug in slugs)
            ran = None if own else _read_place(project)
            if own or (ran and belongs(ran)):
                found.append(project / "memory")
        found = [path for path in dict.fromkeys(found) if path.is_dir() and not path.is_symlink()]
    except OSError as error:
        raise ServiceError(f"cannot read your own memory: {error.filename}: {error.strerror}") from error
    return tuple(Scope(f"auto:{path.parent.name}", _show(path, home), Trust.USER, path) for path in found)


def _find_places(environment: Mapping[str, str]) -> tuple[Path, Path]:
    home = Path(environment.get("HOME") or Path.home())
    return home, Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")


def _make_slug(path: Path) -> str:
    return re.sub("[^A-Za-z0-9]", "-", str(path))


def _read_place(project: Path) -> Path | None:
    """Return the directory that the newest session of a project ran in."""
    sessions = sorted(project.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    if not sessions:
        return None
    with sessions[-1].open(encoding="utf-8", errors="replace") as file:
        place = _PLACE.search(file.read(_MAX_START))
    return Path(json.loads(place[1])) if place else None


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
    return config / "projects" / _make_slug(main) / "memory"


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
