"""Reads one stream of records and collects what people said in it."""

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memci.model.session import Origin, Turn
from memci.redaction.secrets import redact
from memci.sessions.agent_steps import StepsBefore, choose_steps
from memci.sessions.clean_text import UUID, Cleaner
from memci.sessions.json_lines import BrokenRecordError, Stream, decode_exactly, decode_quietly, read_array, read_blocks
from memci.sessions.people import is_name
from memci.sessions.prefilter import OTHER, RESULT, classify_lines, list_unknown
from memci.sessions.read_result import FileReport, FileStatus, MemoryWrite, ReadLimits
from memci.sessions.recent_records import RecentRecords
from memci.sessions.record_fields import list_blocks, list_writes, name_session, parse_time
from memci.sessions.speaker import COLLECTED, KINDS, Calls, hear, names_person
from memci.sessions.streams import Opened

_MAX_UUID = 64
_KNOWN = frozenset(kind.encode() for kind in KINDS)
# At most this many records of unknown types are named; the others are only counted.
_MAX_STRANGERS = 1_000
# The most memory files that are written at once.
_MAX_CALLS = 64


@dataclass(slots=True)
class Facts:
    """Facts about a session from its records."""

    agent: str | None = None
    cwd: str | None = None
    branch: str | None = None
    first: dt.datetime | None = None
    last: dt.datetime | None = None
    # A program sent prompts in this session: others are a person's only if their records say so.
    automated: bool = False


@dataclass(frozen=True, slots=True)
class ScanResult:
    """A turn, not redacted yet, and what decides between it and its copies."""

    turn: Turn
    forked: bool
    # Only an entry of the queue, which has another record once it was sent.
    queued: bool
    # The record says that a person sent it.
    named: bool
    before: StepsBefore


@dataclass(slots=True)
class Scan:
    """The content of one stream; built up record by record."""

    name: str
    cleaner: Cleaner
    is_subagent: bool
    # Session and time of the last record that named them.
    session: str
    time: dt.datetime | None = None
    # Whether that record was one of the SDK's stream.
    streamed: bool = False
    turns: list[ScanResult] = field(default_factory=list)
    # Words that the person took back, by session.
    withdrawn: list[tuple[str, str]] = field(default_factory=list)
    writes: list[tuple[str, MemoryWrite]] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    sessions: dict[str, Facts] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    used: int = 0
    broken: int = 0
    # The size of the longest line that was too long to be read.
    longest: int = 0
    size: int = 0
    truncated: int = 0
    # Whether any record is of a kind that the client writes.
    known: bool = False
    # Who ran the sessions, if `collect` recorded it.
    person: str = ""
    # Calls that write memory; their results show whether they succeeded.
    calls: dict[bytes, None] = field(default_factory=dict)

    # How many lines were decoded because their type seemed unknown.
    strangers: int = 0
    # The tools of decoded calls, and what was read last for the others.
    tools: Calls = field(default_factory=Calls)
    recent: RecentRecords = field(default_factory=RecentRecords)

    def find_tool(self, call: str) -> str | None:
        """Return the tool of a call; most records of the model are not decoded, so their lines are searched."""
        if known := self.tools.find_tool(call):
            return known
        for record in self.recent.find_calls(call):
            self.tools.note(record)
            if known := self.tools.find_tool(call):
                return known
        return None

    def skip(self, kind: str, count: int = 1) -> None:
        """Count records without words of a person."""
        if count:
            self.skipped[kind] = self.skipped.get(kind, 0) + count

    def report(self) -> FileReport:
        """Return the report on the stream."""
        skipped = dict(sorted(self.skipped.items()))
        status, reason = FileStatus.USED, ""
        if self.longest:
            reason = f"a line of {self.longest} bytes is too long"
        elif not self.known and self.broken and not skipped:
            status, reason = FileStatus.QUARANTINED, "no line of it is a record"
        elif not self.known and any(kind.startswith("unknown") for kind in self.skipped):
            status, reason = FileStatus.FOREIGN, "its records are of another tool"
        elif self.truncated:
            reason = "too large: only its end was read"
        return FileReport(
            self.name, status, reason, tuple(sorted(self.sessions)), self.used, skipped, self.broken, self.size,
            self.truncated,
        )  # fmt: skip


