"""Computes how much of a MEMORY.md the client loads: the exact cut, and the warning it shows."""

from typing import NamedTuple

# The client loads this much and drops the rest. Its "bytes" are UTF-16 code units.
MAX_LINES = 200
MAX_UNITS = 25_000
# From here on the client asks after every write to make the index smaller.
NAG_LINES = 160
NAG_UNITS = 20_000
# Recall shows this much of a topic, and looks for its frontmatter in so many lines.
MAX_TOPIC_LINES = 200
MAX_TOPIC_SHOWN = 4_096
MAX_HEAD_LINES = 30

# What JavaScript's `trim` removes: white space and line ends of ECMAScript, the byte order mark included.
_TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


class Loaded(NamedTuple):
    """The part of a MEMORY.md that the client loads."""

    text: str
    # "" if everything is loaded; otherwise the reason, in the client's words.
    reason: str
    # The first line of the file that is not fully loaded; 0 if everything is.
    lost_from: int


def cut(text: str) -> Loaded:
    """Return the part of a MEMORY.md that the client would load."""
    trimmed = text.strip(_TRIMMED)
    lines = trimmed.split("\n")
    units = count_units(trimmed)
    if len(lines) <= MAX_LINES and units <= MAX_UNITS:
        return Loaded(trimmed, "", 0)
    kept = _cut_units("\n".join(lines[:MAX_LINES]))
    before = text[: len(text) - len(text.lstrip(_TRIMMED))].count("\n")
    return Loaded(kept, _reason(len(lines), units), before + _first_lost(lines, kept))


def is_crowded(text: str) -> bool:
    """Whether an index is so large that the client asks to make it smaller."""
    trimmed = text.strip(_TRIMMED)
    return trimmed.count("\n") + 1 >= NAG_LINES or count_units(trimmed) > NAG_UNITS


def count_units(text: str) -> int:
    """Count UTF-16 code units, as JavaScript's `length` does."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut_units(text: str) -> str:
    """Cut at the last line end at or before the limit, or hard if there is none."""
    if count_units(text) <= MAX_UNITS:
        return text
    encoded = text.encode("utf-16-le", "surrogatepass")
    # The line end itself may be at index 25,000.
    head = encoded[: 2 * (MAX_UNITS + 1)].decode("utf-16-le", "ignore")
    end = head.rfind("\n")
    if end > 0:
        return head[:end]
    return encoded[: 2 * MAX_UNITS].decode("utf-16-le", "replace")


def _first_lost(lines: list[str], kept: str) -> int:
    whole = kept.split("\n")
    complete = len(whole) if whole[-1] == lines[len(whole) - 1] else len(whole) - 1
    return complete + 1


def _reason(lines: int, units: int) -> str:
    size = f"{units / 1024:.1f}".removesuffix(".0") + "KB"
    if units <= MAX_UNITS:
        return f"{lines} lines (limit: {MAX_LINES})"
    if lines <= MAX_LINES:
        return f"{size} (limit: 24.4KB) — index entries are too long"
    return f"{lines} lines and {size}"
