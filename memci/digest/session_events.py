"""Reads the events of a session in order: messages of the person, replies of the model, tool calls with results."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memci.model.session import Place
from memci.sessions.kept_fields import drop_reminders
from memci.sessions.record_fields import is_side_thread, list_blocks, name_session, parse_text, parse_time
from memci.sessions.speaker import hear, list_calls, note_calls

# Long texts keep this much of both ends: errors and summaries are at the end, and the start shows what it is.
_EDGE = 16_384
_INTERRUPTED = "[Request interrupted by user"
_REFUSALS = ("The user doesn't want to", "[Request interrupted", "User rejected")
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message of the person."""

    text: str
    place: Place
    time: dt.datetime | None
    uuid: str
    # The person interrupted the model with this message.
    interrupting: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A reply of the model."""

    text: str
    time: dt.datetime | None
    uuid: str


@dataclass(slots=True)
class ToolCall:
    """A tool call and its result."""

    id: str
    tool: str
    input: Mapping[str, object]
    time: dt.datetime | None
    uuid: str
    by_subagent: bool
    # Without its middle if it was long; None if the session ended before there was a result.
    output: str | None = None
    # Whether there is an error, and whether it is only the refusal of the person.
    error: bool = False
    refused: bool = False

    @property
    def failed(self) -> bool:
        """Whether the call failed by itself."""
        return self.error and not self.refused

    def text(self, key: str) -> str:
        """Return a parameter if it is a string, else ""."""
        value = self.input.get(key)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A note of the client: a compaction or an interruption."""

    text: str
    time: dt.datetime | None


Event = Spoken | ModelReply | ToolCall | Mark


@dataclass(slots=True)
class DigestedSession:
    """The input of a digest, built record by record."""

    id: str
    name: str
    events: list[Event] = field(default_factory=list)
    cwd: str = ""
    branch: str = ""
    agent: str = ""
    title: str = ""
    models: dict[str, None] = field(default_factory=dict)
    links: dict[str, None] = field(default_factory=dict)
    first: dt.datetime | None = None
    last: dt.datetime | None = None
    records: int = 0

    @property
    def calls(self) -> list[ToolCall]:
        """The tool calls, in order."""
        return [event for event in self.events if isinstance(event, ToolCall)]

    @property
    def spoken(self) -> list[Spoken]:
        """The messages of the person, in order."""
        return [event for event in self.events if isinstance(event, Spoken)]


def read_events(records: Iterable[Mapping[str, object]], session: str, name: str) -> DigestedSession:
    """Read the records of one transcript; repeated records count once."""
    found = DigestedSession("", name)
    seen: set[str] = set()
    calls: dict[str, ToolCall] = {}
    tools: dict[str, str] = {}
    withdrawn: list[str] = []
    for record in records:
        uuid = _string(record, "uuid")
        if uuid in seen:
            continue
        seen |= {uuid} - {""}
        # Other records vary by client, and `collect` drops most of them.
        found.records += record.get("type") in ("user", "assistant")
        _read_metadata(found, record)
        withdrawn.append(_add_events(found, record, calls, tools, uuid))
    found.id = found.id or session
    _drop_repeated(found, withdrawn)
    return found


def _read_metadata(session: DigestedSession, record: Mapping[str, object]) -> None:
    session.id = session.id or name_session(record)
    time = parse_time(record.get("timestamp"))
    if time:
        session.first = min(session.first or time, time)
        session.last = max(session.last or time, time)
    session.cwd = session.cwd or _string(record, "cwd")
    session.branch = session.branch or _string(record, "gitBranch")
    kind = record.get("type")
    if kind == "agent-setting":
        session.agent = _string(record, "agentSetting") or session.agent
    if isinstance(kind, str) and kind in _TITLES:
        # A title given by a person outranks a generated one.
        title = _string(record, _TITLES[kind])
        session.title = title if kind == "custom-title" or not session.title else session.title
    if kind == "pr-link" and _string(record, "prUrl"):
        session.links[_string(record, "prUrl")] = None


def _add_events(
    session: DigestedSession, record: Mapping[str, object], calls: dict[str, ToolCall], tools: dict[str, str], uuid: str
) -> str:
    """Add the events of a record, and return text that the person withdrew."""
    time = parse_time(record.get("timestamp")) or session.last
    kind = record.get("type")
    if kind == "assistant":
        _add_reply(session, record, calls, uuid)
    elif kind == "user":
        for block in list_blocks(record):
            if isinstance(block, Mapping) and block.get("type") == "tool_result":
                call = calls.get(str(block.get("tool_use_id")))
                if call is not None and call.output is None:
                    _add_result(call, block)
            elif not is_side_thread(record) and (parse_text(block) or "").startswith(_INTERRUPTED):
                session.events.append(Mark("interrupted by the person", time))
    elif kind == "system" and record.get("subtype") == "compact_boundary":
        session.events.append(Mark("the conversation was compacted", time))
    note_calls(tools, list_calls(record))
    heard = hear(record, tools=tools)
    for said in heard.said:
        before = session.events[-1] if session.events else None
        stopped = isinstance(before, Mark) and before.text.startswith("interrupted")
        session.events.append(Spoken(said.text, said.place, time, uuid, stopped))
    return heard.withdrawn


def _add_reply(session: DigestedSession, record: Mapping[str, object], calls: dict[str, ToolCall], uuid: str) -> None:
    time, side = parse_time(record.get("timestamp")) or session.last, is_side_thread(record)
    message = record.get("message")
    model = message.get("model") if isinstance(message, Mapping) else None
    if isinstance(model, str) and not model.startswith("<"):
        session.models[model] = None
    for block in list_blocks(record):
        text = parse_text(block)
        if text and text.strip() and not side:
            session.events.append(ModelReply(_clip(text), time, uuid))
        if isinstance(block, Mapping) and block.get("type") == "tool_use":
            values = block.get("input")
            given = {str(key): value for key, value in values.items()} if isinstance(values, Mapping) else {}
            call = ToolCall(str(block.get("id")), str(block.get("name")), given, time, uuid, side)
            calls.setdefault(call.id, call)
            session.events.append(call)


def _add_result(call: ToolCall, block: Mapping[str, object]) -> None:
    content = block.get("content")
    parts = content if isinstance(content, list) else [content]
    text = drop_reminders("\n".join(found for part in parts if (found := parse_text(part))))
    call.output, call.error = _clip(text), block.get("is_error") is True
    call.refused = text.startswith(_REFUSALS)


def _drop_repeated(session: DigestedSession, withdrawn: Iterable[str]) -> None:
    """Drop queued messages that are repeated elsewhere or were withdrawn."""
    gone = {line for text in withdrawn for line in _lines(text)}
    gone |= {line for item in session.spoken if item.place is not Place.QUEUED for line in _lines(item.text)}
    kept: list[Event] = []
    for event in session.events:
        if isinstance(event, Spoken) and event.place is Place.QUEUED:
            lines = set(_lines(event.text))
            if lines <= gone:
                continue
            gone |= lines
        kept.append(event)
    session.events = kept


def _lines(text: str) -> Iterator[str]:
    return (" ".join(line.split()) for line in text.split("\n") if line.strip())


def _clip(text: str) -> str:
    """Return a text without its middle if it is long."""
    return text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n[…]\n{text[-_EDGE:]}"


def _string(record: Mapping[str, object], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""
