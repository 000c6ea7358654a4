"""Words a signal as a person would have written it: third person, first clause as title, reason as hook."""

import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from memci.memory.compose import describe, split_title
from memci.memory.pointers import MIN_HOOK
from memci.model.session import Signal
from memci.prose.fold import plain
from memci.signals.cues import choose_tables


def speak_of_person(signal: Signal) -> Signal:
    """Return the signal with the person in the third person."""
    return replace(
        signal,
        rule=_replace_self(signal.rule, signal.speaker),
        why=_replace_self(signal.why, signal.speaker),
        how=_replace_self(signal.how, signal.speaker),
    )


def _replace_self(text: str, speaker: str) -> str:
    # Code keeps its words.
    parts = text.split("`")
    return "`".join(part if at % 2 else _reword(part, speaker) for at, part in enumerate(parts))


def _reword(text: str, speaker: str) -> str:
    for table in choose_tables(plain(text)):
        words = sorted(table.self_words, key=len, reverse=True)
        pattern = rf"(?<![\w'’/.-])(?<!\bthe )(?<!\ban )(?:{'|'.join(map(re.escape, words))})(?![\w/-]|['’]\w)"
        if not words or not re.search(pattern, plain(text)):
            continue
        # The whole name once, then only the first one.
        names = itertools.chain((speaker,), itertools.repeat(speaker.partition(" ")[0]))
        name_person = functools.partial(_name_person, words=table.self_words, names=names if speaker else None)
        return re.sub(pattern, name_person, text.replace("’", "'"), flags=re.IGNORECASE)
    return text


def _name_person(found: re.Match[str], words: Mapping[str, str], names: Iterator[str] | None) -> str:
    said = words[plain(found[0])]
    return said.replace("the user", next(names)) if names and "the user" in said else said


def describe_signal(signal: Signal) -> str:
    """Return the description: the rule, and behind a dash its reason or the rest of the sentence."""
    title, rest = split_title(signal.rule)
    if signal.why:
        return describe(signal.rule, signal.why)
    whole = describe(signal.rule)
    return describe(title, rest) if len(rest) >= MIN_HOOK and whole.startswith(title) else whole
