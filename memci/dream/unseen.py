"""What is new in what people said: not read before, and not written down by the session itself."""

from collections.abc import Iterable, Mapping, Sequence

from memci.dream.state import DreamState
from memci.model.session import Signal, TurnedDown
from memci.prose.similar import find_content_stems

# A note in other words shares most of them.
_WRITTEN = 0.7

# Session and record: where a signal stands.
Position = Mapping[tuple[str, str], int]


def drop_seen(signals: Iterable[Signal], positions: Position, state: DreamState) -> tuple[Signal, ...]:
    """Leave out what a scope has already been offered: people may have turned it down or deleted it since."""
    return tuple(signal for signal in signals if not _is_seen(signal, positions, state))


def _is_seen(signal: Signal, positions: Position, state: DreamState) -> bool:
    cursor = state.cursors.get(signal.session)
    return cursor is not None and positions.get((signal.session, signal.uuid), 0) <= cursor.count


def drop_written(
    signals: Iterable[Signal], writes: Mapping[str, Sequence[str]]
) -> tuple[tuple[Signal, ...], tuple[TurnedDown, ...]]:
    """Leave out what the session wrote down itself; `writes` holds, by session, what is now in the files it wrote."""
    kept: list[Signal] = []
    dropped: list[TurnedDown] = []
    stems = {session: [find_content_stems(text) for text in texts] for session, texts in writes.items()}
    for signal in signals:
        said = find_content_stems(signal.rule)
        if said and any(len(said & text) >= _WRITTEN * len(said) for text in stems.get(signal.session, ())):
            reason = "the session wrote it into memory itself"
            dropped.append(
                TurnedDown(signal.session, signal.uuid, signal.timestamp, signal.origin, signal.text, reason)
            )
        else:
            kept.append(signal)
    return tuple(kept), tuple(dropped)
