"""Whether evidence supports a statement: a hard part that nobody overrides, and words that are left to a model.

Hard: names, numbers, code, addresses and dates are in the evidence, yes stays yes and no stays no, grave words are
never new, and enough of the words are the evidence's. Soft: the plain words that the evidence does not have.

Known gap: who does what to whom. "Services strip the header" uses only words of "the gateway strips the header,
services get another one". Reviewers see such a statement next to the message that it was made from.
"""

import functools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from memci.guards.exact_words import ExactWords, drop_item_numbers, find_unknown_name, read_exact
from memci.guards.free_words import FREE
from memci.guards.grave_words import EVERYDAY, find_grave
from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form, find_unspaced_forms, is_english, list_meanings, spell_months, unaccent
from memci.prose.fold import word_set
from memci.prose.polarity import find_contradiction, find_turned_unspaced, sense_key
from memci.prose.polarity_words import ONLY, PERMISSIONS, has_denial, is_denied, may_permit, permits
from memci.prose.roots import find_reordered
from memci.prose.similar import STOP_WORDS, profile, tokenise
from memci.prose.stems import detect_language, is_unreadable, stem_forms

# Synonyms.
_ALIASES = (
    ("pr", "prs", "mr", "pull", "request", "requests", "merge-request", "pull-request"),
    ("ci", "continuous", "integration"),
    ("db", "database", "databases"), ("repo", "repos", "repository"), ("config", "configs", "configuration"),
    ("env", "environment"), ("docs", "doc", "documentation"), ("k8s", "kubernetes"), ("js", "javascript"),
    ("ts", "typescript"), ("postgres", "postgresql", "pg"), ("prod", "production"),
    ("deps", "dependency", "dependencies"),
    ("auth", "authentication"), ("msg", "message", "messages"), ("dir", "directory"), ("dev", "development"),
    ("app", "application"), ("chars", "characters"), ("min", "minutes"),
)  # fmt: skip
# Words that weaken a rule, and the words of evidence that permit them.
_WEAKENING = word_set(
    "unless except exception exceptions exempt exempted optional optionally ausnahme außer sauf salvo excepto"
)
_CONDITIONS = _WEAKENING | word_set("if may only when but sometimes wenn nur falls aber si quand cuando solo pero")
# Words that generalise a rule, and the words of evidence that permit them.
_UNIVERSAL = word_set("all every any everything anything entire")
_ABSOLUTE = _UNIVERSAL | word_set(
    "each always never ever only no none nothing everywhere whole must don't dont not stop immer nie per nobody hourly"
)
# More than this share of the words of a sentence is in its evidence; of correct ones all but one have five eighths.
_FLOOR = 0.5
_STATED = 0.25
# With this share of the words of evidence in its language a statement translates nothing.
_OWN = 0.65
# Languages that share no word with those in Latin letters.
OTHER_SCRIPTS = frozenset(("japanese", "chinese", "korean", "russian"))
# The language of a text that is in none of those known here.
UNKNOWN = "unknown"
# Languages that deny with words of their own, not within a verb.
_READABLE = frozenset(
    (
        "english",
        "german",
        "french",
        "spanish",
        "portuguese",
        "italian",
        "dutch",
        "norwegian",
        "swedish",
        "russian",
        "polish",
        "japanese",
        "chinese",
        "korean",
    )
)
# A translation has at most so many times the words.
_LONGER = 2
# A run of words that the evidence lacks, one behind the other, is a thought of its own.
_OWN_RUN = 3
# An answer begins with its yes or no.
_ANSWER = 2
_CLAUSE_END = LazyPattern(r"[.!?…,;:][\"')\]”»]{0,3}(?=\s)|[。！？、，；：\n]|\s[-–—]\s")
_DECIMAL = LazyPattern(r"(?<![\w.,])\d+,\d{1,2}(?![\w.,])")
_YEAR = LazyPattern(r"(?<!\d)(20\d\d)-\d\d-\d\d(?!\d)")
# Long words with the same beginning count as one word in two languages, and as inflections in one.
_HEAD = 6
_COGNATE = 5


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """The words of all cited evidence, and of the lines that it replaces."""

    texts: tuple[str, ...]
    # Lines of the memory and what a commit took out: their yes and no may be kept, or changed.
    older: tuple[str, ...]
    words: frozenset[str]
    # The stems of the words, and the common forms of weekdays, months, numbers and languages.
    stems: frozenset[str]
    heads: frozenset[str]
    languages: frozenset[str]
    exact: ExactWords
    # The stems of what the agent had said: what an answer refers to, if it says something of its own.
    context: frozenset[str] = frozenset()
    # What the agent had said before.
    before: tuple[str, ...] = ()
    # The sentences that are quoted: over languages no word tells which part of a message is meant.
    quoted: tuple[str, ...] = ()


