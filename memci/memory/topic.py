"""Parses topic files, and reads the values of their frontmatter as YAML does, with their position."""

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.memory.frontmatter import parse_head
from memci.model.memory import DailyLog, Frontmatter, Guide, Index, Topic, TopicType
from memci.patterns import LazyPattern
from memci.prose.statements import Statement, split_body
from memci.redaction.injection import Injection, find_injections


def parse_topic(path: PurePosixPath, text: str) -> Topic:
    """Parse a topic; problems are part of the value."""
    head = parse_head(text)
    return Topic(path, text, head.frontmatter, head.body_line)


def fold_name(name: str) -> str:
    """Return the form in which names and wikilinks are compared: `[[My-Topic]]` means `my_topic`."""
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def list_names(topic: Topic) -> frozenset[str]:
    """Return the folded names by which a wikilink may refer to a topic: its name, its file, with or without type."""
    return _fold_names(topic.name, topic.path.stem)


# An index is parsed again for every change of its scope, and most topics are the same each time.
@functools.lru_cache(maxsize=16_384)
def _fold_names(name: str, file: str) -> frozenset[str]:
    stem = fold_name(file)
    bare = next((stem.removeprefix(f"{kind}_") for kind in TopicType if stem.startswith(f"{kind}_")), stem)
    return frozenset(folded for folded in (fold_name(name), stem, bare) if folded)


def place_in_description(topic: Topic, text: str) -> tuple[int, int]:
    """Return line and column in the file of a text found in the description."""
    first = topic.frontmatter.lines.get("description", 1) if isinstance(topic.frontmatter, Frontmatter) else 1
    lines = topic.text.split("\n")[first - 1 : topic.body_line - 1]
    # YAML may have folded the text over lines; then the line of the key is the best answer.
    found = ((number, line.find(text) + 1) for number, line in enumerate(lines, first) if text in line)
    return next(found, (first, 1))


def split_statements(text: str) -> tuple[Statement, ...]:
    """Split a whole file; frontmatter, headings, fenced code and comments are skipped."""
    return split_body("\n".join(text.split("\n")[(line := parse_head(text).body_line) - 1 :]), line)


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
