"""The place for collected sessions on this machine, outside of the repository and private to the user."""

import contextlib
import hashlib
import os
import re
from pathlib import Path, PurePosixPath

from memci.patterns import LazyPattern
from memci.stores.files import naming, write_file
from memci.stores.state_directory import user_state_directory

# Enough for weeks; a hook that fails at every session must not fill the disk.
_MAX_LOG = 256 << 10
_NAME = LazyPattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def spool_directory(root: Path, common: Path | None) -> Path:
    """Return the spool directory of a repository; its worktrees share one."""
    place = (common or root).resolve()
    # A clone is known by the name of its directory; the rest keeps clones with equal names apart.
    shown = re.sub(r"[^A-Za-z0-9_-]+", "-", (place.parent if place.name == ".git" else place).name)[:40].strip("-")
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:12]
    return user_state_directory() / "spool" / f"{shown or 'repository'}-{digest}"


def make_name(session: str) -> str:
    """Return a file name for a session: its id if that is a safe name, otherwise a digest."""
    if _NAME.fullmatch(session):
        return session
    return "session-" + hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def make_private(directory: Path) -> None:
    """Make a directory and its missing parents, readable by their owner only."""
    # `mkdir(parents=True)` ignores the mode for parents.
    missing = [each for each in (directory, *directory.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def write_private(root: Path, path: PurePosixPath, data: bytes) -> None:
    """Write a file into a directory that only its owner can read."""
    with naming(root / path):
        make_private(root / path.parent)
        write_file(root, path, data)


def open_log(spool: Path) -> int:
    """Return a descriptor of the log, which is rotated when it is long."""
    make_private(spool)
    path = spool / "collect.log"
    with contextlib.suppress(FileNotFoundError):
        if path.lstat().st_size > _MAX_LOG:
            path.replace(spool / "collect.log.old")
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
