"""What a dream does to the pointers of an index, in one line for each kind of change."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.memory.apply_edits import split_lines
from memci.patterns import LazyPattern
from memci.report.check_result import amount

_POINTER = LazyPattern(r"\[[^\]\n]{0,400}\]\(([^()\s]{1,400})\)")
_Texts = Mapping[PurePosixPath, str]


class IndexChange(NamedTuple):
    """One kind of change, and the topics of the pointers."""

    what: str
    files: tuple[PurePosixPath, ...]


def is_pointer(statement: str) -> bool:
    """Tell whether a statement of an index begins with a link to a file."""
    return bool(_POINTER.match(statement))


def describe_index(index: PurePosixPath, before: _Texts, after: _Texts) -> Iterator[IndexChange]:
    """Yield what happens to pointers; those whose topic is new, changes or leaves are only counted."""
    old, new = (_read_pointers(index, texts.get(index, "")) for texts in (before, after))
    changed = [path for path in dict.fromkeys((*old, *new)) if old.get(path) != new.get(path)]
    following = {path for path in changed if before.get(path) != after.get(path)}
    kinds: dict[str, list[PurePosixPath]] = {}
    for path in changed:
        if path not in following:
            kinds.setdefault(_name_kind(path, old, new, after), []).append(path)
    yield from (IndexChange(what, tuple(paths)) for what, paths in kinds.items())
    if following:
        topics = "its topic" if len(following) == 1 else "their topics"
        yield IndexChange(f"{amount(len(following), 'pointer')} changed with {topics}", (index,))


def _read_pointers(index: PurePosixPath, text: str) -> dict[PurePosixPath, list[str]]:
    found: dict[PurePosixPath, list[str]] = {}
    for line in split_lines(text):
        if match := _POINTER.search(line):
            found.setdefault(index.parent / match[1], []).append(line.strip())
    return found


def _name_kind(
    path: PurePosixPath, old: Mapping[PurePosixPath, list[str]], new: Mapping[PurePosixPath, list[str]], after: _Texts
) -> str:
    if path not in old:
        return "missing pointer added"
    if path not in new:
        return "pointer taken out of the index" if path in after else "dead pointer removed"
    return "pointer reworded" if len(old[path]) == len(new[path]) else "double pointer removed"
