"""Reads a bundle from an untrusted source: follows no links, limits sizes, checks every hash."""

import errno
import hashlib
import json
import math
import os
import stat
from pathlib import Path, PurePosixPath
from typing import Any

from memci.errors import UnsafeError
from memci.git.file_tree import MAX_FILE_BYTES
from memci.git.safe_open import open_beneath
from memci.model.plan import PlanStatus
from memci.patterns import LazyPattern
from memci.publish.bundle import MANIFEST, SCHEMA, TEXTS, Bundle, BundledFile, BundledScope, BundleRun
from memci.publish.manifest import (
    decode_moment,
    decode_need,
    decode_operation,
    decode_path,
    decode_refused,
    decode_signal,
    take,
)

# Chosen by us: a dream over the largest public memory needs a tenth of it.
_MAX_MANIFEST = 16 * 1024 * 1024
_MAX_TEXTS = 5_000
_MAX_TOTAL = 64 * 1024 * 1024
_HASH = LazyPattern(r"[0-9a-f]{64}")
_COMMIT = LazyPattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHARD = LazyPattern(r"(?:[1-9][0-9]{0,3}/[1-9][0-9]{0,3})?")
_MODES = ("100644", "100755")
_MAX_SHOWN = 50
# Git stores no date before the first, and what looks ahead some months needs room after the last.
_YEARS = range(1970, 9000)


class NoBundleError(UnsafeError):
    """There is no bundle here, or an incomplete one."""


def read_bundle(target: Path) -> Bundle:
    """Read a bundle and check that it is complete; guards decide later whether it may be published."""
    raw = _read(target, PurePosixPath(MANIFEST), _MAX_MANIFEST)
    texts = _read_texts(target)
    try:
        return _decode(json.loads(raw), texts)
    except RecursionError as error:
        raise UnsafeError(f"{target}/{MANIFEST} is refused: it is nested too deeply") from error
    except (ValueError, TypeError, OverflowError) as error:
        what = "it is no JSON" if isinstance(error, json.JSONDecodeError) else str(error)
        raise UnsafeError(f"{target}/{MANIFEST} is refused: {what}") from error


def _read(target: Path, path: PurePosixPath, limit: int) -> bytes:
    try:
        descriptor = open_beneath(target, path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as error:
        if path.name == MANIFEST and error.errno in {errno.ENOENT, errno.ENOTDIR}:
            raise NoBundleError(
                f"{target} is no bundle: it has no {MANIFEST}", hint="the dream may have died"
            ) from error
        raise UnsafeError(f"{target}/{path} is refused: {error.strerror}") from error
    with open(descriptor, "rb") as file:  # noqa: PTH123 -- an open descriptor has no path
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsafeError(f"{target}/{path} is refused: not a regular file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise UnsafeError(f"{target}/{path} is refused: more than {limit:,} bytes")
    return data


def _read_texts(target: Path) -> dict[str, bytes]:
    known = {MANIFEST, TEXTS}
    if odd := sorted({entry.name for entry in os.scandir(target)} - known):
        raise UnsafeError(f"{target}/{odd[0]} is refused: it does not belong to a bundle")
    try:
        names = sorted(entry.name for entry in os.scandir(target / TEXTS))
    except FileNotFoundError:
        # Artifacts have no empty directories.
        return {}
    except OSError as error:
        raise UnsafeError(f"{target}/{TEXTS} is refused: {error.strerror}") from error
    if len(names) > _MAX_TEXTS:
        raise UnsafeError(f"{target} is refused: more than {_MAX_TEXTS:,} texts")
    texts: dict[str, bytes] = {}
    total = 0
    for name in names:
        data = _read(target, PurePosixPath(TEXTS, name), MAX_FILE_BYTES)
        total += len(data)
        if hashlib.sha256(data).hexdigest() != name or total > _MAX_TOTAL:
            raise UnsafeError(f"{target}/{TEXTS}/{name} is refused: its content is not what its name says")
        texts[name] = data
    return texts


def _decode(content: Any, texts: dict[str, bytes]) -> Bundle:
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema != SCHEMA:
        raise ValueError(f"it is no {SCHEMA}")
    names = dict.fromkeys(("schema", "memci", "base", "now", "engine", "shard"), str)
    _, version, base, now, engine, shard, cost, report, scopes = take(
        content, "the manifest", **names, cost=dict, report=str, scopes=list
    )
    moment = decode_moment(now)
    if moment is None or moment.year not in _YEARS:
        raise ValueError(f"no dream was made at {now[:_MAX_SHOWN]!a}")
    if not _COMMIT.fullmatch(base) or not _SHARD.fullmatch(shard):
        raise ValueError("base or shard is not what it should be")
    if any(type(value) not in {int, float} or not math.isfinite(value) or value < 0 for value in cost.values()):
        raise ValueError("the cost is no amount")
    used: set[str] = set()

    def find(digest: str) -> bytes:
        if digest not in texts:
            raise ValueError(f"the text {digest[:64]} is missing")
        used.add(digest)
        return texts[digest]

    found = tuple(_decode_scope(scope, find) for scope in scopes)
    if unused := sorted(texts.keys() - used):
        raise ValueError(f"nothing needs the text {unused[0]}")
    if len({scope.path for scope in found}) != len(found):
        raise ValueError("a scope stands there twice")
    return Bundle(BundleRun(base, moment, engine, cost, shard, report, version), found, texts)


def _decode_scope(content: Any, find: Any) -> BundledScope:
    lists = dict.fromkeys(("operations", "refused", "needs_person", "signals"), list)
    names = dict.fromkeys(("id", "path", "status", "reason"), str)
    values = take(content, "scope", **names, **lists, ledger=dict, files=list)
    name, path, status, reason, operations, refused, needs, signals, ledger, files = values
    return BundledScope(
        name,
        decode_path(path, "scope.path"),
        PlanStatus(status),
        reason,
        tuple(
            decode_operation(item, lambda digest: find(digest).decode("utf-8", "surrogateescape"))
            for item in operations
        ),
        tuple(map(decode_refused, refused)),
        tuple(map(decode_need, needs)),
        tuple(map(decode_signal, signals)),
        ledger,
        tuple(_decode_file(item, find) for item in files),
    )


def _decode_file(content: Any, find: Any) -> BundledFile:
    optional = (str, type(None))
    path, mode, old, new = take(content, "file", path=str, mode=str, old=optional, new=optional)
    if mode not in _MODES or (old is not None and not _HASH.fullmatch(old)):
        raise ValueError(f"the mode or the old hash of {path[:100]!r} is none")
    if new is not None:
        find(new)
    return BundledFile(decode_path(path, "file.path"), mode, old, new)
