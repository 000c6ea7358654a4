"""`memci rule`: one rule of `memci check`, explained."""

from difflib import get_close_matches

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit, UsageError
from memci.report.output import emit, terminal_width


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
    from memci.runs.rule import render_rule, render_rule_list, render_rules_json

    known = {one.id: one for one in RULES}
    if rule is not None and rule not in known:
        guess = "".join(f"did you mean {name}?" for name in get_close_matches(rule, known, 1))
        raise UsageError(f"there is no rule {rule!r}", hint=guess or "memci rule lists all")
    chosen = [known[rule]] if rule else list(RULES)
    if style == "json":
        emit(render_rules_json(chosen))
    elif rule:
        emit(render_rule(known[rule], terminal_width()))
    else:
        emit(render_rule_list(RULES, terminal_width()))
    return Exit.DONE
