"""`memci rule`: one rule of `memci check`, explained."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit, UsageError
from memci.report.escape import json_text
from memci.report.output import emit, terminal_width
from memci.report.terminal_lines import hang, wrap

if TYPE_CHECKING:
    from memci.checks.rule import Rule


@click.command(
    "rule",
    epilog="""\b
Examples:
  memci rule path-moved     what it finds, why it matters, and what to do
  memci rule                all rules""",
)
@click.argument("rule", required=False)
@format_option("text", "json")
@click.pass_obj
def command(_: Settings, /, rule: str | None, style: str) -> Exit:
    """Explain a rule of memci check: what it finds, why that matters, and what to do.

    RULE is the id of a rule; all rules are listed without one.
    """
    from memci.checks.registry import RULES
    from memci.checks.rule_names import suggest_rule

    known = {one.id: one for one in RULES}
    if rule is not None and rule not in known:
        raise UsageError(f"there is no rule {rule!r}", hint=suggest_rule(rule))
    chosen = [known[rule]] if rule else list(RULES)
    if style == "json":
        emit(_render_json(chosen))
    elif rule:
        emit(_render_rule(known[rule], terminal_width()))
    else:
        emit(_render_list(RULES, terminal_width()))
    return Exit.DONE


def _render_rule(rule: "Rule", width: int) -> str:
    """Explain one rule."""
    lines = [f"{rule.id} ({rule.severity.value}, {rule.group.lower()})", *wrap(rule.summary, width), ""]
    lines += [*wrap(rule.why, width), "", *(f"    {line}" for line in rule.example.split("\n")), ""]
    lines.append(hang("remedy", 6, rule.remedy, width))
    lines.append(hang("--fix ", 6, rule.fix or "none: a person has to decide", width))
    lines.append(hang("except", 6, f"<!-- memci: ignore {rule.id} reason -->, or ignore: in .memci.yml", width))
    return "\n".join(lines) + "\n"


def _render_list(rules: "Sequence[Rule]", width: int) -> str:
    """Name rules, each with its summary."""
    cells = max(len(rule.id) for rule in rules)
    lines = [hang(f"{rule.severity.value:7}  {rule.id:{cells}}", 9 + cells, rule.summary, width) for rule in rules]
    return "\n".join(lines) + "\n"


def _render_json(rules: "Sequence[Rule]") -> str:
    """Return rules as the schema memci/rule/1."""
    keys = ("id", "group", "severity", "summary", "why", "example", "remedy", "fix")
    shown = [{key: str(getattr(rule, key)) for key in keys} for rule in rules]
    return json_text({"schema": "memci/rule/1", "rules": shown})
