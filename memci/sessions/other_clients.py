"""Reads sessions of Codex, Copilot CLI, Gemini CLI, opencode and aider as records of the form that `speaker` judges.

Only what such a client itself marks as typed becomes a message of a person: its injected context, instructions, outputs
of tools and prompts of programs do not. What a client does not tell from a program's prompt does not count either.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from memci.patterns import LazyPattern
from memci.sessions.aider import read_aider
from memci.sessions.json_lines import BrokenRecordError, Stream, decode_lines, read_lines
from memci.sessions.speaker import name_unknown
from memci.sessions.translated import NO_RECORD, Fields, Translated, make_prompt, make_record, name_no_record, pick

CODEX, COPILOT, GEMINI, OPENCODE, AIDER = "codex", "copilot", "gemini", "opencode", "aider"
# How the files begin; of a file that was cut at its beginning nobody knows who began the session.
_BEGINNINGS = {
    CODEX: LazyPattern(r'\{"timestamp":"[^"]{10,40}",(?:"ordinal":\d+,)?"type":"session_meta",'),
    COPILOT: LazyPattern(r'\{"type":"session\.start","data":\{'),
    GEMINI: LazyPattern(r'\{\s*"sessionId"\s*:\s*"[^"]{1,80}",\s*"projectHash"\s*:\s*"'),
    OPENCODE: LazyPattern(r'\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"[^"]{1,80}",\s*"(?:slug|version|projectID)"\s*:\s*"'),
    AIDER: LazyPattern(r"\s*# aider chat started at \d{4}-\d\d-\d\d "),
}
# What an editor adds is before this line; text in it may contain the line, so the last one counts.
_CODEX_REQUEST = "## My request for Codex:"
_CODEX_PEOPLE = ("cli", "vscode")
_CODEX_TYPES = frozenset(("response_item", "compacted", "turn_context", "event_msg", "session_meta", "world_state"))
_COPILOT_TYPES = (
    "session.", "assistant.", "tool.", "hook.", "permission.", "system.", "subagent.", "skill.", "user.", "abort",
)  # fmt: skip
_GEMINI_FILES = "--- Content from referenced files ---"
# The client says this by itself when the model stops too early.
_GEMINI_GOES_ON = "Please continue."
_GEMINI_TYPES = frozenset(("gemini", "info", "error", "warning"))
_GEMINI_CALLS = {"functionResponse", "functionCall"}
_OPENCODE_ROLES = ("user", "assistant")


def find_form(head: bytes) -> str:
    """Return which other client wrote a file that begins like this; "" if none did."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff")
    return next((form for form, beginning in _BEGINNINGS.items() if beginning.match(text)), "")


def translate_stream(form: str, stream: Stream, size: int, line_bytes: int) -> Iterator[Translated]:
    """Yield the records of a session of another client."""
    lines = read_lines(stream, size, line_bytes)
    if form == AIDER:
        yield from read_aider(line.decode("utf-8", "replace") if isinstance(line, bytes) else "" for line in lines)
    elif form in (CODEX, COPILOT):
        yield from _read_events(form, decode_lines(lines))
    else:
        # One object, or lines of objects in newer versions of Gemini CLI.
        data = stream.read(min(size, line_bytes + 1))
        is_lines = form == GEMINI and data.partition(b"\n")[0].rstrip().endswith(b"}")
        pieces = data.split(b"\n") if is_lines else [data]
        values = decode_lines([len(data)] if len(data) > line_bytes else pieces)
        yield from (_read_gemini if form == GEMINI else _read_opencode)(map(name_no_record, values))


