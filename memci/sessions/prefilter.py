"""Selects the lines that may contain words of a person without decoding them.

Text that people typed is a four-hundredth of a transcript. Keys and the values looked for are plain ASCII in what
every writer seen writes, and a quotation mark inside a string is always escaped, so that a needle with quotation
marks only ever finds structure. A line is skipped only if no order of its keys could hide a person's words in it.

A person's words are only in records of the user and of the queue, and they name their type. Lines without either
word are skipped at no cost; results of tools are records of the user and are checked closely.
"""

import bisect
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from ahocorasick_rs import BytesAhoCorasick

# The kinds that matter here; everything besides prompts and results, progress too, is one kind.
RESULT, OTHER = "tool result", "model or client"
# The role of a message is within this; twice what real records need.
_HEAD = 512
# A longer line could be full of matches.
_HUGE = 1 << 20
_OPENS, _CLOSES = b"{}"
_WRITERS = (b'"Write"', b'"Edit"', b'"MultiEdit"')
# How a record with the result of a tool begins, and how it continues: as a text, or as a list of texts.
_USER = b'"user","message":{"role":"user","content":[{'
_PLAIN = b'"tool_result","content":"'
_LIST = b'"tool_result","content":[{"type":"text","text":"'
# The id of the call between the two is shorter.
_BETWEEN = 200
# Results with a person's words in any block: why a call was refused, and answers to questions.
_REFUSED, _ANSWERS = b"want to proceed with this tool use", b'"answers"'
_HOLDS, _FEEDBACK = b'"holdsPersonsWords"', b'"userFeedback"'


_TYPE = b'"type":"'
# Twice what follows a message in its record.
_TAIL = 1_024
_ID = b'","uuid":'


def _make_finder(needle: bytes) -> Callable[[bytes], list[int]]:
    # One needle at a time: it takes a tenth of what a search for several takes, and of what that of bytes takes.
    search = BytesAhoCorasick([needle]).find_matches_as_indexes
    return lambda data: [start for _, start, _ in search(data)]


_find_users, _find_texts, _find_memory = map(_make_finder, (b'"user"', b'"text"', b"memory"))
# Lines with one of these need a closer look.
_finders = [_make_finder(needle) for needle in (b'"queue', b'"agent-setting"', _REFUSED, _ANSWERS, _HOLDS, _FEEDBACK)]


def classify_lines(data: bytes, ends: Sequence[int]) -> dict[int, str | None]:
    """Return which lines are of another kind than `OTHER`, by number; None if one may contain a person's words.

    `ends` are the ends of the lines; anything after the last one is ignored.
    """
    if len(data) > _HUGE:
        # Only a line can be so long.
        return {0: _search(data)}
    starts = [0, *ends]
    kinds = _judge_users(data, starts)
    for number in _number([place for find in _finders for place in find(data)], ends):
        kinds[number] = _search(data[starts[number] : ends[number]])
    for number in _number(_find_memory(data), ends) - kinds.keys():
        if _may_write(data, starts[number], ends[number]):
            kinds[number] = None
    # Anything but exactly one object needs a closer look.
    rows = enumerate(itertools.pairwise(starts))
    kinds.update((number, None) for number, (start, end) in rows if data[end - 2] != _CLOSES or data[start] != _OPENS)
    if not data.endswith(b"\n", 0, ends[-1]):
        kinds[len(ends) - 1] = None
    return kinds


def list_unknown(data: bytes, ends: Sequence[int], settled: Collection[int], known: Collection[bytes]) -> Iterator[int]:
    """Yield the lines, of those that are not settled, that may be of a type no known client writes.

    Client state begins with its type; in records of messages it follows the message, before the id of the record.
    """
    start = 0
    for number, end in enumerate(ends):
        if number not in settled:
            first = data.startswith(_TYPE, start + 1)
            at = start + 1 if first else data.rfind(_TYPE, max(start, end - _TAIL), end)
            stop = data.find(b'"', at + len(_TYPE), end) if at >= 0 else -1
            if stop >= 0 and data[at + len(_TYPE) : stop] not in known and (first or data.startswith(_ID, stop)):
                yield number
        start = end


def _number(places: Iterable[int], ends: Sequence[int]) -> set[int]:
    """Return the numbers of the lines in which the places are; one line may have any number of them."""
    return {bisect.bisect_right(ends, place) for place in places if place < ends[-1]}


