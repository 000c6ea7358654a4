"""Yes and no: which words of a text are denied, and whether a statement clearly turns its evidence around.

Only clear cases count. Order is free, a denial may be restated or narrowed, and a word that the evidence both affirms
and denies may be used either way.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form
from memci.prose.polarity_words import (
    BEFORE,
    CLAUSE_BORDER,
    DENIED_UNSPACED,
    EMPTY,
    ENDING_PHRASE,
    ENDS,
    LIMIT,
    NOT_ONLY,
    ONCE,
    ONLY,
    PARTICIPLES,
    PASSIVE,
    PERMISSIONS,
    PREFERENCE,
    QUESTIONS,
    RELATIVES,
    UNSPACED_BORDER,
    WITHOUT,
    has_change,
    is_denial,
    is_denied,
    obliges,
)
from memci.prose.sentences import TYPED_END
from memci.prose.similar import STOP_WORDS, tokenise
from memci.prose.stems import stem_word

# This share of a denial is "what was denied".
_MOST = 0.6
# A denial of so few words has its verb before it.
_FEW = 2
# So many other words of the evidence are about something else.
_ELSEWHERE = 2
# "No thats the holiday": an answer, because no noun follows.
_ANSWER = LazyPattern(
    r"^\s*(?:no|nope|nah)\s+(?=(?:that|thats|this|it|its|we|they|you|i|he|she|the|there)\b)", re.IGNORECASE
)
_OPTION = LazyPattern(r"(?<![\w-])--([a-zA-Z][\w-]*)")
_NO = LazyPattern(r"\s*(\w{2,6})[,.;!]([^.!?\n]*\d)?")
# A bare "never again" is about the last clauses before it.
_TOLD_BEFORE = 2
# Bounds the cost of a hostile text.
# One common word does not make two clauses about the same thing.
_SAME = 2
_MAX_TEXT = 8_000
_MAX_CLAUSES = 300


@dataclass(frozen=True, slots=True)
class Denial:
    """The stems that one word denies; the first is what it is about."""

    stems: tuple[str, ...]
    # The rest of its clause, which is denied if nothing follows the word.
    before: tuple[str, ...] = ()
    without: bool = False
    # "Never X without Y": with Y, X may be affirmed.
    condition: tuple[str, ...] = ()
    # "Don't X before that": after something, X may be affirmed.
    delayed: bool = False
    # "Say X, never Y": the words before it, whose verb it shares.
    contrasted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PolarClause:
    """What one clause affirms and denies."""

    affirmed: frozenset[str]
    denials: tuple[Denial, ...] = ()


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a text affirms and denies, clause by clause."""

    clauses: tuple[PolarClause, ...]
    # The stems beside a word of an end.
    ended: frozenset[str]
    # A comparison such as "longer than", True if it is denied.
    limits: frozenset[bool]
    # It has a word such as "after" or "once".
    later: bool = False


def sense_key(word: str, language: str = "") -> str:
    """Return the form in which words are compared for their sense."""
    return equal_form(word) or stem_word(word, language)


