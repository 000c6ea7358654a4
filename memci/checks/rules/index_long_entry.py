"""index-long-entry: a pointer that has grown into a paragraph."""

from collections.abc import Iterator

from memci.checks.rule import Group, Material, Rule
from memci.memory.pointers import MAX_POINTER, keep_in_topic, shorten
from memci.model.finding import Edit, Finding, Fix, Severity
from memci.model.memory import IndexLine, ScopeSnapshot


def check(material: Material) -> Iterator[Finding]:
    """Find lines of the index that are longer than a pointer should be."""
    for scope in material.snapshot.scopes:
        for row in scope.index.lines if scope.index else ():
            length = len(row.text)
            if row.pointers and length > MAX_POINTER * len(row.pointers):
                yield RULE.finding(
                    scope.index_path,
                    f"{length} characters; a pointer should have at most {MAX_POINTER}",
                    line=row.line,
                    suggestion="say in a few words when the topic matters and leave the rest to the topic",
                    fix=_shorten(scope, row),
                    key=row.pointers[0].target,
                )


def _shorten(scope: ScopeSnapshot, row: IndexLine) -> Fix | None:
    """Shorten the hook; the whole hook goes into the topic unless the topic has it already."""
    if scope.index is None or not row.plain:
        return None
    pointer = row.pointers[0]
    topic = scope.topic(pointer.path) if pointer.path else None
    start = row.text.rfind(pointer.hook) if pointer.hook else -1
    if topic is None or topic.pinned or start < 0:
        return None
    hook = shorten(pointer.hook, MAX_POINTER - start)
    if not hook:
        return None
    edits = [Edit(scope.index.path, row.line, row.whole, row.text[:start] + hook + row.end)]
    kept = keep_in_topic(topic, pointer.hook)
    return Fix(f"shorten the hook of {pointer.target}", tuple([*edits, kept] if kept else edits))


RULE = Rule(
    id="index-long-entry",
    group=Group.INDEX,
    # Half of all public pointers are longer; as warnings they would bury the rest.
    severity=Severity.INFO,
    summary=f"A pointer is longer than {MAX_POINTER} characters.",
    why="The index is loaded in every session and cut at 25,000 bytes; long entries push others out of it.",
    example="- [Deploys](project_deploys.md) — how deploys work, who may start them, what to do when one hangs, …",
    remedy="Keep a hint in the index and move the detail into the topic.",
    fix="Cuts the hook at a clause; the full text moves into the topic unless it stands there already.",
    check=check,
)
