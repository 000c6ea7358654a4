"""index-orphan: a topic that no pointer leads to."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.checks.rule import Findings, Fix, Group, Material, Rule, Severity
from memci.checks.rules import hidden_text, injection, secret
from memci.memory.client_limit import MAX_LINES, MAX_UNITS, NAG_LINES, NAG_UNITS, count_units
from memci.memory.index import rank
from memci.memory.pointers import MAX_POINTER, is_worth_reading, render_pointer
from memci.model.finding import Edit
from memci.model.memory import IndexLineKind, ScopeSnapshot, Snapshot, Topic

# So few topics may have been forgotten, however few have a pointer.
_FEW = 2
_BULLETS = ("- ", "* ", "+ ")


def check(material: Material) -> Findings:
    """Find topics without a pointer."""
    for scope in material.snapshot.scopes:
        orphans = find_orphans(scope, material.snapshot.scopes)
        unsafe = find_unsafe(scope, orphans, material)
        chosen = is_chosen(scope, orphans)
        fixes = {} if chosen else plan_pointers(scope, orphans, unsafe)
        for topic in orphans:
            where = "no pointer in MEMORY.md leads here" if scope.index else "there is no MEMORY.md"
            fix = fixes.get(topic.path)
            suggestion = f"add: {render_pointer(topic, scope.scope.path)}"
            why = ""
            if topic.path in unsafe:
                # Its description would be part of every session.
                why = f"; it gets no pointer while {unsafe[topic.path]} finds something in it"
                suggestion = "remove what was found, or add the pointer by hand if it is harmless"
            elif not is_worth_reading(topic, scope.scope.path):
                suggestion = "add a pointer that says in a few words when the topic matters"
            elif fix is None and not chosen and _can_be_indexed(scope):
                why, suggestion = "; the index has no room for it", ""
            yield RULE.finding(
                topic.path,
                f"{where}, so no session learns of it{why}",
                suggestion=suggestion,
                fix=fix,
                key="orphan",
            )


def find_orphans(scope: ScopeSnapshot, others: Iterable[ScopeSnapshot]) -> list[Topic]:
    """Return the topics that no index points to or names."""
    pointed = {pointer.path for each in (scope, *others) if each.index for pointer in each.index.pointers}
    text = scope.index.text if scope.index else ""
    return [topic for topic in scope.topics if topic.path not in pointed and topic.path.name not in text]


def is_chosen(scope: ScopeSnapshot, orphans: Collection[Topic]) -> bool:
    """Tell whether whoever keeps the index chose what it names: it has content only, or leaves out most."""
    lines = scope.index.lines if scope.index else ()
    if not any(row.plain for row in lines):
        return bool(orphans) and any(line.kind is IndexLineKind.PROSE for line in lines)
    pointed = {pointer.path for line in lines for pointer in line.pointers} & scope.files
    return len(orphans) > max(_FEW, len(pointed))


def plan_pointers(
    scope: ScopeSnapshot,
    orphans: Sequence[Topic],
    unsafe: Collection[PurePosixPath],
    made: Collection[PurePosixPath] = (),
) -> dict[PurePosixPath, Fix]:
    """Give each orphan a line while the index has room, the weightiest first; an empty file needs none.

    What was `made` just now may fill the index. An older topic must not: from a lower limit on the client asks to make
    the index smaller, and a pointer that says nothing only takes room.
    """
    if not _can_be_indexed(scope):
        return {}
    text = scope.index.text if scope.index else ""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = len(scope.index.lines) if scope.index else 0
    size = count_units(text)
    place = _insertion_line(scope)
    fixes: dict[PurePosixPath, Fix] = {}
    for topic in sorted(orphans, key=lambda topic: (topic.path not in made, rank(topic), topic.path)):
        pointer = render_pointer(topic, scope.scope.path) + end
        needed = count_units(pointer)
        new = topic.path in made
        max_lines, max_units = (MAX_LINES, MAX_UNITS) if new else (NAG_LINES - 1, NAG_UNITS)
        fits = lines < max_lines and size + needed <= max_units and len(pointer.rstrip()) <= MAX_POINTER
        worth = new or is_worth_reading(topic, scope.scope.path)
        if fits and worth and topic.path not in unsafe and topic.text.strip():
            lines, size = lines + 1, size + needed
            edit = Edit(scope.index_path, place, "", pointer)
            fixes[topic.path] = Fix(f"add a pointer to {topic.path.name}", (edit,))
    return fixes


def _can_be_indexed(scope: ScopeSnapshot) -> bool:
    """Whether the index is there or can be made; one that could not be read is not touched."""
    return all(item.path != scope.index_path for item in scope.unread)


def _insertion_line(scope: ScopeSnapshot) -> int:
    """Return the line before which new pointers go: behind the last list item with a pointer, else at the end."""
    if scope.index is None:
        return 1
    items = [row.line for row in scope.index.lines if row.pointers and row.text.lstrip().startswith(_BULLETS)]
    return (items[-1] if items else len(scope.index.lines)) + 1


def find_unsafe(scope: ScopeSnapshot, topics: Sequence[Topic], material: Material) -> dict[PurePosixPath, str]:
    """Return the unsafe ones of these topics with the safety rule that fires; exceptions in the settings apply."""
    alone = replace(scope, index=None, topics=tuple(topics), logs=(), unread=(), others=())
    looked_at = replace(material, snapshot=Snapshot((alone,)))
    unsafe: dict[PurePosixPath, str] = {}
    for rule in (injection.RULE, hidden_text.RULE, secret.RULE):
        for finding in rule.check(looked_at):
            if not any(entry.matches(finding) for entry in material.config.ignore):
                unsafe.setdefault(finding.path, rule.id)
    return unsafe


RULE = Rule(
    id="index-orphan",
    group=Group.INDEX,
    severity=Severity.WARNING,
    summary="A topic has no pointer in the index.",
    why="The client loads only the index. A topic without a pointer is never read.",
    example="feedback_reviews.md exists, MEMORY.md does not name it",
    remedy="Add a pointer, or delete the topic if nobody misses it.",
    fix="Adds a pointer made from name and description, as long as most topics have one, "
    "the hook is a whole clause, the index stays below what the client asks for, and no safety rule finds anything.",
    check=check,
)
