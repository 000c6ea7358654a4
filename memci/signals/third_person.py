"""Words what people say of themselves in the third person."""

import functools
import itertools
import re
from collections.abc import Iterator

from memci.prose.fold import plain
from memci.signals.cues import CueTable, choose_tables


def name_speaker(text: str, speaker: str) -> str:
    """Return the text with the person in the third person; a verb whose form is not known stays as it is."""
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
        name_person = functools.partial(_name_person, table=table, names=names, first=itertools.count())
        return re.sub(pattern, name_person, text.replace("’", "'"), flags=re.IGNORECASE)
    return text


def _name_person(found: re.Match[str], table: CueTable, names: Iterator[str], first: Iterator[int]) -> str:
    said = table.self_words[plain(found[0])]
    if next(first) and said in table.again:
        return table.again[said]
    name = next(names)
    return said.replace("the user", name) if name else said
