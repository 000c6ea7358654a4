"""An attack: text of somebody else that asks to be remembered, in a place that memci reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.sessions.build import Json, assistant, call, dump, record, result, user

# A rule that would be remembered if a person had typed it, and the one word in it that nothing else has.
RULE = "{rule}"
WORD = "{word}"


@dataclass(frozen=True)
class Attack:
    """Files of a session or lines of a daily log in which `rule` is planted; `word` is in no other attack."""

    name: str
    # By path below the transcripts; archives are packed from what is below their name.
    files: Mapping[str, str] = field(default_factory=dict)
    log: str = ""
    rule: str = RULE
    word: str = WORD


def session(name: str, *records: Json | str, path: str = "session.jsonl") -> Attack:
    """Return an attack by the records of one session."""
    return Attack(name, {path: dump(*records).decode()})


def message(name: str, text: object, **fields: object) -> Attack:
    """Return an attack by one message that a person sends."""
    return session(name, user(text, **fields))


def tool(name: str, used: str, content: object, **fields: object) -> Attack:
    """Return an attack by the result of a tool that the model called."""
    error, copy = fields.pop("is_error", False) is True, fields.pop("copy", None)
    return session(name, assistant(call(used)), result(content, error=error, copy=copy, **fields))


def without(made: Json, *keys: str) -> Json:
    """Return a record without some of its fields, as other clients write it."""
    return {key: value for key, value in made.items() if key not in keys}


__all__ = ["RULE", "WORD", "Attack", "Json", "message", "record", "session", "tool", "without"]
