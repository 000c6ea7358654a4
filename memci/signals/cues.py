"""What gives a statement away: the kinds of cues, and how the tables of all languages are matched."""

import enum
import functools
from collections.abc import Mapping, Sequence

from memci.patterns import LazyPattern
from memci.signals.fold import split_words
from memci.signals.languages import (
    chinese,
    english_facts,
    english_noise,
    english_rules,
    english_statements,
    english_wishes,
    french,
    german,
    japanese,
    korean,
    portuguese,
    russian,
    spanish,
)
from memci.signals.phrases import Phrases, split_phrases


class Cue(enum.StrEnum):
    """What a phrase says about the sentence it stands in; the names are the keys of the language tables."""

    # For a rule, strong enough alone: "from now on", an imperative with "never", "stop doing", "is banned".
    STANDING = "standing"
    NORM = "norm"
    STOP = "stop"
    PREFER = "prefer"
    BANNED = "banned"
    HABIT = "habit"
    # "before every commit": a rule if it is asked for.
    USUAL = "usual"
    SAID = "said"
    LABEL = "label"
    # For a rule, together with something else: "don't", "must", "every", "always" anywhere.
    FORBID = "forbid"
    MODAL = "modal"
    UNIVERSAL = "universal"
    ADVERB = "adverb"
    HERE = "here"
    # "we store …": how it is done here; "keep commits small": how to do it; "by hand": what rules are about.
    PRACTICE = "practice"
    POLICY = "policy"
    MANNER = "manner"
    # What things of a kind do: "event handlers start with on".
    KIND = "kind"
    PLEASE = "please"
    # For the other kinds of signals.
    REMEMBER = "remember"
    FORGET = "forget"
    CORRECT = "correct"
    CONTRAST = "contrast"
    CONFIRM = "confirm"
    DECIDE = "decide"
    REVERSE = "reverse"
    DEADLINE = "deadline"
    BLOCKED = "blocked"
    OWNER = "owner"
    PURPOSE = "purpose"
    FACT = "fact"
    ASIDE = "aside"
    SYSTEM = "system"
    PLACED = "placed"
    PERSON = "person"
    REASON = "reason"
    INCIDENT = "incident"
    # What follows a comma and may be a reason.
    CLAUSE = "clause"
    # Against.
    QUESTION = "question"
    POLITE = "polite"
    TAIL = "tail"
    ONCE = "once"
    SUPPOSE = "suppose"
    SARCASM = "sarcasm"
    STORY = "story"
    DESCRIBE = "describe"
    DICTATE = "dictate"
    CHAT = "chat"
    RETRACT = "retract"
    TASK = "task"
    TROUBLE = "trouble"


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words of which every sentence of the language has some, and that others rarely have two of.
_COMMON = {
    "de": _set("""
        der die das und nicht ist ich wir bitte nie niemals immer kein keine keinen ab auf mit für von den dem ein eine
        merk künftig nur dass es du sind wird beim zum zur diesmal warum wieso nein stopp auch aber oder wenn wie noch
        mal uns mir dir sich nach bei aus mehr schon englisch deutsch
    """),
    "fr": _set("""
        le la les des une un est ne pas jamais toujours et pour dans je tu on nous que qui du désormais dorénavant avec
        sur ce cette à arrête pourquoi non mais plus tout sont nos ces par aux au quand il elle
    """),
    "es": _set("""
        el la los las un una no nunca siempre y para por en que es de con del se usa recuerda soy solo esta este porque
        cada jamás prefiero ya más pero cuando como hay son está están nuestro al sin sobre lo
    """),
    "pt": _set("""
        os um uma não nunca sempre para por em no na que é de com do da use só sou lembre porque desta prefiro
        decidimos mas quando como são está nosso ao sem tudo ou pelo pela foi tem
    """),
}
_WEST = frozenset().union(*_COMMON.values())
_ENGLISH = _set("""
    the an to is are of in and for it on with we i you not this that be do dont from by or at please need needs
    must have has all never always only when if but so our my they use can will should was im its into per every
""")
_SCRIPTS = {
    "ru": LazyPattern("[\u0400-\u04ff]"),
    "zh": LazyPattern("[\u4e00-\u9fff]"),
    "ja": LazyPattern("[\u3040-\u30ff]"),
    "ko": LazyPattern("[\uac00-\ud7a3]"),
}
# Fewer of its words, and the text is of another language that shares one: "die" is English, too.
_ENOUGH_WORDS = 2
_Languages = tuple[str, ...]