def scan_stream(opened: Opened, cleaner: Cleaner, limits: ReadLimits) -> Scan:
    """Read a stream and collect what people said in it."""
    # A record that does not name its session belongs to the one that the file is named after.
    session = cleaner.name(opened.path.name.partition(".")[0])
    scan = Scan(cleaner.name(opened.name), cleaner, opened.is_subagent, session, truncated=opened.truncated)
    read = _scan_array if opened.is_array else _scan_lines
    read(scan, opened.stream, opened.size, limits)
    # Notes of the client name no session; they start one only if no record does.
    if (
        len(scan.sessions) > 1
        and scan.sessions.get(session) == Facts()
        and not any(found.turn.session == session for found in scan.turns)
    ):
        del scan.sessions[session]
    return scan


def _scan_lines(scan: Scan, stream: Stream, size: int, limits: ReadLimits) -> None:
    """Read a stream of lines, decoding only those that may contain a person's words."""
    last = timed = _NO_LINE
    for block in read_blocks(stream, size, limits.line_bytes):
        if isinstance(block, int):
            scan.broken += 1
            scan.longest = max(scan.longest, block)
            scan.size += block
            continue
        data, ends = block
        kinds = classify_lines(data, ends)
        if last is _NO_LINE:
            # The first line identifies the writer of the file.
            kinds[0] = None
        _scan_block(scan, data, ends, kinds, last)
        scan.size += ends[-1]
        last, timed = _Line(data, ends, len(ends) - 1), _last_timed(data, ends, kinds) or timed
    if timed is not _NO_LINE:
        _note(scan, timed.cut())
    # Scans are kept until all files are read; lines are not.
    scan.recent.clear()


class _Line(NamedTuple):
    """A line of a block, rarely read: copying it would take longer than everything else."""

    data: bytes
    ends: Sequence[int]
    number: int

    def cut(self) -> bytes:
        return self.data[self.start : self.ends[self.number]]

    @property
    def start(self) -> int:
        return self.ends[self.number - 1] if self.number else 0


_NO_LINE = _Line(b"", (0,), 0)


def _scan_block(scan: Scan, data: bytes, ends: Sequence[int], kinds: Mapping[int, str | None], last: _Line) -> None:
    """Decode the lines of a block that may contain a person's words, and count the others; `last` precedes them."""
    unsettled = {number for number, kind in kinds.items() if kind is None}
    for number in list_unknown(data, ends, kinds, _KNOWN) if scan.strangers < _MAX_STRANGERS else ():
        unsettled.add(number)
        scan.strangers += 1
    scan.recent.add_block(data, ends[-1])
    for number in sorted(unsettled):
        line = _Line(data, ends, number).cut()
        if line.strip():
            scan.recent.move_to(ends[number] - len(line), ends[number])
            _decode(scan, line, _Line(data, ends, number - 1) if number else last)
    results = [number for number, kind in kinds.items() if kind == RESULT]
    lines = (_Line(data, ends, number).cut() for number in results) if scan.calls else ()
    answers = [line for line in lines if any(call in line for call in scan.calls)]
    for line in answers:
        _decode(scan, line, _NO_LINE)
    scan.skip(RESULT, len(results) - len(answers))
    scan.skip(OTHER, len(ends) - len(unsettled) - len(results))


def _last_timed(data: bytes, ends: Sequence[int], kinds: Mapping[int, str | None]) -> _Line | None:
    """Return the last skipped line that has a time."""
    for number in reversed(range(len(ends))):
        line = _Line(data, ends, number)
        # Those that begin with their type are notes of the client, without a time.
        if kinds.get(number, OTHER) and not data.startswith(b'{"type":', line.start):
            return line
    return None


def _scan_array(scan: Scan, stream: Stream, size: int, limits: ReadLimits) -> None:
    """Read a stream that is one array of records."""
    for value in read_array(stream, size, limits.line_bytes):
        if isinstance(value, BrokenRecordError):
            scan.broken += 1
        else:
            _take(scan, value)
            _note_steps(scan, value)
    scan.size += size
    scan.recent.clear()


def _decode(scan: Scan, line: bytes, before: _Line) -> None:
    try:
        values, exact = decode_exactly(line)
    except BrokenRecordError:
        scan.broken += 1
        return
    # A record without a time has that of the previous one, which may not be decoded.
    if before is not _NO_LINE and b'"timestamp"' not in line:
        _note(scan, before.cut())
    # Of several records on one line those before the person's are not found by searching lines.
    several = len(values) > 1
    if several:
        scan.recent.catch_up()
    for value in values:
        _take(scan, value, exact=exact)
        if several:
            _note_steps(scan, value)


