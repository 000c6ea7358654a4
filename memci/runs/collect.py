"""Collecting sessions: redact whole transcripts and put them where CI can fetch them."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from memci.errors import UnsafeError, UsageError
from memci.git.history import read_user_name
from memci.git.repository import Repository, find_repository
from memci.redaction.secrets import redact
from memci.report.escape import fields_of, json_text, name_reasons, visible
from memci.runs.collect_hook import Destination, spool_of
from memci.sessions.clean_text import Cleaner, list_secret_values
from memci.sessions.kept_fields import name_unknown
from memci.sessions.people import find_login, is_name
from memci.sessions.places import Unopened
from memci.sessions.read_result import FileStatus
from memci.sessions.read_turns import open_transcripts
from memci.sessions.record_fields import parse_time
from memci.sessions.redact import Clean, redact_record
from memci.sessions.scan import identify
from memci.sessions.speaker import COLLECTED
from memci.sessions.streams import Opened
from memci.stores.files import write_output
from memci.stores.session_ref import add_files, resolve_ref
from memci.stores.state_directory import make_name, write_private

GIT_PREFIX = "git:"
SPOOL = "spool"
# A client has about forty types of records; a file with many unknown ones is not a transcript.
_MAX_TYPES = 20
# Forges refuse files from 100 MB on.
_MAX_BLOB = 95 << 20


@dataclass(frozen=True, slots=True)
class Collected:
    """One session that was redacted and put away."""

    session: str
    # Where it came from, and where it is now: a file, or a path on a ref.
    name: str
    target: str
    records: int
    # Records of types that stay behind, and how many of them are of which unknown type.
    dropped: int
    unknown: tuple[tuple[str, int], ...]
    # Lines that are no records.
    broken: int
    bytes: int


@dataclass(frozen=True, slots=True)
class CollectOutcome:
    """What was collected, and what was not and why."""

    collected: tuple[Collected, ...]
    skipped: tuple[tuple[str, str], ...]
    # Files beside the sessions that contain no session.
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Redacted:
    path: PurePosixPath
    data: bytes
    summary: Collected


def collect(places: Sequence[str], directory: Path, wanted: Destination, session: str | None = None) -> CollectOutcome:
    """Redact the transcripts in the places and put them where they are wanted; name those that cannot be read."""
    repository = find_repository(directory)
    person = read_user_name(repository) if wanted.named and repository else ""
    target = _resolve_target(wanted, directory, repository)
    redacted: dict[PurePosixPath, _Redacted] = {}
    skipped: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for item in _redact_all(places, repository, session, person):
        if isinstance(item, Unopened):
            where = others if item.status is FileStatus.FOREIGN else skipped
            where.append((redact(item.name), redact(item.reason)))
        elif item.path in redacted and len(redacted[item.path].data) >= len(item.data):
            skipped.append((item.summary.name, "the same session, and no longer than another file of it"))
        else:
            redacted[item.path] = item
    if isinstance(target, str) and repository is not None:
        kept = {item.path: item.data for item in redacted.values() if len(item.data) <= _MAX_BLOB}
        large = [item for item in redacted.values() if item.path not in kept]
        skipped += [(item.summary.name, "too large for a branch, even without its outputs") for item in large]
        if kept:
            add_files(repository, target, kept, remote=wanted.remote)
        names = {path: f"{target}:{path}" for path in kept}
    else:
        names = {item.path: _write(Path(target), item, private=wanted.to == SPOOL) for item in redacted.values()}
    done = tuple(replace(redacted[path].summary, target=name) for path, name in sorted(names.items()))
    return CollectOutcome(done, tuple(skipped), tuple(others))


def _resolve_target(wanted: Destination, directory: Path, repository: Repository | None) -> str | Path:
    """Return the ref or directory to write to; refuse a directory that upload-artifact would skip."""
    to = wanted.to
    if to.startswith(GIT_PREFIX):
        if repository is None:
            raise UsageError(f"{to} needs a git repository", hint="run memci inside it, or use -C")
        return resolve_ref(repository, to.removeprefix(GIT_PREFIX))
    if wanted.remote:
        raise UsageError("only a ref can be pushed", hint="--to git:memci/sessions --push")
    if to == SPOOL:
        return spool_of(directory, repository) / "sessions"
    root = repository.root.resolve() if repository else directory.resolve()
    named = Path(os.path.normpath(directory.resolve() / to))
    target = named.resolve()
    if named.is_relative_to(root) and target != named:
        raise UnsafeError(f"{to} leads through a link of the repository", hint="choose a directory of its own")
    inside = target.relative_to(root).parts if target.is_relative_to(root) else target.parts[-1:]
    if any(part.startswith(".") for part in inside) or not inside:
        hint = "actions/upload-artifact leaves out everything below a directory that begins with a dot"
        raise UsageError(f"{to} is no place for sessions: choose a directory of its own without a dot", hint=hint)
    return target


def _write(root: Path, item: _Redacted, *, private: bool) -> str:
    if private:
        write_private(root, item.path, item.data)
        return str(root / item.path)
    if not root.exists():
        # Sessions are uploaded as artifacts and must not be committed by accident.
        write_output(root / ".gitignore", b"*\n")
    write_output(root / item.path, item.data)
    return str(root / item.path)


def _redact_all(
    places: Sequence[str], repository: Repository | None, session: str | None, person: str
) -> Iterator[_Redacted | Unopened]:
    clean = Cleaner(list_secret_values()).text
    for item in open_transcripts(places, repository):
        if isinstance(item, Unopened):
            yield item
        elif not item.is_subagent:
            found = _redact_transcript(item, session, person, clean)
            yield found or Unopened(item.name, "holds no records of a session")
        elif item.name in places:
            yield Unopened(item.name, "the work of a sub-agent, not a session", FileStatus.REFUSED)


def _redact_transcript(item: Opened, session: str | None, person: str, clean: Clean) -> _Redacted | None:
    lines: list[bytes] = []
    dropped = 0
    unknown: Counter[str] = Counter()
    first = cwd = ""
    current = item.stem
    for record in item.read_records():
        named = record.get("sessionId", record.get("session_id"))
        current = named if isinstance(named, str) and named else current
        session = session or (named if isinstance(named, str) and named else None)
        when = record.get("timestamp")
        first = first or (when if isinstance(when, str) else "")
        cwd = cwd or str(record.get("cwd") or "")
        cleaned = redact_record(record, clean)
        if cleaned is None:
            dropped += 1
            unknown.update(filter(None, [name_unknown(record)]))
        else:
            lines.append(json.dumps(_identify(record, cleaned, clean(current)), separators=(",", ":")).encode() + b"\n")
    if not lines:
        return None
    name = make_name(clean(session or item.stem))
    data = b"".join((*_name_person(person, cwd, lines[0], clean), *lines))
    summary = Collected(name, clean(item.name), "", len(lines), dropped, _list_unknown(unknown), item.broken, len(data))
    return _Redacted(PurePosixPath(_month_of(first), f"{name}.jsonl"), data, summary)


def _name_person(person: str, cwd: str, first: bytes, clean: Clean) -> list[bytes]:
    """Return the record that names who ran a session; a session of another login, or with a name, gets none."""
    login, own = find_login(cwd), find_login(str(Path.home()))
    known = f'"type":"{COLLECTED}"'.encode() in first
    if known or not is_name(shown := clean(person)) or (login and own and login != own):
        return []
    return [json.dumps({"type": COLLECTED, "person": shown}, separators=(",", ":")).encode() + b"\n"]


def _identify(record: Mapping[str, object], cleaned: dict[str, object], session: str) -> dict[str, object]:
    """Return the record with its original id; without a uuid that is a digest, which redaction would change."""
    known = identify(record, session)
    return cleaned if known == identify(cleaned, session) else {**cleaned, "uuid": known}


def _list_unknown(unknown: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Return the unknown record types by name, limited to the most frequent ones."""
    most = sorted(unknown.items(), key=lambda pair: (-pair[1], pair[0]))
    rest = sum(count for _, count in most[_MAX_TYPES:])
    return (*sorted(most[:_MAX_TYPES]), *([("(others)", rest)] if rest else []))


