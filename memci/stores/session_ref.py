"""Keeps collected sessions on a ref of their own, with plumbing only: no index, no work tree, no hook, no filter.

Two clones may do so at the same time: the ref moves only from the value that was read, here and at the remote, and
whoever comes second puts the files of both together.
"""

import contextlib
import datetime as dt
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.remotes import LeaseError, Remote, open_remote
from memci.git.repository import Repository, TreeEntry
from memci.git.writing import move_ref, write_blob, write_commit, write_tree
from memci.stores.branches import check_branch, list_default_branches

_OTHER = "for example git:memci/sessions"
_MARK = b"# Sessions collected by memci\n"
_README = _MARK + (
    b"\nTranscripts of coding sessions, redacted, for `memci dream` to read. Nothing here is code; memci adds files"
    b" and never\nmerges this branch into another one.\n"
)
# As many clones as a team has may come in each other's way at the same moment.
_ATTEMPTS = 20
_HEADS = "refs/heads/"
_WHO = "memci <memci@localhost>"


def check_name(name: str) -> str:
    """Return the name of a branch for sessions, if it can be one."""
    return check_branch(name, "the branch for sessions", _OTHER)


def resolve_ref(repository: Repository, name: str) -> str:
    """Return the ref of the branch that a person named; one that people work on is refused."""
    ref = f"{_HEADS}{check_name(name)}"
    out = os.fsdecode(repository.run("worktree", "list", "--porcelain"))
    if f"branch {ref}" in out.split("\n"):
        raise UnsafeError(f"{ref} is checked out; sessions need a ref of their own", hint=_OTHER)
    if name in list_default_branches(repository):
        raise UsageError(f"{name} is the default branch; sessions need a branch of their own", hint=_OTHER)
    return ref


def add_files(
    repository: Repository, ref: str, files: Mapping[PurePosixPath, bytes], *, remote: str | None = None
) -> str:
    """Commit files to a ref, push it if a remote is given, and return the commit; nothing that is there gets lost.

    They are committed before the remote is asked, so that the next call pushes what this one could not.
    """
    blobs = {str(path): _write_file(repository, str(path), data) for path, data in files.items()}
    if remote:
        add_files(repository, ref, files)
    shared = _open_remote(repository, remote) if remote else None
    for attempt in range(_ATTEMPTS):
        with contextlib.suppress(LeaseError):
            theirs = _fetch(shared, ref) if shared else ""
            ours = repository.read_ref(ref)
            commit = _build(repository, ref, [tip for tip in (ours, theirs) if tip], blobs)
            if _move(repository, ref, commit, ours):
                if shared and commit != theirs:
                    shared.push(ref.removeprefix(_HEADS), commit, theirs)
                return commit
        # Somebody was faster; all at once again would only repeat it.
        time.sleep(random.uniform(0.01, 0.1) * min(attempt + 1, 10))  # noqa: S311 -- no secret depends on it
    where = f"{ref} of {remote}" if remote else ref
    hint = "the sessions are kept here; collect again later"
    raise ServiceError(f"cannot move {where}: refused {_ATTEMPTS} times", hint=hint)


def _open_remote(repository: Repository, remote: str) -> Remote:
    try:
        # A repository must not choose the programs that run in the background of a session.
        return replace(open_remote(repository, remote), follows_repository=False)
    except UsageError as error:
        # Mostly it is not named by a person, but by a hook.
        raise ServiceError(error.message, hint=error.hint) from error


def _fetch(remote: Remote, ref: str) -> str:
    """Bring what the remote has, and return its commit; "" if there is none."""
    branch = ref.removeprefix(_HEADS)
    head = remote.read_head(branch)
    remote.fetch(branch, head)
    return head


def _write_file(repository: Repository, path: str, data: bytes) -> TreeEntry:
    return TreeEntry(path, "100644", write_blob(repository, data))


def _build(repository: Repository, ref: str, tips: Sequence[str], blobs: Mapping[str, TreeEntry]) -> str:
    """Return a commit that has the files of all tips and the new ones; one of the tips if that has all of it."""
    tips = _without_ancestors(repository, list(dict.fromkeys(tips)))
    # Before the trees are read: a partial clone may lack the one that others wrote.
    files = {"README.md": _write_file(repository, "README.md", _README)}
    trees = [_read_tree(repository, ref, tip) for tip in tips]
    for tree in trees:
        for path, blob in tree.items():
            known = files.get(path)
            if path == "README.md" or known is None or known == blob:
                files[path] = blob
            else:
                # The same session collected twice: it only ever grows.
                sizes = {item: int(repository.run("cat-file", "-s", item.oid)) for item in (known, blob)}
                files[path] = max(sizes, key=lambda item: (sizes[item], item.oid))
    files |= blobs
    if len(tips) == 1 and files == trees[0]:
        return tips[0]
    names = ", ".join(PurePosixPath(path).stem for path in sorted(blobs)[:3])
    message = f"Add session {names}\n" if len(blobs) == 1 else f"Add {len(blobs)} sessions\n"
    return write_commit(repository, write_tree(repository, files), tips, _WHO, dt.datetime.now().astimezone(), message)


def _without_ancestors(repository: Repository, tips: list[str]) -> list[str]:
    if len(tips) < 2:
        return tips
    base = repository.run("merge-base", *tips, accepted=(0, 1)).decode().strip()
    return [tip for tip in tips if tip != base]


def _read_tree(repository: Repository, ref: str, tip: str) -> dict[str, TreeEntry]:
    tree = {entry.path: entry for entry in repository.list_tree(tip)}
    readme = tree.get("README.md")
    # As a stream: whatever has this name there may be of any size.
    lines = repository.stream("cat-file", "blob", readme.oid, end=b"\n") if readme else iter(())
    if next(lines, b"") + b"\n" != _MARK:
        hint = "choose a name that no branch has yet, for example git:memci/sessions"
        raise UnsafeError(f"{ref} holds something other than sessions that memci collected", hint=hint)
    return tree


def _move(repository: Repository, ref: str, commit: str, old: str) -> bool:
    """Move the ref here if it still is where it was."""
    if commit == old:
        return True
    try:
        move_ref(repository, ref, commit, old, "memci collect")
    except ServiceError as error:
        # A lock that somebody holds goes away; what else is in the way stays there.
        if repository.read_ref(ref) == old and ".lock" not in error.message:
            raise
        return False
    return True
