"""Whether evidence supports a statement: a hard part that nobody overrides, and words that are left to a model.

Hard: names, numbers, code, addresses and dates are in the evidence, yes stays yes and no stays no, grave words are
never new, and enough of the words are the evidence's. Soft: the plain words that the evidence does not have.

Known gap: who does what to whom. "Services strip the header" uses only words of "the gateway strips the header,
services get another one". Reviewers see such a statement next to the message that it was made from.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from memci.guards.evidence_text import UNKNOWN, EvidenceText, has_word, is_context, list_missing, quote_words
from memci.guards.exact_words import drop_item_numbers, find_unknown_name
from memci.guards.grave_words import EVERYDAY, find_grave
from memci.guards.same_sense import compare_sense
from memci.guards.translated_words import check_translated, is_into_english, is_of_other_script, split_clauses
from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form, list_meanings, spell_months
from memci.prose.polarity_words import is_denied
from memci.prose.similar import tokenise
from memci.prose.stems import detect_language, stem_forms

# More than this share of the words of a sentence is in its evidence; of correct ones all but one have five eighths.
_FLOOR = 0.5

_STATED = 0.25

# A description or a hook only has to be about its topic: whether it says the same, a reader tells.
_LEAD_FLOOR = 0.3

# With this share of the words of evidence in its language a statement translates nothing.
_OWN = 0.65

# A run of words that the evidence lacks, one behind the other, is a thought of its own.
_OWN_RUN = 3

# An answer begins with its yes or no.
_ANSWER = 2

# "Where the zone is attached": what a description asks is neither affirmed nor denied.
_ASKED = LazyPattern(r"\b(?:what|when|where|who|whose|which|how|why|whether)\b[^,;:.()]*", re.IGNORECASE)


class Support(NamedTuple):
    """What evidence gives a statement: why not (""), the words that it lacks, and whether it is a translation."""

    refusal: str
    unsettled: tuple[str, ...] = ()
    translated: bool = False
    # Why only a reader can tell whether its yes and no are those of the evidence.
    doubt: str = ""


def judge_statement(
    statement: str,
    source: EvidenceText,
    *,
    label: bool = False,
    explains: bool = False,
    within: str = "",
    lead: bool = False,
) -> Support:
    """Tell what the evidence gives a statement; a label, such as a name, needs no words of its evidence.

    `explains`: it is the reason of a statement. `lead`: it is a description or a hook, in the language of its topic.
    `within` is the text around it, which tells the language of a short one and what it has in common with evidence in
    another one.
    """
    language = detect_language(statement) or detect_language(within)
    statement = drop_item_numbers(spell_months(statement))
    different = bool(language and source.languages - {language, UNKNOWN})
    missing = list(list_missing(statement, source, language))
    unsettled = tuple(word for word, found in missing if not found)
    near, content = len(missing) - len(unsettled), len(missing)
    unclear = not language or not source.languages or UNKNOWN in source.languages
    # Beside a sentence in its own language, a statement with those words translates nothing.
    words = {word for word, found in missing if found}
    own = near >= _OWN * content and any(
        detect_language(part) == language and 2 * _count_shared(words, part, language) >= near
        for text in source.texts
        for part in split_clauses(text)
    )
    foreign = (different and not own) or is_of_other_script(statement, source)
    translated = foreign or (unclear and not (label or lead) and near <= _FLOOR * content)
    # Whether the person agreed to a number that only the agent said is for a reader to tell.
    numbers = frozenset[str]() if _is_turned_down(statement, source) else _list_numbers(source)
    borrowed = {form: word for word in tokenise(statement) if (form := equal_form(word)) in numbers}
    unsettled += tuple(word for form, word in borrowed.items() if form not in source.stems)
    refusal = find_unknown_name(
        statement,
        source.exact,
        language=language,
        label=label or foreign or (translated and is_into_english(statement, source)),
        abroad=translated,
        borrowed=frozenset(borrowed),
    ) or _check_grave(statement, source, EVERYDAY if foreign else frozenset())
    doubt = ""
    stated = _ASKED.sub("", statement) if lead else statement
    if not refusal and not label and translated:
        refusal = check_translated(stated, source, within or statement, explains=explains) if stated.strip() else ""
    elif not refusal and not label:
        refusal, doubt = compare_sense(stated, source, language, explains=explains, lead=lead)
        refusal = refusal or _check_floor(statement, missing, source, lead=lead)
    return Support(refusal, unsettled, translated, doubt)


def _count_shared(words: Iterable[str], part: str, language: str) -> int:
    """Count the words that a part of the evidence has, in any inflection."""
    stems = {form for word in tokenise(part) for form in stem_forms(word, language)}
    return sum(not stems.isdisjoint(stem_forms(word, language)) for word in words)


def _is_turned_down(statement: str, source: EvidenceText) -> bool:
    """Tell whether an answer begins with a no that the statement does not have, or that gives another number."""
    # The other texts of a message are days that it may mean.
    told = source.quoted or source.texts[:1]
    answers = [text for text in told if is_denied(" ".join(tokenise(text)[:_ANSWER]))]
    counted = any(equal_form(word, loose=True).startswith("number:") for text in told for word in tokenise(text))
    return bool(answers) and (counted or not is_denied(statement))


def _list_numbers(source: EvidenceText) -> frozenset[str]:
    """Return the forms of the numbers that the agent said right before."""
    words = [(word, detect_language(text)) for text in source.before for word in tokenise(text)]
    forms = {equal_form(word, loose=True) for word, _ in words}
    forms |= {
        form
        for word, language in words
        if language != "english"
        for form in list_meanings(word, filter(None, (language,)))
    }
    return frozenset(form for form in forms if form.startswith("number:"))


def _check_grave(statement: str, source: EvidenceText, spared: frozenset[str]) -> str:
    word = find_new_grave(statement, source, spared)
    return f'"{word[:60]}" is not in the cited evidence: cite the words that say so, or leave it out' if word else ""


def find_new_grave(statement: str, source: EvidenceText, spared: frozenset[str] = frozenset()) -> str:
    """Return the first grave word that the evidence does not have; "" if there is none."""
    told = frozenset(concept for text in (*source.texts, source.exact.folded) for _, concept in find_grave(text))
    before = {concept for text in source.before for _, concept in find_grave(text)}
    for word, concept in find_grave(statement):
        known = concept in told | spared or concept in EVERYDAY & before
        if not known and not has_word(word, source):
            return word
    return ""


def _check_floor(statement: str, missing: list[tuple[str, bool]], source: EvidenceText, *, lead: bool) -> str:
    if not missing:
        return ""
    stated = sum(found for _, found in missing)
    # A question may tell what a statement is about, if the statement has something of its own.
    if stated > _STATED * len(missing):
        missing = [(word, found or word in source.exact.words or is_context(word, source)) for word, found in missing]
    lacking = [word for word, found in missing if not found]
    if len(missing) - len(lacking) <= (_LEAD_FLOOR if lead else _FLOOR) * len(missing):
        return "too few of its words are the cited evidence's; it lacks " + quote_words(lacking)
    if not lead and (run := _find_own_run(missing)):
        return f"the cited evidence says nothing of {quote_words(run)}"
    if lacking and lacking[0][0] >= "\u0e00":
        for clause in re.split("[。，、；：！？]", statement):
            words = tokenise(clause)
            if len(words) > 2 and sum(word in source.words for word in words) < _FLOOR * len(words):
                return f'the cited evidence says nothing of "{clause[:60]}"'
    return ""


def _find_own_run(missing: list[tuple[str, bool]]) -> list[str]:
    run: list[str] = []
    for word, found in missing:
        run = [] if found or word[0] >= "\u0e00" else [*run, word]
        if len(run) >= _OWN_RUN:
            return run
    return []


def check_sense(statement: str, source: EvidenceText, *, explains: bool) -> str:
    """Return why a statement says the opposite of its evidence; "" if it does not."""
    if judge_statement(statement, source).translated:
        return ""
    return compare_sense(statement, source, detect_language(statement), explains=explains).refusal
