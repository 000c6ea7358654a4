"""Selects topics that must not be promoted to every session before a person has reviewed them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.checks.rule import Material
from memci.checks.rules import hidden_text, injection, secret
from memci.model.memory import ScopeSnapshot, Snapshot, Topic


def find_unsafe(scope: ScopeSnapshot, topics: Sequence[Topic], material: Material) -> dict[PurePosixPath, str]:
    """Return the unsafe ones of these topics with the safety rule that fires; exceptions in the settings apply."""
    alone = replace(scope, index=None, topics=tuple(topics), logs=(), unread=(), others=())
    looked_at = replace(material, snapshot=Snapshot((alone,)))
    unsafe: dict[PurePosixPath, str] = {}
    for rule in (injection.RULE, hidden_text.RULE, secret.RULE):
        for finding in rule.check(looked_at):
            if not any(entry.matches(finding) for entry in material.config.ignore):
                unsafe.setdefault(finding.path, rule.id)
    return unsafe
