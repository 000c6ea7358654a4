"""Whether evidence is about a fact that a reader calls replaced: only what changes a rule replaces it."""

from collections.abc import Iterable, Sequence

from memci.guards.context import Context
from memci.guards.documents import StatedFact
from memci.guards.lost_facts import Proofs
from memci.guards.read_evidence import read_finding
from memci.guards.same_subject import content_stems, is_same_subject
from memci.guards.translated_words import list_forms
from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form, list_meanings, spell_months
from memci.prose.fold import count_unspaced
from memci.prose.polarity import is_flipped
from memci.prose.polarity_words import calls_untrue, has_change, is_binding, is_denied, obliges
from memci.prose.sentences import TYPED_END
from memci.prose.similar import stem_content, tokenise
from memci.prose.stems import detect_language, is_unreadable

# A contradiction that does not explicitly withdraw the old rule has to match it more closely.
_OPPOSED = 0.75
# So many names, numbers or words of equal beginning connect texts of two languages.
_SHARED = 2
_CODE = LazyPattern(r"`[^`\n]+`")
_TELLS = LazyPattern(r"(?i)\b(?:does|did|has|had|was)(?: not|n['’]t)\b")
_CLAUSES = LazyPattern(r"[,;.](?=\s)")
_CAPITAL = LazyPattern(r"(?<=[^.!?:\s] )[^\W\d_a-z]\w+")
# A shorter number or sign may be anything.
_TELLING = 8


def is_connected(fact: StatedFact, proofs: Proofs, context: Context) -> bool:
    """Tell whether the evidence is about the fact at all.

    What binds, and what nothing replaces, needs a person who changes or denies it, or a commit that took it out.
    """
    told = [(part, signal.before) for signal in proofs.signals for part in list_told(signal)]
    come = [new.text for new in proofs.new if not new.fenced and _may_replace(new.text, fact, context)]
    # A line that stays may be what holds instead.
    come += (line for line in proofs.kept if is_same_subject(line, fact.text))
    about = [part for part, before in told if _concerns(part, fact, *come) or _concerns(before, fact)]
    if any(restates(part, fact) for part in about):
        return False
    changed = any(_changes(part, fact, come) or calls_untrue(part) for part in about)
    changed = changed or _is_exchanged([part for part, _ in told], about, fact, come)
    if changed or any(_answers_change(*each, fact) for each in told):
        return True
    shown = [line for text in proofs.lookups for line in text.split("\n")]
    here = (finding for finding in proofs.findings if finding.path == fact.path)
    shown += (text for finding in here for text in read_finding(finding))
    if any(_keeps_rule(new, fact.text) for new in come):
        # Only a value is exchanged.
        return any(_concerns(line, fact, *come) for line in shown) or (bool(about) and not is_rule(fact.text))
    if is_rule(fact.text):
        return False
    # What only leaves something out replaces nothing.
    if all(_only_shortens(new, fact.text) for new in come):
        return any(_concerns(line, fact) for line in shown if line.startswith("-"))
    return bool(about) or any(_concerns(line, fact, *come) for line in shown)


def is_rule(text: str) -> bool:
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


def restates(part: str, fact: StatedFact) -> bool:
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
    return opposed or (near and has_change(part, weak=bool(come)))


def _is_exchanged(told: Sequence[str], about: Sequence[str], fact: StatedFact, come: Sequence[str]) -> bool:
    """Tell whether somebody names the day or number that a new statement drops beside the new one, or another one."""
    old = list_values(fact.text)
    new = frozenset().union(*map(list_values, come))
    values = {part: list_values(part) for part in told}
    said = frozenset().union(*values.values()) & (new - old)
    for part, named in values.items():
        others = named - old if part in about else named & said
        if any(_kind(one) == _kind(other) for one in (old - new) & named for other in others if said):
            return True
    return False


def _kind(value: str) -> str:
    return value.partition(":")[0]


def list_values(text: str) -> frozenset[str]:
    """Return the weekdays and numbers of a text in their common form, whatever its language."""
    languages = tuple(filter(None, (detect_language(text),)))
    forms = {form for word in tokenise(text) for form in (equal_form(word), *list_meanings(word, languages))}
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


def list_told(signal: Signal) -> list[str]:
    """Return the sentences of a signal that are no questions."""
    text = "\n".join(filter(None, (signal.text, signal.rule, signal.why, signal.how)))
    ends = [*TYPED_END.finditer(text), None]
    starts = [0, *(end.end() for end in ends if end)]
    parts = [text[start : end.end() if end else len(text)] for start, end in zip(starts, ends, strict=True)]
    return list(
        dict.fromkeys(part.strip() for part in parts if part.strip() and not part.rstrip().endswith(("?", "？")))
    )
