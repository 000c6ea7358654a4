"""Questions to people: the problems that no operation has settled."""

from collections.abc import Iterator

from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import run_rules
from memci.dream.inputs import Sources
from memci.engines.protocol import Proposals
from memci.model.finding import Finding, Severity
from memci.model.memory import ScopeSnapshot, Snapshot
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Operation

# `prune` reports the topics without a pointer in one line, and moves content of the index if it has to.
_TOLD = frozenset(("index-orphan", "index-prose"))


def list_questions(scope: ScopeSnapshot, sources: Sources, made: tuple[Operation, ...]) -> Proposals:
    """Yield a question for every remaining problem of the scope."""
    for finding in _list_unsettled(scope, sources, made):
        place = f"{finding.path.name}:{finding.line}"
        reason = f"{place}: {finding.message}" + (f"; {finding.suggestion}" if finding.suggestion else "")
        evidence = (Evidence(EvidenceKind.FINDING, finding.fingerprint, finding.message),)
        yield NeedsPerson(reason, finding.path, evidence)


def _list_unsettled(scope: ScopeSnapshot, sources: Sources, made: tuple[Operation, ...]) -> Iterator[Finding]:
    rules = [rule for rule in RULES if rule.group is not Group.TRUTH and rule.group is not Group.CHANGE]
    material = Material(Snapshot((scope,), sources.snapshot.guides), sources.now, config=sources.config)
    found = run_rules(material, sources.config, rules).findings
    yield from (finding for finding in found if finding.severity is not Severity.INFO and finding.rule not in _TOLD)
    truth = {rule.id for rule in RULES if rule.group is Group.TRUTH}
    settled = {evidence.source for operation in made for evidence in operation.evidence}
    for finding in sources.find_own(scope):
        if finding.rule in truth and finding.severity is not Severity.INFO and finding.fingerprint not in settled:
            yield finding
