"""Drops signals that were read before, or that the session itself wrote into memory."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from memci.dream.state import DreamState
from memci.model.session import Signal, TurnedDown
from memci.prose.similar import stem_content

# A note that has at least this share of the words of a signal covers it.
_WRITTEN = 0.7

# The position in the session, by session and record.
Position = Mapping[tuple[str, str], int]


def drop_seen(
    signals: Iterable[Signal], positions: Position, state: DreamState, accepted: Collection[Signal] = ()
) -> tuple[Signal, ...]:
    """Drop signals that a scope was already offered, unless a person accepts them now.

    People may have declined or deleted them since.
    """
    return tuple(signal for signal in signals if signal in accepted or not _is_seen(signal, positions, state))


def _is_seen(signal: Signal, positions: Position, state: DreamState) -> bool:
    cursor = state.cursors.get(signal.session)
    if cursor is not None and positions.get((signal.session, signal.uuid), 0) <= cursor.count:
        return True
    # Of a session with something that had to wait, the rest is not offered again.
    return state.has_used(signal.session, signal.uuid)


def drop_written(
    signals: Iterable[Signal], writes: Mapping[str, Sequence[str]]
) -> tuple[tuple[Signal, ...], tuple[TurnedDown, ...]]:
    """Drop what the session wrote itself; `writes` has, by session, the current texts of the files it wrote."""
    kept: list[Signal] = []
    dropped: list[TurnedDown] = []
    stems = {session: [stem_content(text) for text in texts] for session, texts in writes.items()}
    for signal in signals:
        said = stem_content(signal.rule)
        if said and any(len(said & text) >= _WRITTEN * len(said) for text in stems.get(signal.session, ())):
            reason = "the session wrote it into memory itself"
            dropped.append(
                TurnedDown(signal.session, signal.uuid, signal.timestamp, signal.origin, signal.text, reason)
            )
        else:
            kept.append(signal)
    return tuple(kept), tuple(dropped)
