"""index-over-bytes: the index is larger than the client loads."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.checks.rules.index_over_lines import report_cut
from memci.memory.client_limit import MAX_UNITS, NAG_UNITS, count_units

_SHORTER = "shorten the entries; details belong into the topics"


def check(material: Material) -> Findings:
    """Find indexes over the size limit and report what the client would not load."""
    for scope in material.snapshot.scopes:
        size = count_units(scope.index.text) if scope.index else 0
        if size > MAX_UNITS:
            yield report_cut(RULE, scope, f"{size:,} characters; the limit is {MAX_UNITS:,}", "bytes", _SHORTER)
        elif size > NAG_UNITS:
            yield RULE.finding(
                scope.index_path,
                f"{size:,} characters; from {NAG_UNITS:,} on the client asks for a smaller index, "
                f"after {MAX_UNITS:,} it cuts",
                suggestion=_SHORTER,
                key="bytes",
                severity=Severity.WARNING,
            )


RULE = Rule(
    id="index-over-bytes",
    group=Group.INDEX,
    severity=Severity.ERROR,
    summary=f"The index has more than {MAX_UNITS:,} characters; a warning from {NAG_UNITS:,} on.",
    why="The client cuts at the last line that fits and drops the rest: the newest entries, often the corrections.",
    example="a MEMORY.md of 31,000 characters",
    remedy="Shorten long entries, move content into topics, merge or retire topics.",
    fix="Shortens long hooks, whose text goes into their topics, then removes blank lines, then pointers: project "
    "before reference, user and feedback last. Their topics stay.",
    check=check,
)
