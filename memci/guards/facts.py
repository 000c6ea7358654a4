"""What a text says, which of it is gone after a change, and which of that is proved to be wrong."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.guards.context import Ground
from memci.memory.frontmatter import split_field
from memci.memory.topic import parse_topic
from memci.model.finding import Finding, Severity
from memci.model.memory import Absence
from memci.model.session import Signal, SignalKind
from memci.prose.negation import is_flipped, root
from memci.prose.similar import Profile, is_near_equal, normalise, profile
from memci.prose.statements import find_fenced_lines, is_negated, is_reason, split_body

# Rules that prove that the line they name is wrong, or must not stand there.
PROVING_RULES = frozenset((
    "path-missing", "symbol-missing", "flag-missing", "script-missing", "env-missing", "commit-missing",
    "date-expired", "injection", "hidden-text", "secret", "conflict-marker",
))  # fmt: skip
# Rules that prove that everything a topic says is said elsewhere.
_WHOLE_RULES = frozenset(("duplicates-claude-md",))
# A person who takes a rule back names half of its words; with less, they speak of something else.
_COVERED = 0.5
# One who says the opposite without saying that the old rule is gone must mean exactly this rule.
_OPPOSED = 0.75
# Comparing every lost statement with every new one must not take a hostile text's time.
_MAX_PAIRS = 20_000
# What is longer is no statement, and kept only as it is.
_MAX_FACT = 4_000


@dataclass(frozen=True, slots=True)
class StatedFact:
    """One statement of a topic, or one line of fenced code."""

    path: PurePosixPath
    # What it says without its form, and whether a heading like "Never:" turns it around.
    key: str
    negated: bool
    text: str
    # Why or how: it goes where its rule goes.
    reason: bool = False
    # A line of code is an example, and does not say what the same words outside of a fence say.
    fenced: bool = False


# Every guard about loss asks for the same few texts.
@functools.lru_cache(maxsize=512)
def find_facts(path: PurePosixPath, text: str) -> tuple[StatedFact, ...]:
    """Return what a topic says, in order."""
    topic = parse_topic(path, text)
    body = topic.body if topic.frontmatter is not Absence.UNCLOSED else _skip_keys(text)
    statements = split_body(body)
    said = [
        StatedFact(path, normalise(found.text), is_negated(found), found.text, is_reason(found)) for found in statements
    ]
    fenced = [
        StatedFact(path, f"`{line}", negated=False, text=line, fenced=True) for line in sorted(find_fenced_lines(body))
    ]
    return tuple(fact for fact in (*said, *fenced) if fact.key)


def _skip_keys(text: str) -> str:
    """Return what stands below the keys of a head that is not closed."""
    lines = text.split("\n")[1:]
    end = next((place for place, line in enumerate(lines) if split_field(line) is None), len(lines))
    return "\n".join(lines[end:])


def find_lost(old: Iterable[StatedFact], new: Mapping[PurePosixPath, str]) -> list[StatedFact]:
    """Return the facts that stand in none of the new texts: neither equal, nor inside a longer one, nor reworded."""
    every = (fact for path, text in new.items() for fact in find_facts(path, text))
    facts = list({(fact.key, fact.negated): fact for fact in every}.values())
    kept = {(fact.key, fact.negated) for fact in facts}
    everything = "\n".join(fact.key for fact in facts)
    gone = [fact for fact in old if (fact.key, fact.negated) not in kept]
    lost = [fact for fact in gone if not _is_inside(fact, facts, everything)]
    if len(lost) * len(facts) > _MAX_PAIRS:
        return lost
    profiles = (
        [(profile(fact.text), fact.negated) for fact in facts if not fact.fenced and _is_short(fact)] if lost else []
    )
    return [fact for fact in lost if not (_is_short(fact) and _is_reworded(fact, profiles))]


def _is_short(fact: StatedFact) -> bool:
    return len(fact.text) <= _MAX_FACT


def _is_reworded(fact: StatedFact, profiles: Sequence[tuple[Profile, bool]]) -> bool:
    mine = profile(fact.text)
    return any(is_near_equal(mine, other) for other, negated in profiles if negated is fact.negated)


def _is_inside(fact: StatedFact, facts: Sequence[StatedFact], everything: str) -> bool:
    # Two words stand inside many sentences by chance.
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
    lost: Iterable[StatedFact], texts: Mapping[PurePosixPath, str], proofs: Proofs, ground: Ground
) -> list[StatedFact]:
    """Return the facts lost from these texts that nothing proves wrong; a reason may leave with a rule that does."""
    unproved = []
    lost_keys = {(fact.path, fact.key): fact for fact in lost}
    for path in dict.fromkeys(path for path, _ in lost_keys):
        rule_left = False
        for fact in find_facts(path, texts[path]):
            if (path, fact.key) not in lost_keys:
                rule_left = rule_left and fact.reason
                continue
            proved = (fact.reason and rule_left) or is_proved(fact, proofs, ground)
            if not fact.reason:
                rule_left = proved
            if not proved:
                unproved.append(fact)
    return unproved


def is_proved(fact: StatedFact, proofs: Proofs, ground: Ground) -> bool:
    """Tell whether a finding about that very line, or a person who took it back, proves a fact wrong."""
    if any(_proves(finding, fact, ground) for finding in proofs.findings):
        return True
    return any(is_taken_back(fact, signal) for signal in proofs.signals)


def _proves(finding: Finding, fact: StatedFact, ground: Ground) -> bool:
    if finding.path != fact.path or finding.severity is Severity.INFO:
        return False
    if finding.rule in _WHOLE_RULES:
        return True
    if finding.rule not in PROVING_RULES:
        return False
    lines = ground.original.get(finding.path, "").split("\n")
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
    words = {root(word) for word in profile(fact.text).content}
    told = f"{signal.text} {signal.rule} {signal.why} {signal.how}"
    shared = words & {root(word) for word in profile(told).content}
    if not words or len(shared) < _COVERED * len(words):
        return False
    if signal.reverses or signal.kind is SignalKind.FORGET:
        return True
    return len(shared) >= _OPPOSED * len(words) and is_flipped(told, fact.text)
