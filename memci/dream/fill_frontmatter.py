"""Completes the frontmatter of a topic from its body, file name and pointer."""

import re

from memci.memory.apply_edits import split_lines
from memci.memory.compose import describe, make_name, render_head, render_value
from memci.memory.frontmatter import parse_head, split_field
from memci.memory.topic import parse_topic
from memci.model.memory import Absence, Frontmatter, Topic, TopicType
from memci.prose.statements import split_body

# Other types that people use, and the type they correspond to.
_MEANT = {
    "rule": TopicType.FEEDBACK, "directive": TopicType.FEEDBACK, "preference": TopicType.FEEDBACK,
    "convention": TopicType.FEEDBACK, "guideline": TopicType.FEEDBACK, "correction": TopicType.FEEDBACK,
    "person": TopicType.USER, "profile": TopicType.USER, "persona": TopicType.USER,
    "link": TopicType.REFERENCE, "resource": TopicType.REFERENCE, "pointer": TopicType.REFERENCE,
}  # fmt: skip


def mend_frontmatter(topic: Topic, hook: str) -> str | None:
    """Return the topic with complete frontmatter; None if it is complete or cannot be completed."""
    text = before = topic.text
    # A byte order mark would end up in the middle of the file.
    if topic.frontmatter is Absence.EMPTY or not topic.body.strip() or text.startswith("\ufeff"):
        return None
    if topic.frontmatter is Absence.UNCLOSED:
        text = _close(text)
        topic = parse_topic(topic.path, text)
    if topic.frontmatter is Absence.MISSING:
        end = "\r\n" if "\r\n" in text else "\n"
        head = render_head(_make_name(topic), _make_description(topic, hook), _guess_type(topic))
        text = head.replace("\n", end) + end + text
    elif isinstance(topic.frontmatter, Frontmatter) and topic.frontmatter.problem is None:
        text = _fill(topic, topic.frontmatter, hook)
    mended = parse_head(text).frontmatter
    valid = isinstance(mended, Frontmatter) and mended.problem is None
    return text if valid and text != before else None


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
    """Add missing keys and replace an invalid type."""
    lines = split_lines(topic.text)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    numbers = frontmatter.lines
    added: list[str] = []
    if not topic.name:
        added.append(f"name: {_make_name(topic)}{end}")
    if not topic.description:
        added.append(f"description: {render_value(_make_description(topic, hook))}{end}")
    if topic.type is None:
        key = "type" if "type" in numbers else "metadata.type"
        field = split_field(lines[numbers[key] - 1]) if key in numbers else None
        if field and field[1] == "type":
            lines[numbers[key] - 1] = f"{field[0]}{field[1]}: {_guess_type(topic)}{end}"
        elif key not in numbers and "metadata" in numbers:
            # On the line of its parent, so that the other lines keep their numbers.
            lines[numbers["metadata"] - 1] += f"  type: {_guess_type(topic)}{end}"
        elif field:
            # In flow style (`{type: …}`) with other keys; left alone.
            return topic.text
        else:
            added.append(f"metadata:{end}  type: {_guess_type(topic)}{end}")
    empty = {numbers[key] - 1 for key in ("name", "description") if key in numbers and not topic.field(key)}
    kept = [line for number, line in enumerate(lines) if number not in empty]
    return "".join((kept[0], *added, *kept[1:]))


def _guess_type(topic: Topic) -> TopicType:
    """Return the type by the prefix of the file name or the written type; "project" otherwise."""
    prefix = re.split(r"[_-]", topic.path.stem.lower())[0]
    for word in (prefix, topic.type_text.lower()):
        if word in set(TopicType):
            return TopicType(word)
    return _MEANT.get(topic.type_text.lower(), TopicType.PROJECT)


def _make_name(topic: Topic) -> str:
    return make_name(topic.path.stem.replace("_", " ").replace("-", " ")) or "topic"


def _make_description(topic: Topic, hook: str) -> str:
    """Return a description from the hook of the pointer, else from the first statement or heading."""
    if hook:
        return describe(hook)
    statements = split_body(topic.body)
    first = statements[0].section[0] if statements and statements[0].section else ""
    said = describe(statements[0].text) if statements else ""
    return said or first or topic.path.stem
