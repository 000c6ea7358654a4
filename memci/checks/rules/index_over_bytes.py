"""index-over-bytes: the index is larger than the client loads."""

from collections.abc import Iterator

from memci.checks.rule import Group, Material, Rule
from memci.checks.rules.index_over_lines import describe_loss, plan_fit
from memci.memory.client_limit import MAX_BYTES, cut
from memci.model.finding import Finding, Severity


def check(material: Material) -> Iterator[Finding]:
    """Find indexes over the byte limit and report what the client would not load."""
    for scope in material.snapshot.scopes:
        if scope.index is None:
            continue
        size = len(scope.index.text.encode("utf-8", "replace"))
        if size > MAX_BYTES:
            yield RULE.finding(
                scope.index.path,
                f"{size:,} bytes; the limit is {MAX_BYTES:,}{describe_loss(scope)}",
                line=cut(scope.index.text).lost_from or 1,
                suggestion="shorten the entries; details belong into the topics",
                fix=plan_fit(scope),
                key="bytes",
            )


RULE = Rule(
    id="index-over-bytes",
    group=Group.INDEX,
    severity=Severity.ERROR,
    summary=f"The index is larger than {MAX_BYTES:,} bytes.",
    why="The client cuts at the last line that fits and drops the rest: the newest entries, often the corrections.",
    example="a MEMORY.md of 31,000 bytes",
    remedy="Shorten long entries, move content into topics, merge or retire topics.",
    fix="Removes blank lines, then pointers: project before reference, user and feedback last. Their topics stay.",
    check=check,
)
