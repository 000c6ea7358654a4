"""Records of other clients in the form that `speaker` judges."""

from collections.abc import Mapping

from memci.sessions.json_lines import BrokenRecordError

Fields = Mapping[str, object]
# A record as Claude Code writes it, the kind of one without words of a person, or an error if it cannot be read.
Translated = Fields | str | BrokenRecordError
NO_RECORD = "no record"


def name_no_record(value: object) -> Translated:
    """Return a decoded value, or its kind if it is no record."""
    return value if isinstance(value, dict | BrokenRecordError) else NO_RECORD


def make_record(session: str, kind: str, text: str, **fields: object) -> Fields:
    """Return a message as Claude Code writes it."""
    content = [{"type": "text", "text": text}]
    record = {"type": kind, "sessionId": session, "message": {"role": kind, "content": content}}
    return record | {key: value for key, value in fields.items() if value is not None}


def make_prompt(session: str, text: object, automated: object, **fields: object) -> Fields | str:
    """Return a message of a person, or of a program."""
    if not isinstance(text, str) or not text.strip():
        return "empty"
    marks: dict[str, object] = {"promptSource": "sdk"} if automated else {"origin": {"kind": "human"}}
    return make_record(session, "user", text, **marks, **fields)


def pick(value: object, *keys: str) -> object:
    """Return what is below these keys; None if anything on the way is no object."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
