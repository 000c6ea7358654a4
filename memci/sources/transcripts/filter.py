"""Tells lines that may hold words of a person from the others, without decoding them.

Text that people typed is a four-hundredth of a transcript. Keys and the values looked for are plain ASCII in what
every writer seen writes, and a quotation mark inside a string is always escaped, so that a needle with quotation
marks only ever finds structure. A line is left out only if no order of its keys could hide a person's words in it.
"""

# Where a message says whose it is; real ones have half of this before.
_HEAD = 512
# Where a second record shows that a client wrote behind the first without a line feed: what people type meanwhile is
# shorter.
_EDGE = 4_096
_COLON = ord(":")
_WRITERS = (b'"Write"', b'"Edit"', b'"MultiEdit"')


def find_kind(line: bytes) -> str | None:
    """Return what kind of record a line holds if no person speaks in it, or None if it must be decoded."""
    size = len(line)
    # Inside a string the quotation mark would be escaped.
    if line.find(b'}{"', size - _EDGE if size > _EDGE else 1) >= 0:
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
    return line.find(b'"file_path"') >= 0 and b"memory" in line and any(name in line for name in _WRITERS)
