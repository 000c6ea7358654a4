"""Tells whether a session belongs to another project, as far as that can be known."""

from pathlib import Path

from memci.errors import ServiceError, UsageError
from memci.git.repository import Repository, find_repository


def is_foreign(cwd: str | None, repository: Repository) -> bool:
    """Tell whether a session ran in another project of this machine; unknown for sessions from elsewhere."""
    directory = Path(cwd or "")
    # The same project has another path on every machine, so a directory that does not exist here proves nothing.
    try:
        if not directory.is_absolute() or not directory.is_dir():
            return False
        other = find_repository(directory)
    except (OSError, ValueError, ServiceError):
        return False
    # Worktrees of one repository share this directory.
    if other is None or other.common.resolve() == repository.common.resolve():
        return False
    return not (_knows_head(repository, other) or _knows_head(other, repository))


def _knows_head(repository: Repository, other: Repository) -> bool:
    """Tell whether a repository has the newest commit of another: then both are clones of one project."""
    try:
        repository.resolve(other.resolve("HEAD"))
    except UsageError:
        return False
    return True
