"""config-changed: a change edits the settings that judge it."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.config import Config
from memci.errors import FAIL_LEVELS


def check(material: Material) -> Findings:
    """Compare the settings with those before the change, which are the ones in force."""
    before, after = material.base_config, material.config
    if before is None or before == after:
        return
    path = after.path or before.path
    if path is None:
        return
    loosened = _list_loosened(before, after)
    yield RULE.finding(
        path,
        f"the settings change: {'; '.join(loosened)}" if loosened else "the settings change",
        suggestion="this check used the settings from before the change; review them on their own",
        severity=Severity.ERROR if loosened else Severity.INFO,
    )


def _list_loosened(before: Config, after: Config) -> list[str]:
    known = {(entry.rule, entry.path) for entry in before.ignore}
    loosened = [
        f"{entry.rule} is ignored in {entry.path}" for entry in after.ignore if (entry.rule, entry.path) not in known
    ]
    if FAIL_LEVELS.index(after.fail_on) > FAIL_LEVELS.index(before.fail_on):
        loosened.append(f"fail_on goes from {before.fail_on} to {after.fail_on}")
    loosened += [f"{glob} is left out" for glob in after.scopes if glob.startswith("!") and glob not in before.scopes]
    loosened += [f"{glob} is no scope any more" for glob in before.scopes if glob not in after.scopes]
    loosened += [f"{rule} counts as {level}" for rule, level in after.severity if (rule, level) not in before.severity]
    named = {rule for rule, _ in after.severity}
    loosened += [f"{rule} no longer counts as {level}" for rule, level in before.severity if rule not in named]
    return loosened


RULE = Rule(
    id="config-changed",
    group=Group.CHANGE,
    severity=Severity.ERROR,
    summary="A change edits memci's settings; an error if it makes them looser, a note otherwise.",
    why="A pull request must not switch off the rules that judge it. With --since the old settings are in force.",
    example="+ignore:\n+  - {rule: secret, reason: noisy}",
    remedy="Review the settings on their own; they take effect for the next change.",
    check=check,
)
