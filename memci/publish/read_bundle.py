"""Reads a bundle from an untrusted source: follows no link, limits sizes, refuses what memci would not have written."""

import datetime as dt
import errno
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from memci.errors import UnsafeError
from memci.git.file_tree import MAX_FILE_BYTES
from memci.git.safe_open import read_beneath
from memci.patterns import LazyPattern
from memci.publish.bundle import MANIFEST, SCHEMA, Bundle, BundledScope, render_manifest
from memci.report.change_entries import ChangeGroup

# Chosen by us: a dream over the largest public memory needs a tenth of it.
_MAX_BYTES = 64 * 1024 * 1024
_COMMIT = LazyPattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHARD = LazyPattern(r"(?:[1-9][0-9]{0,3}/[1-9][0-9]{0,3})?")
# Git stores no date before the first, and what looks ahead some months needs room after the last.
_YEARS = range(1970, 9000)


class NoBundleError(UnsafeError):
    """There is no bundle here, or an incomplete one."""


def read_bundle(target: Path) -> Bundle:
    """Read a bundle and check that it is complete; guards decide later whether it may be published."""
    raw = _read(target)
    try:
        return decode_bundle(json.loads(raw))
    except RecursionError as error:
        raise UnsafeError(f"{target}/{MANIFEST} is refused: it is nested too deeply") from error
    except (ValueError, TypeError, OverflowError) as error:
        what = "it is no JSON" if isinstance(error, json.JSONDecodeError) else str(error)
        raise UnsafeError(f"{target}/{MANIFEST} is refused: {what}") from error


def _read(target: Path) -> bytes:
    try:
        data = read_beneath(target, PurePosixPath(MANIFEST), _MAX_BYTES + 1)
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR}:
            hint = "the dream may have died"
            raise NoBundleError(f"{target} is no bundle: it has no {MANIFEST}", hint=hint) from error
        raise UnsafeError(f"{target}/{MANIFEST} is refused: {error.strerror}") from error
    if len(data) > _MAX_BYTES:
        raise UnsafeError(f"{target}/{MANIFEST} is refused: more than {_MAX_BYTES:,} bytes")
    return data


def decode_bundle(content: Any) -> Bundle:
    """Read the manifest of a bundle; whatever memci would not write exactly so is a ValueError or a TypeError."""
    import msgspec

    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise ValueError(f"it is no {SCHEMA}")
    fields = {key: content.get(key) for key in ("run", "scopes")}
    bundle = _restore_paths(msgspec.convert(fields, Bundle, dec_hook=lambda path, text: path(text)))
    run = bundle.run
    if not _COMMIT.fullmatch(run.base) or not _SHARD.fullmatch(run.shard):
        raise ValueError("base or shard is not what it should be")
    if not all(0 <= value < math.inf for value in run.cost.values()):
        raise ValueError("the cost is no amount")
    if len({scope.path for scope in bundle.scopes}) != len(bundle.scopes):
        raise ValueError("a scope stands there twice")
    _check_zone(run.now)
    if run.now.year not in _YEARS:
        raise ValueError(f"no dream was made at {run.now}")
    for scope in bundle.scopes:
        _check_scope(scope)
    # Also refuses unknown keys, and what was left out because it has a default.
    if json.loads(render_manifest(bundle)) != content:
        raise ValueError("it has more or less in it than memci writes")
    return bundle


def _restore_paths(bundle: Bundle) -> Bundle:
    """Make paths of the keys of mappings, which msgspec leaves as they are."""
    scopes = []
    for scope in bundle.scopes:
        texts = ({PurePosixPath(path): text for path, text in one.texts.items()} for one in scope.operations)
        operations = tuple(replace(one, texts=each) for one, each in zip(scope.operations, texts, strict=True))
        scopes.append(replace(scope, operations=operations))
    return replace(bundle, scopes=tuple(scopes))


def _check_scope(scope: BundledScope) -> None:
    for path, where in _list_paths(scope):
        check_path(path, where)
    texts = [text for one in scope.operations for text in one.texts.values()]
    for text in (*texts, scope.state):
        # Half a surrogate pair is a ValueError.
        if text is not None and len(text.encode()) > MAX_FILE_BYTES:
            raise ValueError(f"a text has more than {MAX_FILE_BYTES:,} bytes")
    for signal in (*scope.signals, *scope.offered):
        for moment in (signal.timestamp, *(mention.timestamp for mention in signal.repeated)):
            if moment:
                _check_zone(moment)
    for one in scope.waiting:
        ChangeGroup(one.what)


def _list_paths(scope: BundledScope) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the paths that are written to or shown; that of a refused operation may be what it was refused for."""
    yield scope.path, "scope.path"
    for operation in scope.operations:
        yield operation.file, "operation.file"
        yield from ((path, "operation.texts") for path in operation.texts)
    yield from ((one.file, "waiting.file") for one in scope.waiting)


def check_path(path: PurePosixPath, where: str) -> None:
    """Refuse a path that does not lead to a file below the root of a repository."""
    text = str(path)
    parts = {part.casefold() for part in path.parts}
    if path.is_absolute() or {"..", ".", ".git"} & parts or not text.isprintable() or not parts:
        raise ValueError(f"{where} is no path that memci may write: {text[:100]!r}")


def _check_zone(moment: dt.datetime) -> None:
    if moment.tzinfo is None:
        raise ValueError("a moment has no zone")
    # Raises if it is out of range in UTC, in which all dates are computed.
    moment.astimezone(dt.UTC)
