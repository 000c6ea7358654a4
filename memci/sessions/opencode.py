"""Reads a session of opencode, as `opencode export` and Entire write it: one object with all messages."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator

from memci.sessions.client_records import Fields, Translated, decode_lines, get_field, make_prompt, make_record
from memci.sessions.json_lines import BrokenRecordError

_ROLES = ("user", "assistant")


def read_opencode(data: bytes | BrokenRecordError) -> Iterator[Translated]:
    """Translate a session; what the client adds by itself is marked as synthetic."""
    for value in [data] if isinstance(data, BrokenRecordError) else decode_lines([data]):
        about, messages = get_field(value, "info"), get_field(value, "messages")
        if isinstance(about, dict) and isinstance(messages, list):
            yield from _translate(about, [each for each in messages if isinstance(each, dict)])
        else:
            yield value if isinstance(value, BrokenRecordError) else "no record"


def _translate(about: Fields, messages: list[Fields]) -> Iterator[Translated]:
    typed = [_join_texts(each) for each in messages if get_field(each.get("info"), "role") == "user"]
    # The client does not record whether a person or `opencode run` sent the only prompt of a session.
    automated = sum(map(bool, typed)) < 2
    # A session with a parent is the work of a sub-agent.
    inner = bool(about.get("parentID"))
    # Programs that publish sessions may write the same word for every id.
    ids = Counter(get_field(each.get("info"), "id") for each in messages)
    session = str(about.get("id", ""))
    for message in messages:
        info, text = message.get("info"), _join_texts(message)
        role, name = get_field(info, "role"), get_field(info, "id")
        place = {"uuid": name if ids[name] == 1 else None, "timestamp": _read_time(info), "cwd": about.get("directory")}
        if role not in _ROLES or inner:
            yield "subagent" if role in _ROLES else "no record"
        elif role == "assistant":
            yield make_record(session, "assistant", text, **place)
        else:
            yield make_prompt(session, text, automated, **place)


def _join_texts(message: Fields) -> str:
    """Return what a message says; nothing of one that hands work on to a sub-agent, because a command wrote it."""
    parts = message.get("parts")
    listed = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    if any(part.get("type") == "subtask" for part in listed):
        return ""
    texts = (part.get("text") for part in listed if part.get("type") == "text" and not part.get("synthetic"))
    return "\n".join(text for text in texts if isinstance(text, str))


def _read_time(info: object) -> str | None:
    """Return when a message was written; opencode counts milliseconds."""
    created = get_field(get_field(info, "time"), "created")
    if not isinstance(created, int | float):
        return None
    try:
        return dt.datetime.fromtimestamp(created / 1000, dt.UTC).isoformat()
    except (OverflowError, ValueError, OSError):
        return None