def _read_events(form: str, values: Iterable[object]) -> Iterator[Translated]:
    """Translate a session that is a list of events, of which the first describes it."""
    about: Fields | None = None
    starts, field = ("session_meta", "payload") if form == CODEX else ("session.start", "data")
    for value in map(name_no_record, values):
        if not isinstance(value, Mapping):
            yield value
            continue
        kind, said = value.get("type"), value.get(field)
        known = kind in _CODEX_TYPES if form == CODEX else isinstance(kind, str) and kind.startswith(_COPILOT_TYPES)
        if not known or not isinstance(said, dict):
            yield name_unknown(kind)
        elif kind == starts:
            # A fork repeats the records of the session it comes from.
            about = about or said
            yield "client state"
        else:
            read = _read_codex if form == CODEX else _read_copilot
            yield read(value, said, about) if about else "model or client"


def _read_codex(record: Fields, payload: Fields, about: Fields) -> Translated:
    """Return an event of a `rollout-*.jsonl`; typed messages are events, and what the model is sent is not."""
    if record.get("type") != "event_msg":
        return "model or client"
    session = str(about.get("id"))
    place = {"timestamp": record.get("timestamp"), "cwd": about.get("cwd")}
    place |= {"gitBranch": pick(about, "git", "branch"), "forkedFrom": about.get("forked_from_id")}
    match payload.get("type"), pick(payload, "item", "type"):
        case "agent_message", _:
            return make_record(session, "assistant", str(payload.get("message", "")), **place)
        case "user_message", _:
            text = payload.get("message")
        case "item_completed", "UserMessage":
            content = pick(payload, "item", "content")
            parts = content if isinstance(content, list) else []
            text = _join_texts([part for part in parts if pick(part, "type") == "text"])
        case _:
            return "event"
    if payload.get("kind", "plain") != "plain":
        return "meta"
    typed = text.rpartition(_CODEX_REQUEST)[2].strip() if isinstance(text, str) else ""
    person = about.get("source") in _CODEX_PEOPLE and about.get("thread_source", "user") == "user"
    return make_prompt(session, typed, not person, **place)


def _read_copilot(record: Fields, data: Fields, about: Fields) -> Translated:
    """Return an event of an `events.jsonl`."""
    kind = record.get("type")
    if kind not in {"user.message", "assistant.message"}:
        return "event"
    if record.get("agentId") or data.get("agentId") or data.get("parentToolCallId"):
        return "subagent"
    session = str(about.get("sessionId", ""))
    place = {"uuid": record.get("id"), "timestamp": record.get("timestamp")}
    place |= {"cwd": pick(about, "context", "cwd"), "gitBranch": pick(about, "context", "branch")}
    if kind == "assistant.message":
        return make_record(session, "assistant", str(data.get("content", "")), **place)
    if data.get("source", "user") != "user":
        return "meta"
    # Programs choose the model when they start a session, people at the terminal do it later.
    return make_prompt(session, data.get("content"), about.get("selectedModel"), **place)


def _read_gemini(values: Iterable[Translated]) -> Iterator[Translated]:
    """Translate a chat after taking out what the person took back."""
    about: dict[str, object] = {}
    messages: dict[str, Fields] = {}
    for value in _unpack_gemini(values):
        if not isinstance(value, Mapping):
            yield value
        elif isinstance(value.get("$rewindTo"), str):
            kept = list(messages)
            first = kept.index(str(value["$rewindTo"])) if value["$rewindTo"] in messages else 0
            messages = {name: messages[name] for name in kept[:first]}
            yield "client state"
        elif isinstance(value.get("$set"), dict) or "projectHash" in value:
            changed = value.get("$set", value)
            about |= changed if isinstance(changed, dict) else {}
            yield "client state"
        elif isinstance(value.get("id"), str):
            messages[str(value["id"])] = value
        else:
            yield name_unknown(value.get("type"))
    typed = {name: text for name, message in messages.items() if (text := _find_gemini_text(message))}
    # The client does not record whether a person or a script sent the only prompt of a chat.
    automated = len(typed) < 2
    session = str(about.get("sessionId", ""))
    for name, message in messages.items():
        place = {"uuid": name, "timestamp": message.get("timestamp")}
        kind = message.get("type")
        if kind == "gemini":
            content = message.get("content")
            yield make_record(session, "assistant", "" if _has_calls(content) else _join_texts(content), **place)
        elif name in typed:
            inner = about.get("kind") == "subagent"
            yield "subagent" if inner else make_prompt(session, typed[name], automated, **place)
        else:
            yield "meta" if kind == "user" or kind in _GEMINI_TYPES else name_unknown(kind)


