"""Whether a session belongs to another project, as far as that can be known."""

from pathlib import Path

from memci.errors import ServiceError
from memci.git import Repository, find_repository
from memci.sources.transcripts.values import Session


def is_foreign(session: Session, repository: Repository) -> bool:
    """Whether the session ran in another repository of this machine; one from elsewhere cannot be told apart."""
    directory = Path(session.cwd or "")
    # A checkout of the same project lies elsewhere on every machine, so a directory that is not here proves nothing.
    try:
        if not directory.is_absolute() or not directory.is_dir():
            return False
        other = find_repository(directory)
    except (OSError, ValueError, ServiceError):
        return False
    # Worktrees of one repository share this directory.
    return other is not None and other.common.resolve() != repository.common.resolve()
