"""Cited lines: whether they are where they were when they were cited."""

import enum
import functools
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memci.citations.code.code_files import MAX_BYTES, iter_worktree
from memci.citations.extract.known_names import KEYWORDS
from memci.model.citation import Claim, Reason, Verdict, VerdictKind
from memci.model.memory import Unreadable

if TYPE_CHECKING:
    from memci.citations.history.outcome import Past

# People cite a function or a block by where it begins; deeper inside, a name is only used.
_MAX_OPENING = 2
# So many words in common, and the sentence is about these lines: if it names nothing, and if it names other things.
_MANY_WORDS = 3
_MORE_WORDS = 4
# Among more equal blocks than this the intended one is unknown; the limit also bounds the search.
_MAX_EQUAL = 50
_COMMON_WORDS = (
    "the and that this with from into when then than they them there here have has had not are was were will would"
    " should must can may only also but its which what where each every more most line lines file files code see note"
    " used uses using called calls call defined defines set sets get gets for all any"
)


class Backing(enum.Enum):
    """How far the words of a memory show that the lines it cites are the ones it means."""

    # It names something that they do not have, or has no word in common with them.
    AGAINST = enum.auto()
    OPEN = enum.auto()
    PROVEN = enum.auto()


def judge_lines(claim: Claim, path: str, root: Path, past: "Past | None", named: Collection[str]) -> Verdict:
    """Judge `path:12-30` in a file that is there; `named` are the symbols that the memory names beside it."""
    ((_, data),) = iter_worktree(root, [path], MAX_BYTES)
    if isinstance(data, Unreadable):
        return Verdict(claim, VerdictKind.VERIFIED, target=path)
    now = data.decode("utf-8", "replace")
    first, last = claim.lines
    count = now.count("\n") + (not now.endswith("\n") and now != "")
    before = past.texts.get(claim) if past else None
    if past and before is not None:
        moved = find_moved(before, now, first, last)
        backing = weigh(past.then.surrounding_text(claim), named, before.split("\n")[first - 1 : last])
        if moved and backing is not Backing.AGAINST:
            target = f"{claim.text}:{write_range(*moved)}"
            proven = backing is Backing.PROVEN
            # "in `a.py`, line 12" may speak of another file: where nothing else backed it, that was often so. Who edits
            # a file and notes a line of it in one commit means the file before as a rule: 0 of 11 were right.
            sure = (proven or past.then.is_joined(claim)) and not past.then.was_edited(claim, path)
            kind = VerdictKind.MOVED if sure else VerdictKind.UNVERIFIABLE
            return Verdict(claim, kind, Reason.LINES_MOVED, target, past.name_writer(claim), path, proven=proven)
    # A file that was not there then is not the one that was meant; nor is one that was too short then, unless the lines
    # are written behind its path.
    written = "/" in claim.text and past is not None and past.then.is_joined(claim)
    meant = before is not None and (written or last <= before.count("\n") + 1)
    # As long as the beginning is left, what is cited may well be all there.
    if first > count and (meant or past is None or past.then.writer(claim) is None):
        lines = f"{path} has {count} lines"
        return Verdict(claim, VerdictKind.MISSING, Reason.SHORTER, held_at=lines)
    return Verdict(claim, VerdictKind.VERIFIED, target=path)


def weigh(said: str, named: Collection[str], lines: Sequence[str]) -> Backing:
    """Compare the text around a citation, and the names in it, with the lines as they were at that time.

    Line numbers are often off from the start. Moving such a citation along would only dress up the mistake.
    """
    opening = "\n".join([line for line in lines if line.strip()][:_MAX_OPENING])
    if not re.search(r"[^\W\d_]{3}", opening):
        return Backing.AGAINST
    names = {*named, *_list_names(said)}
    if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", opening) for name in names):
        return Backing.PROVEN
    shared = len(set(_split_words(said)) & set(_split_words(opening)))
    if shared >= (_MORE_WORDS if names else _MANY_WORDS):
        return Backing.PROVEN
    return Backing.AGAINST if names or not shared else Backing.OPEN


def _list_names(said: str) -> Iterator[str]:
    """Yield what a sentence names: code spans of one plain word, and every word that only code has."""
    for word in re.findall(r"`([^\W\d]\w{3,200})(?:\(\))?`", said):
        if word.lower() not in KEYWORDS:
            yield word
    for word in re.findall(r"(?<![\w-])[A-Za-z_]\w{3,}(?![\w-])", said):
        if "_" in word.strip("_") or re.search("[a-z][A-Z]", word):
            yield word


def _split_words(text: str) -> Iterator[str]:
    """Yield the significant words of a text, including those inside names, without their suffixes."""
    for word in re.findall(r"[A-Z]?[^\W\d_A-Z]{3,}|[A-Z]{4,}", text):
        if word.lower() not in _common_words():
            yield re.sub("(?:ing|ers?|ed|es|e|s)$", "", word.lower())


@functools.cache
def _common_words() -> frozenset[str]:
    return KEYWORDS.union(_COMMON_WORDS.split())


def write_range(first: int, last: int) -> str:
    """Write lines as people cite them: `12` or `12-30`."""
    return str(first) if first == last else f"{first}-{last}"


def find_moved(old: str, new: str, first: int, last: int) -> tuple[int, int] | None:
    """Return where the lines `first` to `last` of an old text are now, exactly or but for white space.

    None if they are in their place, changed, or if it is not clear which of several equal blocks they are.
    """
    before, after = _split(old), _split(new)
    if not 1 <= first <= last <= len(before):
        return None
    for form in (str, _squeeze):
        then, now = [form(line) for line in before], [form(line) for line in after]
        block = then[first - 1 : last]
        if now[first - 1 : last] == block or not any(map(str.strip, block)):
            return None
        starts = _find_starts(now, block)
        # Equal blocks keep their order: the second of three then is the second of three now.
        origins = _find_starts(then, block) if len(starts) > 1 else [first]
        if starts and len(starts) == len(origins) <= _MAX_EQUAL:
            start = starts[origins.index(first)]
            return (start, start + last - first) if start != first else None
    return None


def _split(text: str) -> list[str]:
    """Return the lines of a text; the end of the last one starts no further line."""
    return text.removesuffix("\n").split("\n") if text else []


def _squeeze(line: str) -> str:
    return " ".join(line.split())


def _find_starts(lines: Sequence[str], block: Sequence[str]) -> list[int]:
    """Return the line numbers at which the block begins, at most one more than `_MAX_EQUAL`."""
    # As one string, because searching that is linear however often the lines repeat.
    text, wanted = "\n".join(("", *lines, "")), "\n".join(("", *block, ""))
    starts: list[int] = []
    line, counted = 1, 0
    place = text.find(wanted)
    while place >= 0 and len(starts) <= _MAX_EQUAL:
        line += text.count("\n", counted, place)
        counted = place
        starts.append(line)
        place = text.find(wanted, place + 1)
    return starts