def _unpack_gemini(values: Iterable[Translated]) -> Iterator[Translated]:
    """Yield the description and the messages of a chat that is one object like the lines of a newer one."""
    for value in values:
        messages = value.get("messages") if isinstance(value, Mapping) else None
        if isinstance(value, Mapping) and isinstance(messages, list):
            yield {key: part for key, part in value.items() if key != "messages"}
            yield from map(name_no_record, messages)
        else:
            yield value


def _find_gemini_text(message: Fields) -> str:
    """Return what a person typed in a message; "" if it has anything else than text, such as the result of a tool."""
    content = message.get("content")
    shown = message.get("displayContent", content)
    if message.get("type") != "user" or _has_calls(content) or _has_calls(shown):
        return ""
    text = _join_texts(shown).partition(_GEMINI_FILES)[0].strip()
    return "" if text.removeprefix("System: ") == _GEMINI_GOES_ON else text


def _has_calls(content: object) -> bool:
    """Tell whether a part of a content is the call or the result of a tool."""
    parts = content if isinstance(content, list) else [content]
    return any(isinstance(part, dict) and not _GEMINI_CALLS.isdisjoint(part) for part in parts)


def _read_opencode(values: Iterable[Translated]) -> Iterator[Translated]:
    """Translate a session as `opencode export` and Entire write it: one object with all messages."""
    for value in values:
        about, messages = pick(value, "info"), pick(value, "messages")
        if isinstance(about, dict) and isinstance(messages, list):
            yield from _translate_opencode(about, [each for each in messages if isinstance(each, dict)])
        else:
            yield value if isinstance(value, BrokenRecordError) else NO_RECORD


def _translate_opencode(about: Fields, messages: list[Fields]) -> Iterator[Translated]:
    typed = [_find_opencode_text(each) for each in messages if pick(each, "info", "role") == "user"]
    # The client does not record whether a person or `opencode run` sent the only prompt of a session.
    automated = sum(map(bool, typed)) < 2
    # A session with a parent is the work of a sub-agent.
    inner = bool(about.get("parentID"))
    # Programs that publish sessions may write the same word for every id.
    ids = Counter(pick(each, "info", "id") for each in messages)
    session = str(about.get("id", ""))
    for message in messages:
        role, name = pick(message, "info", "role"), pick(message, "info", "id")
        text = _find_opencode_text(message)
        place = {"uuid": name if ids[name] == 1 else None, "timestamp": _read_milliseconds(message)}
        place["cwd"] = about.get("directory")
        if role not in _OPENCODE_ROLES or inner:
            yield "subagent" if role in _OPENCODE_ROLES else NO_RECORD
        elif role == "assistant":
            yield make_record(session, "assistant", text, **place)
        else:
            yield make_prompt(session, text, automated, **place)


def _find_opencode_text(message: Fields) -> str:
    """Return what a message says; nothing of one that hands work on to a sub-agent, because a command wrote it.

    What the client adds by itself is marked as synthetic.
    """
    parts = message.get("parts")
    listed = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    if any(part.get("type") == "subtask" for part in listed):
        return ""
    return _join_texts([part for part in listed if part.get("type") == "text" and not part.get("synthetic")])


def _read_milliseconds(message: Fields) -> str | None:
    created = pick(message, "info", "time", "created")
    try:
        return (
            dt.datetime.fromtimestamp(created / 1000, dt.UTC).isoformat() if isinstance(created, int | float) else None
        )
    except (OverflowError, ValueError, OSError):
        return None


def _join_texts(content: object) -> str:
    """Return the texts of a content: one, or a list of texts and of parts with one."""
    parts = content if isinstance(content, list) else [content]
    texts = (part if isinstance(part, str) else pick(part, "text") for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))
