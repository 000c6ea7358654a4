"""Which facts are in none of the new documents, and the evidence that may prove them wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memci.guards.documents import Document, StatedFact
from memci.model.finding import Finding
from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.prose.polarity import is_flipped
from memci.prose.similar import Profile, is_near_equal

# The label of a reason or of how a rule is applied.
_LABEL = LazyPattern(r"(?:why|how to apply): ")
# Bounds the pairwise comparison for hostile texts.
_MAX_PAIRS = 20_000
# Longer texts are only compared literally.
_MAX_FACT = 4_000


@dataclass(frozen=True, slots=True)
class Proofs:
    """What may prove that a fact is wrong."""

    findings: tuple[Finding, ...]
    signals: tuple[Signal, ...]
    lookups: tuple[str, ...] = ()
    # The statements that are new, one of which may replace the fact.
    new: tuple[StatedFact, ...] = ()
    # The quoted lines of the memory, which may be reworded; None for all.
    quoted: tuple[str, ...] | None = ()
    # Quoted lines that stay, and may say the same.
    kept: tuple[str, ...] = ()
    # Names that the repository no longer has.
    gone: frozenset[str] = frozenset()
    # The normalised lines of which a reader says that the evidence ends or replaces them.
    confirmed: frozenset[str] = frozenset()
    # The same lines as they are.
    lines: tuple[str, ...] = ()
    # Names that the repository does not have, whether or not a commit took them out.
    absent: frozenset[str] = frozenset()


def find_lost(old: Iterable[StatedFact], new: Iterable[Document]) -> list[StatedFact]:
    """Return the facts that none of the new documents has: neither equal, nor inside a longer one, nor reworded."""
    facts = list({(fact.key, fact.negated): fact for document in new for fact in document.facts}.values())
    kept = {(fact.key, fact.negated) for fact in facts}
    everything = "\n".join(fact.key for fact in facts)
    gone = [fact for fact in old if (fact.key, fact.negated) not in kept]
    lost = [fact for fact in gone if not all(_is_inside(part, facts, everything) for part in _list_parts(fact))]
    if len(lost) * len(facts) > _MAX_PAIRS:
        return lost
    profiles = [(fact.profile, fact.negated) for fact in facts if not fact.fenced and _is_short(fact)] if lost else []
    return [fact for fact in lost if not (_is_short(fact) and _is_reworded(fact, profiles))]


def _list_parts(fact: StatedFact) -> list[StatedFact]:
    """Return what a fact says between its semicolons: each may be kept in a statement of its own."""
    key = _LABEL.sub("", fact.key, count=1) if _LABEL.match(fact.key) else fact.key
    parts = key.split("; ")
    return [replace(fact, key=part) for part in parts] if len(parts) > 1 or key != fact.key else [fact]


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


def list_new(written: Iterable[Document], replaced: Iterable[Document]) -> tuple[StatedFact, ...]:
    """Return the statements of written documents that no replaced one has."""
    known = {(fact.key, fact.negated) for document in replaced for fact in document.facts}
    return tuple(fact for document in written for fact in document.facts if (fact.key, fact.negated) not in known)
