"""Reads sessions of Codex, Copilot CLI, Gemini CLI, opencode and aider as records of the form that `speaker` judges.

Only what such a client itself marks as typed becomes a message of a person: its injected context, instructions, outputs
of tools and prompts of programs do not. What a client does not tell from a program's prompt does not count either.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from memci.patterns import LazyPattern
from memci.sessions.client_records import Fields, Translated, decode_lines, get_field, make_prompt, make_record
from memci.sessions.json_lines import BrokenRecordError, Stream, read_lines
from memci.sessions.opencode import read_opencode
from memci.sessions.read_result import ReadLimits
from memci.sessions.speaker import name_unknown

CODEX, COPILOT, GEMINI, OPENCODE, AIDER = "codex", "copilot", "gemini", "opencode", "aider"
# How the files begin; of a file that was cut at its beginning nobody knows who began the session.
_BEGINNINGS = {
    CODEX: LazyPattern(r'\{"timestamp":"[^"]{10,40}",(?:"ordinal":\d+,)?"type":"session_meta",'),
    COPILOT: LazyPattern(r'\{"type":"session\.start","data":\{'),
    GEMINI: LazyPattern(r'\{\s*"sessionId"\s*:\s*"[^"]{1,80}",\s*"projectHash"\s*:\s*"'),
    OPENCODE: LazyPattern(r'\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"[^"]{1,80}",\s*"(?:slug|version|projectID)"\s*:\s*"'),
    AIDER: LazyPattern(r"\s*# aider chat started at \d{4}-\d\d-\d\d "),
}
AIDER_NAME = ".aider.chat.history.md"
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
_AIDER_START = LazyPattern(r"# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*")
# A prompt on the command line, which the first line of a chat shows, may be a script's.
_AIDER_SCRIPTED = LazyPattern(r"\s(?:--message(?:-file)?|--msg|-m|-f|--gui|--browser|--watch-files)(?:[\s=]|$)")
_AIDER_SAID = "#### "
_AIDER_BREAK = "  "
# Answers to the questions of aider are recorded with the question.
_AIDER_ASKED = "(Y)es/(N)o"


def find_form(head: bytes) -> str:
    """Return which other client wrote a file that begins like this; "" if none did."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff")
    return next((form for form, beginning in _BEGINNINGS.items() if beginning.match(text)), "")


def translate_stream(form: str, stream: Stream, size: int, limits: ReadLimits) -> Iterator[Translated]:
    """Yield the records of a session of another client."""
    if form == AIDER:
        yield from _read_aider(_read_text_lines(stream, size, limits))
    elif form == GEMINI:
        yield from _read_gemini(_read_gemini_values(stream, size, limits))
    elif form == OPENCODE:
        yield from read_opencode(_read_whole(stream, size, limits))
    else:
        read: Callable[[Fields], Translated] = (Codex() if form == CODEX else Copilot()).read
        for value in decode_lines(read_lines(stream, size, limits.line_bytes)):
            yield read(value) if isinstance(value, Mapping) else value


class Codex:
    """Translates the records of a `rollout-*.jsonl`."""

    def __init__(self) -> None:
        self._meta: Fields | None = None

    def read(self, record: Fields) -> Translated:
        """Return a record in the known form; typed messages are events, and what the model is sent is not."""
        kind, payload = record.get("type"), record.get("payload")
        if kind not in _CODEX_TYPES or not isinstance(payload, dict):
            return name_unknown(kind)
        if kind == "session_meta":
            # A fork repeats the records of the session it comes from.
            self._meta = self._meta or payload
            return "client state"
        if kind != "event_msg" or self._meta is None:
            return "model or client"
        if payload.get("type") == "agent_message":
            return make_record(self._session, "assistant", str(payload.get("message", "")), **self._place(record))
        text = _find_codex_text(payload)
        if text is None or payload.get("kind", "plain") != "plain":
            return "event" if text is None else "meta"
        person = self._meta.get("source") in _CODEX_PEOPLE and self._meta.get("thread_source", "user") == "user"
        return make_prompt(self._session, text.rpartition(_CODEX_REQUEST)[2].strip(), not person, **self._place(record))

    @property
    def _session(self) -> str:
        return str(get_field(self._meta, "id"))

    def _place(self, record: Fields) -> dict[str, object]:
        place = {"timestamp": record.get("timestamp"), "cwd": get_field(self._meta, "cwd")}
        return place | {
            "gitBranch": get_field(get_field(self._meta, "git"), "branch"),
            "forkedFrom": get_field(self._meta, "forked_from_id"),
        }


def _find_codex_text(payload: Fields) -> str | None:
    """Return the text of an event about a message of the person; None if it is about something else."""
    if payload.get("type") == "user_message":
        text = payload.get("message")
        return text if isinstance(text, str) else ""
    item = payload.get("item")
    if payload.get("type") != "item_completed" or get_field(item, "type") != "UserMessage":
        return None
    content = get_field(item, "content")
    parts = (
        [get_field(part, "text") for part in content if get_field(part, "type") == "text"]
        if isinstance(content, list)
        else []
    )
    return "\n".join(part for part in parts if isinstance(part, str))


