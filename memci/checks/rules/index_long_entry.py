"""index-long-entry: a pointer that has grown into a paragraph."""

from collections.abc import Sequence

from memci.checks.rule import Findings, Fix, Group, Material, Rule, Severity
from memci.memory.client_limit import MAX_UNITS, count_units
from memci.memory.pointers import MAX_POINTER, cut_clause, cut_words, hides_rule, keep_in_topic, measure
from memci.model.finding import Edit
from memci.model.memory import IndexLine, ScopeSnapshot


def check(material: Material) -> Findings:
    """Find lines of the index that are longer than a pointer should be."""
    for scope in material.snapshot.scopes:
        rows = [row for row in (scope.index.lines if scope.index else ()) if _is_long(row)]
        fixes = _plan_fixes(scope, rows)
        for row in rows:
            yield RULE.finding(
                scope.index_path,
                f"{measure(row.text)} characters; a pointer should have at most {MAX_POINTER}",
                line=row.line,
                suggestion="say in a few words when the topic matters and leave the rest to the topic",
                fix=fixes.get(row.line),
                key=row.pointers[0].target,
            )


def plan_shortening(scope: ScopeSnapshot) -> tuple[Fix, ...]:
    """Return the fixes that shorten the index, the longest hook first; none if it is not too large."""
    return tuple(
        _plan_fixes(scope, [row for row in (scope.index.lines if scope.index else ()) if _is_long(row)]).values()
    )


def _is_long(row: IndexLine) -> bool:
    return bool(row.pointers) and measure(row.text) > MAX_POINTER * len(row.pointers)


def _plan_fixes(scope: ScopeSnapshot, rows: Sequence[IndexLine]) -> dict[int, Fix]:
    """Shorten the longest hooks of an index that is too large, and no more of them than it needs to fit."""
    excess = count_units(scope.index.text) - MAX_UNITS if scope.index else 0
    fixes: dict[int, Fix] = {}
    for row in sorted(rows, key=lambda row: (-measure(row.text), row.line)):
        fix = _shorten(scope, row) if excess > 0 else None
        if fix:
            fixes[row.line] = fix
            excess -= count_units(row.whole) - count_units(fix.edits[0].new)
    return fixes


def _shorten(scope: ScopeSnapshot, row: IndexLine) -> Fix | None:
    """Cut the hook at a clause, else at a word; the whole hook goes into the topic unless the topic has it already."""
    pointer = row.pointers[0]
    topic = scope.topic(pointer.path) if row.plain and pointer.path else None
    start = row.text.rfind(pointer.hook) if pointer.hook else -1
    if topic is None or topic.pinned or start < 0:
        return None
    # In a script of wide characters half as many fit.
    room = (MAX_POINTER - start) * len(pointer.hook) // measure(pointer.hook)
    hook = cut_clause(pointer.hook, room) or cut_words(pointer.hook, room)
    if not hook or hides_rule(pointer.hook[len(hook) - 1 :]):
        return None
    edit = Edit(scope.index_path, row.line, row.whole, row.text[:start] + hook + row.end)
    kept = keep_in_topic(topic, pointer.hook)
    return Fix(f"shorten the hook of {pointer.target}", (edit, kept) if kept else (edit,))


RULE = Rule(
    id="index-long-entry",
    group=Group.INDEX,
    # Half of all public pointers are longer; as warnings they would bury the rest.
    severity=Severity.INFO,
    summary=f"A pointer is longer than {MAX_POINTER} characters.",
    why="The index is loaded in every session and cut at 25,000 characters; long entries push others out of it.",
    example="- [Deploys](project_deploys.md) — how deploys work, who may start them, what to do when one hangs, …",
    remedy="Keep a hint in the index and move the detail into the topic.",
    fix="Only if the index is larger than the client loads: cuts the longest hooks at a clause or word, never inside "
    "code or before a rule; the full text moves into the topic unless it stands there already.",
    check=check,
)
