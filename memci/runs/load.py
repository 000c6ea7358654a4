"""What is known about the rules and the snapshot of a check, as several commands report it."""

from collections.abc import Sequence

from memci.checks.registry import RULES
from memci.model.finding import Finding
from memci.model.memory import Snapshot
from memci.report.check_result import RuleInfo

RULE_INFOS = {
    rule.id: RuleInfo(rule.id, rule.severity, rule.summary, rule.remedy, f"docs/rules.md#{rule.id}", rule.group)
    for rule in RULES
}


def count_topics(snapshot: Snapshot) -> int:
    """Return the number of topics in a snapshot."""
    return sum(len(scope.topics) for scope in snapshot.scopes)


def is_below(finding: Finding, wanted: Sequence[object]) -> bool:
    """Whether a finding is in one of the wanted paths; always, if none is wanted."""
    return not wanted or any(path in (finding.path, *finding.path.parents) for path in wanted)
