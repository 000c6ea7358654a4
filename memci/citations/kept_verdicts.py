"""Verdicts of the last run: they hold as long as claims, files and refs are the same."""

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import memci
from memci.citations.verdict import JudgedClaims
from memci.errors import ServiceError
from memci.git.repository import Repository
from memci.model.citation import Claim, Commit, Exemption, Reason, Verdict, VerdictKind

# The fields of a verdict behind its claim, in their order.
_FIELDS = ("kind", "reason", "target", "written", "held_at", "broken", "candidates", "proven", "exemption")
_Row = tuple[
    VerdictKind, Reason | None, str, Commit | None, str, Commit | None, tuple[str, ...], bool, Exemption | None
]
# Judging fewer takes no time worth a file.
MIN_KEPT = 100
# A file that changes twice within the resolution of a clock may look unchanged.
_SETTLED_NS = 2_000_000_000
# In the git directory: what else a verdict depends on.
_GIT_FILES = ("index", "shallow", "info/exclude")


def read_state(
    claims: Sequence[Claim], repository: Repository, files: Iterable[str], memory: Collection[str], now_ns: int
) -> str:
    """Return a digest of all that the verdicts of these claims depend on; "" if they had better not be kept."""
    if len(claims) < MIN_KEPT:
        return ""
    digest = hashlib.sha256(repr((read_code(), list(claims), sorted(memory))).encode("utf-8", "surrogatepass"))
    try:
        digest.update(repository.run("show-ref", "--head"))
    except ServiceError:
        return ""
    youngest = 0
    for path, found in _iter_stats(repository.root, sorted(files), repository.common):
        times = (found.st_mtime_ns, found.st_ctime_ns) if found else (0, 0)
        youngest = max(youngest, *times)
        known = (path, found.st_mode, found.st_size, found.st_ino, *times) if found else (path,)
        digest.update(repr(known).encode("utf-8", "surrogatepass"))
    return digest.hexdigest() if youngest + _SETTLED_NS < now_ns else ""


def read_code() -> list[tuple[str, int, int]]:
    """Return what tells the code of memci from any other version of it."""
    # Python writes compiled modules at any time, under names that are gone a moment later.
    found = (path for path in Path(memci.__file__).parent.rglob("*") if "__pycache__" not in path.parts)
    files = sorted(path for path in found if path.is_file())
    stats = ((path, path.stat()) for path in files)
    return [(str(path), found.st_size, found.st_mtime_ns) for path, found in stats]


def _iter_stats(root: Path, files: Iterable[str], common: Path) -> Iterator[tuple[str, os.stat_result | None]]:
    for directory, names in ((root, files), (common, _GIT_FILES)):
        for name in names:
            try:
                yield name, os.lstat(f"{directory}/{name}")
            except (OSError, ValueError):
                yield name, None


def render_verdicts(state: str, judged: JudgedClaims) -> bytes:
    """Return what to keep for the next run; nothing if another run might learn more."""
    if judged.truncated:
        return b""
    rows = [[getattr(one, name) for name in _FIELDS] for one in judged.verdicts]
    body = json.dumps([judged.notes, rows], separators=(",", ":")).encode("ascii")
    return f"{state} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def parse_verdicts(data: bytes, state: str, claims: Sequence[Claim]) -> JudgedClaims | None:
    """Return the kept verdicts of these claims; None if they are of another state, or damaged."""
    head, _, body = data.partition(b"\n")
    if not state or head != f"{state} {hashlib.sha256(body).hexdigest()}".encode():
        return None
    import msgspec

    notes, rows = msgspec.convert(json.loads(body), tuple[tuple[str, ...], list[_Row]])
    return JudgedClaims(tuple(Verdict(claim, *row) for claim, row in zip(claims, rows, strict=True)), notes)
