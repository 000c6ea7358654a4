"""frontmatter: topics keep a valid head that says no more than it must."""

import functools
import re
from pathlib import PurePosixPath

from memci.guards.changes import added_numbers, new_topics
from memci.guards.context import Ground, Guard
from memci.guards.repair import is_repair
from memci.memory.frontmatter import quote, split_field
from memci.memory.topic import fold_name, parse_topic
from memci.model.memory import Frontmatter, Topic
from memci.model.plan import Operation, OperationKind

# A description is one line of a manifest that lists every topic.
MAX_DESCRIPTION = 200
_MAX_NAME = 80
_KEYS = frozenset(("name", "description", "type", "metadata.type"))


@functools.cache
def _kebab_case() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse heads that are invalid, carry more than the known keys, or change what a topic is."""
    numbers = added_numbers(operation, ground)
    for path, text in new_topics(operation, ground).items():
        topic = parse_topic(path, text)
        old = parse_topic(path, ground.draft[path]) if path in ground.draft else None
        problem = (
            _check_lines(topic, numbers[path], repaired=is_repair(path, operation, ground))
            or (_check_kept(topic, old) if old else _check_new(topic, ground))
            or _check_line_ends(topic, old)
        )
        if problem:
            return f"{path.name}: {problem}"
        if operation.kind is OperationKind.RETIRE and old and topic.description != old.description:
            return f"{path.name}: a retire rewrites its description"
    return None


def _find_defects(topic: Topic) -> frozenset[str]:
    if not isinstance(topic.frontmatter, Frontmatter):
        return frozenset(("frontmatter", "name", "description", "type"))
    found = {"frontmatter": topic.frontmatter.problem is None, "name": bool(topic.name.strip())}
    found |= {"description": bool(topic.description.strip()), "type": topic.type is not None}
    return frozenset(name for name, good in found.items() if not good)


def _check_new(topic: Topic, ground: Ground) -> str | None:
    defects = _find_defects(topic)
    if defects or not isinstance(topic.frontmatter, Frontmatter):
        return f"a new topic has no valid {min(defects)}"
    extra = sorted(set(topic.frontmatter.fields) - _KEYS)
    if extra:
        return f"a new topic has the key {extra[0]!r}"
    if not _kebab_case().fullmatch(topic.name) or topic.name != topic.name.lower() or len(topic.name) > _MAX_NAME:
        return "the name of a new topic is not kebab-case"
    if not topic.body.strip():
        return "it says nothing"
    if len(topic.description) > MAX_DESCRIPTION or "\n" in topic.description:
        return f"its description is longer than one line of {MAX_DESCRIPTION} characters"
    return _check_unique(topic.name, topic.path, ground)


def _check_unique(name: str, path: PurePosixPath, ground: Ground) -> str | None:
    others = [other for other in ground.draft.find(_read_name, fold_name(name)) if other != path]
    return f"{min(others).name} has the same name" if others else None


def _read_name(_path: PurePosixPath, text: str) -> str:
    """Return the name of a topic without parsing it: a scope may hold thousands."""
    start = text.find("\nname:", 0, 2_000)
    return fold_name(text[start + 6 :].partition("\n")[0].strip("\r \"'")) if start >= 0 else ""


def _check_kept(topic: Topic, old: Topic) -> str | None:
    before, after = _find_defects(old), _find_defects(topic)
    if after - before:
        return f"its {min(after - before)} is no longer valid"
    if "frontmatter" in before:
        return None
    for key in sorted({*_fields(old), *_fields(topic)} - {"description"}):
        part = "type" if key.endswith("type") else key
        if old.field(key) != topic.field(key) and not (part in before and part not in after):
            return f"it changes {key!r}, which only people change"
    if topic.description != old.description and len(topic.description) > max(MAX_DESCRIPTION, len(old.description)):
        return f"its description is longer than {MAX_DESCRIPTION} characters"
    return None


def _fields(topic: Topic) -> set[str]:
    return set(topic.frontmatter.fields) if isinstance(topic.frontmatter, Frontmatter) else set()


def _check_lines(topic: Topic, added: frozenset[int], *, repaired: bool) -> str | None:
    """Refuse added lines of a head that are not plainly `key: value`: comments and folded text hide from a parser."""
    lines = topic.text.split("\n")
    for number in sorted(added):
        line = lines[number - 1]
        if line.startswith(("<<<<<<< ", ">>>>>>> ", "||||||| ")):
            return f"line {number} is a conflict marker"
        if number >= topic.body_line or line.strip() == "---" or repaired:
            continue
        split = split_field(line)
        if split is None:
            return f"line {number} of its head is not `key: value`"
        _, key, value = split
        fields = topic.field(key) or topic.field(f"metadata.{key}")
        if key != "metadata" and value not in {fields, quote(fields), f"'{fields}'", f'"{fields}"'}:
            return f"line {number} of its head says more than its value"
    return None


def _check_line_ends(topic: Topic, old: Topic | None) -> str | None:
    """Refuse to rewrite every line by changing how lines end."""
    changed = old is not None and ("\r\n" in old.text) != ("\r\n" in topic.text)
    return "it changes how lines end" if changed else None


GUARD = Guard("frontmatter", "Topics keep a valid head; only people change names, types and other keys.", check)