def _judge_users(data: bytes, starts: Sequence[int]) -> dict[int, str | None]:
    """Return the kinds of the lines with records of the user."""
    kinds: dict[int, str | None] = {}
    users, texts = _find_users(data), _find_texts(data)
    at = 0
    while at < len(users):
        number = bisect.bisect_right(starts, users[at])
        if number == len(starts):
            break
        start, end = starts[number - 1], starts[number]
        after = bisect.bisect_left(users, end, at)
        if after - at == 2 and _is_result(data, start, end, users[at], texts):
            kinds[number - 1] = RESULT
        elif not _is_progress(data, start, end, users[at]):
            kinds[number - 1] = _search(data[start:end])
        at = after
    return kinds


def _is_result(data: bytes, start: int, end: int, user: int, texts: Sequence[int]) -> bool:
    """Tell whether a line contains results of tools and no other text."""
    if not data.startswith(_USER, user):
        return False
    block = data.find(b'"tool_result"', user, user + _BETWEEN)
    first = bisect.bisect_left(texts, start)
    last = bisect.bisect_left(texts, end, first)
    if data.startswith(_PLAIN, block):
        # The copy of a file that was read is called a text, too.
        copied = last == first + 1 and data.endswith(b'"toolUseResult":{"type":', block, texts[first])
        return copied or last == first
    # What follows the first part of a list belongs to its copy.
    return data.startswith(_LIST, block) and (
        last == first + 2 or data.find(b'"toolUseResult":', texts[first + 1], texts[first + 2]) >= 0
    )


def _is_progress(data: bytes, start: int, end: int, user: int) -> bool:
    """Tell whether a record with nested records names itself progress, both before and after them."""
    return (
        data.find(b'"type":"progress","data":{', start, min(user, start + _HEAD)) >= 0
        and data.find(b'"parentToolUseID":"', max(start, data.rfind(b"}", start, end - 2)), end) >= 0
    )


def _has_second(line: bytes) -> bool:
    """Tell whether a client wrote two records without a line feed between them."""
    # Inside a string the quotation mark would be escaped.
    return b'}{"' in line


def _search(line: bytes) -> str | None:
    """Return the kind of a record of any shape."""
    if _has_second(line):
        return None
    # Everything before the first nested object is about the record itself.
    inner = line.find(b"{", 1)
    if line.startswith(b'"message":', inner - 10):
        role = line.find(b'"role":"assistant"', inner, inner + _HEAD)
        if role >= 0 and line.find(b"{", inner + 1, role) < 0:
            return None if _may_write(line, 0, len(line)) else OTHER
    elif line.find(b'"type":"progress"', 0, inner) >= 0:
        return OTHER
    return _classify_result(line) if b'"user"' in line else _classify_other(line)


def _classify_result(line: bytes) -> str | None:
    block = line.find(b'"tool_result"')
    if block < 0 or _has_more(line, block):
        return None
    # The message ends before the copy of the result, which may contain any output.
    end = line.find(b'"toolUseResult"', block)
    if end < 0:
        end = line.find(b'"tool_use_result"', block)
    if end < 0:
        end = len(line)
    if line.find(b'"text"', 0, end) >= 0 or line.find(_REFUSED, 0, end) >= 0 or line.find(_ANSWERS, end) >= 0:
        return None
    if _HOLDS in line or _FEEDBACK in line:
        return None
    return RESULT


def _has_more(line: bytes, block: int) -> bool:
    """Tell whether there is something unexpected before the first result of a tool."""
    # A user's record has this word twice, as its type and as the role of its message.
    return (
        line.count(b'"user"', 0, block) > 2
        or line.find(b'"queue', 0, block) >= 0
        or line.find(b'"toolUseResult"', 0, block) >= 0
        or line.find(b'"tool_use_result"', 0, block) >= 0
    )


def _classify_other(line: bytes) -> str | None:
    if line.find(b'"queue') >= 0 or line.find(b'"agent-setting"', 0, _HEAD) >= 0 or _may_write(line, 0, len(line)):
        return None
    return OTHER


def _may_write(data: bytes, start: int, end: int) -> bool:
    """Tell whether there may be a call that writes memory."""
    found = data.find(b'"file_path"', start, end) >= 0 and data.find(b"memory", start, end) >= 0
    return found and any(data.find(name, start, end) >= 0 for name in _WRITERS)
