"""The sentences of a short typed message, and the clauses in them that are the person's own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced, plain
from memci.signals.cues import CLASSES, CueTable, choose_tables

# Of a longer message only the beginning and the end are read: what stands between is a specification or a paste.
_MAX_MESSAGE = 1_000
_ENDS = 400
_MIN_WORDS = 3
# So much of a sentence is read; people do not say longer ones.
_MAX_SENTENCE = 500
_END = LazyPattern(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bz\.b)[.!?…]+[\"')\]”»]{0,3}(?=\s|$)(?!\s+ever\b)|[。！？]|\n",
    re.IGNORECASE,
)
# What a list of rules in one sentence is about.
_LABEL = LazyPattern(r"(?:[\w-]+ ){0,3}[\w-]+: ")
_COMMAS = frozenset((",", "，", "、"))
_ITEM = LazyPattern(r"\s*(?:(?:[-*+•–—]|\(?\d{1,2}[.)])\s+)?(?:\[[ xX]\]\s+)?")
# "never", "always", "not" before a preposition or a noun: the clause before says what to do.
_ELLIPTIC = LazyPattern(
    r"(?:always|never) (?:from|in|on|to|with|through|via|by|at|for|as|mocks?|raw|npm|\w+s$)\b"
    r"|(?:immer|nie|niemals) (?:über|mit|in|auf|von|aus|per)\b"
)


@dataclass(frozen=True, slots=True)
class TypedSentence:
    """A sentence of a message: its place there, and its folded words."""

    start: int
    end: int
    folded: str
    # The line it is in; reasons in another line belong to something else.
    line: int


@dataclass(frozen=True, slots=True)
class Cue:
    """What a sentence was recognised by: the class, and where the clause begins that it governs."""

    kind: str
    start: int
    words: str
    table: CueTable
    # The clause is joined by more than a comma: what is before it says something else.
    joined: bool


def split_typed(typed: str) -> list[TypedSentence]:
    """Return the sentences of what a person typed; of a long message only those at its ends."""
    length = len(typed.rstrip())
    ranges = [(0, length)] if length <= _MAX_MESSAGE else [(0, _ENDS), (length - _ENDS, length)]
    return [sentence for start, end in ranges for sentence in _split(typed, start, end, whole=length <= _MAX_MESSAGE)]


def _split(typed: str, start: int, end: int, *, whole: bool) -> Iterator[TypedSentence]:
    position, line = start, typed.count("\n", 0, start)
    for found in _END.finditer(typed, start, end):
        yield from _make(typed, position, found.end(), line)
        position = found.end()
        line += found[0] == "\n"
    # The rest of the head of a long message is half a sentence.
    if whole or end == len(typed.rstrip()):
        yield from _make(typed, position, end, line)


def _make(typed: str, start: int, end: int, line: int) -> Iterator[TypedSentence]:
    item = _ITEM.match(typed, start, end)
    start = item.end() if item else start
    text = typed[start:end].rstrip()
    if 0 < len(text) <= _MAX_SENTENCE:
        yield TypedSentence(start, start + len(text), plain(text), line)


def find_cue(folded: str) -> Cue | None:
    """Return the unmistakable cue of a sentence, if it governs a clause that is the person's own."""
    if count_words(folded) < _MIN_WORDS:
        return None
    for table in choose_tables(folded):
        against = any(table.against[kind].search(folded) for kind in ("question", "irony", "dictated"))
        if against and not _is_polite(folded, table):
            return None
        for start, joined in _list_clauses(folded, table):
            cue = _match(folded, start, table, joined=joined)
            if cue:
                return None if _is_objected(folded, cue) else cue
    return None


def _is_polite(folded: str, table: CueTable) -> bool:
    found = table.certain["rule"].match(folded, _skip_lead(folded, table))
    return found is not None and "you please" in found[0]


def _skip_lead(folded: str, table: CueTable) -> int:
    lead = table.lead.match(folded)
    return lead.end() if lead else 0


def _list_clauses(folded: str, table: CueTable) -> Iterator[tuple[int, bool]]:
    """Yield where clauses begin, and whether more than a comma joins them."""
    yield _skip_lead(folded, table), False
    for found in table.boundary.finditer(folded):
        if found.end() < len(folded):
            yield found.end(), found[0].strip() not in _COMMAS


def _match(folded: str, start: int, table: CueTable, *, joined: bool = False) -> Cue | None:
    for kind in CLASSES:
        found = table.certain[kind].match(folded, start)
        if found:
            return Cue(kind, start, found[0].strip(), table, joined)
    return None


def _is_objected(folded: str, cue: Cue) -> bool:
    """Tell whether somebody else says it, whether it is only supposed, or holds only for the task at hand."""
    against = cue.table.against
    before = folded[_skip_lead(folded, cue.table) : cue.start]
    if against["reported"].search(before) or against["suppose"].search(before):
        return True
    if cue.kind in {"rule", "remember"} and against["once"].search(folded):
        return True
    return cue.kind in {"decision", "place", "rule"} and bool(against["suppose"].search(folded))


def rank_offer(folded: str) -> int:
    """Return how much speaks for offering a sentence that has no certain cue; 0 if nothing does."""
    if count_words(folded) < _MIN_WORDS:
        return 0
    best = 0
    for table in choose_tables(folded):
        against = table.against
        if any(against[kind].search(folded) for kind in ("question", "irony", "once")):
            continue
        starts = [start for start, _ in _list_clauses(folded, table)]
        first = starts[0]
        score = 4 if table.strong.match(folded, first) else 0
        score = score or (3 if any(table.strong.match(folded, start) for start in starts[1:]) else 0)
        score = score or (1 if table.weak.match(folded, first) else 0)
        if not score:
            continue
        score += 2 * bool(table.bonus.search(folded)) + bool(_match(folded, first, table))
        score -= 2 * any(against[kind].search(folded) for kind in ("suppose", "reported", "dictated"))
        best = max(best, score)
    return best


def begins_inside(folded: str, cue: Cue) -> int:
    """Return where the statement begins: at the clause of its cue, or at the sentence if that belongs to it."""
    lead = _skip_lead(folded, cue.table)
    label = _LABEL.match(folded, lead)
    if label and label.end() < cue.start:
        return lead
    if cue.start <= lead or (cue.joined and not _ELLIPTIC.match(folded, cue.start)):
        return cue.start
    return lead


def count_words(folded: str) -> int:
    """Count the words of a sentence; two signs of a script without blanks are one."""
    return len(folded.split()) + count_unspaced(folded) // 2
