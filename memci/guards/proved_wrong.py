"""Which lost facts are proved wrong, over, taken back, or said elsewhere."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.citations.answers.asked_commit import ABSENT
from memci.guards.context import Change, Context
from memci.guards.documents import Document, StatedFact
from memci.guards.evidence_text import make_source
from memci.guards.exact_words import find_unknown_name
from memci.guards.lost_facts import Proofs
from memci.guards.read_evidence import is_past_note, spell_limits
from memci.guards.replaced_by import is_connected, is_rule, list_told, restates
from memci.guards.same_subject import content_stems, is_same_subject
from memci.guards.translated_words import list_senses
from memci.model.finding import Finding, Severity
from memci.model.plan import EvidenceKind
from memci.model.session import Signal, SignalKind
from memci.patterns import LazyPattern
from memci.prose.dates.expired import is_limited_before
from memci.prose.dates.find import find_dates
from memci.prose.equal_words import equal_form
from memci.prose.polarity import find_contradiction, is_flipped
from memci.prose.polarity_words import has_change, is_binding, is_denied, obliges
from memci.prose.roots import find_reordered

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
# Lines that say the same have this share of the words of a fact, besides every name and number of it.
_REPEATED = 0.4
# New lines that say it again keep nearly all of its words.
_RESTATED = 0.8
# A rewording keeps this share of the words of a fact, and more if it obliges.
_REWORDED = 0.5
_REWORDED_BINDING = 0.75
# "Next Monday (2026-11-09)": the date says it all.
_DATED = LazyPattern(r"\b(?:(?:next|this|last|coming|on) )?\w{2,12} \((\d{4}-\d\d-\d\d)\)", re.IGNORECASE)
_DAY = LazyPattern(r"\d{4}-\d\d-\d\d")
# "1.500", "0,4", "24"; a single digit may be an item's.
_NUMBER = LazyPattern(r"(?<![\w.,`-])\d[\d.,]*\d(?![\w`-])")


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
            left = rule_left or (fact.reason and _has_new_rule(fact, old[path], context) and bool(proofs.signals))
            proved = (fact.reason and left) or is_proved(fact, proofs, context)
            if not fact.reason:
                rule_left = proved
            if not proved:
                unproved.append(fact)
    return unproved


def _has_new_rule(reason: StatedFact, document: Document, context: Context) -> bool:
    """Tell whether this dream has replaced the rule that a reason was given for."""
    rules: list[str] = []
    explained = False
    kept = {fact.key for fact in document.facts}
    for fact in context.documents.read(document.path, context.original.get(document.path, "")).facts:
        if fact.key == reason.key:
            return any(rule not in kept for rule in rules)
        if not fact.reason:
            rules = [fact.key] if explained else [*rules, fact.key]
        explained = fact.reason
    return False


def is_proved(fact: StatedFact, proofs: Proofs, context: Context) -> bool:
    """Tell whether a fact is wrong, over or said elsewhere, or whether a reader confirmed that something ends it."""
    if any(_proves(finding, fact, context) for finding in proofs.findings):
        return True
    if any(is_taken_back(fact, signal) for signal in proofs.signals):
        return True
    if _is_over(fact, context) or any(_names(fact.text, name) for name in proofs.gone):
        return True
    if _is_said_by(fact, proofs.kept, _REPEATED, confirmed=False):
        return True
    near = (new.text for new in proofs.new if not new.fenced and is_same_subject(new.text, fact.text))
    if any(_is_kept_in(fact, new, proofs) for new in itertools.islice(near, 20)):
        return True
    # What is confirmed is that the whole line no longer holds.
    lines = (replace(fact, text=line) for line in proofs.lines if fact.text in line)
    return (
        fact.key in proofs.confirmed
        and not find_dropped(fact, proofs)
        and (
            any(_is_past(each, context) or is_connected(each, proofs, context) for each in (fact, *lines))
            or (not is_rule(fact.text) and any(_names(fact.text, name) for name in proofs.absent))
            or _is_said_by(fact, proofs.kept, _REPEATED, confirmed=True)
            or _is_said_by(
                fact, (*proofs.kept, *(new.text for new in proofs.new if not new.fenced)), _RESTATED, confirmed=True
            )
        )
    )


def find_dropped(fact: StatedFact, proofs: Proofs) -> str:
    """Return a number of a replaced fact that no other number replaces and that the evidence does not speak of."""
    come = [new.text for new in proofs.new if not new.fenced and is_same_subject(new.text, fact.text)]
    said = [*come, *proofs.kept, *proofs.lookups, *(part for signal in proofs.signals for part in list_told(signal))]
    known = frozenset(equal_form(word) for text in said for word in _list_numbers(text))
    lost = [word for word in _list_numbers(_DATED.sub("", fact.text)) if equal_form(word) not in known]
    return lost[0] if lost and come and not any(map(_list_numbers, come)) else ""


def _list_numbers(text: str) -> list[str]:
    # A day is no value.
    return _NUMBER.findall(_DAY.sub("", text))


def _is_past(fact: StatedFact, context: Context) -> bool:
    """Tell whether a fact names days, all of which are over."""
    days = [found.date for found in find_dates(fact.text)]
    return context.today is not None and bool(days) and max(days) < context.today


def _is_over(fact: StatedFact, context: Context) -> bool:
    """Tell whether a fact says until when it holds, and that day is over."""
    today = context.today
    return today is not None and (
        is_limited_before(spell_limits(fact.text), today) or (is_past_note(fact.text, today) and not obliges(fact.text))
    )


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?![\w-])", text) is not None


def _is_said_by(fact: StatedFact, texts: Iterable[str], share: float, *, confirmed: bool) -> bool:
    """Tell whether lines together have every name and number of a fact, this share of its words, and its yes or no.

    That they say the same a reader may have confirmed; then they may only not turn it round.
    """
    lines = [line for text in texts for line in text.split("\n")]
    near = [line for line in lines if is_same_subject(line, fact.text)]
    words = content_stems(fact.text)
    told = " ".join(near)
    same = _says_alike(near, fact.text) if confirmed else list_senses(fact.text) <= list_senses(told)
    return (
        bool(near)
        and same
        and len(words & content_stems(told)) >= share * len(words)
        and not find_unknown_name(fact.text, make_source(near).exact)
    )


def _says_alike(lines: Sequence[str], old: str) -> bool:
    """Tell whether lines oblige as much as an old one, and turn nothing round."""
    obliged = not obliges(old) or any(map(obliges, lines))
    return obliged and not any(is_flipped(line, old) or find_reordered(line, (old,)) for line in lines)


def _proves(finding: Finding, fact: StatedFact, context: Context) -> bool:
    if finding.path != fact.path or (finding.severity is Severity.INFO and not finding.is_conditional):
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
    """Tell whether a person withdrew, ended or contradicted what the fact says; a question does none of it."""
    words = content_stems(fact.text)
    told = list_told(signal)
    shared = words & content_stems(" ".join(told))
    if not words or len(shared) < _COVERED * len(words):
        return False
    if signal.reverses or signal.kind is SignalKind.FORGET:
        return True
    if any(has_change(part) and len(words & content_stems(part)) >= _COVERED * len(words) for part in told):
        return True
    opposed = len(shared) >= _OPPOSED * len(words) and is_flipped(" ".join(told), fact.text)
    return opposed and not any(restates(part, fact) for part in told)


def _is_kept_in(fact: StatedFact, new: str, proofs: Proofs) -> bool:
    """Tell whether a new statement is a rewording of the fact, which is quoted: every name, number and no is kept."""
    if proofs.quoted is not None and not any(fact.text in quote or quote in fact.text for quote in proofs.quoted):
        return False
    old = _DATED.sub(r"\1", fact.text)
    binding = is_binding(old)
    words = content_stems(old)
    share = _REWORDED_BINDING if binding else _REWORDED
    same_sense = is_denied(new) is is_denied(old) and binding is is_binding(new)
    return (
        same_sense
        and len(words & content_stems(new)) >= share * len(words)
        and not find_unknown_name(old, make_source((new,)).exact)
        and not find_contradiction(new, [old])
        and not find_contradiction(old, [new])
    )


def find_absent(change: Change) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that a cited look-up does not find, and those of them that a cited commit took out."""
    cited = [item.source for item in change.operation.evidence if item.kind is EvidenceKind.LOOKUP]
    answers = {source: change.context.lookups.get(source, "") for source in cited}
    absent = frozenset(
        source.removeprefix("name:")
        for source, answer in answers.items()
        if source.startswith("name:") and answer.startswith(ABSENT)
    )
    removed = [line for answer in answers.values() for line in answer.split("\n") if line.lstrip().startswith("-")]
    return absent, frozenset(name for name in absent if any(_names(line, name) for line in removed))
