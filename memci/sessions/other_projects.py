"""Whether a session belongs to another project, as far as that can be known."""

from pathlib import Path

from memci.errors import ServiceError, UsageError
from memci.git.repository import Repository, find_repository


def is_foreign(cwd: str | None, repository: Repository) -> bool:
    """Whether a session ran in another project of this machine; one from elsewhere cannot be told apart."""
    directory = Path(cwd or "")
    # A checkout of the same project lies elsewhere on every machine, so a directory that is not here proves nothing.
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
    """Whether a repository has the newest commit of another: then both are clones of one project."""
    try:
        repository.resolve(other.resolve("HEAD"))
    except UsageError:
        return False
    return True