# A statement is compared with the same evidence several times.
@functools.lru_cache(maxsize=1_024)
def read_polarity(text: str, language: str = "") -> Polarity:
    """Tell what a text affirms and what it denies."""
    # `--until` is no "until".
    text = NOT_ONLY.sub("", _ANSWER.sub("", _OPTION.sub(r"\1_", text[:_MAX_TEXT])))
    if PREFERENCE.search(text):
        text = text.replace(" over ", " instead of ")
    if "rather" in text:
        text = text.replace("rather than", "instead of").replace(" than ", " instead of ")
    clauses: list[PolarClause] = []
    ended: set[str] = set()
    limits: set[bool] = set()
    carried = False
    for part, against, joined in _split_clauses(text):
        words = [piece for word in tokenise(part) for piece in _split_joined(word)]
        if limit := LIMIT.search(part):
            # "Not older than" is a limit; "older than that is not drawn" denies something.
            denied = [word for word in tokenise(part[: limit.start()]) if is_denial(word)]
            limits.add(bool(denied))
            words = [word for word in words if word not in denied]
        clause = _read_clause(words, language, against=against)
        if clauses and len(clause.denials) == 1 and not clause.affirmed and len(clause.denials[0].stems) <= _FEW:
            told = frozenset(key for earlier in clauses for key in earlier.affirmed)
            contrast = replace(clause.denials[0], contrasted=told)
            clause = PolarClause(clause.affirmed, (contrast,))
        everything = {key for word in words if (key := _content_key(word, language))}
        ends = bool(clauses) and len(everything) <= 1 and not ENDS.isdisjoint(words)
        if ends or (clauses and any(not (one.stems or one.before) for one in clause.denials)):
            # "Logging whole bodies, forget that", "it got lost, never again": it ends what was told right before it.
            ended |= frozenset().union(*(one.affirmed for one in clauses[-_TOLD_BEFORE:]))
        # "Never X and Y": whether Y is denied is not clear.
        unclear = joined and carried and not clause.denials
        if unclear or ENDS.intersection(words) or ENDING_PHRASE.search(part):
            ended |= everything
        carried = unclear or bool(clause.denials)
        clauses.append(clause)
    return Polarity(tuple(clauses), frozenset(ended), frozenset(limits), not ONCE.isdisjoint(tokenise(text)))


def _split_clauses(text: str) -> Iterator[tuple[str, bool, bool]]:
    position, against, joined = 0, False, False
    for number, border in enumerate(CLAUSE_BORDER.finditer(text)):
        if number >= _MAX_CLAUSES:
            break
        yield text[position : border.start()], against, joined
        against, joined, position = border["against"] is not None, border["joined"] is not None, border.end()
    yield text[position:], against, joined


def _split_joined(word: str) -> list[str]:
    pieces = re.split("[-/]", word)
    return pieces if all(map(str.isalpha, pieces)) else [word]


def _content_key(word: str, language: str) -> str:
    skipped = word in STOP_WORDS or word in EMPTY or is_denial(word) or word in PERMISSIONS
    key = "" if skipped else sense_key(word, language)
    # "Thats".
    return "" if key in STOP_WORDS else key


def _read_clause(words: Sequence[str], language: str, *, against: bool) -> PolarClause:
    keys = [_content_key(word, language) for word in words]
    if against:
        return PolarClause(frozenset(), (Denial(tuple(filter(None, keys))),))
    cues = [place for place in range(len(words)) if _denies(words, place)]
    denials: list[Denial] = []
    denied: set[int] = set()
    for place, end in zip(cues, (*cues[1:], len(words)), strict=bool(cues)):
        before, after = range(place), range(place + 1, end)
        without = words[place] in WITHOUT
        if without and denied:
            denials[-1] = replace(denials[-1], condition=tuple(key for key in keys[place + 1 : end] if key))
            continue
        passive = words[place] in PASSIVE or not PARTICIPLES.isdisjoint(words[place + 1 : place + 3])
        if passive and any(keys[:place]):
            before, after = after, before
        denied.update(after)
        stems, subject = (tuple(keys[at] for at in side if keys[at]) for side in (after, before))
        late = [at for at in after if words[at] in BEFORE]
        condition = tuple(keys[at] for at in after if keys[at] and at > late[0]) if late else ()
        denials.append(Denial(stems, subject, without, condition, bool(late) and not condition))
    return PolarClause(frozenset(key for at, key in enumerate(keys) if key and at not in denied), tuple(denials))


def _denies(words: Sequence[str], place: int) -> bool:
    """Tell whether a word denies its clause; "what is not merged" only names something, and so does "it is outside"."""
    if words[place] in WITHOUT and place == len(words) - 1:
        return False
    relative = not RELATIVES.isdisjoint(words[max(0, place - 2) : place])
    return (is_denial(words[place]) and not relative) or _is_stop(words, place)


def _is_stop(words: Sequence[str], place: int) -> bool:
    """Tell whether "stop" forbids what follows ("stop adding") and is not told ("CI will stop")."""
    behind = words[place + 1] if place + 1 < len(words) else ""
    return words[place] in {"stop", "stopped"} and behind.endswith("ing") and not behind.endswith("thing")


