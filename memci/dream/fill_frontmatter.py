"""Completes the frontmatter of a topic from its file name and pointer."""

import re

from memci.memory.apply_edits import split_lines
from memci.memory.compose import make_slug, render_head, render_value
from memci.memory.frontmatter import split_field
from memci.memory.topic import parse_topic
from memci.model.memory import Absence, Frontmatter, Topic, TopicType
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced

# A key without a value; a comment behind it stays.
_TYPE = LazyPattern(r"^([ \t]*type:[ \t]*)[^\s#]+")
# A hook of one word is a label, not a description.
_MIN_WORDS = 2
_EMPTY_KEY = LazyPattern(r"([a-z]+):[ \t]*(#.*)?$")


def mend_frontmatter(topic: Topic, hook: str) -> str | None:
    """Return the topic with what its file name and its pointer say of it; None if that adds nothing."""
    text = before = topic.text
    if len(hook.split()) + count_unspaced(hook) < _MIN_WORDS:
        hook = ""
    # A byte order mark would end up in the middle of the file.
    if topic.frontmatter is Absence.EMPTY or not topic.body.strip() or text.startswith("\ufeff"):
        return None
    if topic.frontmatter is Absence.MISSING and text.lstrip().startswith(("---\n", "---\r\n")):
        # A second head above the one that blank lines hide from the client would be worse; a person is asked.
        return None
    if topic.frontmatter is Absence.UNCLOSED:
        if split_field(split_lines(text)[1]) is None:
            # A line of dashes above text is no head.
            return None
        text = _close(text)
        topic = parse_topic(topic.path, text)
    if topic.frontmatter is Absence.MISSING:
        if not hook:
            # A line of the body is no description: it may be a label, a table head, or about something else.
            return None
        end = "\r\n" if "\r\n" in text else "\n"
        head = render_head(_make_name(topic), hook, _read_type(topic) or TopicType.PROJECT)
        text = head.replace("\n", end) + end + text
    elif isinstance(topic.frontmatter, Frontmatter) and topic.frontmatter.problem is None:
        text = _fill(topic, topic.frontmatter, hook)
    mended = parse_topic(topic.path, text)
    valid = isinstance(mended.frontmatter, Frontmatter) and mended.frontmatter.problem is None
    # A name alone helps nobody: the client reads the description.
    return text if valid and mended.description and text != before else None


def _close(text: str) -> str:
    """Insert the closing line after the last key."""
    lines = split_lines(text)
    end = 1
    for number, line in enumerate(lines[1:], 1):
        if split_field(line) is None:
            break
        end = number + 1
    mark = "---\r\n" if lines[0].endswith("\r\n") else "---\n"
    return "".join((*lines[:end], mark, *lines[end:]))


def _fill(topic: Topic, frontmatter: Frontmatter, hook: str) -> str:
    """Add missing keys; a type of people's own stays unless the file name begins with one of the four."""
    lines = split_lines(topic.text)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    numbers = frontmatter.lines
    missing = {"name": "" if topic.name else _make_name(topic), "description": "" if topic.description else hook}
    added: list[str] = []
    for key, value in missing.items():
        line = lines[numbers[key] - 1] if key in numbers else ""
        empty = _EMPTY_KEY.match(line.rstrip("\r\n"))
        if value and not line:
            added.append(f"{key}: {render_value(value)}{end}")
        elif value and empty:
            lines[numbers[key] - 1] = f"{key}: {render_value(value)}{f' {empty[2]}' if empty[2] else ''}{end}"
    kind = _read_type(topic) if topic.type is None else None
    if kind:
        at = numbers.get("type") or numbers.get("metadata.type")
        if at:
            lines[at - 1] = _TYPE.sub(rf"\g<1>{kind}", lines[at - 1])
        elif "metadata" not in numbers:
            added.append(f"metadata:{end}  type: {kind}{end}")
        elif lines[numbers["metadata"] - 1].rstrip() == "metadata:":
            # On the line of its parent, so that the other lines keep their numbers.
            lines[numbers["metadata"] - 1] += f"  type: {kind}{end}"
    return "".join((lines[0], *added, *lines[1:]))


def _read_type(topic: Topic) -> TopicType | None:
    """Return the type that the file name begins with."""
    prefix = re.split(r"[_-]", topic.path.stem.lower())[0]
    return TopicType(prefix) if prefix in set(TopicType) else None


def _make_name(topic: Topic) -> str:
    return make_slug(topic.path.stem) or "topic"
