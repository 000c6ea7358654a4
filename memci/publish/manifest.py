"""Encodes the values of a plan as JSON, and decodes them from untrusted JSON."""

import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from memci.model.memory import TopicType
from memci.model.plan import (
    Evidence,
    EvidenceKind,
    Fate,
    Flag,
    FlagKind,
    Ledger,
    NeedsPerson,
    Operation,
    OperationKind,
    Refused,
)
from memci.model.session import Mention, Origin, Signal, SignalKind

_NONE = type(None)
_OPTIONAL = (str, _NONE)


def take(content: Any, where: str, **kinds: type | tuple[type, ...]) -> list[Any]:
    """Return the values of an object that has these keys, of these types, and no others."""
    if not isinstance(content, dict) or content.keys() != kinds.keys():
        raise ValueError(f"{where} does not have the keys {', '.join(kinds)}")
    for key, kind in kinds.items():
        if not isinstance(content[key], kind) or isinstance(content[key], bool) is not (kind is bool):
            raise ValueError(f"{where}.{key} is of another type")
    return [content[key] for key in kinds]


def decode_path(text: str, where: str) -> PurePosixPath:
    """Read a path below the root of a repository."""
    path = PurePosixPath(text)
    parts = {part.casefold() for part in path.parts}
    if str(path) != text or path.is_absolute() or {"..", ".", ".git"} & parts or not text.isprintable() or not parts:
        raise ValueError(f"{where} is no path that memci may write: {text[:100]!r}")
    return path


def encode_evidence(proof: Evidence) -> dict[str, object]:
    """Return evidence as JSON."""
    return {"kind": proof.kind.value, "source": proof.source, "quote": proof.quote}


def _decode_evidence(content: list[Any], where: str) -> tuple[Evidence, ...]:
    items = (take(item, f"{where}.evidence", kind=str, source=str, quote=str) for item in content)
    return tuple(Evidence(EvidenceKind(kind), source, quote) for kind, source, quote in items)


def encode_operation(operation: Operation, hash_text: Callable[[str], str]) -> dict[str, object]:
    """Return an operation as JSON; its texts are stored separately, by hash."""
    return {
        "kind": operation.kind.value,
        "file": str(operation.file),
        "reason": operation.reason,
        "evidence": [encode_evidence(proof) for proof in operation.evidence],
        "flags": [{"statement": flag.statement, "kind": flag.kind.value} for flag in operation.flags],
        "texts": {
            str(path): None if text is None else hash_text(text) for path, text in sorted(operation.texts.items())
        },
    }


def decode_operation(content: Any, find_text: Callable[[str], str]) -> Operation:
    """Read an operation; `find_text` returns the text with a hash."""
    keys = {"kind": str, "file": str, "reason": str, "evidence": list, "flags": list, "texts": dict}
    kind, file, reason, evidence, flags, texts = take(content, "operation", **keys)
    found: dict[PurePosixPath, str | None] = {}
    for path, digest in texts.items():
        if not isinstance(digest, _OPTIONAL):
            raise TypeError("operation.texts names no hash")
        found[decode_path(path, "operation.texts")] = None if digest is None else find_text(digest)
    proofs = _decode_evidence(evidence, "operation")
    path = decode_path(file, "operation.file")
    return Operation(OperationKind(kind), path, found, reason, proofs, _decode_flags(flags))


def _decode_flags(content: list[Any]) -> tuple[Flag, ...]:
    items = (take(item, "operation.flags", statement=str, kind=str) for item in content)
    return tuple(Flag(statement, FlagKind(kind)) for statement, kind in items)


def encode_refused(refused: Refused) -> dict[str, object]:
    """Return a refused operation as JSON, without its texts."""
    operation = encode_operation(refused.operation, str)
    del operation["texts"], operation["flags"]
    return {**operation, "guard": refused.guard, "why": refused.why}


def decode_refused(content: Any) -> Refused:
    """Read a refused operation; its path is not validated, because it may be the reason for the refusal."""
    keys = {"kind": str, "file": str, "reason": str, "evidence": list, "guard": str, "why": str}
    kind, file, reason, evidence, guard, why = take(content, "refused", **keys)
    proofs = _decode_evidence(evidence, "refused")
    return Refused(Operation(OperationKind(kind), PurePosixPath(file), {}, reason, proofs), guard, why)


def encode_need(need: NeedsPerson) -> dict[str, object]:
    """Return a question as JSON."""
    file = str(need.file) if need.file else None
    evidence = [encode_evidence(proof) for proof in need.evidence]
    return {"reason": need.reason, "file": file, "evidence": evidence, "proposal": need.proposal}


def decode_need(content: Any) -> NeedsPerson:
    """Read a question."""
    keys: Mapping[str, Any] = {"reason": str, "file": _OPTIONAL, "evidence": list, "proposal": str}
    reason, file, evidence, proposal = take(content, "needs_person", **keys)
    proofs = _decode_evidence(evidence, "needs_person")
    return NeedsPerson(reason, PurePosixPath(file) if file else None, proofs, proposal)


def encode_ledger(ledger: Ledger) -> dict[str, object]:
    """Return the number of lines by fate, and the removed lines."""
    counts: dict[str, object] = {fate.value: ledger.count(fate) for fate in Fate if fate is not Fate.RETIRED}
    retired = [
        {"file": str(entry.file), "line": entry.line, "text": entry.text, "reason": entry.reason}
        for entry in ledger.retired
    ]
    return {**counts, "retired": retired}


def encode_signal(signal: Signal) -> dict[str, object]:
    """Return a whole signal as JSON: guards read all of it."""
    return {
        "session": signal.session,
        "uuid": signal.uuid,
        "timestamp": _encode_moment(signal.timestamp),
        "origin": signal.origin.value,
        "kind": signal.kind.value,
        "type": signal.type.value,
        "text": signal.text,
        "rule": signal.rule,
        "why": signal.why,
        "how": signal.how,
        "reason": signal.reason,
        "agent": signal.agent,
        "reverses": signal.reverses,
        "repeated": [
            {"session": one.session, "uuid": one.uuid, "timestamp": _encode_moment(one.timestamp), "text": one.text}
            for one in signal.repeated
        ],
        "speaker": signal.speaker,
    }


def decode_signal(content: Any) -> Signal:
    """Read a signal."""
    texts = dict.fromkeys(("text", "rule", "why", "how", "reason"), str)
    named = dict.fromkeys(("origin", "kind", "type"), str)
    place: Mapping[str, Any] = {"session": str, "uuid": str, "timestamp": _OPTIONAL}
    values = take(
        content, "signal", **place, **named, **texts, agent=_OPTIONAL, reverses=bool, repeated=list, speaker=str
    )
    session, uuid, moment, origin, kind, topic, *said, agent, reverses, repeated, speaker = values
    mentions = (take(item, "signal.repeated", **place, text=str) for item in repeated)
    text, rule, why, how, reason = said
    return Signal(
        session,
        uuid,
        decode_moment(moment),
        Origin(origin),
        SignalKind(kind),
        TopicType(topic),
        text,
        rule,
        why,
        how,
        reason,
        agent,
        reverses,
        tuple(Mention(one, other, decode_moment(when), text) for one, other, when, text in mentions),
        speaker,
    )


def _encode_moment(moment: dt.datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def decode_moment(text: str | None) -> dt.datetime | None:
    """Read a timestamp, which must have a time zone."""
    if text is None:
        return None
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a moment has no zone")
    # Raises if it is out of range in UTC, in which all dates are computed.
    moment.astimezone(dt.UTC)
    return moment
