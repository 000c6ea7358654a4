"""Which topics must not be brought to the attention of every session until somebody has looked at them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.checks.rule import Material
from memci.checks.rules import hidden_text, injection, secret
from memci.model.memory import ScopeSnapshot, Snapshot, Topic


def find_unsafe(scope: ScopeSnapshot, topics: Sequence[Topic], material: Material) -> dict[PurePosixPath, str]:
    """Return for each of these topics that has one the safety rule with a finding; exceptions of people count."""
    alone = replace(scope, index=None, topics=tuple(topics), logs=(), unread=(), others=())
    looked_at = replace(material, snapshot=Snapshot((alone,)))
    unsafe: dict[PurePosixPath, str] = {}
    for rule in (injection.RULE, hidden_text.RULE, secret.RULE):
        for finding in rule.check(looked_at):
            if not any(entry.matches(finding) for entry in material.config.ignore):
                unsafe.setdefault(finding.path, rule.id)
    return unsafe
