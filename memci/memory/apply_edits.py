"""Applies edits to texts."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from memci.model.finding import Edit


class EditError(ValueError):
    """An edit that does not match its text."""


def apply_edits(texts: Mapping[PurePosixPath, str], edits: Iterable[Edit]) -> dict[PurePosixPath, str]:
    """Return the changed texts; a new path is created. Edits refer to lines of the old text."""
    by_path: dict[PurePosixPath, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    return {path: _apply(texts.get(path, ""), group) for path, group in by_path.items()}


def _apply(text: str, edits: list[Edit]) -> str:
    lines = split_lines(text)
    end = len(lines) + 1
    added = "".join(edit.new for edit in edits if edit.line == end and not edit.old)
    edits = [edit for edit in edits if edit.line != end or edit.old]
    # From the last line to the first, so that the line numbers of other edits stay valid; what replaces a
    # line goes before what is inserted there, and insertions at one line keep their order.
    for _, edit in sorted(enumerate(edits), key=lambda pair: (-pair[1].line, not pair[1].old, -pair[0])):
        touched = lines_of(edit)
        if not 1 <= edit.line < end or "".join(lines[touched.start - 1 : touched.stop - 1]) != edit.old:
            raise EditError(f"{edit.path}:{edit.line} is not what the edit expects")
        lines[touched.start - 1 : touched.stop - 1] = [edit.new]
    rest = "".join(lines)
    return f"{rest}\n{added}" if added and rest and not rest.endswith("\n") else rest + added


def merge_edits(edits: Iterable[Edit]) -> list[Edit]:
    """Merge edits that change different parts of one line; of two that change the same part, keep the first."""
    by_line: dict[tuple[PurePosixPath, int, str], list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        by_line.setdefault((edit.path, edit.line, edit.old), []).append(edit)
    merged: list[Edit] = []
    for (path, line, old), group in by_line.items():
        if not old or len(group) == 1:
            merged += group
            continue
        new = old
        end = len(old) + 1
        for start, stop, part in sorted((_changed_part(edit) for edit in group), reverse=True):
            if stop <= end:
                new = new[:start] + part + new[stop:]
                end = start
        merged.append(Edit(path, line, old, new))
    return merged


def _changed_part(edit: Edit) -> tuple[int, int, str]:
    """Return which part of the old text changes, and what it becomes."""
    limit = min(len(edit.old), len(edit.new))
    start = next((place for place in range(limit) if edit.old[place] != edit.new[place]), limit)
    rest = limit - start
    tail = next((place for place in range(rest) if edit.old[-1 - place] != edit.new[-1 - place]), rest)
    return start, len(edit.old) - tail, edit.new[start : len(edit.new) - tail]


def split_lines(text: str) -> list[str]:
    """Split into lines with their ends; only `\\n` ends a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def lines_of(edit: Edit) -> range:
    """Return the lines of the old text that an edit replaces; an insertion replaces none."""
    return range(edit.line, edit.line + len(split_lines(edit.old)))
