"""The same thing said several times, in one session or in many, is one signal."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import replace

from memci.model.session import Mention, Signal
from memci.patterns import LazyPattern
from memci.prose.similar import STOP_WORDS, find_alike, normalise, read_phrases, stem, tokenise

# Fewer words with a meaning than this are said of many things.
_WHOLE = 3
_EARLIEST = dt.datetime.min.replace(tzinfo=dt.UTC)


def group_repeated(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Return one signal for each thing said, in its fullest wording; what contradicts another stays apart."""
    ordered = sorted(signals, key=_order)
    cores = [_core(signal.rule) for signal in ordered]
    alike = find_alike(read_phrases(cores))
    by_core: dict[str, list[int]] = {}
    # The same whole clause, with which one of the two begins: reasons stand behind, and behind several rules.
    by_clause: dict[str, int] = {}
    first: dict[str, int] = {}
    groups: list[list[int]] = []
    group_of: dict[int, int] = {}
    for number, core in enumerate(cores):
        near = (other for key in sorted(alike[normalise(core)]) for other in by_core.get(key, ()))
        same = next((other for other in near if _agree(ordered[number], ordered[other])), None)
        clauses = _clauses(ordered[number].rule)
        if same is None:
            same = next((first[clause] for clause in clauses if clause in first), by_clause.get(normalise(core)))
        for clause in clauses:
            by_clause.setdefault(clause, number)
        if normalise(core) in clauses:
            first.setdefault(normalise(core), number)
        if same is None:
            group_of[number] = len(groups)
            groups.append([number])
            by_core.setdefault(normalise(core), []).append(number)
        else:
            group_of[number] = group_of[same]
            groups[group_of[same]].append(number)
            # Only wordings that differ can bring in others, so equal ones are not looked at again.
            if normalise(core) not in by_core:
                by_core[normalise(core)] = [number]
    merged = (_merge([ordered[number] for number in group]) for group in groups)
    return tuple(sorted(merged, key=_order))


def _order(signal: Signal) -> tuple[dt.datetime, str, str, str]:
    return signal.timestamp or _EARLIEST, signal.session, signal.uuid, signal.text


def _core(rule: str) -> str:
    """Return the first clause, which states the rule; what follows explains it."""
    return next((part for part in _split(rule) if len(normalise(part)) > 8), rule)


def _clauses(rule: str) -> list[str]:
    """Return the clauses that say enough to be a rule of their own."""
    parts = (normalise(part) for part in _split(rule))
    return [part for part in parts if len(_subject(part)) >= _WHOLE and _ASKS.search(part)]


def _split(rule: str) -> list[str]:
    return [part for part in re.split(r"[,;:.!?–—，。；！？、](?:\s|$)|[，。；！？、]", rule) if part.strip()]


# The words of a rule; a reason may stand behind several.
_ASKS = LazyPattern(
    r"\b(?:must|never|always|dont|don't|do not|should|shall|only|no|need|needs|use|keep|write|avoid|stop"
    r"|prefer|has to"
    r"|have to|may not|muss|müssen|nie|immer|kein\w*|doit|jamais|toujours|debe\w*|nunca|siempre|deve\w*|sempre)\b"
    r"|不要|必须|别|禁止|ないで|こと|마|해야"
)


def _agree(one: Signal, other: Signal) -> bool:
    """Tell whether one says nothing that the other does not say or could not say beside it."""
    said = [_subject(f"{side.rule} {side.why} {side.how}") for side in (one, other)]
    short, long = sorted(said, key=len)
    # Two clauses in five may be new: a reason given only once is no other rule.
    return len(short & long) * 5 >= len(short) * 3


def _subject(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in tokenise(text) if word not in STOP_WORDS)


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
