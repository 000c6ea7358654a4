"""Which facts are lost in a change, and which of those are proved wrong."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.citations.answers.asked_commit import ABSENT
from memci.guards.context import Change, Context
from memci.guards.documents import Document, StatedFact
from memci.guards.evidence_text import make_source
from memci.guards.exact_words import find_unknown_name
from memci.guards.read_evidence import is_past_note, read_finding, spell_limits
from memci.guards.same_subject import content_stems, is_same_subject
from memci.guards.translated_words import list_forms, list_senses
from memci.model.finding import Finding, Severity
from memci.model.plan import EvidenceKind
from memci.model.session import Signal, SignalKind
from memci.patterns import LazyPattern
from memci.prose.dates.expired import is_limited_before
from memci.prose.dates.find import find_dates
from memci.prose.equal_words import equal_form, spell_months
from memci.prose.fold import count_unspaced
from memci.prose.polarity import find_contradiction, is_flipped
from memci.prose.polarity_words import calls_untrue, has_change, is_binding, is_denied, obliges
from memci.prose.roots import find_reordered
from memci.prose.sentences import TYPED_END
from memci.prose.similar import Profile, is_near_equal, stem_content, tokenise
from memci.prose.stems import detect_language, is_unreadable

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
# So many names, numbers or words of equal beginning connect texts of two languages.
_SHARED = 2
# "Next Monday (2026-11-09)": the date says it all.
_DATED = LazyPattern(r"\b(?:(?:next|this|last|coming|on) )?\w{2,12} \((\d{4}-\d\d-\d\d)\)", re.IGNORECASE)
_DAY = LazyPattern(r"\d{4}-\d\d-\d\d")
# "1.500", "0,4", "24"; a single digit may be an item's.
_NUMBER = LazyPattern(r"(?<![\w.,`-])\d[\d.,]*\d(?![\w`-])")
_CODE = LazyPattern(r"`[^`\n]+`")
_TELLS = LazyPattern(r"(?i)\b(?:does|did|has|had|was)(?: not|n['’]t)\b")
# The label of a reason or of how a rule is applied.
_LABEL = LazyPattern(r"(?:why|how to apply): ")
_CLAUSES = LazyPattern(r"[,;.](?=\s)")
_CAPITAL = LazyPattern(r"(?<=[^.!?:\s] )[^\W\d_a-z]\w+")
# A shorter number or sign may be anything.
_TELLING = 8
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
    if _is_said_by(fact, proofs.kept):
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
            any(_is_past(each, context) or _is_connected(each, proofs, context) for each in (fact, *lines))
            or _is_said_by(fact, (*proofs.kept, *(new.text for new in proofs.new if not new.fenced)), _RESTATED)
        )
    )


def find_dropped(fact: StatedFact, proofs: Proofs) -> str:
    """Return a number of a replaced fact that no other number replaces and that the evidence does not speak of."""
    come = [new.text for new in proofs.new if not new.fenced and is_same_subject(new.text, fact.text)]
    said = [*come, *proofs.kept, *proofs.lookups, *(part for signal in proofs.signals for part in _list_told(signal))]
    numbers = [word for word in _NUMBER.findall(_DATED.sub("", fact.text)) if equal_form(word).startswith("number:")]
    # A day is no other value.
    known = [_list_values(_DAY.sub("", text)) for text in said]
    replaced = any(
        value.startswith("number:")
        for text, values in zip(said, known, strict=True)
        if text in come
        for value in values
    )
    lost = (word for word in numbers if not any(equal_form(word) in values for values in known))
    return next(lost, "") if come and not replaced else ""


def _is_past(fact: StatedFact, context: Context) -> bool:
    """Tell whether a fact names days, all of which are over."""
    days = [found.date for found in find_dates(fact.text)]
    return context.today is not None and bool(days) and max(days) < context.today


def _is_connected(fact: StatedFact, proofs: Proofs, context: Context) -> bool:
    """Tell whether the evidence is about the fact at all.

    What binds, and what nothing replaces, needs a person who changes or denies it, or a commit that took it out.
    """
    told = [(part, signal.before) for signal in proofs.signals for part in _list_told(signal)]
    come = [new.text for new in proofs.new if not new.fenced and _may_replace(new.text, fact, context)]
    # A line that stays may be what holds instead.
    come += (line for line in proofs.kept if is_same_subject(line, fact.text))
    about = [part for part, before in told if _concerns(part, fact, *come) or _concerns(before, fact)]
    if any(_restates(part, fact) for part in about):
        return False
    changed = any(_changes(part, fact, come) or calls_untrue(part) for part in about)
    if changed or any(_answers_change(*each, fact) for each in told):
        return True
    shown = [line for text in proofs.lookups for line in text.split("\n")]
    here = (finding for finding in proofs.findings if finding.path == fact.path)
    shown += (text for finding in here for text in read_finding(finding))
    if any(_keeps_rule(new, fact.text) for new in come):
        # Only a value is exchanged.
        return any(_concerns(line, fact, *come) for line in shown) or (bool(about) and not _is_rule(fact.text))
    if _is_rule(fact.text):
        return False
    # What only leaves something out replaces nothing.
    if all(_only_shortens(new, fact.text) for new in come):
        return any(_concerns(line, fact) for line in shown if line.startswith("-"))
    return bool(about) or any(_concerns(line, fact, *come) for line in shown)


def _is_rule(text: str) -> bool:
    """Tell whether a text obliges or forbids; "she does not read it" tells what is so."""
    return obliges(text) or is_binding(_TELLS.sub("", text))


def _may_replace(new: str, fact: StatedFact, context: Context) -> bool:
    """Tell whether a statement is about what a fact is about; its topic may be what tells."""
    topic = context.documents.read(fact.path, context.original.get(fact.path, "")).topic
    named = content_stems(f"{topic.name} {topic.description} {fact.text}".replace("-", " "))
    opens_alike = _opening(new) & _opening(fact.text)
    return bool(opens_alike) or is_same_subject(new, fact.text) or len(named & content_stems(new)) >= _SHARED


def _opening(text: str) -> frozenset[str]:
    """Return the stem of the word that a statement begins with: what it is about, if it is no function word."""
    return stem_content(" ".join(tokenise(text)[:1]))


def _only_shortens(new: str, old: str) -> bool:
    code = {found[0] for found in _CODE.finditer(new)}
    return content_stems(new) <= content_stems(old) and not is_denied(new) and all(span in old for span in code)


def _restates(part: str, fact: StatedFact) -> bool:
    """Tell whether a person says again what a fact says."""
    # A list of rules is no change of its first one.
    clauses = (clause for clause in _CLAUSES.split(part) if not has_change(clause, weak=True))
    words, denied = content_stems(fact.text), is_denied(fact.text)
    return any(words <= content_stems(clause) and is_denied(clause) is denied for clause in clauses)


def _keeps_rule(new: str, old: str) -> bool:
    """Tell whether a statement says the same as an old one but for a name or a number, and binds as much."""
    words = content_stems(old)
    same = is_denied(new) is is_denied(old) and obliges(new) is obliges(old)
    return same and 2 * len(words & content_stems(new)) >= len(words) and _count_names(new) >= _count_names(old)


def _count_names(text: str) -> int:
    """Count the words with a capital inside of sentences."""
    return len(_CAPITAL.findall(text))


def _changes(part: str, fact: StatedFact, come: Sequence[str]) -> bool:
    """Tell whether what a person says changes or denies a fact that it is about."""
    if is_unreadable(part) or detect_language(part) not in {detect_language(fact.text) or "english", ""}:
        # Its words differ, so that only the reader can tell what exactly it is about.
        return has_change(part, weak=True) or is_denied(part) is not is_denied(fact.text)
    words = content_stems(fact.text)
    found = words & content_stems(part)
    # Of an exchanged number or name only what stays tells that it is about the fact.
    near = 2 * len(found) >= len(words) or any(words & content_stems(new) <= found for new in come)
    # "Now" alone ends nothing that no new statement replaces.
    opposed = len(found) >= _OPPOSED * len(words) and is_flipped(part, fact.text)
    return opposed or (near and (has_change(part, weak=bool(come)) or _exchanges(part, fact, come)))


def _exchanges(part: str, fact: StatedFact, come: Sequence[str]) -> bool:
    """Tell whether a sentence names the day or number that a new statement drops, and another one beside it."""
    old, told = _list_values(fact.text), _list_values(part)
    dropped = [value for value in old & told if any(value not in _list_values(new) for new in come)]
    return any(
        value != other and value.split(":")[0] == other.split(":")[0] for value in dropped for other in told - old
    )


def _list_values(text: str) -> frozenset[str]:
    """Return the weekdays and numbers of a text in their common form."""
    forms = map(equal_form, tokenise(text))
    return frozenset(form for form in forms if form.startswith(("weekday:", "number:")))


def _answers_change(part: str, before: str, fact: StatedFact) -> bool:
    """Tell whether the agent had just repeated a fact, and the person says that something is over."""
    words = content_stems(fact.text)
    return 2 * len(words & content_stems(before)) >= len(words) and has_change(part)


def _concerns(part: str, fact: StatedFact, *others: str) -> bool:
    """Tell whether a piece of evidence is about a fact or what replaces it, in whatever language."""
    forms = list_forms(spell_months(part.replace("_", " ")))
    # Latin letters within a script without blanks are a name.
    named = count_unspaced(part) > 0
    return any(
        is_same_subject(part, text) or _weigh(forms & list_forms(text), named=named) >= _SHARED
        for text in (fact.text, *others)
    )


def _weigh(forms: Iterable[str], *, named: bool) -> int:
    """Count forms that two texts share; an address, a path or a name in code tells as much as two words."""
    telling = (
        (named and form.isascii() and form[0].isalpha() and ":" not in form)
        or not (form.isalpha() or len(form) < _TELLING)
        for form in forms
    )
    return sum(_SHARED if tells else 1 for tells in telling)


def _is_over(fact: StatedFact, context: Context) -> bool:
    """Tell whether a fact says until when it holds, and that day is over."""
    today = context.today
    return today is not None and (
        is_limited_before(spell_limits(fact.text), today) or (is_past_note(fact.text, today) and not obliges(fact.text))
    )


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?![\w-])", text) is not None


def _is_said_by(fact: StatedFact, texts: Iterable[str], share: float = _REPEATED) -> bool:
    """Tell whether lines together have every name and number of a fact, most of its words, and its yes or no."""
    lines = [line for text in texts for line in text.split("\n")]
    near = [line for line in lines if is_same_subject(line, fact.text)]
    words = content_stems(fact.text)
    told = " ".join(near)
    return (
        bool(near)
        and (share < _RESTATED or _says_alike(near, fact.text))
        and list_senses(fact.text) <= list_senses(told)
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
    told = _list_told(signal)
    shared = words & content_stems(" ".join(told))
    if not words or len(shared) < _COVERED * len(words):
        return False
    if signal.reverses or signal.kind is SignalKind.FORGET:
        return True
    if any(has_change(part) and len(words & content_stems(part)) >= _COVERED * len(words) for part in told):
        return True
    opposed = len(shared) >= _OPPOSED * len(words) and is_flipped(" ".join(told), fact.text)
    return opposed and not any(_restates(part, fact) for part in told)


def _list_told(signal: Signal) -> list[str]:
    """Return the sentences of a signal that are no questions."""
    text = "\n".join(filter(None, (signal.text, signal.rule, signal.why, signal.how)))
    ends = [*TYPED_END.finditer(text), None]
    starts = [0, *(end.end() for end in ends if end)]
    parts = [text[start : end.end() if end else len(text)] for start, end in zip(starts, ends, strict=True)]
    return list(
        dict.fromkeys(part.strip() for part in parts if part.strip() and not part.rstrip().endswith(("?", "？")))
    )


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


def find_gone(change: Change) -> frozenset[str]:
    """Return the names that the repository does not have, and that a cited commit took out."""
    cited = [item.source for item in change.operation.evidence if item.kind is EvidenceKind.LOOKUP]
    answers = {source: change.context.lookups.get(source, "") for source in cited}
    absent = {
        source.removeprefix("name:")
        for source, answer in answers.items()
        if source.startswith("name:") and answer.startswith(ABSENT)
    }
    removed = [line for answer in answers.values() for line in answer.split("\n") if line.lstrip().startswith("-")]
    return frozenset(name for name in absent if any(_names(line, name) for line in removed))


def list_new(written: Iterable[Document], replaced: Iterable[Document]) -> tuple[StatedFact, ...]:
    """Return the statements of written documents that no replaced one has."""
    known = {(fact.key, fact.negated) for document in replaced for fact in document.facts}
    return tuple(fact for document in written for fact in document.facts if (fact.key, fact.negated) not in known)