class Copilot:
    """Translates the records of an `events.jsonl`."""

    def __init__(self) -> None:
        self._start: Fields | None = None

    def read(self, record: Fields) -> Translated:
        """Return a record in the known form."""
        kind, data = record.get("type"), record.get("data")
        if not isinstance(kind, str) or not kind.startswith(_COPILOT_TYPES) or not isinstance(data, dict):
            return name_unknown(kind)
        if kind == "session.start":
            self._start = self._start or data
        if self._start is None or kind not in {"user.message", "assistant.message"}:
            return "event"
        session, context = str(self._start.get("sessionId", "")), self._start.get("context")
        place = {"uuid": record.get("id"), "timestamp": record.get("timestamp")}
        place |= {"cwd": get_field(context, "cwd"), "gitBranch": get_field(context, "branch")}
        if record.get("agentId") or data.get("agentId") or data.get("parentToolCallId"):
            return "subagent"
        if kind == "assistant.message":
            return make_record(session, "assistant", str(data.get("content", "")), **place)
        if data.get("source", "user") != "user":
            return "meta"
        # Programs choose the model when they start a session, people at the terminal do it later.
        return make_prompt(session, data.get("content"), self._start.get("selectedModel"), **place)


def _read_whole(stream: Stream, size: int, limits: ReadLimits) -> bytes | BrokenRecordError:
    """Return a file that is a single value."""
    data = stream.read(min(size, limits.line_bytes + 1))
    too_long = len(data) > limits.line_bytes
    return BrokenRecordError(f"a chat of more than {limits.line_bytes} bytes") if too_long else data


def _read_gemini_values(stream: Stream, size: int, limits: ReadLimits) -> Iterator[Fields | str | BrokenRecordError]:
    """Yield the records of a chat, which is a file of lines or, in older versions, one object."""
    data = _read_whole(stream, size, limits)
    if isinstance(data, BrokenRecordError):
        yield data
        return
    first, *rest = data.split(b"\n")
    is_lines = first.rstrip().endswith(b"}")
    for value in decode_lines((first, *rest) if is_lines else (data,)):
        messages = value.get("messages") if isinstance(value, Mapping) else None
        if isinstance(value, Mapping) and isinstance(messages, list):
            yield {key: part for key, part in value.items() if key != "messages"}
            yield from (each if isinstance(each, dict) else "no record" for each in messages)
        else:
            yield value


def _read_gemini(values: Iterable[Fields | str | BrokenRecordError]) -> Iterator[Translated]:
    """Translate a chat after taking out what the person took back."""
    about: dict[str, object] = {}
    messages: dict[str, Fields] = {}
    for value in values:
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
            yield make_record(session, "assistant", _join_parts(message.get("content")) or "", **place)
        elif name in typed:
            yield (
                "subagent" if about.get("kind") == "subagent" else make_prompt(session, typed[name], automated, **place)
            )
        else:
            yield "meta" if kind == "user" or kind in _GEMINI_TYPES else name_unknown(kind)


def _find_gemini_text(message: Fields) -> str:
    """Return what a person typed in a message; "" if it has anything else than text, such as the result of a tool."""
    shown = (
        _join_parts(message.get("displayContent", message.get("content"))) if message.get("type") == "user" else None
    )
    text = (shown or "").partition(_GEMINI_FILES)[0].strip()
    return (
        "" if _join_parts(message.get("content")) is None or text.removeprefix("System: ") == _GEMINI_GOES_ON else text
    )


def _join_parts(content: object) -> str | None:
    """Return the text of a content; None if a part of it is the call or the result of a tool."""
    parts = content if isinstance(content, list) else [content]
    if any(isinstance(part, dict) and not {"functionResponse", "functionCall"}.isdisjoint(part) for part in parts):
        return None
    texts = (part if isinstance(part, str) else get_field(part, "text") for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))


def _read_text_lines(stream: Stream, size: int, limits: ReadLimits) -> Iterator[str]:
    for line in read_lines(stream, size, limits.line_bytes):
        yield line.decode("utf-8", "replace").rstrip("\r\n") if isinstance(line, bytes) else ""


def _read_aider(lines: Iterable[str]) -> Iterator[Translated]:
    """Translate a chat history: prompts are headings with a line break behind them, notes of aider are quotations.

    A reply may contain such a heading, so a prompt counts only directly behind a note or another prompt. A reply may
    imitate that as well: what it says is marked as reported, never as typed. In the architect mode a whole reply is
    handed on like a prompt.
    """
    session, time, scripted, after_note = "", "", True, False
    said: list[str] = []
    reply: list[str] = []
    for line in (*lines, ""):
        is_prompt = line.startswith(_AIDER_SAID) and line.endswith(_AIDER_BREAK) and (after_note or bool(said))
        if is_prompt:
            said.append(line.removeprefix(_AIDER_SAID).rstrip())
            continue
        if said:
            text = "\n".join(said)
            # Nothing was sent, so the next prompt is behind the same note.
            after_note = text == "<blank>"
            typed = "" if after_note or _AIDER_ASKED in text or _repeats(said, reply) else text
            said, reply = [], []
            yield make_prompt(session, typed, scripted, timestamp=time, doubtful=True)
        if start := _AIDER_START.fullmatch(line):
            time = f"{start[1]}T{start[2]}"
            session = f"aider-{hashlib.sha256(time.encode()).hexdigest()[:16]}"
            # Without the line that shows how it was started, nobody knows who did.
            scripted, after_note = True, True
        elif line.startswith("> "):
            if after_note and scripted and "aider" in line:
                scripted = bool(_AIDER_SCRIPTED.search(line))
            after_note = True
            yield "note"
        elif line.strip():
            after_note = False
            reply.append(line.strip())
            if line.startswith(_AIDER_SAID):
                yield "heading of a reply"


def _repeats(said: Iterable[str], reply: list[str]) -> bool:
    """Tell whether a prompt is the reply before it, or several lines of it."""
    lines = [line.strip() for line in said if line.strip()]
    return lines == reply or (len(lines) > 1 and "\n".join(lines) in "\n".join(reply))
