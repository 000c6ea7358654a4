"""The rule documentation, made from the rules themselves."""

from collections.abc import Iterable

from memci.checks.rule import Group, Rule

_INTRODUCTION = """# Rules

`memci check` runs these rules over every scope. This page is generated from the rules: `make docs`.

An **error** makes `memci check` exit 1; a **warning** does with `--fail-on warning`, an **info** with `--fail-on info`.

To make an exception, write `<!-- memci: ignore RULE reason -->` on the line or alone on the line above it
(in frontmatter `# memci: ignore RULE reason`), or add it to `.memci.yml`:

```yaml
ignore:
  - rule: index-prose
    path: .claude/memory/MEMORY.md
    reason: the glossary stays in the index until it has an owner
```

The reason is required. An exception that covers nothing is reported. Safety rules take exceptions from the settings
only: whoever plants an instruction in a memory could plant the comment that hides it.
"""


def render_rules(rules: Iterable[Rule]) -> str:
    """Return the page about all rules, a section each, in the order of the groups."""
    rules = tuple(rules)
    parts = [_INTRODUCTION]
    for group in Group:
        members = [rule for rule in rules if rule.group is group]
        if members:
            parts.append(f"## {group}\n")
            parts += [_render_rule(rule) for rule in members]
    return "\n".join(parts)


def _render_rule(rule: Rule) -> str:
    lines = [f"### {rule.id}", "", f"*{rule.severity.capitalize()}.* {rule.summary}", "", rule.why, ""]
    lines += ["```text", rule.example, "```", "", f"**Remedy:** {rule.remedy}", ""]
    if rule.fix:
        lines += [f"**`--fix`:** {rule.fix}", ""]
    return "\n".join(lines)
