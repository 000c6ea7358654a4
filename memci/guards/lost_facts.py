"""Which facts are lost in a change, and which of those are proved wrong."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.guards.context import Context
from memci.guards.documents import Document, StatedFact
from memci.model.finding import Finding, Severity
from memci.model.session import Signal, SignalKind
from memci.prose.negation import is_flipped, root
from memci.prose.similar import Profile, is_near_equal, profile

# Rules that prove that the line they name is wrong, or must be removed.
PROVING_RULES = frozenset((
    "path-missing", "symbol-missing", "flag-missing", "script-missing", "env-missing", "commit-missing",
    "date-expired", "injection", "hidden-text", "secret", "conflict-marker",
))  # fmt: skip
# Rules that prove that a whole topic is redundant.
_WHOLE_RULES = frozenset(("duplicates-claude-md",))
# A person who withdraws a rule repeats at least this share of its words.
_COVERED = 0.5
# A contradiction that does not explicitly withdraw the old rule has to match it more closely.
_OPPOSED = 0.75
# Bounds the pairwise comparison for hostile texts.
_MAX_PAIRS = 20_000
# Longer texts are only compared literally.
_MAX_FACT = 4_000


def find_lost(old: Iterable[StatedFact], new: Iterable[Document]) -> list[StatedFact]:
    """Return the facts that none of the new documents has: neither equal, nor inside a longer one, nor reworded."""
    facts = list({(fact.key, fact.negated): fact for document in new for fact in document.facts}.values())
    kept = {(fact.key, fact.negated) for fact in facts}
    everything = "\n".join(fact.key for fact in facts)
    gone = [fact for fact in old if (fact.key, fact.negated) not in kept]
    lost = [fact for fact in gone if not _is_inside(fact, facts, everything)]
    if len(lost) * len(facts) > _MAX_PAIRS:
        return lost
    profiles = [(fact.profile, fact.negated) for fact in facts if not fact.fenced and _is_short(fact)] if lost else []
    return [fact for fact in lost if not (_is_short(fact) and _is_reworded(fact, profiles))]


def _is_short(fact: StatedFact) -> bool:
    return len(fact.text) <= _MAX_FACT


def _is_reworded(fact: StatedFact, profiles: Sequence[tuple[Profile, bool]]) -> bool:
    mine = fact.profile
    return any(is_near_equal(mine, other) for other, negated in profiles if negated is fact.negated)


def _is_inside(fact: StatedFact, facts: Sequence[StatedFact], everything: str) -> bool:
    # Short texts are contained in many sentences by chance.
    if (len(fact.key.split()) < 2 and len(fact.key) < 12) or not _is_short(fact):
        return False
    if fact.key not in everything:
        return False
    holders = [other for other in facts if fact.key in other.key and _is_alike(fact, other)]
    return any(not is_flipped(other.text, fact.text) for other in holders[:20])


def _is_alike(one: StatedFact, other: StatedFact) -> bool:
    return one.negated is other.negated and one.fenced is other.fenced


@dataclass(frozen=True, slots=True)
class Proofs:
    """What may prove that a fact is wrong."""

    findings: tuple[Finding, ...]
    signals: tuple[Signal, ...]


def find_unproved(
    lost: Iterable[StatedFact], old: Mapping[PurePosixPath, Document], proofs: Proofs, context: Context
) -> list[StatedFact]:
    """Return the lost facts that nothing proves wrong; a reason may be dropped together with its rule."""
    unproved = []
    lost_keys = {(fact.path, fact.key): fact for fact in lost}
    for path in dict.fromkeys(path for path, _ in lost_keys):
        rule_left = False
        for fact in old[path].facts:
            if (path, fact.key) not in lost_keys:
                rule_left = rule_left and fact.reason
                continue
            proved = (fact.reason and rule_left) or is_proved(fact, proofs, context)
            if not fact.reason:
                rule_left = proved
            if not proved:
                unproved.append(fact)
    return unproved


def is_proved(fact: StatedFact, proofs: Proofs, context: Context) -> bool:
    """Tell whether a finding about that very line, or a person who took it back, proves a fact wrong."""
    if any(_proves(finding, fact, context) for finding in proofs.findings):
        return True
    return any(is_taken_back(fact, signal) for signal in proofs.signals)


def _proves(finding: Finding, fact: StatedFact, context: Context) -> bool:
    if finding.path != fact.path or finding.severity is Severity.INFO:
        return False
    if finding.rule in _WHOLE_RULES:
        return True
    if finding.rule not in PROVING_RULES:
        return False
    lines = context.original.get(finding.path, "").split("\n")
    line = " ".join(lines[finding.line - 1].split()) if finding.line <= len(lines) else ""
    said = fact.text.strip()
    on_line = bool(line) and (said in line or line.lstrip("-*+> ") in said or _starts_on(said, line))
    # Of two sentences on one line only the one with the citation is wrong.
    cited = finding.key if finding.key and finding.key in line else ""
    return on_line and (not cited or cited in said)


def _starts_on(said: str, line: str) -> bool:
    """Tell whether a wrapped sentence has its first or last words on the line."""
    return len(said) >= 12 and (said[:12] in line or said[-12:] in line)


def is_taken_back(fact: StatedFact, signal: Signal) -> bool:
    """Tell whether a person withdrew, replaced or contradicted what the fact says."""
    words = {root(word) for word in fact.profile.content}
    told = f"{signal.text} {signal.rule} {signal.why} {signal.how}"
    shared = words & {root(word) for word in profile(told).content}
    if not words or len(shared) < _COVERED * len(words):
        return False
    if signal.reverses or signal.kind is SignalKind.FORGET:
        return True
    return len(shared) >= _OPPOSED * len(words) and is_flipped(told, fact.text)
