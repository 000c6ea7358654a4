"""Edits a topic in place: replaces a statement or adds a paragraph; the rest stays byte for byte."""

import re

from memci.memory.apply_edits import split_lines
from memci.memory.compose import render_value
from memci.memory.frontmatter import split_field
from memci.model.memory import Frontmatter, Topic
from memci.prose.statements import Statement, StatementKind

# A statement that spans more lines than this is not found again.
_MAX_LINES = 20


def replace_statement(text: str, statement: Statement, new: str) -> str | None:
    """Replace a statement with `new`; "" removes it; None if it is not found as it was read."""
    lines = split_lines(text)
    first = statement.line - 1
    words = r"\s+".join(map(re.escape, statement.text.split()))
    for last in range(first + 1, min(len(lines), first + _MAX_LINES) + 1):
        block = "".join(lines[first:last])
        found = re.search(words, block)
        if found:
            rest = block[: found.start()] + new + block[found.end() :]
            # A line with only a list mark is removed.
            rest = rest if new or rest.strip(" \t\r\n-*+>") else ""
            # Of the blank lines around a removed paragraph, only those below it stay.
            alone = not rest and first > 0 and not "".join((lines[first - 1], *lines[last : last + 1])).strip()
            return "".join((*lines[: first - alone], rest, *lines[last:]))
    return None


def insert_below(text: str, statement: Statement, paragraph: str) -> str:
    """Add a paragraph below the one with a statement, as part of its list item if it is in one."""
    lines = split_lines(text)
    last = statement.line
    while (
        last < len(lines)
        and lines[last].strip()
        and not (statement.kind is StatementKind.ITEM and _is_item(lines[last]))
    ):
        last += 1
    end = "\r\n" if "\r\n" in text else "\n"
    first = lines[statement.line - 1]
    item = statement.kind is StatementKind.ITEM
    indent = " " * (len(first) - len(first.lstrip()) + 2) if item else ""
    added = "".join(f"{indent}{line}{end}" if line else end for line in paragraph.strip().split("\n"))
    before = "".join(lines[:last])
    before = before if before.endswith("\n") else before + end
    follows = end if last < len(lines) and lines[last].strip() else ""
    return f"{before}{end}{added}{follows}{''.join(lines[last:])}"


def _is_item(line: str) -> bool:
    return re.match(r"\s*(?:[-*+•]|\d{1,9}[.)])\s", line) is not None


def append_paragraph(text: str, paragraph: str) -> str:
    """Add a paragraph at the end, with the line ends of the file."""
    end = "\r\n" if "\r\n" in text else "\n"
    return f"{text.rstrip()}{end}{end}{paragraph.strip().replace(chr(10), end)}{end}"


def replace_field(topic: Topic, key: str, value: str) -> str | None:
    """Replace the value of a top-level frontmatter key; None if it is not on a line of its own."""
    if not isinstance(topic.frontmatter, Frontmatter) or key not in topic.frontmatter.lines:
        return None
    lines = split_lines(topic.text)
    number = topic.frontmatter.lines[key] - 1
    field = split_field(lines[number])
    if field is None or not field[2] or field[2][0] in "|>&*":
        return None
    following = lines[number + 1] if number + 1 < len(lines) else ""
    # A folded value continues with an indent.
    if following[:1] in {" ", "\t"} and not split_field(following):
        return None
    end = lines[number][len(lines[number].rstrip("\r\n")) :]
    lines[number] = f"{field[0]}{field[1]}: {render_value(value)}{end}"
    return "".join(lines)
