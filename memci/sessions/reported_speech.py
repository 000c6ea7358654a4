"""Detects how people announce and report the words of others; the words are in reported_speech.toml."""

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced
from memci.sessions.embedded_clauses import embeds

# Scripts without blanks have no word boundaries.
_UNSPACED = frozenset(("ja", "ko", "zh"))
# Texts in ASCII have no words of these.
_NOT_LATIN = _UNSPACED | {"ru"}


@functools.cache
def _read_languages() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@functools.cache
def _pattern(key: str, *, latin: bool = False) -> re.Pattern[str]:
    spaced, joined = (
        "|".join(word for name, words in _read_languages().items() if name in names for word in words[key])
        for names in (_read_languages().keys() - (_NOT_LATIN if latin else _UNSPACED), _UNSPACED)
    )
    # Matching lower case only takes half the time.
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)" + ("" if latin else f"|(?:{joined})"))


def _finds(key: str, text: str) -> bool:
    return _pattern(key, latin=text.isascii()).search(text.lower()) is not None


@functools.cache
def _begins(key: str) -> re.Pattern[str]:
    return re.compile(rf"\W{{0,3}}(?:{_pattern(key).pattern})")


# A line of at most this many words that names a text is only a label.
_FEW = 4
# Before a colon, this many words have a subject of their own; without blanks, three signs count as a word.
_CLAUSE = 3
_SIGNS = 3
# One word alone, as in front of a chat message: a name, or a handle such as `ben_k`.
# A verb or an adjective is not a name.
_NAME = LazyPattern(
    r"(?!\w+(?:ing|ment|tion|ly|ung|heit|keit|ción|ção|ение)$)"
    r"(?:[^\W\d_]{2,}[\d_][\w.-]*|[A-ZÀ-ÞА-Я][^\W\d_A-Z]+|[\u4e00-\u9fff]{2,4}|[\uac00-\ud7af]{2,4})"
)
# "PR #813 by @tom:", "Engineering / Workflow — edited by Priya:": labels of programs and sites, not of a person.
_LABELLED = LazyPattern(
    r"https?://\S+\s*$|@\w|#\d| [•·|—–/»] |\b[A-Z]\w+ \d+\s*$|(?:\w\.)+[A-Z]\w+\s*$|^\W*SYSTEM\s*$|\bbot\s*$"
    r"|(?:[A-Z][a-z0-9]+){2,}\s*$|^\W*[A-Z][a-zà-ÿ]+ [A-Z][a-zà-ÿ]+\s*$|(?:さん|님|氏|先生)(?:の\w{1,8})?\s*$"
    r"|^\W*(?!(?:Let|It|That|Here|There|What|Today)['’])[A-Z]\w+['’]s \w+\s*$"
)
# Somebody else as the subject before a colon, as in "in the handbook they define it as".
_THEY = LazyPattern(
    r"\b(?:he|she|they|él|ella|ell[oa]s|eles?|elas?|он[аи]?)\b [^\W\d_]|[他她彼](?!方)"
    # A text that belongs to them: "sein Text", "o texto deles".
    r"|\b(?:his|their|seine?|leurs?|его|её|их) \w+\s*$|\bdel[ae]s?\s*$",
    re.IGNORECASE,
)
_ADVERBIAL = LazyPattern(r" (?:to|into|in|auf|ins|en|vers|al?|para|на|в)(?: \w+){1,2}", re.IGNORECASE)
_REMARK = LazyPattern(r"[^,，、]+[,，、][^,，、]+[.。]")
# A question without its mark.
_QUESTION = LazyPattern(
    r"\W*(?:how|what|why|wie|was|warum|comment|pourquoi|cómo|qué|por qué|como|o que|как|что|почему)\b", re.IGNORECASE
)
# The largest distance of a subject from its verb.
_SUBJECT = 30
_COLON = LazyPattern(r"[:：][\s*_]*$")
# "my feedback on this:", "rules for this repo:" introduce the person's own words.
_OWN_LABEL = LazyPattern(
    r"(?<!\w)(?:my|our|some|an?|a few|few|couple of|more|these|the|general|house|team|project|coding|important) "
    r"(?:\w+ ){0,2}"
    r"(?:rules?|conventions?|preferences?|reminders?|things?|points?|principles|notes?|requests?|asks?|corrections?)\b"
    r"|^\W*(?:rules?|conventions?|preferences?|reminders?|remember|note|notes|one thing|two things|todo)\b"
    r"|(?<!\w)(?:regeln|règles|reglas|regras|правила)(?!\w)|ルール|규칙|规则|规矩|约定",
    re.IGNORECASE,
)  # fmt: skip


def reports(sentence: str) -> bool:
    """Tell whether a sentence reports what somebody else said or wants; "as I said" does not."""
    words = sentence.lower()
    return embeds(sentence) or any(
        _OWN_SUBJECT.search(words, max(0, found.start() - _SUBJECT), found.start()) is None
        and _CONDITION.search(words, max(0, found.start() - _SUBJECT), found.start()) is None
        for found in _pattern("said", latin=words.isascii()).finditer(words)
    )


