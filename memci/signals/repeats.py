"""The same thing said several times, in one session or in many, is one signal."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from memci.memory.compose import split_title
from memci.model.session import Mention, Signal
from memci.prose.similar import find_alike, normalise, read_phrases, stem_words

_EARLIEST = dt.datetime.min.replace(tzinfo=dt.UTC)


def group_repeated(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Return one signal for each thing said, in its fullest wording; what contradicts another stays apart."""
    ordered = sorted(signals, key=_order)
    # The first clause states the rule; what follows explains it.
    cores = [split_title(signal.rule)[0] for signal in ordered]
    alike = find_alike(read_phrases(cores))
    by_core: dict[str, list[int]] = {}
    groups: list[list[int]] = []
    group_of: dict[int, int] = {}
    for number, core in enumerate(map(normalise, cores)):
        near = (other for key in sorted(alike[core]) for other in by_core.get(key, ()))
        same = next((other for other in near if _agree(ordered[number], ordered[other])), None)
        if same is None:
            group_of[number] = len(groups)
            groups.append([])
        else:
            group_of[number] = group_of[same]
        groups[group_of[number]].append(number)
        # Only wordings that differ can bring in others, so equal ones are not looked at again.
        if same is None or core not in by_core:
            by_core.setdefault(core, []).append(number)
    merged = (_merge([ordered[number] for number in group]) for group in groups)
    return tuple(sorted(merged, key=_order))


def _order(signal: Signal) -> tuple[dt.datetime, str, str, str]:
    return signal.timestamp or _EARLIEST, signal.session, signal.uuid, signal.text


def _agree(one: Signal, other: Signal) -> bool:
    """Tell whether one says nothing that the other does not say or could not say beside it."""
    said = [frozenset(stem_words(f"{side.rule} {side.why} {side.how}")) for side in (one, other)]
    short, long = sorted(said, key=len)
    # Two clauses in five may be new: a reason given only once is no other rule.
    return len(short & long) * 5 >= len(short) * 3


def _merge(group: list[Signal]) -> Signal:
    if len(group) == 1:
        return group[0]
    fullest = max(group, key=lambda signal: (len(signal.rule) + len(signal.why) + len(signal.how), signal.text))
    mentions = {
        (mention.session, mention.uuid, mention.text): mention
        for signal in group
        for mention in (Mention(signal.session, signal.uuid, signal.timestamp, signal.text), *signal.repeated)
    }
    mentions.pop((fullest.session, fullest.uuid, fullest.text), None)
    repeated = sorted(mentions.values(), key=lambda one: (one.timestamp or _EARLIEST, one.session, one.uuid, one.text))
    return replace(fullest, repeated=tuple(repeated), reverses=any(signal.reverses for signal in group))
