"""Every record of a session with its origin, decoded in full: for digests, which need the model and the tools too."""

import datetime as dt
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from memci.errors import UsageError
from memci.git.repository import Repository
from memci.model.session import Origin, Place
from memci.sessions.archives import RefusedError
from memci.sessions.clean_text import Cleaner
from memci.sessions.json_lines import BrokenRecordError, decode_exactly, read_array, read_lines
from memci.sessions.read_result import ReadLimits
from memci.sessions.read_turns import collect_inputs
from memci.sessions.record_fields import list_blocks, parse_text, parse_time
from memci.sessions.scan import identify
from memci.sessions.speaker import FindTool, classify_origin, hear
from memci.sessions.streams import Opened, open_streams

# The preview of one result; the client itself shows 2,000 characters of a large one.
PREVIEW = 2_000
# Secrets are removed before the preview is cut, so that none is cut in two; a private key has up to 4 KB.
_WHOLE = 16_384
_PERSISTED = "<persisted-output>"
_CLEARED = "[Old tool result content cleared]"


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that happened in a session: a text, a call of a tool, its result."""

    session: str
    uuid: str
    timestamp: dt.datetime | None
    origin: Origin
    # prompt, text, thinking, call, result, persisted result, cleared result, or the type of the record.
    kind: str
    # Redacted; calls and results as previews.
    text: str
    place: Place | None = None
    tool: str | None = None
    # Links a call to its result.
    call: str | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    origin: Origin
    kind: str
    text: str
    place: Place | None = None
    tool: str | None = None
    call: str | None = None
    failed: bool = False


def read_records(
    place: str, *, repository: Repository | None, limits: ReadLimits | None = None, secrets: Collection[str] = ()
) -> Iterator[Record]:
    """Yield everything in a transcript, in the order of the file; undecodable lines are skipped."""
    limits = limits or ReadLimits()
    cleaner = Cleaner(secrets)
    inputs, unopened = collect_inputs([place], repository, limits)
    if not inputs and unopened:
        raise UsageError(f"cannot read {cleaner.name(unopened[0].name)}: {unopened[0].reason}")
    for item in inputs:
        try:
            for opened in open_streams(item, limits):
                if isinstance(opened, Opened):
                    yield from _read_stream(opened, cleaner, limits)
        except (RefusedError, OSError) as error:
            raise UsageError(f"cannot read {cleaner.name(item.name)}: {cleaner.name(str(error))}") from error


def _read_stream(opened: Opened, cleaner: Cleaner, limits: ReadLimits) -> Iterator[Record]:
    session = cleaner.name(opened.path.name.partition(".")[0])
    time: dt.datetime | None = None
    tools: dict[str, str] = {}
    for record in _decode_all(opened, limits):
        named = record.get("sessionId", record.get("session_id"))
        session = cleaner.name(named) if isinstance(named, str) and named else session
        time = parse_time(record.get("timestamp")) or time
        uuid = identify(record, session)
        for piece in _split_record(record, tools.get, is_subagent=opened.is_subagent):
            if piece.kind == "call" and piece.call and piece.tool:
                tools[piece.call] = piece.tool
            tool = piece.tool or tools.get(piece.call or "")
            text = cleaner.text(piece.text)
            yield Record(
                session, uuid, time, piece.origin, piece.kind, text[:PREVIEW] if piece.call else text, piece.place,
                cleaner.name(tool) if tool else None, piece.call, piece.failed,
            )  # fmt: skip


def _decode_all(opened: Opened, limits: ReadLimits) -> Iterator[Mapping[str, object]]:
    if opened.is_array:
        for value in read_array(opened.stream, opened.size, limits.line_bytes):
            if isinstance(value, dict):
                yield value
        return
    for line in read_lines(opened.stream, opened.size, limits.line_bytes):
        if isinstance(line, int):
            continue
        try:
            values, exact = decode_exactly(line)
        except BrokenRecordError:
            continue
        if exact:
            yield from (value for value in values if isinstance(value, dict))


def _split_record(record: Mapping[str, object], find_tool: FindTool, *, is_subagent: bool) -> Iterator[_Piece]:
    heard = hear(record, subagent=is_subagent, find_tool=find_tool)
    for said in heard.said:
        yield _Piece(Origin.PERSON, said.place, said.text, said.place)
    origin = classify_origin(record, subagent=is_subagent)
    kind = str(record.get("type", "unknown"))
    spoken = any(said.place in {Place.PROMPT, Place.COMMAND} for said in heard.said)
    if kind == "progress":
        yield from _split_progress(record)
    elif kind in {"user", "assistant"}:
        for block in list_blocks(record):
            if parse_text(block) is None or not spoken:
                yield from _split_block(block, Origin.META if origin is Origin.PERSON else origin)
    else:
        text = record.get("summary", record.get("content"))
        if isinstance(text, str) and text and not heard.said:
            yield _Piece(origin, kind, text[:_WHOLE] if origin is Origin.META else text)


def _split_progress(record: Mapping[str, object]) -> Iterator[_Piece]:
    """Yield what a sub-agent says inside the session that started it."""
    details = record.get("data")
    inner = details.get("message") if isinstance(details, dict) else None
    for block in list_blocks(inner) if isinstance(inner, dict) else ():
        yield from _split_block(block, Origin.SUBAGENT)


def _split_block(block: object, origin: Origin) -> Iterator[_Piece]:
    text = parse_text(block)
    if text is not None:
        yield _Piece(origin, "text", text)
    elif not isinstance(block, dict):
        return
    elif block.get("type") == "thinking" and isinstance(block.get("thinking"), str):
        yield _Piece(origin, "thinking", str(block["thinking"]))
    elif block.get("type") == "tool_use":
        shown = json.dumps(block.get("input"), ensure_ascii=False)[:_WHOLE]
        yield _Piece(origin, "call", shown, tool=str(block.get("name", "")), call=str(block.get("id", "")))
    elif block.get("type") == "tool_result":
        whose = Origin.SUBAGENT if origin is Origin.SUBAGENT else Origin.TOOL
        shown = _result_text(block.get("content"))
        kind = "persisted result" if shown.startswith(_PERSISTED) else "result"
        kind = "cleared result" if shown.startswith(_CLEARED) else kind
        call = str(block.get("tool_use_id", ""))
        yield _Piece(whose, kind, shown[:_WHOLE], call=call, failed=block.get("is_error") is True)


def _result_text(content: object) -> str:
    parts = content if isinstance(content, list) else [content]
    return "\n".join(text for part in parts if (text := parse_text(part)))
