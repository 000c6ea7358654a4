"""index-orphan: a topic that no pointer leads to."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memci.checks.rule import Group, Material, Rule
from memci.checks.unsafe_topics import find_unsafe
from memci.memory.client_limit import MAX_BYTES, MAX_LINES
from memci.memory.index_rank import rank
from memci.memory.pointers import render_pointer
from memci.model.finding import Edit, Finding, Fix, Severity
from memci.model.memory import ScopeSnapshot, Topic


def check(material: Material) -> Iterator[Finding]:
    """Find topics without a pointer."""
    for scope in material.snapshot.scopes:
        pointed = {pointer.path for pointer in scope.index.pointers} if scope.index else set()
        orphans = [topic for topic in scope.topics if topic.path not in pointed]
        unsafe = find_unsafe(scope, orphans, material)
        fixes = _plan_pointers(scope, [topic for topic in orphans if topic.path not in unsafe])
        for topic in orphans:
            where = "no pointer in MEMORY.md leads here" if scope.index else "there is no MEMORY.md"
            fix = fixes.get(topic.path)
            suggestion = f"add: {render_pointer(topic, scope.scope.path)}"
            why = ""
            if topic.path in unsafe:
                # Its description would be part of every session.
                why = f"; it gets no pointer while {unsafe[topic.path]} finds something in it"
                suggestion = "remove what was found, or add the pointer by hand if it is harmless"
            elif fix is None and _can_be_indexed(scope):
                why, suggestion = "; the index has no room for it", ""
            yield RULE.finding(
                topic.path,
                f"{where}, so no session learns of it{why}",
                suggestion=suggestion,
                fix=fix,
                key="orphan",
            )


def _can_be_indexed(scope: ScopeSnapshot) -> bool:
    """Whether the index is there or can be made; one that could not be read is not touched."""
    return all(item.path != scope.index_path for item in scope.unread)


def _plan_pointers(scope: ScopeSnapshot, orphans: Sequence[Topic]) -> dict[PurePosixPath, Fix]:
    """Give each orphan a line while the index has room, the weightiest first."""
    if not _can_be_indexed(scope):
        return {}
    text = scope.index.text if scope.index else ""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = len(scope.index.lines) if scope.index else 0
    size = len(text.encode("utf-8", "replace"))
    place = _insertion_line(scope)
    fixes: dict[PurePosixPath, Fix] = {}
    for topic in sorted(orphans, key=lambda topic: (rank(topic), topic.path)):
        pointer = render_pointer(topic, scope.scope.path) + end
        lines, size = lines + 1, size + len(pointer.encode("utf-8", "replace"))
        if lines > MAX_LINES or size > MAX_BYTES:
            break
        edit = Edit(scope.index_path, place, "", pointer)
        fixes[topic.path] = Fix(f"add a pointer to {topic.path.name}", (edit,))
    return fixes


def _insertion_line(scope: ScopeSnapshot) -> int:
    """Return the line before which new pointers go: behind the last list item that is one, else at the end."""
    if scope.index is None:
        return 1
    plain = [row.line for row in scope.index.lines if row.plain]
    return (plain[-1] if plain else len(scope.index.lines)) + 1


RULE = Rule(
    id="index-orphan",
    group=Group.INDEX,
    severity=Severity.WARNING,
    summary="A topic has no pointer in the index.",
    why="The client loads only the index. A topic without a pointer is never read.",
    example="feedback_reviews.md exists, MEMORY.md does not name it",
    remedy="Add a pointer, or delete the topic if nobody misses it.",
    fix="Adds a pointer made from name and description, "
    "as long as the index has room and no safety rule finds anything in the topic.",
    check=check,
)
