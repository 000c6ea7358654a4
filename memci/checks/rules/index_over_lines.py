"""index-over-lines: the index has more lines than the client loads."""

from memci.checks.rule import Finding, Findings, Fix, Group, Material, Rule, Severity
from memci.checks.rules.index_long_entry import plan_shortening
from memci.memory.client_limit import MAX_LINES, NAG_LINES, cut
from memci.memory.index import fit
from memci.model.memory import ScopeSnapshot

# What the client asks for.
_SMALLER = "merge or retire topics until the index has fewer than 140 lines"


def check(material: Material) -> Findings:
    """Find indexes over the line limit and report what the client would not load."""
    for scope in material.snapshot.scopes:
        lines = len(scope.index.lines) if scope.index else 0
        if lines > MAX_LINES:
            over = f"{lines} lines; the client loads {MAX_LINES}"
            yield report_cut(RULE, scope, over, "lines", _SMALLER, otherwise=MAX_LINES + 1)
        elif lines >= NAG_LINES:
            yield RULE.finding(
                scope.index_path,
                f"{lines} lines; from {NAG_LINES} on the client asks for a smaller index, after {MAX_LINES} it cuts",
                line=NAG_LINES,
                suggestion=_SMALLER,
                key="lines",
                severity=Severity.WARNING,
            )


def report_cut(rule: Rule, scope: ScopeSnapshot, over: str, key: str, suggestion: str, otherwise: int = 1) -> Finding:
    """Report what the client would not load of an index that is over a limit."""
    start = cut(scope.index.text).lost_from if scope.index else 0
    lost = (
        [pointer.target for pointer in scope.index.pointers if start and pointer.line >= start] if scope.index else []
    )
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    message = over + (f" and would not show {', '.join(lost[:3])}{more}" if lost else "")
    return rule.finding(
        scope.index_path, message, line=start or otherwise, suggestion=suggestion, fix=_plan_fit(scope), key=key
    )


def _plan_fit(scope: ScopeSnapshot) -> Fix | None:
    """Return the fix that makes the index meet the limits: long hooks are shortened before any pointer leaves."""
    if shorter := plan_shortening(scope):
        named = ", ".join(fix.summary.removeprefix("shorten the hook of ") for fix in shorter)
        return Fix(f"shorten the hooks of {named}", tuple(edit for fix in shorter for edit in fix.edits))
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
