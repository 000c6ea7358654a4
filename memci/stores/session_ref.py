"""Keeps collected sessions on a ref of their own, with plumbing only: no index, no work tree, no hook, no filter.

Two clones may do so at the same time: the ref moves only from the value that was read, here and at the remote, and
whoever comes second puts the files of both together.
"""

import contextlib
import datetime as dt
import hashlib
import os
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.repository import Repository, TreeEntry
from memci.git.writing import (
    GitAnswer,
    Way,
    delete_ref,
    fetch,
    list_remote,
    move_ref,
    push,
    write_blob,
    write_commit,
    write_tree,
)
from memci.redaction.secrets import redact
from memci.stores.branches import check_branch, list_default_branches

_OTHER = "for example git:memci/sessions"
_MARK = b"# Sessions collected by memci\n"
_README = _MARK + (
    b"\nTranscripts of coding sessions, redacted, for `memci dream` to read. Nothing here is code; memci adds files"
    b" and never\nmerges this branch into another one.\n"
)
# As many clones as a team has may come in each other's way at the same moment.
_ATTEMPTS = 20
_WHO = "memci <memci@localhost>"


def check_name(name: str) -> str:
    """Return the name of a branch for sessions, if it can be one."""
    return check_branch(name, "the branch for sessions", _OTHER)


def resolve_ref(repository: Repository, name: str) -> str:
    """Return the ref of the branch that a person named; one that people work on is refused."""
    ref = f"refs/heads/{check_name(name)}"
    out = os.fsdecode(repository.run("worktree", "list", "--porcelain"))
    if f"branch {ref}" in out.split("\n"):
        raise UnsafeError(f"{ref} is checked out; sessions need a ref of their own", hint=_OTHER)
    if name in list_default_branches(repository):
        raise UsageError(f"{name} is the default branch; sessions need a branch of their own", hint=_OTHER)
    return ref


def add_files(
    repository: Repository, ref: str, files: Mapping[PurePosixPath, bytes], *, remote: str | None = None
) -> str:
    """Commit files to a ref, push it if a remote is given, and return the commit; nothing that is there gets lost."""
    blobs = {str(path): _write_file(repository, str(path), data) for path, data in files.items()}
    way = _resolve_way(repository, remote) if remote else None
    for attempt in range(_ATTEMPTS):
        theirs = _fetch(way, ref) if way else None
        ours = _read_ref(repository, ref)
        commit = _build(repository, ref, [tip for tip in (ours, theirs) if tip], blobs)
        if _move(repository, ref, commit, ours) and (
            way is None or commit == theirs or _push(way, ref, commit, theirs)
        ):
            return commit
        # Somebody was faster; all at once again would only repeat it.
        time.sleep(random.uniform(0.01, 0.1) * min(attempt + 1, 10))  # noqa: S311 -- no secret depends on it
    where = f"{ref} of {remote}" if remote else ref
    hint = "the sessions are kept here; collect again later"
    raise ServiceError(f"cannot move {where}: refused {_ATTEMPTS} times", hint=hint)


def _write_file(repository: Repository, path: str, data: bytes) -> TreeEntry:
    return TreeEntry(path, "100644", write_blob(repository, data))


def _read_ref(repository: Repository, ref: str) -> str | None:
    out = repository.run("rev-parse", "--verify", "--quiet", "--end-of-options", ref, accepted=(0, 1)).decode().strip()
    return out or None


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
                files[path] = max((known, blob), key=lambda item: (_measure(repository, item.oid), item.oid))
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
    with contextlib.closing(repository.stream("cat-file", "blob", readme.oid if readme else tip, end=b"\n")) as lines:
        is_ours = readme is not None and next(lines, b"") + b"\n" == _MARK
    if not is_ours:
        hint = "choose a name that no branch has yet, for example git:memci/sessions"
        raise UnsafeError(f"{ref} holds something other than sessions that memci collected", hint=hint)
    return tree


def _measure(repository: Repository, oid: str) -> int:
    return int(repository.run("cat-file", "-s", oid))


def _move(repository: Repository, ref: str, commit: str, old: str | None) -> bool:
    """Move the ref here if it still is where it was."""
    if commit == old:
        return True
    try:
        move_ref(repository, ref, commit, old or "", "memci collect")
    except ServiceError as error:
        # A lock that somebody holds goes away; what else is in the way stays there.
        if _read_ref(repository, ref) == old and ".lock" not in error.message:
            raise
        return False
    return True


def _resolve_way(repository: Repository, remote: str) -> Way:
    if remote.startswith("-") or repository.run("config", "--get", f"remote.{remote}.vcs", accepted=(0, 1)).strip():
        raise UnsafeError(f"{remote} is no remote that memci can push to")
    try:
        repository.run("remote", "get-url", "--push", remote)
    except ServiceError as error:
        hint = "git remote add origin URL, or --remote NAME"
        raise ServiceError(f"there is no remote {redact(remote)}", hint=hint) from error
    return Way(repository, remote)


def _fetch(way: Way, ref: str) -> str | None:
    """Bring what the remote has, and return its commit."""
    listed = _check(way, "ls-remote", list_remote(way, ref, "--refs"))
    if not any(line.endswith(f"\t{ref}") for line in listed):
        return None
    # Under a name of its own: another process here may be fetching the same.
    copy = f"refs/memci/{hashlib.sha256(os.fsencode(f'{way.name} {ref}')).hexdigest()[:16]}-{os.getpid()}"
    _check(way, "fetch", fetch(way, f"+{ref}:{copy}", "--no-filter"))
    fetched = _read_ref(way.repository, copy)
    delete_ref(way.repository, copy)
    return fetched


def _push(way: Way, ref: str, commit: str, theirs: str | None) -> bool:
    """Push if the remote still is where it was; whether it did."""
    answer = push(way, ref, commit, theirs or "")
    # Lost a race, or not allowed to at all: only if nobody moved it there is no use in trying again.
    if answer.failure and _fetch(way, ref) == theirs and _fetch(way, ref) == theirs:
        _check(way, "push", answer)
    return not answer.failure


def _check(way: Way, verb: str, answer: GitAnswer) -> tuple[str, ...]:
    if answer.failure:
        name = redact(way.name)
        raise ServiceError(f"git {verb} to {name} failed", hint=f"git {verb} {name} says more")
    return answer.lines