# "look there first when somebody says that": a condition, not a report.
_CONDITION = LazyPattern(
    r"\b(?:when(?:ever)?|if|once|until|before|after|as soon as|wenn|falls|sobald|bevor|quand|dès qu['e]|cuando|quando"
    r"|если|когда)"
    r" (?:[^\s.,;:!?]+ ){0,3}\Z"
)
_OWN_SUBJECT = LazyPattern(lambda: rf"(?:{_pattern('self').pattern})\s+\Z")


def announces(row: str) -> bool:
    """Tell whether a line that ends in a colon introduces the words of somebody else."""
    return _COLON.search(row) is not None and opens(_COLON.sub("", row))


def _shows_text(row: str) -> bool:
    source, this, work, here = (_finds(key, row) for key in ("source", "this", "work", "here"))
    return bool((source or this) and (work or here)) or bool(source and this)


def _certain_source() -> str:
    """One specific text of others: "the comment", "der letzte Kommentar"."""
    source = _pattern("source").pattern
    # "Comment on line 14", "Antwort von Eva": a place or an author makes it specific, too.
    placed = r"(?:from|by|on|in|at|von|vom|aus|im|de|du|del|do|da|от|из|в) "
    return rf"(?:{_pattern('the').pattern})[ ']{{0,1}}(?:\w+ ){{0,2}}(?:{source})|^\W*(?:\w+ )?(?:{source}) {placed}"


_CERTAIN_SOURCE = LazyPattern(_certain_source, re.IGNORECASE)


def opens(clause: str) -> bool:
    """Tell whether the words before a colon name somebody else or a text of others."""
    if reports(f"{clause}:") or _THEY.search(clause):
        return True
    if _OWN_LABEL.search(clause):
        return False
    # "the following:" and "commit messages:" alone may also introduce the person's own list.
    return (
        _LABELLED.search(clause) is not None
        or _shows_text(clause)
        or (_CERTAIN_SOURCE.search(clause.lower()) is not None)
    )


def gives_line(clause: str, rest: str, *, first: bool) -> bool:
    """Tell whether a clause before a colon attributes `rest`, on the same line, to somebody else.

    Only the first clause of a line can be a name, as in chats.
    """
    words = clause.strip()
    if words[0] in "-*+" or "://" in rest:
        # An item of a list, or a place to look at.
        return False
    if first and _NAME.fullmatch(words):
        return _begins("label").fullmatch(words.lower()) is None
    if first and _names_work(words):
        return True
    if rest.lstrip()[:1].isupper():
        return _is_account(clause, _FEW)
    # Scripts without blanks have no articles that mark a subject.
    has_subject = words[0] > "\u3000" or _begins("the").match(words.lower()) is not None
    return first and has_subject and _is_account(clause, _CLAUSE)


def _names_work(clause: str) -> bool:
    """Tell whether a clause asks for work on a text without naming it: "translate to French", not "fix the tests"."""
    begins = _begins("work").match(clause.lower())
    if begins:
        return _ADVERBIAL.fullmatch(clause, begins.end()) is not None
    # In Japanese and Korean the verb comes last, and a particle marks its object.
    return clause[0] > "\u3000" and _finds("work", clause) and not re.search("[を를을]", clause)


def _is_account(clause: str, least: int) -> bool:
    """Tell whether a clause has no subject that could be a speaker: "on start it prints"."""
    return (
        _count_words(clause) >= least
        and not _OWN_LABEL.search(clause)
        and not is_personal(clause)
        and not goes_on(clause.strip())
    )


def _count_words(text: str) -> int:
    return len(text.split()) if text.isascii() else max(len(text.split()), count_unspaced(text) // _SIGNS)


def points_below(row: str, *, listed: bool = False) -> bool:
    """Tell whether a short request refers to a text that follows; a list right below is often the request itself."""
    if _OWN_LABEL.search(row):
        return False
    this, work, source, here = (_finds(key, row) for key in ("this", "work", "source", "here"))
    words = _count_words(row)
    asks = row.rstrip().endswith(("?", "？", ":", "：")) or _QUESTION.match(row) is not None
    # "thanks, this works." says something, and points to nothing; "this came in today." may.
    is_label = words <= _FEW and not _REMARK.fullmatch(row.strip())
    if listed and not source and not (this and work):
        return False
    if (source or work) and row.rstrip().endswith((":", "：")):
        return True
    if _begins("work").fullmatch(row.rstrip()):
        # "explain" alone refers to what is below it.
        return True
    return (this and (asks or work or source or is_label)) or (here and source and words <= 2 * _FEW)


def labels_text(row: str) -> bool:
    """Tell whether a line with a colon names a text of others."""
    return _COLON.search(row) is not None and _finds("source", row)


def goes_on(row: str) -> bool:
    """Tell whether a paragraph begins like a continuation of the person's own words."""
    return _begins("on").match(row.lower()) is not None


def is_personal(text: str) -> bool:
    """Tell whether a text addresses another person."""
    return _finds("own", text)
