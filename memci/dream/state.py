"""The state of a scope between dreams: `.memci.json`, committed with the change; deterministic."""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from memci.errors import ConfigError
from memci.model.use import MonthUse, ScopeUse, TopicUse

STATE_NAME = ".memci.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """How far a session was read: the last record, and the number of records."""

    uuid: str
    count: int


@dataclass(frozen=True, slots=True)
class DreamState:
    """The state of one scope."""

    last_consolidated_at: dt.datetime | None = None
    cursors: Mapping[str, ReadPosition] = field(default_factory=dict)
    # The ids of candidates that were offered in vain: merging a pull request with an empty box declines it.
    declined: frozenset[str] = frozenset()
    # Topic file in the scope -> the signals it is based on, as `session/uuid`.
    evidence: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # How many changes wait for the next dream, which need not wait for new sessions then.
    waiting: int = 0
    use: ScopeUse = field(default_factory=ScopeUse)
    # Old and new places of moves that were followed in some files while changes wait.
    moves: frozenset[tuple[str, str]] = frozenset()

    def has_used(self, session: str, uuid: str) -> bool:
        """Whether a topic is based on a message."""
        return any(f"{session}/{uuid}" in sources for sources in self.evidence.values())


def parse_state(text: str, path: PurePosixPath) -> DreamState:
    """Read a state file; a damaged one is an error, because guessing would repeat old proposals."""
    hint = "resolve the conflict, or delete the file to start anew"
    try:
        content = json.loads(text)
        if content["version"] != _VERSION:
            raise ConfigError(f"{path} was written by a newer memci", hint="update memci")
        return _read(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise ConfigError(f"{path} is damaged", hint=hint) from error


def _read(content: Mapping[str, Any]) -> DreamState:
    last = dt.datetime.fromisoformat(content["last_consolidated_at"]) if content["last_consolidated_at"] else None
    if last is not None and last.tzinfo is None:
        raise ValueError("a moment without a time zone")
    return DreamState(
        last,
        {str(session): _read_cursor(cursor) for session, cursor in content["sessions"].items()},
        frozenset(map(str, content["declined"])),
        {str(topic): tuple(map(str, sources)) for topic, sources in content["evidence"].items()},
        _read_count(content.get("waiting", 0)),
        ScopeUse(
            {str(topic): _read_use(use) for topic, use in content.get("use", {}).items()},
            {str(rule): tuple(map(str, messages)) for rule, messages in content.get("repeated", {}).items()},
            {str(month): _read_month(month, counts) for month, counts in content.get("use_by_month", {}).items()},
        ),
        frozenset((str(old), str(new)) for old, new in content.get("waiting_moves", [])),
    )


def _read_use(value: Mapping[str, Any]) -> TopicUse:
    counts = {key: _read_count(value[key]) for key in value if key != "last"}
    return TopicUse(**counts, last=dt.date.fromisoformat(value["last"]) if "last" in value else None)


def _read_month(month: str, counts: object) -> MonthUse:
    dt.date.fromisoformat(f"{month}-01")
    match counts:
        case [sessions, used]:
            return MonthUse(_read_count(sessions), _read_count(used))
    raise ValueError("a month has two counts")


def _read_count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("a count is no negative number")
    return value


def _read_cursor(value: object) -> ReadPosition:
    match value:
        case [str(uuid), int(count)]:
            return ReadPosition(uuid, count)
    raise ValueError("a cursor is a record and a count")


def render_state(state: DreamState) -> str:
    """Render the state: sorted, one entry per line, so that merge conflicts are rare and readable."""
    last = state.last_consolidated_at
    use = state.use
    # Without sessions there is nothing to say about the use, and a state of an older version has none.
    optional: dict[str, Mapping[str, object]] = {
        "repeated": {rule: list(found) for rule, found in use.repeated.items()},
        "use": {topic: _render_use(found) for topic, found in use.topics.items()},
        "use_by_month": {month: list(found) for month, found in use.months.items()},
    }
    parts = {
        "declined": _list(sorted(state.declined)),
        "evidence": _map({topic: list(sources) for topic, sources in state.evidence.items()}),
        "last_consolidated_at": json.dumps(last.isoformat() if last else None),
        "sessions": _map({session: [cursor.uuid, cursor.count] for session, cursor in state.cursors.items()}),
        "version": str(_VERSION),
        **({"waiting": str(state.waiting)} if state.waiting else {}),
        **({"waiting_moves": _list(sorted(state.moves))} if state.moves else {}),
        **{key: _map(found) for key, found in optional.items() if found},
    }
    return "{\n" + ",\n".join(f'"{key}": {parts[key]}' for key in sorted(parts)) + "\n}\n"


def _render_use(use: TopicUse) -> dict[str, object]:
    """Return what is known of a topic; nothing is the same as 0."""
    return {key: str(value) if key == "last" else value for key, value in use._asdict().items() if value}


def _list(items: Sequence[object]) -> str:
    return "[\n" + ",\n".join(f"  {json.dumps(item)}" for item in items) + "\n]" if items else "[]"


def _map(entries: Mapping[str, object]) -> str:
    lines = (f"  {json.dumps(key)}: {json.dumps(entries[key])}" for key in sorted(entries))
    return "{\n" + ",\n".join(lines) + "\n}" if entries else "{}"
