"""Reads frontmatter values as YAML does (quotes, folded lines and escapes resolved) with their position."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from memci.memory.topic import parse_topic
from memci.model.memory import DailyLog, Frontmatter, Guide, Index, Topic
from memci.patterns import LazyPattern
from memci.redaction.injection import Injection, find_injections

_ESCAPE = LazyPattern(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")


class HeadValue(NamedTuple):
    """One key and its value."""

    # The key, an empty line, and the value.
    text: str
    # The lines of the file that it comes from, and their offset.
    written: str
    start: int
    # Whether the value differs from the text of the file.
    changed: bool

    def place(self, position: int) -> tuple[int, int]:
        """Return the part of the file that `text[position:]` comes from, starting at its line if that is known."""
        word = next(iter(self.text[position:].split()), "")
        earlier = self.text.count(word, 0, position) if word else 0
        end = self.start + len(self.written)
        start = self.start
        for line in self.written.split("\n"):
            occurrences = _resolve_escapes(line).count(word) if word else 1
            if earlier < occurrences:
                return start + max(0, line.find(word)), end
            earlier -= occurrences
            start += len(line) + 1
        return self.start, end


def parse_head_values(text: Index | Topic | DailyLog | Guide) -> Iterator[HeadValue]:
    """Yield keys and values in the order of the file."""
    topic = text if isinstance(text, Topic) else parse_topic(text.path, text.text)
    head = topic.frontmatter
    if not isinstance(head, Frontmatter):
        return
    lines = topic.text.split("\n")[: topic.body_line]
    starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
    ordered = sorted(head.lines.items(), key=lambda item: item[1])
    # The line of the closing fence ends the last value.
    ends = [*(line for _, line in ordered), topic.body_line - 1][1:]
    for (key, first), following in zip(ordered, ends, strict=True):
        written = "\n".join(lines[first - 1 : max(first, following - 1)])
        value = head.fields.get(key, "")
        # What YAML rejects here, another parser may accept.
        value = _resolve_escapes(value) if head.problem else value
        yield HeadValue(f"{key}\n\n{value}", written, starts[first - 1], value not in written)


def list_rewritten(text: Index | Topic | DailyLog | Guide) -> Iterator[HeadValue]:
    """Yield the values that a search through the raw file would miss."""
    return (value for value in parse_head_values(text) if value.changed)


def find_in_file(text: Index | Topic | DailyLog | Guide) -> list[Injection]:
    """Find injections in a memory file: in its text, and in its frontmatter as YAML reads it."""
    found = find_injections(text.text)
    for value in parse_head_values(text):
        for order in find_injections(value.text):
            start, end = value.place(order.start)
            found.append(replace(order, start=start, end=end))
    return sorted(found, key=lambda order: (order.start, order.end, order.kind))


def _resolve_escapes(text: str) -> str:
    """Resolve the numeric escapes of double-quoted YAML."""
    return _ESCAPE.sub(_resolve, text) if "\\" in text else text


def _resolve(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2] or escape[3], 16)
    is_character = code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if is_character else escape[0]