class Support(NamedTuple):
    """What evidence gives a statement: why not (""), the words that it lacks, and whether it is a translation."""

    refusal: str
    unsettled: tuple[str, ...] = ()
    translated: bool = False
    # Why only a reader can tell whether its yes and no are those of the evidence.
    doubt: str = ""


def make_source(
    texts: Iterable[str],
    people: Collection[str] = (),
    speakers: Collection[str] = (),
    replaced: Iterable[str] = (),
    asked: Iterable[str] = (),
    before: Iterable[str] = (),
    quoted: Iterable[str] = (),
) -> EvidenceText:
    """Read the words of texts; `people` are full names that are known, `speakers` who said it, `asked` gives names.

    `before` is what the agent had said: only plain words may come from it. `quoted` are the sentences of the texts that
    are quoted.
    """
    old = tuple(replaced)
    told = tuple(text for text in texts if text not in old)
    source = _make_source(told, tuple(people), tuple(speakers), old, tuple(asked))
    said = tuple(before)
    words = {word for text in said for word in tokenise(text)}
    context = frozenset(form for word in words for form in stem_forms(word))
    return replace(source, context=context, quoted=tuple(quoted), before=said)


@functools.lru_cache(maxsize=256)
def _make_source(
    texts: tuple[str, ...],
    people: tuple[str, ...],
    speakers: tuple[str, ...],
    replaced: tuple[str, ...],
    asked: tuple[str, ...],
) -> EvidenceText:
    folded = spell_months(unicodedata.normalize("NFKC", "\n".join((*texts, *speakers, *replaced)))).casefold()
    words = set(tokenise(folded))
    words.update(
        part for word in tuple(words) for part in re.split(r"[-_./:@+#]", word) if part.isalnum() and not part.isdigit()
    )
    for names in _ALIASES:
        if words.intersection(names):
            words.update(names)
    words.update(unaccent(word) for word in tuple(words) if not word.isascii())
    languages = frozenset(UNKNOWN if is_unreadable(text) else detect_language(text) for text in texts) - {""}
    stems = {form for word in words for language in languages or {""} for form in stem_forms(word, language)}
    stems |= set(filter(None, map(equal_form, words))) | find_unspaced_forms(folded)
    stems |= {form for text in (*texts, *speakers, *replaced) for form in _list_meant(text)}
    # 0,4 is 0.4, and the year of a date is known.
    stems |= {equal_form(found[0]) for found in _DECIMAL.finditer(folded)}
    stems |= {f"number:{found[1]}" for found in _YEAR.finditer(folded)}
    # A text in Norwegian may be called that.
    stems |= set(filter(None, map(equal_form, languages)))
    heads = frozenset(word[:_COGNATE] for word in map(unaccent, words) if len(word) >= _COGNATE and word.isalpha())
    named = "\n".join(asked).casefold()
    exact = read_exact(f"{folded}\n{named}", frozenset({*words, *tokenise(named)}), frozenset(stems), people)
    own = exact.words - (frozenset(tokenise(named)) - words)
    return EvidenceText(
        texts or replaced, (*replaced, *asked), own | exact.people, frozenset(stems), heads, languages, exact
    )


def _list_meant(text: str) -> Iterator[str]:
    """Yield the days, months and numbers that words of evidence may mean in the language of their text."""
    language = detect_language(text)
    abroad = language not in {"", "english"} or is_unreadable(text)
    for word in tokenise(spell_months(unicodedata.normalize("NFKC", text)).casefold()):
        if form := equal_form(word, loose=not language or is_english(word)):
            yield form
        yield from list_meanings(word, filter(None, (language,))) if abroad else ()