def _month_of(timestamp: str) -> str:
    """Return the month in which a session began, which does not change when it goes on."""
    began = parse_time(timestamp)
    return f"{began:%Y-%m}" if began else "undated"


def render_collected(outcome: CollectOutcome) -> str:
    """Return one line for each session, for a person at a terminal."""
    lines = []
    for item in outcome.collected:
        broken = f", {item.broken} broken lines left out" if item.broken else ""
        lines.append(f"{visible(item.session)}  {item.records} records, {item.bytes:,} bytes{broken}")
        lines.append(f"  → {visible(item.target)}")
        if item.unknown:
            names = ", ".join(f"{visible(kind)} ({count})" for kind, count in item.unknown)
            lines.append(f"  not collected, unknown record types: {names}")
    left = (*outcome.skipped, *outcome.others)
    lines += [f"not collected  {visible(name)}: {visible(reason)}" for name, reason in left]
    return "\n".join(lines or ["no transcript there"]) + "\n"


def render_collected_json(outcome: CollectOutcome) -> str:
    """Return one JSON object: the schema memci/collect/1."""
    return json_text(
        {
            "schema": "memci/collect/1",
            "collected": [fields_of(item) | {"unknown": dict(item.unknown)} for item in outcome.collected],
            "skipped": name_reasons(outcome.skipped, "name", "reason"),
            "others": name_reasons(outcome.others, "name", "reason"),
        }
    )
