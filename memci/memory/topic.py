"""Parses topic files."""

import functools
from pathlib import PurePosixPath

from memci.memory.frontmatter import parse_head
from memci.model.memory import Frontmatter, Topic, TopicType
from memci.prose.statements import Statement, split_body


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


def split_statements(text: str) -> list[Statement]:
    """Split a whole file; frontmatter, headings, fenced code and comments are skipped."""
    return split_body("\n".join(text.split("\n")[(line := parse_head(text).body_line) - 1 :]), line)
