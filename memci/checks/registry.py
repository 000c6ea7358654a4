"""All rules, in the order of the documentation."""

from memci.checks.rule import Rule
from memci.checks.rule_names import NAMES, load_rule
from memci.report.check_result import RuleInfo

RULES: tuple[Rule, ...] = tuple(map(load_rule, NAMES))
# What is known about each rule, as several commands report it.
RULE_INFOS = {rule.id: RuleInfo(rule.id, rule.severity, rule.summary, rule.remedy, rule.group) for rule in RULES}
