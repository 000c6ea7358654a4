"""The sentences of a message judged together: what is explained, sandwiched between orders, or taken back."""

import functools
import re
from collections.abc import Sequence
from dataclasses import replace

from memci.signals.cues import Cue
from memci.signals.judge import Judgement, judge
from memci.signals.units import Unit
from memci.signals.weigh import ENOUGH, Around
from memci.text.injection import find_injections
from memci.transcript import Place

Judged = tuple[Unit, Judgement]
# Fewer words than this are a fragment: "EVER.", "third time".
FRAGMENT = 3


def judge_all(text: str, units: Sequence[Unit], place: Place) -> list[Judged]:
    """Judge the sentences of a message in the light of each other."""
    asks = [_asks_for_work(unit) for unit in units]
    trouble = any(Cue.TROUBLE in unit.cues for unit in units)
    orders = [(found.start, found.end) for found in find_injections(text)]
    judged: list[Judged] = []
    for number, unit in enumerate(units):
        task = any(
            asked and other.block == unit.block for other, asked in zip(units, asks, strict=True) if other is not unit
        )
        found = judge(unit, Around(place, task, trouble, _is_corrected(units, number)))
        if found.score and any(start < unit.end and unit.start < end for start, end in orders):
            found = replace(found, against="gives orders to a model")
        if found.lasts and _is_among_orders(units, asks, number):
            found = replace(found, against="stands among the orders of a task")
        judged.append((unit, found))
    _promote(judged, asks)
    _retract(judged)
    return judged


def _is_corrected(units: Sequence[Unit], number: int) -> bool:
    """Tell whether the words right before the sentence say that something is wrong."""
    if not number or units[number - 1].line != units[number].line:
        return False
    before = units[number - 1]
    return Cue.CORRECT in before.cues and len(before.folded.split()) <= 8


def _asks_for_work(unit: Unit) -> bool:
    return Cue.TASK in unit.cues and not unit.cues & {Cue.NORM, Cue.STANDING, Cue.HABIT, Cue.PREFER, Cue.STOP}


def _is_among_orders(units: Sequence[Unit], asks: Sequence[bool], number: int) -> bool:
    """Tell a bare "never push anything" between two orders from a rule."""
    unit = units[number]
    if not 0 < number < len(units) - 1 or unit.item or len(unit.folded.split()) > 5:
        return False
    bare = not unit.cues & {Cue.STANDING, Cue.REASON, Cue.PLEASE, Cue.HERE, Cue.SAID, Cue.STOP, Cue.REMEMBER}
    beside = (number - 1, number + 1)
    return bare and all(asks[at] and units[at].block == unit.block for at in beside)


def _promote(judged: list[Judged], asks: Sequence[bool]) -> None:
    """Let the reason in the next sentence make a rule of what only forbids."""
    for number, (unit, found) in enumerate(judged[:-1]):
        after, then = judged[number + 1]
        weak = found.score == ENOUGH - 1 and not found.against and unit.cues & {Cue.FORBID, Cue.SAID, Cue.POLICY}
        if not weak or after.line != unit.line or unit.item:
            continue
        firm = bool(
            re.match(
                r"(?:ever|period|full stop|no exceptions|all of them|every time|always|everywhere)\b", after.folded
            )
        )
        explains = firm or then.lasts or (not then.against and is_explanation(after))
        # What is asked for behind it may be how to act instead.
        busy = any(
            asked and other.block == unit.block for (other, _), asked in zip(judged[:number], asks, strict=False)
        )
        if firm or (explains and not busy):
            judged[number] = (unit, replace(found, score=ENOUGH, because=f"{found.because}, with a reason behind it"))


def is_explanation(unit: Unit) -> bool:
    """Tell whether a sentence can be the reason of the one before it."""
    plain_words = not unit.cues & {Cue.TASK, Cue.QUESTION, Cue.ONCE, Cue.RETRACT, Cue.SARCASM, Cue.CHAT}
    return plain_words and count_words(unit) > FRAGMENT and not closes().match(unit.folded)


def count_words(unit: Unit) -> int:
    """Count words; two characters of a script without blanks are about one."""
    east = sum(character > "\u2e7f" for character in unit.folded)
    return len(unit.folded.split()) + east // 2


def _retract(judged: list[Judged]) -> None:
    for number, (unit, _) in enumerate(judged):
        if Cue.RETRACT not in unit.cues or unit.cues & {Cue.FORGET, Cue.REVERSE}:
            continue
        for at in range(number):
            other, found = judged[at]
            if found.lasts and unit.block - other.block <= 1:
                judged[at] = (other, replace(found, against="taken back in the same message"))


@functools.cache
def closes() -> re.Pattern[str]:
    """Match remarks that end one subject or open another."""
    return re.compile(
        r"(?:ok|okay|thanks|thank you|the rest|rest of|everything else|looks|lgtm|apart from|anyway|now|next"
        r"|also|separate (?:thing|topic|issue|note)|another|then|first|"
        r"cool|great|nice|good|perfect|done|bye|sorry|lucky|weird|ship|oh|btw|and then|after that|meanwhile"
        r"|ansonsten|danke|merci|gracias)\b"
    )
