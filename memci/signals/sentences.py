"""The sentences of a short typed message, and the cue that a sentence of the person's own begins with."""

from collections.abc import Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced, plain
from memci.prose.sentences import TYPED_END
from memci.signals.cues import CLASSES, CueTable, choose_tables

# Of a longer message only the beginning and the end are read: what stands between is a specification or a paste.
_MAX_MESSAGE = 1_000
_ENDS = 400
_MIN_WORDS = 3
# So much of a sentence is read; people do not say longer ones.
_MAX_SENTENCE = 500
# What a certain cue in a later clause speaks for.
CUED = 5
_ITEM = LazyPattern(r"\s*(?:(?:[-*+•–—]|\(?\d{1,2}[.)])\s+)?(?:\[[ xX]\]\s+)?")


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
    """What a sentence was recognised by: the class, and where the words behind the lead-ins begin."""

    kind: str
    start: int
    words: str
    table: CueTable


def split_typed(typed: str) -> list[TypedSentence]:
    """Return the sentences of what a person typed; of a long message only those at its ends."""
    length = len(typed.rstrip())
    ranges = [(0, length)] if length <= _MAX_MESSAGE else [(0, _ENDS), (length - _ENDS, length)]
    return [sentence for start, end in ranges for sentence in _split(typed, start, end, whole=length <= _MAX_MESSAGE)]


def _split(typed: str, start: int, end: int, *, whole: bool) -> Iterator[TypedSentence]:
    position, line = start, typed.count("\n", 0, start)
    for found in TYPED_END.finditer(typed, start, end):
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
    """Return the unmistakable cue that a sentence begins with, if the sentence is the person's own."""
    if count_words(folded) < _MIN_WORDS:
        return None
    for table in choose_tables(folded):
        if any(table.against[kind].search(folded) for kind in ("question", "irony", "dictated")):
            return None
        cue = _match(folded, skip_lead(folded, table), table)
        if cue:
            return None if _is_objected(folded, cue) else cue
    return None


def skip_lead(folded: str, table: CueTable) -> int:
    """Return where the words behind the lead-ins of a sentence begin."""
    lead = table.lead.match(folded)
    return lead.end() if lead else 0


def _match(folded: str, start: int, table: CueTable) -> Cue | None:
    for kind in CLASSES:
        found = table.certain[kind].match(folded, start)
        if found:
            return Cue(kind, start, found[0].strip(), table)
    return None


def _is_objected(folded: str, cue: Cue) -> bool:
    """Tell whether it is only supposed, or holds only for the task at hand."""
    against = cue.table.against
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
        if any(against[kind].search(folded) for kind in ("question", "irony", "once", "reported")):
            continue
        first = skip_lead(folded, table)
        later = [found.end() for found in table.boundary.finditer(folded) if found.end() < len(folded)]
        score = CUED if any(_match(folded, start, table) for start in later) else 0
        score = score or (4 if table.strong.match(folded, first) else 0)
        score = score or (3 if any(table.strong.match(folded, start) for start in later) else 0)
        score = score or (1 if table.weak.match(folded, first) else 0)
        if not score:
            continue
        score += 2 * bool(table.bonus.search(folded)) + bool(_match(folded, first, table))
        score -= 2 * any(against[kind].search(folded) for kind in ("suppose", "dictated"))
        best = max(best, score)
    return best


def count_words(folded: str) -> int:
    """Count the words of a sentence; two signs of a script without blanks are one."""
    return max(len(folded.split()), count_unspaced(folded) // 2)
