"""Tells lines that may hold words of a person from the others, without decoding them.

Text that people typed is a four-hundredth of a transcript. Keys and the values looked for are plain ASCII in what
every writer seen writes, and a quotation mark inside a string is always escaped, so that a needle with quotation
marks only ever finds structure. A line is left out only if no order of its keys could hide a person's words in it.

Nearly all lines have one of three shapes, and every record and every block has a type: where no further type follows,
nothing else can. One search shows that; for all other lines there are several.
"""

from ahocorasick_rs import BytesAhoCorasick

from memci.text.records import KINDS

# Where a message says whose it is; real ones have half of this before.
_HEAD = 512
# The kinds that are told apart here.
FILTERED = ("model", "progress", "tool result", "model or client")
# Where one of these is the only type on a line, all is said: a person may speak in the first, and nobody in the others
# but those that are of interest for what they say about the session.
_PEOPLE = {b"user", b"queue-operation", b"attachment"}
_NOBODY = {kind.encode() for kind in KINDS} - _PEOPLE - {b"assistant", b"agent-setting"}
_COLON = ord(":")
# For longer lines `find_long_kind` is faster.
LONG = 2_048
_TYPE = b'"type":"'
_MAX_TYPES = 4
_find_types = BytesAhoCorasick([_TYPE]).find_matches_as_indexes
# It finds all there are, and a longer line could be full of them.
_HUGE = 1 << 20
_WRITERS = (b'"Write"', b'"Edit"', b'"MultiEdit"')
# A person's words stand only in results that begin like this; a letter can also be written as its number.
_CLIENT = {b"The user", b"User has", b"Your que"}


def find_kind(line: bytes) -> str | None:
    """Return what kind of record a line holds if no person speaks in it, or None if it must be decoded."""
    # One call finds all types; a call takes longer than a search through a line of usual length.
    parts = line.split(_TYPE, _MAX_TYPES) if not LONG <= len(line) < _HUGE else _split(line)
    count = len(parts)
    if count > 2:
        second = parts[1]
        if second == b'message","role":"assistant","content":[{':
            last = parts[-1]
            # The type of the record stands behind the message: only the record itself is closed behind it.
            if last[:10] == b'assistant"' and b"}" not in last[:-2] and _is_one_block(parts, count):
                return "model"
        elif second[:18] == b'progress","data":{':
            if (count == 3 and len(second) == 18) or _ends_as_progress(line):
                return "progress"
        elif second[:43] == b'user","message":{"role":"user","content":[{' and _is_one_result(line, parts, count):
            return "tool result"
    elif count == 2:
        kind = parts[1].partition(b'"')[0]
        if kind in _NOBODY:
            return "model or client"
        if kind in _PEOPLE:
            return None
    return _search(line)


def find_long_kind(line: bytes) -> str | None:
    """Return the same for a long line, of which progress need not be searched to its end."""
    at = line.find(_TYPE, 0, _HEAD)
    if line[at + 8 : at + 26] == b'progress","data":{' and _ends_as_progress(line):
        return "progress"
    return find_kind(line)


def _split(line: bytes) -> list[bytes]:
    """Split a line as `bytes.split` does, which takes up to five times as long for long lines."""
    parts = []
    at = 0
    for _, start, end in _find_types(line)[:_MAX_TYPES]:
        parts.append(line[at:start])
        at = end
    parts.append(line[at:])
    return parts


def _is_one_block(parts: list[bytes], count: int) -> bool:
    """Whether the model says or does one thing, which is not to write memory."""
    block = parts[2]
    if block[:8] != b"tool_use":
        return count == 4
    # How a tool was called has a type, too.
    return (count == 4 or (count == 5 and block[-10:] == b'"caller":{')) and not _may_write(block)


def _ends_as_progress(line: bytes) -> bool:
    """Whether the last record on a line, which may hold records of others, says itself that it is progress."""
    return b'"parentToolUseID":"' in line[line.rfind(b"}", 0, -2) :]


def _is_one_result(line: bytes, parts: list[bytes], count: int) -> bool:
    """Whether there is one result of a tool, in which no person speaks, and no other block."""
    result = parts[2]
    if b"{" in parts[1][43:]:
        return False
    if result == b'tool_result","content":[{':
        # What the client says itself is no list; whatever follows the first part of it belongs to its copy.
        return count > 3 and b'"toolUseResult":' in parts[3] and not _has_second(line)
    start = result[24:32]
    return (
        # The copy of a file that was read has a type, too.
        (count == 3 or (count == 4 and result[-17:] == b'"toolUseResult":{'))
        and result[:24] == b'tool_result","content":"'
        and start not in _CLIENT
        and b"\\u" not in start
    )


def _has_second(line: bytes) -> bool:
    """Whether a client wrote a record behind another without a line feed."""
    # Inside a string the quotation mark would be escaped.
    return b'}{"' in line


def _search(line: bytes) -> str | None:
    """Return the kind of a record of any shape."""
    if _has_second(line):
        return None
    # Before the first object inside, all is said by the record about itself.
    inner = line.find(b"{", 1)
    if line.startswith(b'"message":', inner - 10):
        role = line.find(b'"role":"assistant"', inner, inner + _HEAD)
        if role >= 0 and line.find(b"{", inner + 1, role) < 0:
            return None if _may_write(line) else "model"
    elif line.find(b'"type":"progress"', 0, inner) >= 0:
        return "progress"
    first = line.find(b'"user"')
    return _find_other(line) if first < 0 else _find_result(line, first)


def _find_result(line: bytes, first: int) -> str | None:
    block = line.find(b'"tool_result"')
    if block < 0 or _has_more(line, block):
        return None
    # The message ends before the copy of the result, which may hold anything that a tool gives back.
    end = line.find(b'"toolUseResult"', block)
    if end < 0:
        end = line.find(b'"tool_use_result"', block)
    if end < 0:
        end = len(line)
    text = b'"type":"text"' if line[first - 1] == _COLON else b'"text"'
    if (
        line.find(text, 0, end) >= 0
        or line.find(b"want to proceed with this tool use", 0, end) >= 0
        or line.find(b'"answers"', end) >= 0
    ):
        return None
    return "tool result"


def _has_more(line: bytes, block: int) -> bool:
    """Whether something stands before the first result of a tool that does not belong there."""
    # A user's record has this word twice, as its type and as the role of its message.
    return (
        line.count(b'"user"', 0, block) > 2
        or line.find(b'"queue', 0, block) >= 0
        or line.find(b'"toolUseResult"', 0, block) >= 0
        or line.find(b'"tool_use_result"', 0, block) >= 0
    )


def _find_other(line: bytes) -> str | None:
    if line.find(b'"queue') >= 0 or line.find(b'"agent-setting"', 0, _HEAD) >= 0 or _may_write(line):
        return None
    return "model or client"


def _may_write(line: bytes) -> bool:
    """Whether a line may hold a call that writes memory."""
    return b'"file_path"' in line and b"memory" in line and any(name in line for name in _WRITERS)
