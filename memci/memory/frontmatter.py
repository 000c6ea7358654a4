"""Parses the frontmatter of a topic as strict YAML, or line by line where YAML rejects it."""

import json
from typing import NamedTuple

from memci.memory.strict_yaml import Entries, Items, Node, Scalar, StrictYamlError, parse_yaml
from memci.model.memory import Absence, Frontmatter, YamlProblem
from memci.patterns import LazyPattern

# The longest description seen in public memory has 2,077 characters; anything near this limit is not frontmatter.
MAX_BYTES = 16_384
_FENCE = "---"


class Head(NamedTuple):
    """The frontmatter of a text and the line on which the body starts."""

    frontmatter: Frontmatter | Absence
    body_line: int


def parse_head(text: str) -> Head:
    """Split a topic into frontmatter and body; never raises."""
    lines = text.removeprefix("\ufeff").split("\n")
    if not text.strip():
        return Head(Absence.EMPTY, 1)
    if lines[0].rstrip() != _FENCE:
        return Head(Absence.MISSING, 1)
    # The cheap test first: a hostile text may have 60,000 lines.
    close = next((number for number, line in enumerate(lines) if number and line[:3] == _FENCE == line.rstrip()), 0)
    if not close:
        return Head(Absence.UNCLOSED, 1)
    return Head(_parse_fields(lines[1:close]), close + 2)


_ABOVE_HEAD = LazyPattern(r"\ufeff?(?:\s|<!--[\s\S]*?-->)*+---[ \t]*\r?\n")


def has_late_head(text: str) -> bool:
    """Tell whether blank lines or comments are above the frontmatter, so that no client reads it."""
    above = _ABOVE_HEAD.match(text) if parse_head(text).frontmatter is Absence.MISSING else None
    return above is not None and isinstance(parse_head(f"{_FENCE}\n{text[above.end() :]}").frontmatter, Frontmatter)


def _parse_fields(lines: list[str]) -> Frontmatter:
    try:
        node = parse_yaml("\n".join(line.rstrip("\r") for line in lines), max_bytes=MAX_BYTES)
    except StrictYamlError as error:
        # YAML has more line separators than `\n`, so it may count past the end.
        line = min(error.problem.line, len(lines)) + 1
        return _read_lines(lines, YamlProblem(line, error.problem.message))
    if isinstance(node, Entries):
        fields: dict[str, str] = {}
        numbers: dict[str, int] = {}
        _flatten(node, "", fields, numbers)
        return Frontmatter(fields, numbers)
    return _read_lines(lines, YamlProblem(node.line + 1, "not a list of `key: value` lines"))


def _flatten(node: Entries, prefix: str, fields: dict[str, str], numbers: dict[str, int]) -> None:
    for key, value in node.entries:
        name = prefix + key.value
        # The fence is line 1 of the file, so line 1 of the YAML is line 2.
        numbers[name] = key.line + 1
        if isinstance(value, Entries):
            _flatten(value, f"{name}.", fields, numbers)
        else:
            fields[name] = _to_text(value)


def _to_text(node: Node) -> str:
    match node:
        case Scalar(value=value):
            return value
        case Items(items=items):
            return ", ".join(_to_text(item) for item in items)
        case Entries(entries=entries):
            return ", ".join(f"{key.value}: {_to_text(value)}" for key, value in entries)


def _read_lines(lines: list[str], problem: YamlProblem) -> Frontmatter:
    """Take the first `key: value` of each key; 3 % of real files need this."""
    fields: dict[str, str] = {}
    numbers: dict[str, int] = {}
    parent = ""
    budget = MAX_BYTES
    for number, line in enumerate(lines, 2):
        budget -= len(line)
        if budget < 0:
            break
        split = split_field(line)
        if split is None:
            continue
        indent, key, value = split
        if not indent:
            parent = "" if value else f"{key}."
        name = parent + key if indent else key
        numbers.setdefault(name, number)
        fields.setdefault(name, _unquote(value))
    return Frontmatter(fields, numbers, problem)


def split_field(line: str) -> tuple[str, str, str] | None:
    """Split `key: value` into indent, key and value; None if the line is something else."""
    key, colon, value = line.strip().partition(":")
    if not colon or not key or (value and not value[0].isspace()):
        return None
    if not key.replace("-", "_").isidentifier():
        return None
    return line[: len(line) - len(line.lstrip())], key, value.strip()


def _unquote(value: str) -> str:
    for quote in "\"'":
        # In `"secrets last" is the rule` the quotation marks are part of the text.
        if value.startswith(quote) and (value.endswith(quote) or value.count(quote) == 1):
            return value[1:].removesuffix(quote)
    return value


def quote(value: str) -> str:
    """Return `value` as a double-quoted YAML string."""
    return json.dumps(value, ensure_ascii=False)


def repair_quoting(text: str) -> str | None:
    """Quote the values that YAML rejects; None if that alone does not make the frontmatter valid."""
    lines = text.split("\n")
    # Every round repairs one line, so there are never more rounds than lines of frontmatter.
    for _ in range(parse_head(text).body_line):
        frontmatter = parse_head("\n".join(lines)).frontmatter
        if isinstance(frontmatter, Absence):
            return None
        if frontmatter.problem is None:
            return "\n".join(lines)
        number = frontmatter.problem.line - 1
        mended = _quote_value(lines[number])
        if mended == lines[number]:
            return None
        lines[number] = mended
    return None


def _quote_value(line: str) -> str:
    split = split_field(line)
    if split is None or not split[2]:
        return line
    indent, key, value = split
    return f"{indent}{key}: {quote(_unquote(value))}" + ("\r" if line.endswith("\r") else "")