@dataclass(frozen=True, slots=True)
class _Told:
    """What the evidence affirms, denies, and leaves open."""

    plain: frozenset[str]
    denied: frozenset[str]
    free: frozenset[str]
    denials: tuple[Denial, ...]

    @property
    def known(self) -> frozenset[str]:
        return self.plain | self.denied | self.free


class Turned(NamedTuple):
    """The stem with which a statement turns its evidence around; only a reader can tell whether it does if unclear."""

    stem: str
    clear: bool = True


def find_contradiction(statement: str, evidence: Sequence[str], language: str = "") -> Turned | None:
    """Return the stem with which a statement turns its evidence around; None if it does not."""
    said = read_polarity(statement, language)
    texts = [read_polarity(_answer(text), language) for text in evidence]
    restricted = not ONLY.isdisjoint(word for text in evidence for word in tokenise(text))
    if restricted and NOT_ONLY.search(statement) and not any(map(NOT_ONLY.search, evidence)):
        return Turned("only")
    limits = frozenset(limit for one in texts for limit in one.limits)
    if False in said.limits and limits == {True}:
        return Turned("than")
    clauses = [clause for one in texts for clause in one.clauses]
    denials = tuple(denial for clause in clauses for denial in clause.denials)
    told = _Told(
        frozenset(key for clause in clauses for key in clause.affirmed),
        frozenset(key for denial in denials for key in (*denial.stems, *denial.before)),
        frozenset(key for one in texts for key in one.ended),
        denials,
    )
    only = not ONLY.isdisjoint(tokenise(statement))
    denied = _find_denied(said, told)
    if denied and _is_clear(denied, evidence):
        return Turned(denied)
    affirmed = _find_affirmed(said, told, only=only)
    return Turned(affirmed) if affirmed else Turned(denied, clear=False) if denied else None


def _is_clear(denied: str, evidence: Sequence[str]) -> bool:
    """Tell whether no reader is needed: what a denial among other things is about, only a reader can tell."""
    if not any(is_denied(text) or has_change(text) for text in evidence):
        return True
    ruled = (sentence for text in evidence for sentence in TYPED_END.split(text) if sentence and obliges(sentence))
    return any(denied in map(sense_key, tokenise(sentence)) for sentence in ruled)


def _answer(text: str) -> str:
    """Return a text without its questions, which affirm nothing; one that is answered with a no is denied."""

    def settle(question: re.Match[str]) -> str:
        answer = _NO.match(text, question.end())
        # "No, 9 days" denies a number only.
        denied = answer and is_denial(answer[1].lower()) and not answer[2]
        return f"not {question[0].strip(' ?')}. " if denied else ""

    return QUESTIONS.sub(settle, text).strip() or text


def _scope(denial: Denial, told: _Told) -> list[str]:
    """Return what a denial of the statement denies of what the evidence knows."""
    return [key for key in denial.stems if key in told.known] or [key for key in denial.before if key in told.known]


def _find_denied(said: Polarity, told: _Told) -> str:
    """Return what a statement denies although its evidence never does."""
    for clause in said.clauses:
        others = (other.affirmed for other in said.clauses if other is not clause)
        contrast = not told.plain.isdisjoint(itertools.chain.from_iterable(others))
        for denial in clause.denials:
            word = _check_denial(denial, told, contrast=contrast)
            # What a statement affirms and denies is told apart by something else.
            if word and not any(word in other.affirmed for other in said.clauses if other is not clause):
                return word
    return ""


def _check_denial(denial: Denial, told: _Told, *, contrast: bool) -> str:
    stems = _scope(denial, told)
    if not denial.stems and not denial.before:
        return "" if contrast or told.denials else "not"
    if not stems:
        # "We don't touch it" may become "not edited"; a "without …" of its own may not be added.
        vague = any(len(one.stems) <= 1 for one in told.denials) or bool(told.free)
        return "" if vague and not denial.without else next(iter((*denial.stems, *denial.before)))
    if told.known.isdisjoint(denial.stems) and not told.denied.isdisjoint(stems):
        # "On Sunday she is not here": before the word stand subject and time, of which one was denied.
        return ""
    affirmed = [key for key in stems if key not in told.denied and key not in told.free]
    if affirmed and (len(affirmed) == len(stems) or not _covers(stems, told)):
        return affirmed[0]
    # Without its object a denial is wider: "no emojis in commits" is not "no commits".
    heads = {key for one in told.denials for key in (*one.stems[:1], *one.before)} | told.free
    narrowed = contrast or heads.intersection(stems) or told.known.isdisjoint(denial.stems)
    if not narrowed and told.denied.isdisjoint(denial.before):
        return stems[0]
    return _find_other_subject(denial, stems, told)


