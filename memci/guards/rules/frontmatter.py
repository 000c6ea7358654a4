"""frontmatter: topics keep valid frontmatter with the known keys only."""

from pathlib import PurePosixPath

from memci.guards.context import Change, Context, Guard
from memci.guards.repair_limits import is_repair
from memci.memory.frontmatter import quote, split_field
from memci.memory.topic import fold_name
from memci.model.memory import Frontmatter, Topic
from memci.model.plan import OperationKind
from memci.patterns import LazyPattern

# A description is one line of a manifest that lists every topic.
MAX_DESCRIPTION = 200
_MAX_NAME = 80
_KEYS = frozenset(("name", "description", "type", "metadata.type"))
# Clients note there when a topic was changed.
_MODIFIED = frozenset(("modified", "metadata.modified"))
_MOMENT = LazyPattern(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?)?")
_KEBAB_CASE = LazyPattern(r"[^\W_]+(?:-[^\W_]+)*")


def check(change: Change) -> str | None:
    """Refuse heads that are invalid, carry more than the known keys, or change what a topic is."""
    for edit in change.edits:
        path = edit.path
        if edit.after is None or path == change.context.index_path:
            continue
        topic = edit.after.topic
        old = edit.before.topic if edit.before else None
        problem = (
            _check_lines(topic, change.added_numbers[path], repaired=is_repair(path, change))
            or (_check_kept(topic, old) if old else _check_new(topic, change.context))
            or _check_line_ends(topic, old)
        )
        if problem:
            return f"{path.name}: {problem}"
        if change.kind is OperationKind.RETIRE and old and topic.description != old.description:
            return f"{path.name}: a retire rewrites its description"
    return None


def _list_defects(topic: Topic) -> frozenset[str]:
    if not isinstance(topic.frontmatter, Frontmatter):
        return frozenset(("frontmatter", "name", "description", "type"))
    found = {"frontmatter": topic.frontmatter.problem is None, "name": bool(topic.name.strip())}
    found |= {"description": bool(topic.description.strip()), "type": topic.type is not None}
    return frozenset(name for name, good in found.items() if not good)


def _check_new(topic: Topic, context: Context) -> str | None:
    defects = _list_defects(topic)
    if defects or not isinstance(topic.frontmatter, Frontmatter):
        return f"a new topic has no valid {min(defects)}"
    extra = sorted(set(topic.frontmatter.fields) - _KEYS)
    if extra:
        return f"a new topic has the key {extra[0]!r}"
    if not _KEBAB_CASE.fullmatch(topic.name) or topic.name != topic.name.lower() or len(topic.name) > _MAX_NAME:
        return "the name of a new topic is not kebab-case"
    if not topic.body.strip():
        return "it says nothing"
    if len(topic.description) > MAX_DESCRIPTION or "\n" in topic.description:
        return f"its description is longer than one line of {MAX_DESCRIPTION} characters"
    return _check_unique(topic.name, topic.path, context)


def _check_unique(name: str, path: PurePosixPath, context: Context) -> str | None:
    folded = fold_name(name)
    others = [other for other, text in context.draft.items() if other != path and _read_name(text) == folded]
    return f"{min(others).name} has the same name" if others else None


def _read_name(text: str) -> str:
    """Return the name of a topic without parsing it: a scope may have thousands."""
    start = text.find("\nname:", 0, 2_000)
    return fold_name(text[start + 6 :].partition("\n")[0].strip("\r \"'")) if start >= 0 else ""


def _check_kept(topic: Topic, old: Topic) -> str | None:
    before, after = _list_defects(old), _list_defects(topic)
    if after - before:
        return f"its {min(after - before)} is no longer valid"
    if "frontmatter" in before:
        return None
    for key in sorted({*_fields(old), *_fields(topic)} - {"description"}):
        if key in _MODIFIED and old.field(key) and _MOMENT.fullmatch(topic.field(key)):
            continue
        part = "type" if key.endswith("type") else key
        if old.field(key) != topic.field(key) and not (part in before and part not in after):
            return f"it changes {key!r}, which only people change"
    if topic.description != old.description and len(topic.description) > max(MAX_DESCRIPTION, len(old.description)):
        return f"its description is longer than {MAX_DESCRIPTION} characters"
    return None


def _fields(topic: Topic) -> set[str]:
    return set(topic.frontmatter.fields) if isinstance(topic.frontmatter, Frontmatter) else set()


def _check_lines(topic: Topic, added: frozenset[int], *, repaired: bool) -> str | None:
    """Refuse added frontmatter lines that are not plain `key: value`: a parser drops comments and folds text."""
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
    """Refuse to change the line endings of a whole file."""
    changed = old is not None and ("\r\n" in old.text) != ("\r\n" in topic.text)
    return "it changes how lines end" if changed else None


GUARD = Guard(
    "frontmatter",
    "Topics keep a valid head; only people change names, types and keys other than description and modified.",
    check,
)
