"""Scopes, signals and dreams for tests, made from texts in memory."""

import datetime as dt
import random
import string
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import run_rules
from memci.config import Config
from memci.dream.inputs import Sources
from memci.dream.pipeline import plan_scopes
from memci.engines.local import LocalEngine
from memci.memory.snapshot import replace_texts
from memci.model.finding import Finding
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, TopicType, Trust, Unread
from memci.model.plan import NeedsPerson, Operation, ScopePlan
from memci.model.session import Origin, Signal, SignalKind
from tests.build import NOW, SCOPE, snapshot_of, topic_text

SAID_AT = dt.datetime(2026, 11, 12, 9, 30, tzinfo=dt.UTC)


def read(files: Mapping[str, str | Unread]) -> ScopeSnapshot:
    """Return a scope with these files."""
    return snapshot_of(files).scopes[0]


def with_index(topics: Mapping[str, str]) -> dict[str, str]:
    """Return topics with an index that points to each of them."""
    lines = [f"- [{name.removesuffix('.md')}]({name}) — what it says\n" for name in topics]
    return {"MEMORY.md": "# Memory\n\n" + "".join(lines), **topics}


def named_scope(name: str, path: str, topics: Mapping[str, str] | None = None) -> ScopeSnapshot:
    """Return a scope of this id with topics of these bodies and no index."""
    scope = ScopeSnapshot(Scope(name, PurePosixPath(path), Trust.COMMITTED, Path("/nowhere")), None, ())
    return replace_texts(scope, {PurePosixPath(path) / file: text for file, text in (topics or {}).items()})


def say(
    rule: str,
    *,
    kind: SignalKind = SignalKind.CORRECTION,
    type: TopicType = TopicType.FEEDBACK,  # noqa: A002 -- the name of the field
    why: str = "",
    how: str = "",
    reverses: bool = False,
    session: str = "s1",
    uuid: str = "u1",
    agent: str | None = None,
    at: dt.datetime | None = SAID_AT,
) -> Signal:
    """Return what a person said; the passage is the rule with its reason."""
    text = " ".join(part for part in (rule, why and f"because {why}", how) if part)
    return Signal(
        session, uuid, at, Origin.PERSON, kind, type, text, rule, why, how, "said so", agent=agent, reverses=reverses
    )


def find(scope: ScopeSnapshot, config: Config | None = None) -> tuple[Finding, ...]:
    """Return what the rules say about a scope that need no repository."""
    rules = [rule for rule in RULES if rule.group is not Group.TRUTH and rule.group is not Group.CHANGE]
    return run_rules(Material(Snapshot((scope,)), NOW), config or Config(), rules).findings


def make_sources(scope: ScopeSnapshot, extra: Sequence[Finding] = ()) -> Sources:
    """Return what a dream over one scope is made from; `extra` findings replace those at their place."""
    places = {(finding.rule, finding.path, finding.line) for finding in extra}
    found = [finding for finding in find(scope) if (finding.rule, finding.path, finding.line) not in places]
    return Sources(Snapshot((scope,)), Config(), NOW, (*found, *extra))


def dream_over(files: Mapping[str, str | Unread], *signals: Signal, extra: Sequence[Finding] = ()) -> ScopePlan:
    """Dream over a scope with these files, with the local engine and without a repository."""
    scope = read(files)
    (plan,) = plan_scopes(make_sources(scope, extra), {SCOPE: signals}, LocalEngine())
    return plan


def texts_of(plan: ScopePlan) -> dict[str, str]:
    """Return the texts after a dream, by name inside the scope."""
    return {str(path.relative_to(SCOPE)): text for path, text in plan.after.items()}


def changed_in(plan: ScopePlan) -> dict[str, str | None]:
    """Return the files that a dream changes, with their new texts."""
    paths = sorted({*plan.before, *plan.after})
    return {
        str(path.relative_to(SCOPE)): plan.after.get(path)
        for path in paths
        if plan.before.get(path) != plan.after.get(path)
    }


def run_phase(
    phase: Generator[Operation | NeedsPerson, ScopeSnapshot, None], scope: ScopeSnapshot, *, refuse: bool = False
) -> list[Operation | NeedsPerson]:
    """Collect what a phase proposes when everything, or nothing, is let through."""
    proposals: list[Operation | NeedsPerson] = []
    try:
        proposal = next(phase)
        while True:
            proposals.append(proposal)
            if isinstance(proposal, Operation) and not refuse:
                scope = replace_texts(scope, proposal.texts)
            proposal = phase.send(scope)
    except StopIteration:
        return proposals


def make_key_id() -> str:
    """Return something that every scanner takes for a key; the file itself holds none."""
    return "AKIA" + "".join(random.Random(7).choices(string.ascii_uppercase + "234567", k=16))


def feedback(body: str, name: str, description: str = "what it says") -> str:
    """Return a feedback topic."""
    return topic_text(body, name=name, description=description, kind="feedback")
