"""index-over-lines: the index has more lines than the client loads."""

from collections.abc import Iterator

from memci.checks.rule import Group, Material, Rule
from memci.memory.client_limit import MAX_LINES, NAG_LINES, cut
from memci.memory.index import fit
from memci.model.finding import Finding, Fix, Severity
from memci.model.memory import ScopeSnapshot

# What the client asks for.
_SMALLER = "merge or retire topics until the index has fewer than 140 lines"


def check(material: Material) -> Iterator[Finding]:
    """Find indexes over the line limit and report what the client would not load."""
    for scope in material.snapshot.scopes:
        if scope.index is None:
            continue
        lines = len(scope.index.lines)
        if lines > MAX_LINES:
            yield RULE.finding(
                scope.index.path,
                f"{lines} lines; the client loads {MAX_LINES}{describe_loss(scope)}",
                line=cut(scope.index.text).lost_from or MAX_LINES + 1,
                suggestion=_SMALLER,
                fix=plan_fit(scope),
                key="lines",
            )
        elif lines >= NAG_LINES:
            yield RULE.finding(
                scope.index.path,
                f"{lines} lines; from {NAG_LINES} on the client asks for a smaller index, after {MAX_LINES} it cuts",
                line=NAG_LINES,
                suggestion=_SMALLER,
                key="lines",
                severity=Severity.WARNING,
            )


def describe_loss(scope: ScopeSnapshot) -> str:
    """Say which pointers the client would drop."""
    if scope.index is None:
        return ""
    start = cut(scope.index.text).lost_from
    lost = [pointer.target for pointer in scope.index.pointers if start and pointer.line >= start]
    if not lost:
        return ""
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return f" and would not show {', '.join(lost[:3])}{more}"


def plan_fit(scope: ScopeSnapshot) -> Fix | None:
    """Return the fix that makes the index meet the limits, if plain pointers and blank lines are enough."""
    fitted = fit(scope.index, {topic.path: topic for topic in scope.topics}) if scope.index else None
    if fitted is None:
        return None
    left = f"; left out of the index: {', '.join(fitted.dropped)}" if fitted.dropped else ""
    return Fix(f"fit the index{left}", fitted.edits)


RULE = Rule(
    id="index-over-lines",
    group=Group.INDEX,
    severity=Severity.ERROR,
    summary=f"The index has more than {MAX_LINES} lines; a warning from {NAG_LINES} on.",
    why="The client loads the first 200 lines and drops the rest: the newest entries, often the corrections.",
    example="a MEMORY.md of 230 lines",
    remedy="Merge or retire topics, move content out of the index, and leave some room.",
    fix="Removes blank lines, then pointers: project before reference, user and feedback last. Their topics stay.",
    check=check,
)
