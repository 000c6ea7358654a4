"""Records of other clients, translated into the form that `speaker` judges."""

from collections.abc import Iterable, Iterator, Mapping

from memci.sessions.json_lines import BrokenRecordError, decode_exactly

# A record as Claude Code writes it, the kind of one without words of a person, or an error if it cannot be read.
Translated = Mapping[str, object] | str | BrokenRecordError
Fields = Mapping[str, object]


def decode_lines(lines: Iterable[bytes | int]) -> Iterator[Fields | str | BrokenRecordError]:
    """Yield the objects on lines; one with a key that stands there twice is broken."""
    for line in lines:
        try:
            values, exact = decode_exactly(line) if isinstance(line, bytes) else ([], False)
        except BrokenRecordError as error:
            yield error
            continue
        if exact:
            yield from (value if isinstance(value, dict) else "no record" for value in values)
        else:
            yield BrokenRecordError("too long, or with a key that stands there twice")


def make_record(session: str, kind: str, text: str, **fields: object) -> Fields:
    """Return a message as Claude Code writes it."""
    record = {
        "type": kind,
        "sessionId": session,
        "message": {"role": kind, "content": [{"type": "text", "text": text}]},
    }
    return record | {key: value for key, value in fields.items() if value is not None}


def make_prompt(session: str, text: object, automated: object, **fields: object) -> Fields | str:
    """Return a message of a person, or of a program."""
    if not isinstance(text, str) or not text.strip():
        return "empty"
    marks: dict[str, object] = {"promptSource": "sdk"} if automated else {"origin": {"kind": "human"}}
    return make_record(session, "user", text, **marks, **fields)


def get_field(value: object, key: str) -> object:
    """Return a field of an object; None of anything else."""
    return value.get(key) if isinstance(value, dict) else None
