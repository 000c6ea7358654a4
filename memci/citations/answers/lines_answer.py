"""The lines of a file of a commit, with their numbers."""

import posixpath

from memci.citations.answers.asked_commit import UNANSWERED, AskedCommit
from memci.citations.answers.shown_text import clean_line, show_lines

_MAX_LINES = 60
_MAX_CHARACTERS = 3_000
_MAX_OTHERS = 3
# The directory of the repository itself.
ROOT = "."
# Of a directory.
_MAX_NAMES = 60


def answer_lines(path: str, first: int, last: int, asked: AskedCommit) -> str:
    """Return lines of a file: first a line with its path, then `12: text`."""
    if path not in asked.tree.entries:
        return _describe_missing(path, asked)
    lines = asked.read_lines(path)
    if isinstance(lines, str):
        return f"{UNANSWERED}{lines}"
    total = f"{len(lines):,} line{'s' * (len(lines) != 1)}"
    last = min(last, first + _MAX_LINES - 1, len(lines))
    rows = [f"{clean_line(path)} at {asked.short} ({total}):"]
    size = len(rows[0])
    for number, text in enumerate(show_lines(lines, first, last) if first <= last else [], first):
        row = f"{number}: {text}"
        size += len(row) + 1
        if size > _MAX_CHARACTERS:
            break
        rows.append(row)
    return "\n".join(rows)


def _describe_missing(path: str, asked: AskedCommit) -> str:
    """Name files that are called alike; the path that was asked for is not repeated, because nothing confirms it."""
    folder = "" if path == ROOT else f"{path}/"
    inside = [each.removeprefix(folder) for each in asked.paths if each.startswith(folder)]
    if inside:
        names = dict.fromkeys(clean_line(each.partition("/")[0] + "/" * ("/" in each)) for each in inside)
        more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        return f"{clean_line(path)} is a directory at {asked.short} with: {', '.join(list(names)[:_MAX_NAMES])}{more}"
    name = posixpath.basename(path)
    others = [clean_line(each) for each in asked.paths if posixpath.basename(each) == name]
    alike = f"; tracked: {', '.join(others[:_MAX_OTHERS])}" if others else ""
    return f"no such file at {asked.short}{alike}"
