"""index-duplicate: two pointers to one topic."""

from pathlib import PurePosixPath

from memci.checks.rule import Findings, Fix, Group, Material, Rule, Severity
from memci.memory.pointers import keep_in_topic, says_more
from memci.model.finding import Edit
from memci.model.memory import IndexLine, Pointer, ScopeSnapshot


def check(material: Material) -> Findings:
    """Find every pointer after the first to the same file."""
    for scope in material.snapshot.scopes:
        first: dict[PurePosixPath, Pointer] = {}
        for row in scope.index.lines if scope.index else ():
            for pointer in row.pointers:
                if pointer.path is None:
                    continue
                earlier = first.setdefault(pointer.path, pointer)
                if earlier is not pointer:
                    yield RULE.finding(
                        scope.index_path,
                        f"{pointer.target} already has a pointer on line {earlier.line}",
                        line=pointer.line,
                        column=pointer.column,
                        suggestion="keep one pointer per topic",
                        fix=_fold(scope, row, pointer, earlier),
                        key=str(pointer.path),
                    )


def _fold(scope: ScopeSnapshot, row: IndexLine, pointer: Pointer, earlier: Pointer) -> Fix | None:
    """Remove the line; its hook goes into the topic unless the topic has it already."""
    if scope.index is None or pointer.path is None or not row.plain:
        return None
    edits = [Edit(scope.index.path, row.line, row.whole, "")]
    topic = scope.topic(pointer.path)
    known = f"{earlier.title} {earlier.hook} {topic.name} {topic.text}" if topic else f"{earlier.title} {earlier.hook}"
    if says_more(pointer.title, known):
        return None
    if pointer.hook:
        if topic is None or topic.pinned:
            return None
        kept = keep_in_topic(topic, pointer.hook)
        edits += [kept] if kept else []
    return Fix(f"remove the second pointer to {pointer.target}", tuple(edits))


RULE = Rule(
    id="index-duplicate",
    group=Group.INDEX,
    severity=Severity.WARNING,
    summary="Two pointers lead to the same topic.",
    why="Each line of the index is loaded in every session, and two hooks for one topic drift apart.",
    example="- [Style](feedback_style.md) — two spaces\n- [Indent](feedback_style.md) — indentation",
    remedy="Keep the better hook and delete the other line.",
    fix="Removes the later line if it holds nothing but the pointer; its hook moves into the topic.",
    check=check,
)