def judge_statement(
    statement: str,
    source: EvidenceText,
    *,
    label: bool = False,
    explains: bool = False,
    anchored: bool = False,
    within: str = "",
) -> Support:
    """Tell what the evidence gives a statement; a label, such as a name, needs no words of its evidence.

    `explains`: it is the reason of a statement. `anchored`: the text around it (`within`, which tells the language of a
    short one) has something in common with evidence in another language.
    """
    language = detect_language(statement) or detect_language(within)
    statement = drop_item_numbers(spell_months(statement))
    different = bool(language and source.languages - {language, UNKNOWN})
    missing = list(list_missing(statement, source, language))
    unsettled = tuple(word for word, found in missing if not found)
    near, content = len(missing) - len(unsettled), len(missing)
    unclear = not language or not source.languages or UNKNOWN in source.languages
    # Beside a sentence in its own language, a statement with those words translates nothing.
    own = near >= _OWN * content and any(
        detect_language(part) == language for text in source.texts for part in _split_typed(text)
    )
    foreign = (different and not own) or _is_of_other_script(statement, source)
    translated = foreign or (unclear and not label and near <= _FLOOR * content)
    # Whether the person agreed to a number that only the agent said is for a reader to tell.
    numbers = frozenset[str]() if _is_turned_down(statement, source) else _list_numbers(source)
    borrowed = {form: word for word in tokenise(statement) if (form := equal_form(word)) in numbers}
    unsettled += tuple(word for form, word in borrowed.items() if form not in source.stems)
    refusal = find_unknown_name(
        statement,
        source.exact,
        language=language,
        label=label or foreign or (translated and _is_into_english(statement, source)),
        abroad=translated,
        borrowed=frozenset(borrowed),
    ) or _check_grave(statement, source, EVERYDAY if foreign else frozenset())
    doubt = ""
    if not refusal and not label and translated:
        refusal = check_translated(statement, source, explains=explains, anchored=anchored)
    elif not refusal and not label:
        refusal = compare_sense(statement, source, language, explains=explains)
        refusal = refusal or _check_floor(statement, missing, source)
        doubt = "" if refusal else compare_sense(statement, source, language, explains=explains, strict=True)
    return Support(refusal, unsettled, translated, doubt)


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


def list_missing(statement: str, source: EvidenceText, language: str) -> Iterator[tuple[str, bool]]:
    """Yield the words that carry meaning, and whether the evidence has each."""
    for word in profile(statement).content:
        # Whether something is allowed is a question of sense.
        if word not in FREE and word not in PERMISSIONS:
            yield word, has_word(word, source, language)


def has_word(word: str, source: EvidenceText, language: str = "") -> bool:
    """Tell whether the evidence has a word, in any inflection."""
    if word[0] >= "\u0e00":
        return word in source.words
    if word in source.words or word in FREE or not source.stems.isdisjoint(stem_forms(word, language)):
        return True
    if (form := equal_form(word)) and form in source.stems:
        return True
    if len(word) > _HEAD and any(other.startswith(word[:_HEAD]) for other in source.words):
        return True
    # Only letters: dates and versions have to match as a whole.
    parts = [part for part in re.split(r"[-/]", word) if part]
    return len(parts) > 1 and all(map(str.isalpha, parts)) and all(has_word(part, source, language) for part in parts)


def _check_grave(statement: str, source: EvidenceText, spared: frozenset[str]) -> str:
    word = find_new_grave(statement, source, spared)
    return f'"{word[:60]}" is not in the cited evidence: cite the words that say so, or leave it out' if word else ""


def find_new_grave(statement: str, source: EvidenceText, spared: frozenset[str] = frozenset()) -> str:
    """Return the first grave word that the evidence does not have; "" if there is none."""
    told = frozenset(concept for text in (*source.texts, source.exact.folded) for _, concept in find_grave(text))
    for word, concept in find_grave(statement):
        known = concept in told | spared or (concept in EVERYDAY and _is_context(word, source))
        if not known and not has_word(word, source):
            return word
    return ""