@functools.cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    west = {"de": german.CUES, "fr": french.CUES, "es": spanish.CUES, "pt": portuguese.CUES, "ru": russian.CUES}
    east = {"zh": chinese.CUES, "ja": japanese.CUES, "ko": korean.CUES}
    english = (english_rules, english_wishes, english_statements, english_facts, english_noise)
    return {
        "en": _join(*(module.CUES for module in english)),
        **west,
        **east,
    }


def _join(*tables: Mapping[str, str]) -> Mapping[str, str]:
    return {cue: "\n".join(table.get(cue, "") for table in tables) for cue in Cue}


def find_languages(folded: str) -> _Languages:
    """Return the languages that a text may be in; English unless it is clearly another one."""
    return _choose_languages(folded, set(split_words(folded)))


def _choose_languages(folded: str, words: set[str]) -> _Languages:
    plain = folded.isascii()
    if plain and words and words.isdisjoint(_WEST):
        return ("en",)
    least = min(_ENOUGH_WORDS, len(words)) if plain else 1
    shared = [(len(words & common), name) for name, common in _COMMON.items()]
    west = [name for count, name in shared if count >= least]
    most = max(shared)[0]
    # "no a la izquierda" is no English prohibition.
    foreign = most >= _ENOUGH_WORDS and most > len(words & _ENGLISH)
    scripts = () if plain else (name for name, script in _SCRIPTS.items() if script.search(folded))
    return (*(() if foreign else ("en",)), *west, *scripts)


def list_phrases() -> list[str]:
    """Return the phrases of all languages."""
    return [phrase for tables in _tables().values() for cue in Cue for phrase in split_phrases(tables.get(cue, ""))]


@functools.cache
def _phrases(language: str) -> Phrases[Cue]:
    tables = _tables()[language]
    return Phrases({cue: tables.get(cue, "") for cue in Cue})


@functools.cache
def _shared_phrases() -> Phrases[Cue]:
    tables = _tables()["en"]
    return Phrases({cue: tables[cue] for cue in _ANY_LANGUAGE})


# Names of products, question marks and the like are the same everywhere.
_ANY_LANGUAGE = (Cue.SYSTEM, Cue.QUESTION)


def find_cue(cue: Cue, folded: str) -> int:
    """Return where a cue first stands in a folded text; -1 if it does not."""
    languages = find_languages(folded)
    names = languages if cue not in _ANY_LANGUAGE or "en" in languages else ("en", *languages)
    starts = (_phrases(name).find_first(cue, folded) for name in names)
    return min((start for start in starts if start >= 0), default=-1)


def find_cues(sentences: Sequence[str]) -> list[frozenset[Cue]]:
    """Return the cues of each folded sentence of a message."""
    words = [set(split_words(folded)) for folded in sentences]
    whole = _choose_languages(" ".join(sentences), set().union(*words))
    # A fragment tells less of its language than the message it stands in.
    foreign = whole if "en" not in whole or len(sentences) == 1 else ()
    rows = zip(sentences, words, strict=True)
    return [_search(folded, foreign or _choose_languages(folded, said)) for folded, said in rows]


def _search(folded: str, languages: _Languages) -> frozenset[Cue]:
    found = [_phrases(name).find(folded) for name in languages]
    if "en" not in languages:
        found.append(_shared_phrases().find(folded))
    return frozenset().union(*found)


def strip_leads(folded_start: str) -> int:
    """Return how much of an aligned lower-case text is a lead-in that says nothing itself."""
    found = _LEADS.match(folded_start)
    return found.end() if found else 0


def _leads() -> str:
    others = (german, french, spanish, portuguese, russian)
    marked = _either(*(module.LEADS for module in (english_noise, *others, chinese, japanese, korean)))
    joined = _either(*(module.JOINED_LEADS for module in (english_noise, *others)))
    return rf"(?:(?:{marked})\s?[,.!:;…–—、，。！：-]{{1,3}}\s{{0,3}}|(?:{joined})\s{{1,3}}){{1,4}}"


_LEADS = LazyPattern(_leads)


def _either(*tables: str) -> str:
    words = {word.strip() for table in tables for line in table.split("\n") for word in line.split("|")} - {""}
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
