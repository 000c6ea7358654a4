"""The files of a repository, from the work tree or from a commit, read without following anything out of it."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from memci.git.repository import Repository, TreeEntry
from memci.git.safe_open import open_directory, read_beneath
from memci.model.memory import INDEX_NAME, Unread, Unreadable

# The largest topic in public memory has 222 kB.
MAX_FILE_BYTES = 2_000_000
# Outside of a repository the directory is walked; this stops at a whole disk.
MAX_WALKED = 200_000
# Far more than people nest. Python's own walk recurses, and reading a file opens every level above it.
MAX_DEPTH = 50
_HERE = PurePosixPath()
# What a failed read says without the words of the system.
_PLAIN_REASONS = {
    errno.ENOENT: Unreadable.ABSENT,
    errno.ENOTDIR: Unreadable.ABSENT,
    errno.EISDIR: Unreadable.DIRECTORY,
    errno.ENODEV: Unreadable.SPECIAL,
}
_LFS_HEAD = "version https://git-lfs.github.com/spec/"
_NEVER_WALKED = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"})


class Tree(Protocol):
    """Where files come from."""

    def paths(self) -> Sequence[str]:
        """Return all files of the repository, sorted."""

    def below(self, directory: PurePosixPath) -> Sequence[PurePosixPath | Unread]:
        """Return all files below a directory, sorted, and everything there that is not a file."""

    def read(self, path: PurePosixPath) -> str | Unread:
        """Return the text of a file, or why it was not read."""


@dataclass(frozen=True, slots=True)
class WorkTree:
    """Files on disk. `shown` is the prefix of displayed paths; empty in a repository."""

    target: Path
    listed: Sequence[str] = ()
    shown: PurePosixPath = _HERE

    def paths(self) -> Sequence[str]:
        """Return tracked and untracked files."""
        return self.listed

    def below(self, directory: PurePosixPath) -> Sequence[PurePosixPath | Unread]:
        """Walk one directory; links, nested repositories and special files are named, never entered."""
        found: list[PurePosixPath | Unread] = []
        waiting = [directory]
        while waiting:
            current = waiting.pop()
            try:
                entries = self._scan(current)
            except OSError as error:
                refused = self._refused(current, error)
                found += [refused] if refused.reason is not Unreadable.ABSENT else []
                continue
            if current != directory and any(name == ".git" for name, _ in entries):
                found.append(Unread(current, Unreadable.NESTED_REPOSITORY))
                continue
            for name, mode in entries:
                if name == ".git":
                    continue
                if stat.S_ISDIR(mode) and name != INDEX_NAME:
                    inner = current / name
                    if len(inner.relative_to(directory).parts) > MAX_DEPTH:
                        found.append(_too_deep(inner))
                    else:
                        waiting.append(inner)
                else:
                    found.append(self._entry(current / name, mode))
        return sorted(found, key=_path_of)

    def read(self, path: PurePosixPath) -> str | Unread:
        """Read a regular file below the root, through real directories only."""
        try:
            return decode(path, read_beneath(self.target, path.relative_to(self.shown), MAX_FILE_BYTES + 1))
        except OSError as error:
            return self._refused(path, error)

    def _scan(self, directory: PurePosixPath) -> list[tuple[str, int]]:
        with (
            open_directory(self.target, directory.relative_to(self.shown)) as descriptor,
            os.scandir(descriptor) as entries,
        ):
            return sorted(_list_modes(entries))

    def _entry(self, path: PurePosixPath, mode: int) -> PurePosixPath | Unread:
        if stat.S_ISREG(mode):
            return path
        if stat.S_ISLNK(mode):
            return Unread(path, Unreadable.SYMLINK, self._first_link(path))
        return Unread(path, Unreadable.DIRECTORY if stat.S_ISDIR(mode) else Unreadable.SPECIAL)

    def _first_link(self, path: PurePosixPath) -> str:
        """Return where the first symbolic link on a path leads; "" if there is none."""
        inside = path.relative_to(self.shown)
        steps = (self.target / step for step in (*reversed(inside.parents), inside) if step != _HERE)
        try:
            link = next((step for step in steps if step.is_symlink()), None)
            return str(link.readlink()) if link else ""
        except OSError:
            return ""

    def _refused(self, path: PurePosixPath, error: OSError) -> Unread:
        # O_NOFOLLOW gives ELOOP for a link, and ENOTDIR where a directory was asked for.
        if error.errno in {errno.ELOOP, errno.ENOTDIR} and (link := self._first_link(path)):
            return Unread(path, Unreadable.SYMLINK, link)
        if error.errno in _PLAIN_REASONS:
            return Unread(path, _PLAIN_REASONS[error.errno])
        shut = error.errno in {errno.EACCES, errno.EPERM}
        return Unread(path, Unreadable.NO_PERMISSION if shut else Unreadable.FAILED, error.strerror or "")


@dataclass(frozen=True, slots=True)
class CommitTree:
    """The files of one commit."""

    repository: Repository
    # By path, sorted.
    entries: Mapping[str, TreeEntry]

    def paths(self) -> Sequence[str]:
        """Return every path of the commit."""
        return tuple(self.entries)

    def below(self, directory: PurePosixPath) -> Sequence[PurePosixPath | Unread]:
        """Return the files below a directory; links and submodules are named."""
        name = str(directory)
        prefix = f"{name}/" if directory != _HERE else ""
        if name in self.entries:
            # A link or a submodule in place of the directory; nothing is below a file.
            item = self._entry(directory)
            return [item] if isinstance(item, Unread) else []
        found = [PurePosixPath(path) for path in self.entries if path.startswith(prefix)]
        limit = len(directory.parts) + MAX_DEPTH + 1
        deep = {PurePosixPath(*path.parts[:limit]) for path in found if len(path.parts) > limit}
        files = [self._entry(path) for path in found if len(path.parts) <= limit]
        return sorted([*files, *map(_too_deep, deep)], key=_path_of)

    def read(self, path: PurePosixPath) -> str | Unread:
        """Read a blob."""
        if str(path) not in self.entries:
            return Unread(path, Unreadable.ABSENT)
        entry = self._entry(path)
        if isinstance(entry, Unread):
            return entry
        data = self.repository.read_blob(self.entries[str(path)].oid, MAX_FILE_BYTES)
        return _too_large(path) if data is None else decode(path, data)

    def _entry(self, path: PurePosixPath) -> PurePosixPath | Unread:
        match self.entries[str(path)].mode:
            case "120000":
                return Unread(path, Unreadable.SYMLINK)
            case "160000":
                return Unread(path, Unreadable.NESTED_REPOSITORY)
            case _:
                return path


def list_work_tree(target: Path, repository: Repository | None) -> WorkTree:
    """Return the work tree of a repository, or a directory outside of one."""
    if repository is not None:
        return WorkTree(target, sorted(repository.list_files()))
    found: list[str] = []
    for directory, names, files in os.walk(target):
        inside = PurePosixPath(Path(directory).relative_to(target).as_posix())
        # Whatever scope begins in here, its own limit is reached first.
        names[:] = sorted(set(names) - _NEVER_WALKED) if len(inside.parts) < 2 * MAX_DEPTH else []
        found += [str(inside / name) for name in files]
        if len(found) > MAX_WALKED:
            break
    return WorkTree(target, sorted(found))


def read_commit(repository: Repository, commit: str) -> CommitTree:
    """Return the tree of a commit."""
    entries = sorted(repository.list_tree(commit), key=lambda entry: entry.path)
    return CommitTree(repository, {entry.path: entry for entry in entries})


def decode(path: PurePosixPath, data: bytes) -> str | Unread:
    """Decode the bytes of a file, or return the reason why not."""
    if len(data) > MAX_FILE_BYTES:
        return _too_large(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Unread(path, Unreadable.NOT_UTF8, f"line {line}: {error.reason}")
    if text.startswith(_LFS_HEAD):
        return Unread(path, Unreadable.LFS_POINTER)
    return text


def _path_of(item: PurePosixPath | Unread) -> PurePosixPath:
    return item.path if isinstance(item, Unread) else item


def _too_deep(path: PurePosixPath) -> Unread:
    return Unread(path, Unreadable.TOO_DEEP, f"more than {MAX_DEPTH} directories")


def _too_large(path: PurePosixPath) -> Unread:
    return Unread(path, Unreadable.TOO_LARGE, f"more than {MAX_FILE_BYTES:,} bytes")


def _list_modes(entries: Iterable["os.DirEntry[str]"]) -> Iterator[tuple[str, int]]:
    for entry in entries:
        try:
            yield entry.name, entry.stat(follow_symlinks=False).st_mode
        except FileNotFoundError:
            # Removed while we were looking; the others are still there.
            continue
        except OSError:
            # Reading it gives the error.
            yield entry.name, stat.S_IFREG
