"""Reads one stream of records and collects what people said in it."""

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memci.model.session import Origin, Turn
from memci.redaction.secrets import redact
from memci.sessions.agent_steps import RecentSteps, describe_before, parse_steps
from memci.sessions.clean_text import UUID, Cleaner
from memci.sessions.dialogs import list_chosen
from memci.sessions.json_lines import BrokenRecordError, decode_exactly, decode_quietly
from memci.sessions.other_clients import translate_stream
from memci.sessions.people import is_name
from memci.sessions.read_result import FileReport, FileStatus, MemoryTouch
from memci.sessions.record_fields import list_blocks, list_touched, name_session, parse_time
from memci.sessions.record_heads import OTHER, RecordHead, classify_head, is_step, read_head
from memci.sessions.speaker import COLLECTED, KINDS, hear, list_calls, names_person, note_calls
from memci.sessions.streams import Opened
from memci.sessions.translated import NO_RECORD, Translated, name_no_record

_MAX_UUID = 64
# At most this many records of unknown types are named; the others are only counted.
_MAX_STRANGERS = 1_000


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
    # Whether a person said anything yet, and whether a summary came before it.
    spoken: bool = False
    continued: bool = False


@dataclass(frozen=True, slots=True)
class ScanResult:
    """A turn, not redacted yet, and what decides between it and its copies."""

    turn: Turn
    # The record that it is a copy of; its own if it is none.
    source: str
    forked: bool
    # Only an entry of the queue, which has another record once it was sent.
    queued: bool
    # The record says that a person sent it.
    named: bool
    # The file does not prove that a person typed it.
    doubtful: bool = False


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
    # Memory files that were written or opened, with the call that did it.
    touched: list[tuple[str, MemoryTouch]] = field(default_factory=list)
    chosen: list[tuple[str, str]] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    sessions: dict[str, Facts] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    used: int = 0
    broken: int = 0
    # The line that is being read, and the first broken one.
    line: int = 0
    broken_line: int = 0
    # The size of the longest line that was too long to be read.
    longest: int = 0
    size: int = 0
    truncated: int = 0
    # Whether any record is of a kind that the client writes.
    known: bool = False
    # Who ran the sessions, if `collect` recorded it.
    person: str = ""
    # How many records of unknown types were decoded.
    strangers: int = 0
    # The tools of recent calls, by id.
    tools: dict[str, str] = field(default_factory=dict)
    recent: RecentSteps = field(default_factory=RecentSteps)

    def skip(self, kind: str) -> None:
        """Count a record without words of a person."""
        self.skipped[kind] = self.skipped.get(kind, 0) + 1

    def count_broken(self) -> None:
        """Count a record that cannot be read."""
        self.broken += 1
        self.broken_line = self.broken_line or self.line

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
        # Of a file that was read from its middle nobody knows the lines.
        line = 0 if self.truncated else self.broken_line
        return FileReport(self.name, status, reason, self.used, skipped, self.broken, line, self.size, self.truncated)


def scan_stream(opened: Opened, cleaner: Cleaner) -> Scan:
    """Read a stream and collect what people said in it."""
    # A record that does not name its session belongs to the one that the file is named after.
    session = cleaner.name(opened.stem)
    scan = Scan(cleaner.name(opened.name), cleaner, opened.is_subagent, session, truncated=opened.truncated)
    if opened.form:
        scan.known = True
        _scan_values(scan, translate_stream(opened.form, opened.stream, opened.size, opened.line_bytes), opened.size)
    elif opened.is_array:
        _scan_values(scan, map(name_no_record, opened.read_values()), opened.size)
    else:
        _scan_lines(scan, opened.read_lines())
    # Scans are kept until all files are read; lines are not.
    scan.recent.clear()
    # Notes of the client name no session; they start one only if no record does.
    if (
        len(scan.sessions) > 1
        and scan.sessions.get(session) == Facts()
        and not any(found.turn.session == session for found in scan.turns)
    ):
        del scan.sessions[session]
    return scan