def _find_other_subject(denial: Denial, stems: Sequence[str], told: _Told) -> str:
    """Return the subject of a denial if the evidence denies the same of something else only."""
    subject = [key for key in denial.before if key in told.plain]
    matched = [one for one in told.denials if not set(stems).isdisjoint(one.stems)]
    other = all(one.before for one in matched) and told.denied.isdisjoint(subject) and told.free.isdisjoint(subject)
    return subject[0] if subject and matched and other else ""


def _covers(stems: Sequence[str], told: _Told) -> bool:
    return any(2 * len(set(stems).intersection(one.stems)) > len(one.stems) > 0 for one in told.denials) or any(
        key in told.free for key in stems
    )


def _find_affirmed(said: Polarity, told: _Told, *, only: bool) -> str:
    """Return what a statement affirms although its evidence only denies it."""
    own = frozenset(key for clause in said.clauses for denial in clause.denials for key in _scope(denial, told))
    everything = frozenset(key for clause in said.clauses for key in clause.affirmed)
    for clause in said.clauses:
        scopes = frozenset(key for denial in clause.denials for key in _scope(denial, told))
        for denial in told.denials:
            scope = denial.stems or denial.before
            stems = [key for key in scope if key not in told.plain and key not in told.free]
            shared = [key for key in stems if key in clause.affirmed - scopes]
            # A word that is affirmed elsewhere does not excuse the rest: "I do the apply" is no "run terraform apply".
            whole = clause.affirmed.intersection(scope)
            if not shared or (len(shared) < _MOST * len(stems) and len(whole) < _MOST * len(set(scope))):
                continue
            mention = len(whole) < 2 <= len(set(scope))
            later = denial.delayed and said.later
            # "Never X outside of Y" is "only Y does X".
            if mention or later or (only and denial.condition) or clause.affirmed.intersection(denial.condition):
                continue
            # "Say the appointment, never the nurse": that the nurse had trouble is about something else.
            others = everything.difference(scope)
            apart = denial.contrasted and others.isdisjoint(denial.contrasted)
            if apart and len(others & told.plain) >= _ELSEWHERE:
                continue
            # "She commits herself; never commit for her" says both.
            if own.isdisjoint(scope) or (len(whole) == len(set(scope)) and not own.issuperset(shared)):
                return shared[0]
    return ""


def find_turned_unspaced(statement: str, evidence: Sequence[str]) -> str:
    """Return the clause of a statement without blanks whose nearest clauses in the evidence all have another sense."""
    told = [clause for text in evidence for clause in UNSPACED_BORDER.split(text[:_MAX_TEXT]) if clause.strip()]
    pairs = [(frozenset(tokenise(clause)), bool(DENIED_UNSPACED.search(clause))) for clause in told[:_MAX_CLAUSES]]
    for clause in UNSPACED_BORDER.split(statement):
        words = frozenset(tokenise(clause))
        near = [sense for other, sense in pairs if words and 2 * len(words & other) >= min(len(words), len(other))]
        if near and bool(DENIED_UNSPACED.search(clause)) not in near:
            return clause.strip()
    return ""


def is_flipped(one: str, other: str) -> bool:
    """Tell whether a clause of one text, or part of it, is in the other with the opposite sense."""
    theirs = list(_list_parts(other))
    return any(
        denied is not opposite and (mine <= their or their <= mine) and min(len(mine), len(their)) >= _SAME
        for mine, denied in _list_parts(one)
        for their, opposite in theirs
    )


def _list_parts(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Yield the stems of each clause, with whether it denies something."""
    for clause in read_polarity(text).clauses:
        stems = clause.affirmed.union(*(one.stems for one in clause.denials))
        if stems:
            yield stems, bool(clause.denials)