def compare_sense(
    statement: str,
    source: EvidenceText,
    language: str,
    *,
    lead: bool = False,
    explains: bool = False,
    strict: bool = False,
) -> str:
    """Return why a statement in the language of its evidence says something else; "" if it does not.

    A reason is compared with the sentence it was made from: its rule may deny what the reason tells ("no base class, we
    had one, and …").
    """
    if explains:
        own = [text for text in source.quoted if is_same_subject(statement, text)]
        agreed = [text for text in own if not find_contradiction(statement, (text,), language, strict=strict)]
        source = replace(source, texts=tuple(agreed or own) or source.texts)
    words = frozenset(tokenise(statement.replace("any more", "").replace("any longer", "")))
    if words & _WEAKENING and not _CONDITIONS & source.words:
        return "it makes an exception that the cited evidence does not make"
    if words & _UNIVERSAL and not _ABSOLUTE & source.words:
        return "it says of everything what the cited evidence says of something"
    if permits(statement) and not any(map(may_permit, source.texts)):
        return "it permits what the cited evidence does not permit"
    # What newer and older evidence both contradict.
    turned = find_contradiction(statement, source.texts, language, lead=lead, strict=strict)
    if turned and source.before and not any(turned in _list_keys((text,), language) for text in source.texts):
        # Only the agent had said that word: whether the person's answer turns it around is for a reader to tell.
        turned = find_contradiction(statement, (*source.texts, *source.before), language, lead=lead, strict=strict)
    # Numbers are compared on their own.
    turned = "" if turned.startswith("number:") else turned
    if turned and source.older:
        replaced = _is_only_replaced(turned, source, language)
        turned = find_contradiction(statement, (*source.texts, *source.older), language, lead=lead, strict=strict)
        turned = "" if replaced and source.texts != source.older else turned
    if turned:
        word = next((word for word in tokenise(statement) if word.startswith(turned[:4])), turned)
        return f'it turns around what the cited evidence says about "{word[:60]}": keep its yes or no'
    turned = find_turned_unspaced(statement, source.texts) if statement and not statement.isascii() else ""
    turned = turned or find_reordered(statement, (*source.texts, *source.older))
    return f'it turns around what the cited evidence says about "{turned[:60]}"' if turned else ""


def _is_only_replaced(key: str, source: EvidenceText, language: str) -> bool:
    """Tell whether only the lines that are replaced have a word: "through the queue, not with a script"."""
    told, older = (_list_keys(texts, language) for texts in (source.texts, source.older))
    return key in older - told