def _note(scan: Scan, line: bytes) -> None:
    """Take time and session from a skipped line."""
    for value in decode_quietly(line):
        _locate(scan, value)


def _note_steps(scan: Scan, value: object) -> None:
    if isinstance(value, dict):
        scan.recent.note(value)


def _take(scan: Scan, value: object, *, exact: bool = True) -> None:
    if not isinstance(value, dict):
        scan.skip("no record")
        return
    session = _locate(scan, value)
    if scan.streamed and "sessionId" not in value:
        value = {"session_id": session, **value}
    scan.tools.note(value)
    heard = hear(value, subagent=scan.is_subagent, find_tool=scan.find_tool)
    for call in _list_failures(value) if scan.calls else ():
        scan.failed.add(call)
    if heard.withdrawn:
        scan.withdrawn.append((session, heard.withdrawn))
    if heard.kind == "automation":
        scan.sessions[session].automated = True
    _take_writes(scan, value, session)
    if not heard.said:
        scan.skip(heard.kind)
        return
    if not exact:
        scan.broken += 1
        return
    scan.used += 1
    forked, queued = value.get("forkedFrom") is not None, value.get("type") == "queue-operation"
    uuid = identify(value, session)
    with scan.recent.look_back() as steps:
        for said in heard.said:
            turn = Turn(session, uuid, scan.time, Origin.PERSON, said.place, said.text)
            before = choose_steps(steps, said, name_session(value), parse_time(value.get("timestamp")))
            scan.turns.append(ScanResult(turn, forked, queued, names_person(value), before))


def _take_writes(scan: Scan, record: Mapping[str, object], session: str) -> None:
    for written in list_writes(record):
        scan.calls[written.call.encode("utf-8", "replace")] = None
        while len(scan.calls) > _MAX_CALLS:
            del scan.calls[next(iter(scan.calls))]
        write = MemoryWrite(session, identify(record, session), scan.time, written.path, written.text)
        scan.writes.append((written.call, write))


def _list_failures(record: Mapping[str, object]) -> Iterator[str]:
    """Yield the calls that were refused or failed according to a record."""
    for block in list_blocks(record):
        if isinstance(block, dict) and block.get("type") == "tool_result" and block.get("is_error"):
            yield str(block.get("tool_use_id", ""))


def _locate(scan: Scan, record: Mapping[str, object]) -> str:
    """Note session, time and place of a record, as far as it has them, and return the session."""
    kind = record.get("type")
    scan.known = scan.known or (isinstance(kind, str) and kind in KINDS)
    if session := name_session(record):
        scan.session = scan.cleaner.name(session)
        scan.streamed = "sessionId" not in record
    facts = scan.sessions.setdefault(scan.session, Facts())
    time = parse_time(record.get("timestamp"))
    if time:
        scan.time = time
        facts.first = min(facts.first or time, time)
        facts.last = max(facts.last or time, time)
    cwd, branch = record.get("cwd"), record.get("gitBranch")
    if facts.cwd is None and isinstance(cwd, str) and cwd:
        facts.cwd = scan.cleaner.name(cwd)
    if facts.branch is None and isinstance(branch, str) and branch:
        facts.branch = scan.cleaner.name(branch)
    person = record.get("person")
    if kind == COLLECTED and isinstance(person, str) and is_name(name := scan.cleaner.name(person)):
        scan.person = name
    agent = record.get("agentSetting")
    if kind == "agent-setting" and isinstance(agent, str):
        facts.agent = scan.cleaner.name(agent)
    return scan.session


def identify(record: Mapping[str, object], session: str) -> str:
    """Return the uuid of a record, or a digest of its content."""
    uuid = record.get("uuid")
    if isinstance(uuid, str) and UUID.fullmatch(uuid):
        return uuid
    # Any other value could be a secret.
    if isinstance(uuid, str) and uuid.isprintable() and 0 < len(uuid) <= _MAX_UUID and redact(uuid) == uuid:
        return uuid
    content = repr((session, record.get("timestamp"), record.get("content"), record.get("message")))
    return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:32]
