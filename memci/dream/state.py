"""The state of a scope between dreams: `.memci.json`, committed with the change; deterministic."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Annotated

import msgspec

from memci.errors import ConfigError
from memci.model.use import MonthUse, ScopeUse, TopicUse

STATE_NAME = ".memci.json"
_VERSION = 1


class ReadPosition(msgspec.Struct, frozen=True, array_like=True):
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


_Count = Annotated[int, msgspec.Meta(ge=0)]
_Month = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")]


class _StateFile(msgspec.Struct, frozen=True):
    """The state as the file has it."""

    version: int
    last_consolidated_at: Annotated[dt.datetime, msgspec.Meta(tz=True)] | None
    sessions: dict[str, ReadPosition]
    declined: frozenset[str]
    evidence: dict[str, tuple[str, ...]]
    # States of older versions lack the others, and an empty one is not written.
    repeated: dict[str, tuple[str, ...]] = {}
    use: dict[str, dict[str, _Count | dt.date]] = {}
    use_by_month: dict[_Month, MonthUse] = {}
    waiting: _Count = 0
    waiting_moves: frozenset[tuple[str, str]] = frozenset()


def parse_state(text: str, path: PurePosixPath) -> DreamState:
    """Read a state file; a damaged one is an error, because guessing would repeat old proposals."""
    hint = "resolve the conflict, or delete the file to start anew"
    try:
        # Not decoded by msgspec: it refuses names that are not Unicode.
        content = json.loads(text)
        if content["version"] != _VERSION:
            raise ConfigError(f"{path} was written by a newer memci", hint="update memci")
        file = msgspec.convert(content, _StateFile)
        topics = {topic: TopicUse(**found) for topic, found in file.use.items()}  # type: ignore[arg-type]  # see above
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{path} is damaged", hint=hint) from error
    use = ScopeUse(topics, file.repeated, file.use_by_month)
    return DreamState(
        file.last_consolidated_at, file.sessions, file.declined, file.evidence, file.waiting, use, file.waiting_moves
    )


def render_state(state: DreamState) -> str:
    """Render the state: sorted, one entry per line, so that merge conflicts are rare and readable."""
    last = state.last_consolidated_at
    content: dict[str, object] = {
        "declined": sorted(state.declined),
        "evidence": state.evidence,
        "last_consolidated_at": last.isoformat() if last else None,
        "sessions": {session: msgspec.to_builtins(cursor) for session, cursor in state.cursors.items()},
        "version": _VERSION,
    }
    optional: dict[str, object] = {
        "repeated": state.use.repeated,
        "use": {topic: _render_use(found) for topic, found in state.use.topics.items()},
        "use_by_month": state.use.months,
        "waiting": state.waiting,
        "waiting_moves": sorted(state.moves),
    }
    content |= {key: value for key, value in optional.items() if value}
    return "{\n" + ",\n".join(f'"{key}": {_render(content[key])}' for key in sorted(content)) + "\n}\n"


def _render_use(use: TopicUse) -> dict[str, object]:
    """Return what is known of a topic; nothing is the same as 0."""
    return {key: str(value) if key == "last" else value for key, value in use._asdict().items() if value}


def _render(value: object) -> str:
    if not value or not isinstance(value, list | dict):
        return json.dumps(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(item)}" for item in value) + "\n]"
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(value[key])}" for key in sorted(value)) + "\n}"
