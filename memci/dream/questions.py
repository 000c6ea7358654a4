"""Questions to people: the problems that no operation has settled, secrets that they typed, signals without a scope."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import run_rules
from memci.dream.due import is_fresh
from memci.dream.inputs import Sources
from memci.engines.protocol import Proposals
from memci.memory.snapshot import list_texts
from memci.model.finding import Finding, Severity
from memci.model.memory import ScopeSnapshot, Snapshot
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Operation, ScopePlan
from memci.model.session import Origin, Signal
from memci.model.use import ScopeUse
from memci.redaction.secrets import REDACTED

# `prune` reports the topics without a pointer in one line, and moves content of the index if it has to.
_TOLD = frozenset(("index-orphan", "index-prose"))
_TRUTH = frozenset(rule.id for rule in RULES if rule.group is Group.TRUTH)
# So many findings of one rule are questions of their own; of more, places are named.
_MANY = 3
_MAX_NAMED = 12
_MAX_CITED = 20

# Every change of an index cites what is wrong with it; a pointer that is still dead or double is asked about.
_STILL_THERE = frozenset(("index-dangling", "index-duplicate"))


def list_questions(scope: ScopeSnapshot, sources: Sources, made: tuple[Operation | NeedsPerson, ...]) -> Proposals:
    """Yield a question for every remaining problem of the scope; the same problem in many places is one question.

    `made` are the changes and questions that may have settled it.
    """
    by_rule: dict[str, list[Finding]] = {}
    for finding in _list_unsettled(scope, sources, made):
        # What the repository says back is different each time.
        key = finding.fingerprint if finding.rule in _TRUTH else finding.rule
        by_rule.setdefault(key, []).append(finding)
    for same in by_rule.values():
        asked = same if len(same) <= _MANY else same[:1]
        for finding in asked:
            more = "" if asked is same else f"; {len(same) - 1} more of this kind: {_name_places(same[1:])}"
            advice = f"; {finding.suggestion}" if finding.suggestion else ""
            evidence = tuple(map(_cite, same[:_MAX_CITED] if more else [finding]))
            reason = f"{finding.path.name}:{finding.line}: {finding.message}{more}{advice}"
            yield NeedsPerson(reason, finding.path, evidence)


def _cite(finding: Finding) -> Evidence:
    return Evidence(EvidenceKind.FINDING, finding.fingerprint, finding.message)


def _name_places(findings: Sequence[Finding]) -> str:
    places = [f"{finding.path.name}:{finding.line}" for finding in findings[:_MAX_NAMED]]
    return ", ".join((*places, *(["…"] if len(findings) > _MAX_NAMED else [])))


def _is_told(finding: Finding) -> bool:
    # An index that fits is nothing to decide.
    return finding.rule in _TOLD or (finding.rule.startswith("index-over-") and finding.severity is Severity.WARNING)


def _list_unsettled(
    scope: ScopeSnapshot, sources: Sources, made: tuple[Operation | NeedsPerson, ...]
) -> Iterator[Finding]:
    rules = [rule for rule in RULES if rule.group is not Group.TRUTH and rule.group is not Group.CHANGE]
    material = Material(Snapshot((scope,), sources.snapshot.guides), sources.now, config=sources.config)
    found = run_rules(material, sources.config, rules).findings
    settled = {evidence.source for operation in made for evidence in operation.evidence}
    known = {finding.fingerprint for finding in sources.findings} & settled
    for finding in found:
        # What an operation is about stays as it is only if the operation waits for a later dream.
        if (
            finding.severity is not Severity.INFO
            and not _is_told(finding)
            and not (finding.fingerprint in known and finding.rule not in _STILL_THERE)
        ):
            yield finding
    texts = list_texts(scope)
    before = {text.path: text.text.split("\n") for one in sources.snapshot.scopes for text in one.texts}
    for finding in sources.find_own(scope):
        # A line may be corrected for another reason, or leave with its topic.
        line = "".join(before.get(finding.path, ())[finding.line - 1 : finding.line])
        still = line in texts.get(finding.path, "").split("\n")
        if finding.rule in _TRUTH and finding.severity is not Severity.INFO and finding.fingerprint not in settled:
            yield from (finding,) if still else ()


_MAX_SESSIONS = 5


def add_questions(plans: Sequence[ScopePlan], due: Sources, unrouted: Sequence[Signal]) -> tuple[ScopePlan, ...]:
    """Add what became of each scope with the questions about it, and to the first plan those about no scope."""
    general = (*map(_ask_for_scope, unrouted), *_ask_about_secrets(due))
    asked = []
    for plan in plans:
        about = due.use.questions.get(plan.scope.path, ())
        needs = (*plan.needs_person, *(general if plan is plans[0] else ()), *(need for need, _ in about))
        known = {signal.id for signal in plan.signals}
        quoted = dict.fromkeys(signal for _, signals in about for signal in signals if signal.id not in known)
        use = due.use.by_scope.get(plan.scope.path, ScopeUse())
        asked.append(replace(plan, use=use, needs_person=needs, signals=(*plan.signals, *quoted)))
    return tuple(asked)


def _ask_about_secrets(due: Sources) -> Iterator[NeedsPerson]:
    """Yield one question if a message that is new to a scope held a secret."""
    gathered = due.gathered
    days = {
        turn.session: turn.timestamp.date().isoformat() if turn.timestamp else "undated"
        for turn in gathered.reading.turns
        if turn.origin is Origin.PERSON
        and REDACTED in turn.text
        and any(is_fresh(turn.session, gathered.positions[turn.session, turn.uuid], s) for s in due.list_states())
    }
    if days:
        named = ", ".join(f"{session[:8]} of {day}" for session, day in list(days.items())[:_MAX_SESSIONS])
        reason = f"somebody put a secret into a session ({named}); memci stores it nowhere: is it changed?"
        yield NeedsPerson(reason)


def _ask_for_scope(signal: Signal) -> NeedsPerson:
    evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)
    return NeedsPerson("no scope is the place for this; set `route:` in .memci.yml", None, evidence)
