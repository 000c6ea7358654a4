"""Parses a small, safe subset of YAML: maps, lists and strings; no anchors, tags, merges or duplicate keys."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from memci.model.memory import YamlProblem

if TYPE_CHECKING:
    import yaml

# Real frontmatter nests two deep; configuration three.
MAX_DEPTH = 8


class StrictYamlError(ValueError):
    """A text outside the accepted subset of YAML."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.problem = YamlProblem(line, message)


class Scalar(NamedTuple):
    """A string; whether it was quoted does not matter."""

    line: int
    value: str


class Items(NamedTuple):
    """A list."""

    line: int
    items: tuple["Node", ...]


class Entries(NamedTuple):
    """A map: the key's own line, the key, the value."""

    line: int
    entries: tuple[tuple[Scalar, "Node"], ...]


Node = Scalar | Items | Entries


def parse_yaml(text: str, *, max_bytes: int) -> Node:
    """Parse one document, or raise `StrictYamlError` with the line, counting from 1."""
    size = len(text.encode("utf-8", "replace"))
    if size > max_bytes:
        raise StrictYamlError(1, f"{size:,} bytes are more than the {max_bytes:,} that are read")
    # A lone surrogate would crash the parser.
    text = text.encode("utf-8", "replace").decode()
    import yaml

    loader: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _read_document(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise StrictYamlError(mark.line + 1 if mark else 1, error.problem or "not YAML") from error
    except yaml.YAMLError as error:
        raise StrictYamlError(1, "a character that YAML does not allow") from error


def _read_document(events: "Iterator[yaml.Event]") -> Node:
    import yaml

    node: Node | None = None
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            if node is not None:
                raise StrictYamlError(_line(event), "a second document")
            node = _read_node(next(events), events, depth=0)
    return node if node is not None else Entries(1, ())


def _read_node(event: "yaml.Event", events: "Iterator[yaml.Event]", depth: int) -> Node:
    import yaml

    line = _line(event)
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise StrictYamlError(line, "anchors and aliases are not read")
    if getattr(event, "tag", None):
        raise StrictYamlError(line, "tags are not read")
    if depth > MAX_DEPTH:
        raise StrictYamlError(line, f"nested more than {MAX_DEPTH} deep")
    if isinstance(event, yaml.ScalarEvent):
        return Scalar(line, event.value)
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_read_node(event, events, depth + 1))
        return Items(line, tuple(items))
    return _read_entries(line, events, depth)


def _read_entries(line: int, events: "Iterator[yaml.Event]", depth: int) -> Entries:
    import yaml

    entries: dict[str, tuple[Scalar, Node]] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _read_node(event, events, depth + 1)
        if not isinstance(key, Scalar):
            raise StrictYamlError(key.line, "a key must be a plain word")
        if key.value == "<<":
            raise StrictYamlError(key.line, "merge keys are not read")
        if key.value in entries:
            raise StrictYamlError(key.line, f"the key {key.value[:40]!r} stands here twice")
        entries[key.value] = (key, _read_node(next(events), events, depth + 1))
    return Entries(line, tuple(entries.values()))


def _line(event: "yaml.Event") -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
