"""Building one commit from blobs and trees: no index, no work tree, no hook, no filter."""

import datetime as dt
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.errors import UnsafeError
from memci.git.file_tree import MAX_FILE_BYTES
from memci.git.repository import Repository, TreeEntry
from memci.git.writing import write_blob, write_commit, write_tree
from memci.publish.bundle import STATE_NAME

_WHO = "memci <memci@users.noreply.github.com>"
_DIGEST = "Memci-Digest"
_TREE = "Memci-Tree"
_FILES = ("100644", "100755")
_GONE = "000000"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A commit that memci wrote, or would write: `digest` identifies its changes to the memory alone."""

    commit: str
    tree: str
    parent: str
    digest: str


def digest_changes(changes: Mapping[str, tuple[str, str]]) -> str:
    """Return the digest of changes, given as path -> old and new blob; the state file counts for nothing."""
    lines = (f"{path}\0{old}\0{new}\n" for path, (old, new) in sorted(changes.items()) if not _is_state(path))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _is_state(path: str) -> bool:
    # It records when and how far transcripts were read, which differs every night.
    return PurePosixPath(path).name == STATE_NAME


def build_proposal(
    repository: Repository, parent: str, files: Mapping[PurePosixPath, bytes | None], subject: str, when: dt.datetime
) -> Proposal:
    """Write a commit on top of `parent` that changes these files; equal input gives an equal commit."""
    entries = {entry.path: entry for entry in repository.list_tree(parent)}
    blobs: dict[str, TreeEntry | None] = {}
    changes: dict[str, tuple[str, str]] = {}
    for path, data in files.items():
        old = entries.get(str(path))
        if old is not None and old.mode not in _FILES:
            raise UnsafeError(f"{path} is not a file in {parent[:12]}")
        oid = "" if data is None else write_blob(repository, data)
        blobs[str(path)] = TreeEntry(str(path), old.mode if old else _FILES[0], oid) if oid else None
        changes[str(path)] = (old.oid if old else "", oid)
    tree = write_tree(repository, blobs, f"{parent}^{{tree}}")
    digest = digest_changes({path: pair for path, pair in changes.items() if pair[0] != pair[1]})
    message = f"{subject}\n\n{_DIGEST}: {digest}\n{_TREE}: {tree}\n"
    commit = write_commit(repository, tree, [parent], _WHO, when.astimezone(dt.UTC), message)
    return Proposal(commit, tree, parent, digest)


def read_proposal(repository: Repository, commit: str) -> Proposal | None:
    """Return a commit as the proposal that memci made; None if anybody else changed it."""
    content = os.fsdecode(repository.run("cat-file", "commit", commit))
    head, _, message = content.partition("\n\n")
    fields = [line.partition(" ") for line in head.split("\n")]
    said = dict(line.split(": ", 1) for line in message.split("\n") if line.startswith((f"{_DIGEST}: ", f"{_TREE}: ")))
    trees, parents = ([value for key, _, value in fields if key == name] for name in ("tree", "parent"))
    mine = all(value.startswith(f"{_WHO} ") for key, _, value in fields if key in {"author", "committer"})
    # Amending changes the committer; a commit that fakes the committer has another tree.
    if not mine or len(parents) != 1 or trees != [said.get(_TREE, "")]:
        return None
    return Proposal(commit, trees[0], parents[0], said.get(_DIGEST, ""))


def _diff(repository: Repository, one: str, other: str, *names: str) -> list[tuple[str, TreeEntry]]:
    """Return what differs between two commits: the old blob, and what is there now."""
    options = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    pieces = os.fsdecode(repository.run("diff-tree", *options, one, other, "--", *names)).split("\0")[:-1]
    lines = ((line.split(" "), name) for line, name in zip(pieces[::2], pieces[1::2], strict=True))
    return [(old, TreeEntry(name, mode, new)) for (_, mode, old, new, _), name in lines]


def read_kept(
    repository: Repository, own: Proposal, head: str, scopes: Sequence[PurePosixPath]
) -> dict[PurePosixPath, dict[PurePosixPath, bytes | None]]:
    """Return the changes of an earlier proposal to scopes that were not read since, if they still apply to `head`."""
    changes = _diff(repository, own.parent, own.commit, *map(str, scopes)) if scopes else []
    now = {entry.path: entry.oid for entry in repository.list_tree(head)} if changes else {}
    kept: dict[PurePosixPath, dict[PurePosixPath, bytes | None]] = {}
    spoilt: set[PurePosixPath] = set()
    for old, new in changes:
        path = PurePosixPath(new.path)
        scope = max((scope for scope in scopes if path.is_relative_to(scope)), key=lambda scope: len(scope.parts))
        data = repository.read_blob(new.oid, MAX_FILE_BYTES) if new.mode in _FILES else None
        if now.get(new.path, "0" * len(old)) != old or (data is None and new.mode != _GONE):
            spoilt.add(scope)
        kept.setdefault(scope, {})[path] = data
    return {scope: files for scope, files in kept.items() if scope not in spoilt}


def is_merged(repository: Repository, commit: str, base: str) -> bool:
    """Whether the base has all that a commit brings, however it was merged: nothing is lost without the commit."""
    changes = _diff(repository, repository.merge_base(base, commit), commit)
    now = {entry.path: (entry.mode, entry.oid) for entry in repository.list_tree(base)} if changes else {}
    return all(now.get(new.path) == (None if new.mode == _GONE else (new.mode, new.oid)) for _, new in changes)


def render_patch(repository: Repository, proposal: Proposal) -> bytes:
    """Return what a proposal changes, as `git apply` reads it."""
    options = ("-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
    return repository.run("diff-tree", *options, proposal.parent, proposal.commit)


def list_changed(repository: Repository, one: str, other: str, scopes: Sequence[PurePosixPath]) -> list[str]:
    """Return the files of these scopes that differ between two commits."""
    return [new.path for _, new in _diff(repository, one, other, *map(str, scopes))] if scopes else []
