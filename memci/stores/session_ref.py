"""Keeps collected sessions on a ref of their own, with plumbing only: no index, no work tree, no hook, no filter.

Two clones may do so at the same time: the ref moves only from the value that was read, here and at the remote, and
whoever comes second puts the files of both together.
"""

import contextlib
import hashlib
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.repository import Repository
from memci.redaction.secrets import redact
from memci.stores.branches import check_branch, find_defaults

_OTHER = "for example git:memci/sessions"
_MARK = b"# Sessions collected by memci\n"
_README = _MARK + (
    b"\nTranscripts of coding sessions, redacted, for `memci dream` to read. Nothing here is code; memci adds files"
    b" and never\nmerges this branch into another one.\n"
)
# As many clones as a team has may come in each other's way at the same moment.
_ATTEMPTS = 20
# A push of a few MB over a slow line; a background process must not wait for ever.
_SECONDS = 120.0
_WHO = ("-c", "user.name=memci", "-c", "user.email=memci@localhost", "-c", "i18n.commitEncoding=UTF-8")
# Never `ext`, which runs a command; `file` is what a mount or a test has.
_PROTOCOLS = ("https", "http", "ssh", "file")
_QUIET = (
    "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.askPass=", "-c", "core.alternateRefsCommand=true",
    "-c", "push.pushOption=",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a tree."""

    mode: str
    oid: str


def check_name(name: str) -> str:
    """Return the name of a branch for sessions, if it can be one."""
    return check_branch(name, "the branch for sessions", _OTHER)


def find_ref(repository: Repository, name: str) -> str:
    """Return the ref of the branch that a person named; one that people work on is refused."""
    ref = f"refs/heads/{check_name(name)}"
    out = os.fsdecode(repository.run("worktree", "list", "--porcelain"))
    if f"branch {ref}" in out.split("\n"):
        raise UnsafeError(f"{ref} is checked out; sessions need a ref of their own", hint=_OTHER)
    if name in find_defaults(repository):
        raise UsageError(f"{name} is the default branch; sessions need a branch of their own", hint=_OTHER)
    return ref


def add_files(
    repository: Repository, ref: str, files: Mapping[PurePosixPath, bytes], *, remote: str | None = None
) -> str:
    """Commit files to a ref, push it if a remote is given, and return the commit; nothing that is there gets lost."""
    blobs = {str(path): Blob("100644", _write_blob(repository, data)) for path, data in files.items()}
    talk = _make_talk(repository, remote) if remote else ()
    for attempt in range(_ATTEMPTS):
        theirs = _fetch(repository, ref, remote, talk) if remote else None
        ours = _read_ref(repository, ref)
        commit = _build(repository, ref, [tip for tip in (ours, theirs) if tip], blobs)
        if _move(repository, ref, commit, ours) and (
            remote is None or commit == theirs or _push(repository, ref, commit, theirs, (remote, talk))
        ):
            return commit
        # Somebody was faster; all at once again would only repeat it.
        time.sleep(random.uniform(0.01, 0.1) * min(attempt + 1, 10))  # noqa: S311 -- no secret depends on it
    where = f"{ref} of {remote}" if remote else ref
    hint = "the sessions are kept here; collect again later"
    raise ServiceError(f"cannot move {where}: refused {_ATTEMPTS} times", hint=hint)


def _write_blob(repository: Repository, data: bytes) -> str:
    return repository.run("hash-object", "-w", "--stdin", "--no-filters", stdin=data).decode().strip()


def _read_ref(repository: Repository, ref: str) -> str | None:
    out = repository.run("rev-parse", "--verify", "--quiet", "--end-of-options", ref, accepted=(0, 1)).decode().strip()
    return out or None


def _build(repository: Repository, ref: str, tips: Sequence[str], blobs: Mapping[str, Blob]) -> str:
    """Return a commit that has the files of all tips and the new ones; one of the tips if that has all of it."""
    tips = _without_ancestors(repository, list(dict.fromkeys(tips)))
    # Before the trees are read: a partial clone may lack the one that others wrote.
    files = {"README.md": Blob("100644", _write_blob(repository, _README))}
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
    parents = [part for tip in tips for part in ("-p", tip)]
    top = _write_tree(repository, files)
    names = ", ".join(PurePosixPath(path).stem for path in sorted(blobs)[:3])
    message = f"Add session {names}\n" if len(blobs) == 1 else f"Add {len(blobs)} sessions\n"
    return repository.run(*_WHO, "commit-tree", top, *parents, stdin=message.encode()).decode().strip()


def _without_ancestors(repository: Repository, tips: list[str]) -> list[str]:
    if len(tips) < 2:
        return tips
    base = repository.run("merge-base", *tips, accepted=(0, 1)).decode().strip()
    return [tip for tip in tips if tip != base]


def _read_tree(repository: Repository, ref: str, tip: str) -> dict[str, Blob]:
    tree = {entry.path: Blob(entry.mode, entry.oid) for entry in repository.list_tree(tip)}
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


def _write_tree(repository: Repository, files: Mapping[str, Blob]) -> str:
    """Write the trees below and above each other, and return the one at the top."""
    lines: list[str] = []
    below: dict[str, dict[str, Blob]] = {}
    for path, blob in files.items():
        first, _, rest = path.partition("/")
        if rest:
            below.setdefault(first, {})[rest] = blob
        else:
            lines.append(f"{blob.mode} {'commit' if blob.mode == '160000' else 'blob'} {blob.oid}\t{first}")
    lines += [f"040000 tree {_write_tree(repository, inner)}\t{name}" for name, inner in below.items()]
    # A partial clone may lack the files of others, and does not need them.
    return (
        repository.run("mktree", "--missing", "-z", stdin=b"".join(os.fsencode(line) + b"\0" for line in lines))
        .decode()
        .strip()
    )


def _move(repository: Repository, ref: str, commit: str, old: str | None) -> bool:
    """Move the ref here if it still is where it was."""
    if commit == old:
        return True
    try:
        # An empty old value means that there must be none.
        repository.run("update-ref", "--no-deref", "-m", "memci collect", ref, commit, old or "")
    except ServiceError as error:
        # A lock that somebody holds goes away; what else is in the way stays there.
        if _read_ref(repository, ref) == old and ".lock" not in error.message:
            raise
        return False
    return True


def _make_talk(repository: Repository, remote: str) -> tuple[str, ...]:
    """Return the settings for talking to a remote: commands may come from the person's configuration only."""
    if remote.startswith("-") or repository.run("config", "--get", f"remote.{remote}.vcs", accepted=(0, 1)).strip():
        raise UnsafeError(f"{remote} is no remote that memci can push to")
    try:
        repository.run("remote", "get-url", "--push", remote)
    except ServiceError as error:
        hint = "git remote add origin URL, or --remote NAME"
        raise ServiceError(f"there is no remote {redact(remote)}", hint=hint) from error
    ssh = os.environ.get("GIT_SSH_COMMAND") or _read_own(repository, "core.sshcommand") or "ssh -o BatchMode=yes"
    settings = [*_QUIET, "-c", f"core.sshCommand={ssh}", "-c", "credential.helper="]
    for protocol in _PROTOCOLS:
        settings += ["-c", f"protocol.{protocol}.allow=always"]
    for level in ("--system", "--global"):
        for key, value in _list_own(repository, level, r"^credential\."):
            # On a command line such a name cannot be told from its value.
            settings += ["-c", f"{key}={value}"] if "=" not in key else []
    return tuple(settings)


def _read_own(repository: Repository, key: str) -> str:
    found = [value for level in ("--system", "--global") for _, value in _list_own(repository, level, f"^{key}$")]
    return found[-1] if found else ""


def _list_own(repository: Repository, level: str, pattern: str) -> list[tuple[str, str]]:
    # Without such a file git says 1 or 128.
    out = repository.run("config", level, "-z", "--get-regexp", pattern, accepted=(0, 1, 128))
    pairs = (item.partition("\n") for item in os.fsdecode(out).split("\0") if item)
    return [(key, value) for key, _, value in pairs]


def _fetch(repository: Repository, ref: str, remote: str, talk: Sequence[str]) -> str | None:
    """Bring what the remote has, and return its commit."""
    listed = _speak(repository, remote, *talk, "ls-remote", "--upload-pack=git-upload-pack", "--refs", remote, ref)
    tip = next((line.partition("\t")[0] for line in listed.split("\n") if line.endswith(f"\t{ref}")), "")
    if not tip:
        return None
    # Under a name of its own and no other (the refmap): another process here may be fetching the same.
    copy = f"refs/memci/{hashlib.sha256(os.fsencode(f'{remote} {ref}')).hexdigest()[:16]}-{os.getpid()}"
    options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-filter", "--refmap=")
    _speak(repository, remote, *talk, "fetch", "--upload-pack=git-upload-pack", *options, remote, f"+{ref}:{copy}")
    fetched = _read_ref(repository, copy)
    repository.run("update-ref", "--no-deref", "-d", copy)
    return fetched


def _push(repository: Repository, ref: str, commit: str, theirs: str | None, way: tuple[str, Sequence[str]]) -> bool:
    """Push if the remote still is where it was; whether it did."""
    remote, talk = way
    options = ("--quiet", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no")
    lease = f"--force-with-lease={ref}:{theirs or ''}"
    push = ("push", "--receive-pack=git-receive-pack", *options, lease, remote, f"{commit}:{ref}")
    try:
        _speak(repository, remote, *talk, *push)
    except ServiceError:
        # Lost a race, or not allowed to at all: only if nobody moved it there is no use in trying again.
        if _fetch(repository, ref, remote, talk) == theirs and _fetch(repository, ref, remote, talk) == theirs:
            raise
        return False
    return True


def _speak(repository: Repository, remote: str, *arguments: str) -> str:
    try:
        return os.fsdecode(b"\n".join(repository.stream(*arguments, seconds=_SECONDS, end=b"\n")))
    except ServiceError as error:
        verb = next((word for word in arguments if word in {"ls-remote", "fetch", "push"}), "git")
        hint = f"git {verb} {redact(remote)} says more"
        raise ServiceError(f"git {verb} to {redact(remote)} failed", hint=hint) from error
