"""Where memci works: a repository or a plain directory, and the files in it."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import UsageError
from memci.git.file_tree import WorkTree, list_work_tree
from memci.git.repository import Repository, find_repository


@dataclass(frozen=True, slots=True)
class Workspace:
    """The root of what is looked at; `repository` is None outside git."""

    root: Path
    # The working directory; paths given by the user are relative to it.
    start: Path
    repository: Repository | None
    tree: WorkTree


def open_workspace(directory: Path, repository: Repository | None = None) -> Workspace:
    """Return the repository around a directory, or the directory itself if it is in none."""
    start = directory.resolve()
    repository = repository or find_repository(start)
    root = repository.root if repository else start
    return Workspace(root, start, repository, list_work_tree(root, repository))


def list_skipped(workspace: Workspace) -> tuple[tuple[str, str], ...]:
    """Return what is not looked at, and why: memory in submodules belongs to other repositories."""
    paths = workspace.tree.paths()
    parents = ("/.claude", "/.claude/agent-memory")
    links = [path for path in paths if f"/{path}".endswith(parents) and (workspace.root / path).is_symlink()]
    found = [(path, "a symbolic link, not followed; the client does follow it") for path in links]
    if workspace.repository is not None and ".gitmodules" in paths:
        modules = [path for path in workspace.repository.list_submodules() if _holds_memory(workspace.root / path)]
        found += [(str(path), "a submodule; run memci in its own repository") for path in modules]
    return tuple(found)


def _holds_memory(directory: Path) -> bool:
    """Whether a submodule has memory in it, or is mounted in the place of one."""
    places = (".claude/agent-memory", ".claude/memory")
    return f"{directory.parent}/".endswith("/.claude/agent-memory/") or any(
        (directory / place).is_dir() or str(directory).endswith(f"/{place}") for place in places
    )


def resolve_inside(workspace: Workspace, path: Path) -> PurePosixPath:
    """Return a path that a person named, relative to the root; it must exist and lie below it."""
    target = (workspace.start / path).resolve()
    if not target.exists():
        raise UsageError(f"{path} does not exist")
    if not target.is_relative_to(workspace.root):
        hint = f"memci -C {target.parent if target.is_file() else target} check"
        raise UsageError(f"{path} is outside of {workspace.root}", hint=hint)
    return PurePosixPath(target.relative_to(workspace.root).as_posix())