def _list_keys(texts: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(sense_key(word, language) for text in texts for word in tokenise(text))


def check_translated(statement: str, source: EvidenceText, *, explains: bool = False, anchored: bool = False) -> str:
    """Compare over languages: something in common, and no denial that comes from nowhere or is left out."""
    anchored = explains or anchored or any(list_anchors(statement, source))
    if not anchored and not _is_into_english(statement, source):
        return "nothing that is the same in both languages connects it with the cited evidence: keep a name or number"
    texts = (*source.texts, *source.older)
    if len(tokenise(statement)) > _LONGER * sum(max(len(tokenise(text)), len(text) // 6) for text in texts):
        return "it is much longer than what it translates"
    if not source.languages <= _READABLE:
        # How a language denies that is not known here is for a reader to tell.
        return ""
    if permits(statement) and not any(map(may_permit, source.texts)) and any(map(is_denied, source.texts)):
        return "it permits what the cited evidence does not permit"
    own = list_senses(statement)
    quoted = frozenset(sense for text in source.quoted or source.texts for sense in list_senses(text))
    told = quoted.union(*map(list_senses, (*texts, *source.before)))
    # Which clause is translated is not known, so only a denial from nowhere, or one that is nowhere left, is clear.
    lost = quoted == {True} or (True in quoted and not anchored)
    lost = lost and not explains
    if (True in own and told == {False}) or (own == {False} and lost and ONLY.isdisjoint(tokenise(statement))):
        answer = "no" if own == {False} else "yes"
        return f"the passage that it quotes says {answer}: say it in that way, or quote the words that say otherwise"
    return ""


def list_senses(text: str) -> frozenset[bool]:
    """Return whether a text has clauses that deny something, and clauses that do not."""
    parts = [part for part in _split_typed(text) if _is_said(part)]
    # "No," alone is an answer.
    return frozenset(
        has_denial(part, detect_language(text)) for part in parts if len(tokenise(part)) > 1 or len(parts) == 1
    )


def _is_of_other_script(statement: str, source: EvidenceText) -> bool:
    """Tell whether a statement in Latin letters translates a script that shares no word with it."""
    return statement.isascii() and not source.languages.isdisjoint(OTHER_SCRIPTS)


def _is_into_english(statement: str, source: EvidenceText) -> bool:
    """Tell whether a statement may be English for what was said in another language: short ones share no word."""
    quoted = {detect_language(text) for text in source.quoted} - {""}
    abroad = bool(source.languages) and ("english" not in source.languages or bool(quoted - {"english"}))
    return _is_of_other_script(statement, source) or (abroad and statement.isascii())


def _is_said(part: str) -> bool:
    """Tell whether a part of the evidence has words, and is not only a list of dates."""
    return not all(equal_form(word) or not word.isalpha() for word in tokenise(part))


def _split_typed(text: str) -> list[str]:
    return [part for part in _CLAUSE_END.split(text) if part and part.strip()]


# All signals of a scope are compared with every fact that leaves.
@functools.lru_cache(maxsize=8_192)
def list_forms(text: str) -> frozenset[str]:
    """Return the forms of words that two languages have in common: names, numbers, calendars, cognates."""
    words = [word for word in tokenise(text) if word not in STOP_WORDS]
    long = (unaccent(word)[:_COGNATE] for word in words if not word.isalpha() or len(word) >= _COGNATE)
    return frozenset((*words, *long, *filter(None, map(equal_form, words)))) | find_unspaced_forms(text)


def list_anchors(statement: str, source: EvidenceText) -> Iterator[str]:
    """Yield what a statement and evidence in another language have in common."""
    told = source.heads | source.words | source.stems
    yield from (form for form in list_forms(statement) if form in told and form not in FREE and len(form) > 1)


def _check_floor(statement: str, missing: list[tuple[str, bool]], source: EvidenceText) -> str:
    if not missing:
        return ""
    stated = sum(found for _, found in missing)
    # A question may tell what a statement is about, if the statement has something of its own.
    if stated > _STATED * len(missing):
        missing = [(word, found or word in source.exact.words or _is_context(word, source)) for word, found in missing]
    lacking = [word for word, found in missing if not found]
    if len(missing) - len(lacking) <= _FLOOR * len(missing):
        return "too few of its words are the cited evidence's; it lacks " + quote_words(lacking)
    if run := _find_own_run(missing):
        return f"the cited evidence says nothing of {quote_words(run)}"
    if lacking and lacking[0][0] >= "\u0e00":
        for clause in re.split("[。，、；：！？]", statement):
            words = tokenise(clause)
            if len(words) > 2 and sum(word in source.words for word in words) < _FLOOR * len(words):
                return f'the cited evidence says nothing of "{clause[:60]}"'
    return ""


def _is_context(word: str, source: EvidenceText) -> bool:
    return not source.context.isdisjoint(stem_forms(word))


def _find_own_run(missing: list[tuple[str, bool]]) -> list[str]:
    run: list[str] = []
    for word, found in missing:
        run = [] if found or word[0] >= "\u0e00" else [*run, word]
        if len(run) >= _OWN_RUN:
            return run
    return []


def quote_words(words: Iterable[str]) -> str:
    """Return the first words for a message."""
    return ", ".join(f'"{word[:40]}"' for word in list(words)[:4])


def check_sense(statement: str, source: EvidenceText, *, explains: bool = False) -> str:
    """Return why a statement says the opposite of its evidence; "" if it does not."""
    if judge_statement(statement, source).translated:
        return ""
    return compare_sense(statement, source, detect_language(statement), explains=explains)


@functools.lru_cache(maxsize=8_192)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    language = detect_language(text)
    return frozenset(sense_key(word, language) for word in profile(text).content if word not in FREE)


def is_same_subject(new: str, old: str) -> bool:
    """Tell whether a statement has two words that carry meaning of an old one, or a third of them."""
    words = content_stems(old)
    shared = len(words & content_stems(new))
    return shared >= 2 or (shared > 0 and 3 * shared >= len(words))
