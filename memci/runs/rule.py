"""Runs `memci rule`: explains rules of `memci check` to a person at a terminal."""

from collections.abc import Sequence

from memci.checks.rule import Rule
from memci.report.escape import json_text
from memci.report.terminal_lines import hang, wrap


def render_rule(rule: Rule, width: int) -> str:
    """Explain one rule."""
    lines = [f"{rule.id} ({rule.severity.value}, {rule.group.lower()})", *wrap(rule.summary, width), ""]
    lines += [*wrap(rule.why, width), "", *(f"    {line}" for line in rule.example.split("\n")), ""]
    lines.append(hang("remedy", 6, rule.remedy, width))
    lines.append(hang("--fix ", 6, rule.fix or "none: a person has to decide", width))
    lines.append(hang("except", 6, f"<!-- memci: ignore {rule.id} reason -->, or ignore: in .memci.yml", width))
    return "\n".join(lines) + "\n"


def render_rule_list(rules: Sequence[Rule], width: int) -> str:
    """Name rules, each with its summary."""
    cells = max(len(rule.id) for rule in rules)
    lines = [hang(f"{rule.severity.value:7}  {rule.id:{cells}}", 9 + cells, rule.summary, width) for rule in rules]
    return "\n".join(lines) + "\n"


def render_rules_json(rules: Sequence[Rule]) -> str:
    """Return rules as the schema memci/rule/1."""
    keys = ("id", "group", "severity", "summary", "why", "example", "remedy", "fix")
    shown = [{key: str(getattr(rule, key)) for key in keys} for rule in rules]
    return json_text({"schema": "memci/rule/1", "rules": shown})