def _scan_lines(scan: Scan, lines: Iterable[bytes | int]) -> None:
    """Read a stream of lines, decoding only those that may contain a person's words."""
    last = timed = b""
    for scan.line, line in enumerate(lines, 1):
        if isinstance(line, int):
            scan.count_broken()
            scan.longest = max(scan.longest, line)
            scan.size += line
            continue
        scan.size += len(line)
        # The first line identifies the writer of the file, and the last one may be incomplete.
        head = read_head(line) if last and line.endswith(b"\n") else None
        kind = classify_head(head) if head else None
        if head and kind is None and head.type not in KINDS:
            scan.strangers += 1
            kind = OTHER if scan.strangers > _MAX_STRANGERS else None
        if head and kind:
            scan.skip(kind)
            if head.type == "assistant":
                _note_reply(scan, head, line)
            timed = line if head.timestamp else timed
        elif line.strip():
            _decode(scan, line, last)
        last = line
    _note(scan, timed)


def _note_reply(scan: Scan, head: RecordHead, line: bytes) -> None:
    """Note the calls and steps in a record of the model that is not decoded."""
    note_calls(scan.tools, ((block.id, block.name) for block in head.blocks if block.type == "tool_use"))
    if is_step(head, line):
        scan.recent.add(line)


def _scan_values(scan: Scan, values: Iterable[Translated], size: int) -> None:
    """Read records that are decoded already, and kinds of others."""
    for value in values:
        if isinstance(value, BrokenRecordError):
            scan.count_broken()
        elif isinstance(value, str):
            scan.skip(value)
        else:
            _take(scan, value)
    scan.size += size


def _decode(scan: Scan, line: bytes, before: bytes) -> None:
    try:
        values, exact = decode_exactly(line)
    except BrokenRecordError:
        scan.count_broken()
        return
    # A record without a time has that of the previous one, which may not be decoded.
    if b'"timestamp"' not in line:
        _note(scan, before)
    for value in values:
        if isinstance(value, dict):
            _take(scan, value, exact=exact)
        else:
            scan.skip(NO_RECORD)


def _note(scan: Scan, line: bytes) -> None:
    """Take time and session from a skipped line."""
    for value in decode_quietly(line):
        _locate(scan, value)


def _take(scan: Scan, value: Mapping[str, object], *, exact: bool = True) -> None:
    session = _locate(scan, value)
    if scan.streamed and "sessionId" not in value:
        value = {"session_id": session, **value}
    note_calls(scan.tools, list_calls(value))
    scan.failed.update(_list_failures(value))
    heard = hear(value, subagent=scan.is_subagent, tools=scan.tools)
    if heard.withdrawn:
        scan.withdrawn.append((session, heard.withdrawn))
    if heard.kind == "automation":
        scan.sessions[session].automated = True
    facts = scan.sessions[session]
    facts.spoken = facts.spoken or bool(heard.said)
    begins = heard.kind == "summary" and value.get("type") == "user" and not facts.spoken
    facts.continued = facts.continued or begins
    _note_memory(scan, value, session)
    if not heard.said:
        if parse_steps(value):
            scan.recent.add(value)
        scan.skip(heard.kind)
        return
    if not exact:
        scan.count_broken()
        return
    scan.used += 1
    fork, queued = value.get("forkedFrom"), value.get("type") == "queue-operation"
    uuid = identify(value, session)
    source = str(fork.get("messageUuid") or uuid) if isinstance(fork, dict) else uuid
    steps = scan.recent.look_back()
    at = parse_time(value.get("timestamp"))
    for said in heard.said:
        before = describe_before(steps, said, name_session(value), at, scan.cleaner.text)
        turn = Turn(session, uuid, scan.time, Origin.PERSON, said.place, said.text, before=before)
        doubtful = value.get("doubtful") is True
        scan.turns.append(ScanResult(turn, source, fork is not None, queued, names_person(value), doubtful))


def _note_memory(scan: Scan, record: Mapping[str, object], session: str) -> None:
    """Note which memory files a record writes or opens, and what a person chose in its dialog."""
    for call, path, text in list_touched(record):
        scan.touched.append((call, MemoryTouch(session, identify(record, session), scan.time, path, text)))
    scan.chosen += ((session, answer) for answer in list_chosen(record))


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
