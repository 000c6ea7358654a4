"""Reads a bundle from an untrusted source: follows no links, limits sizes, checks every hash."""

import errno
import json
import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from memci.errors import UnsafeError
from memci.git.file_tree import MAX_FILE_BYTES
from memci.git.safe_open import read_beneath
from memci.patterns import LazyPattern
from memci.publish.bundle import (
    MANIFEST,
    SCHEMA,
    TEXTS,
    Bundle,
    BundledScope,
    BundleRun,
    decode_operation,
    decode_path,
    decode_refused,
    decode_value,
    hash_bytes,
    render_manifest,
)
from memci.report.change_entries import ChangeGroup

# Chosen by us: a dream over the largest public memory needs a tenth of it.
_MAX_MANIFEST = 16 * 1024 * 1024
_MAX_TEXTS = 5_000
_MAX_TOTAL = 64 * 1024 * 1024
_HASH = LazyPattern(r"[0-9a-f]{64}")
_COMMIT = LazyPattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHARD = LazyPattern(r"(?:[1-9][0-9]{0,3}/[1-9][0-9]{0,3})?")
_MODES = ("100644", "100755")
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
        data = read_beneath(target, path, limit + 1)
    except OSError as error:
        if path.name == MANIFEST and error.errno in {errno.ENOENT, errno.ENOTDIR}:
            raise NoBundleError(
                f"{target} is no bundle: it has no {MANIFEST}", hint="the dream may have died"
            ) from error
        raise UnsafeError(f"{target}/{path} is refused: {error.strerror}") from error
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
        if hash_bytes(data) != name or total > _MAX_TOTAL:
            raise UnsafeError(f"{target}/{TEXTS}/{name} is refused: its content is not what its name says")
        texts[name] = data
    return texts


def _decode(content: object, texts: dict[str, bytes]) -> Bundle:
    fields = decode_value(content, dict[str, Any])
    if fields.get("schema") != SCHEMA:
        raise ValueError(f"it is no {SCHEMA}")
    run = decode_value({**fields, "version": fields.get("memci")}, BundleRun)
    if run.now.year not in _YEARS:
        raise ValueError(f"no dream was made at {run.now}")
    if not _COMMIT.fullmatch(run.base) or not _SHARD.fullmatch(run.shard):
        raise ValueError("base or shard is not what it should be")
    if not all(0 <= value < math.inf for value in run.cost.values()):
        raise ValueError("the cost is no amount")
    used: set[str] = set()

    def find(digest: str) -> bytes:
        if digest not in texts:
            raise ValueError(f"the text {digest[:64]} is missing")
        used.add(digest)
        return texts[digest]

    scopes = tuple(_decode_scope(scope, find) for scope in decode_value(fields.get("scopes"), list[dict[str, Any]]))
    if unused := sorted(texts.keys() - used):
        raise ValueError(f"nothing needs the text {unused[0]}")
    if len({scope.path for scope in scopes}) != len(scopes):
        raise ValueError("a scope stands there twice")
    bundle = Bundle(run, scopes, texts)
    if json.loads(render_manifest(bundle)) != content:
        raise ValueError("it has more or less in it than memci writes")
    return bundle


def _decode_scope(content: dict[str, Any], find: Callable[[str], bytes]) -> BundledScope:
    scope = decode_value({**content, "operations": (), "refused": ()}, BundledScope)
    decode_path(str(scope.path), "scope.path")
    for file in scope.files:
        decode_path(str(file.path), "file.path")
        if file.mode not in _MODES or (file.old is not None and not _HASH.fullmatch(file.old)):
            raise ValueError(f"the mode or the old hash of {str(file.path)[:100]!r} is none")
        if file.new is not None:
            find(file.new)
    for one in scope.waiting:
        decode_path(str(one.file), "waiting.file")
        ChangeGroup(one.what)
    operations, refused = (decode_value(content.get(key), list[Any]) for key in ("operations", "refused"))
    return replace(
        scope,
        operations=tuple(
            decode_operation(item, lambda digest: find(digest).decode("utf-8", "surrogateescape"))
            for item in operations
        ),
        refused=tuple(map(decode_refused, refused)),
    )
