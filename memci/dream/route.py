"""Assigns each signal to one scope, or leaves it to a person."""

import re
from collections.abc import Sequence

from memci.engines.local.known_topics import Stance, match_signal, rank_nearest
from memci.model.memory import Scope, ScopeSnapshot, Topic
from memci.model.session import Signal

PROJECT = "project"
_AGENT = "agent:"
# The session of a daily log is its path; it belongs to the scope that contains it.
_LOG = "log:"


def route(
    signals: Sequence[Signal], scopes: Sequence[ScopeSnapshot], default: str | None = None
) -> tuple[dict[str, list[Signal]], list[Signal]]:
    """Assign the signals to scopes, by id, and return those without one, too; `default` is from the settings."""
    if len(scopes) == 1:
        return {scopes[0].scope.id: list(signals)}, []
    chosen: dict[str, list[Signal]] = {scope.scope.id: [] for scope in scopes}
    homeless: list[Signal] = []
    near = {scope.scope.id: rank_nearest([signal.rule for signal in signals], scope.topics) for scope in scopes}
    for place, signal in enumerate(signals):
        known = [scope for scope in scopes if _covers(signal, scope, near[scope.scope.id][place])]
        home = _choose_home(signal, [scope.scope for scope in scopes], [scope.scope for scope in known], default)
        (chosen[home] if home else homeless).append(signal)
    return chosen, homeless


def _choose_home(signal: Signal, scopes: Sequence[Scope], known: Sequence[Scope], default: str | None) -> str | None:
    ids = [scope.id for scope in scopes]
    # Of nested scopes the inner one; the longest path comes last.
    beside = sorted((scope.path, scope.id) for scope in scopes if signal.session.startswith(f"{_LOG}{scope.path}/"))
    if beside:
        return beside[-1][1]
    agents = [scope.id for scope in scopes if scope.id.startswith(_AGENT)]
    if f"{_AGENT}{signal.agent}" in agents:
        return f"{_AGENT}{signal.agent}"
    addressed = [agent for agent in agents if _addresses(signal.text, agent.removeprefix(_AGENT))]
    if len(addressed) == 1:
        return addressed[0]
    if len(known) == 1:
        return known[0].id
    return next((scope for scope in (PROJECT, default) if scope in ids), None)


def _addresses(text: str, agent: str) -> bool:
    """Tell whether a person addresses an agent by name: "@reviewer", "reviewer: …", "the reviewer agent should"."""
    name = re.escape(agent).replace(r"\-", "[- ]")
    patterns = rf"(?:^|\s)@{name}\b|^\W{{0,3}}{name}\s{{0,2}}[:,]|\b{name}[- ](?:sub)?agent\b"
    return re.search(patterns, text, re.IGNORECASE) is not None


def _covers(signal: Signal, scope: ScopeSnapshot, near: Sequence[Topic]) -> bool:
    return match_signal(signal, scope, near).stance is not Stance.NEW
