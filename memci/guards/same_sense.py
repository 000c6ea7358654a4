"""Whether yes stays yes and no stays no, in the language of the evidence."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from memci.guards.evidence_text import EvidenceText
from memci.guards.same_subject import is_same_subject
from memci.guards.translated_words import READABLE
from memci.patterns import LazyPattern
from memci.prose.fold import word_set
from memci.prose.polarity import Turned, find_contradiction, find_turned_unspaced, sense_key
from memci.prose.polarity_words import is_denied, may_permit, permits
from memci.prose.roots import find_reordered
from memci.prose.similar import tokenise
from memci.prose.stems import detect_language, is_unreadable

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


# Idioms whose words are in the lists above.
_IDIOMS = LazyPattern(r"\b(?:any (?:more|longer)|all the same|after all)\b", re.IGNORECASE)


class Sense(NamedTuple):
    """Why a statement does not say what its evidence says, and why only a reader can tell."""

    refusal: str = ""
    doubt: str = ""


def compare_sense(
    statement: str, source: EvidenceText, language: str, *, explains: bool = False, lead: bool = False
) -> Sense:
    """Compare the yes and no of a statement with evidence in the same language.

    What a hook denies of what its topic denies, and what the evidence denies in another language, is for a reader.

    A reason is compared with the sentence it was made from: its rule may deny what the reason tells ("no base class, we
    had one, and …").
    """
    if explains:
        own = [text for text in source.quoted if is_same_subject(statement, text)]
        agreed = [text for text in own if not find_contradiction(statement, (text,), language)]
        source = replace(source, texts=tuple(agreed or own) or source.texts)
    words = frozenset(tokenise(_IDIOMS.sub("", statement)))
    # What a person said in another language has other words for "except" and "all".
    abroad = any((found := detect_language(text)) and found != language for text in source.quoted)
    if words & _WEAKENING and not (_CONDITIONS & source.words or abroad):
        return Sense("it makes an exception that the cited evidence does not make")
    if words & _UNIVERSAL and not (_ABSOLUTE & source.words or abroad):
        return Sense("it says of everything what the cited evidence says of something")
    if permits(statement) and not any(map(may_permit, source.texts)):
        return Sense("it permits what the cited evidence does not permit")
    if turned := _find_turned(statement, source, language):
        word = next((word for word in tokenise(statement) if word.startswith(turned.stem[:4])), turned.stem)
        why = f'it turns around what the cited evidence says about "{word[:60]}": keep its yes or no'
        both = is_denied(statement) and (
            (lead and any(map(is_denied, source.texts))) or _denies_abroad(source, language)
        )
        if turned.clear and not both:
            return Sense(why)
    else:
        why = ""
    found = find_turned_unspaced(statement, source.texts) if statement and not statement.isascii() else ""
    if not found and (found := find_reordered(statement, (*source.texts, *source.older))) and (explains or lead):
        # How a rule is applied, and a hook, often names the steps from the other end.
        return Sense(doubt=why or f'it changes the order of what the cited evidence says about "{found[:60]}"')
    return Sense(f'it turns around what the cited evidence says about "{found[:60]}"' if found else "", why)


def _denies_abroad(source: EvidenceText, language: str) -> bool:
    """Tell whether evidence in another language may deny something."""
    others = [text for text in source.quoted if (found := detect_language(text)) != language and found]
    return any(is_unreadable(text) or detect_language(text) not in READABLE or is_denied(text) for text in others)


def _find_turned(statement: str, source: EvidenceText, language: str) -> Turned | None:
    """Return what newer and older evidence both contradict."""
    texts = source.texts
    turned = find_contradiction(statement, texts, language)
    clear = True
    if turned and source.before and not any(turned.stem in _list_keys((text,), language) for text in texts):
        # Only the agent had said that word: whether the person's answer turns it around is for a reader to tell.
        clear = turned.clear
        turned = find_contradiction(statement, (*texts, *source.before), language)
    # Numbers are compared on their own.
    if not turned or turned.stem.startswith("number:"):
        return None
    clear = clear and turned.clear
    if source.older:
        replaced = _is_only_replaced(turned.stem, source, language)
        turned = find_contradiction(statement, (*texts, *source.older), language)
        turned = None if replaced and texts != source.older else turned
    return turned and turned._replace(clear=clear and turned.clear)


def _is_only_replaced(key: str, source: EvidenceText, language: str) -> bool:
    """Tell whether only the lines that are replaced have a word: "through the queue, not with a script"."""
    told, older = (_list_keys(texts, language) for texts in (source.texts, source.older))
    return key in older - told


def _list_keys(texts: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(sense_key(word, language) for text in texts for word in tokenise(text))
