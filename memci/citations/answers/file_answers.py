"""Where a commit has a name, as a path or as a whole word of a line, and the lines of its files."""

import itertools
import posixpath
from collections.abc import Collection, Iterator, Sequence

from memci.citations.answers.asked_commit import (
    ABSENT,
    MAX_LINE,
    SECONDS,
    UNANSWERED,
    AskedCommit,
    clean_line,
    name_date,
    shorten,
    show_lines,
)
from memci.citations.code.code_files import is_evidence
from memci.citations.code.names_in_code import defines, only_borrows
from memci.git.commit_contents import FoundLine, grep_commit
from memci.git.history import CommitPaths, find_floor, iter_deletions
from memci.patterns import LazyPattern

_MAX_ROWS = 12
_MAX_CHARACTERS = 1_500
# For the last row, which counts the others.
_RESERVED = 60
_MAX_TRACKED = 4
# Lines that have a name only inside of another one, such as LUFS in TARGET_LUFS; shorter ones are everywhere.
_MAX_PARTS = 5
_MIN_PART = 4
# A name on more lines is a word.
_MAX_FOUND = 5_000
# How far back a deleted file is looked for. A limit in seconds would give other answers on other machines.
_MAX_COMMITS = 20_000
_ASSIGNED = LazyPattern(r"""["'`]?\]?\s{0,8}(?::(?!:)|=(?![=>]))""")


def answer_name(name: str, asked: AskedCommit) -> str:
    """Return where a name is; "" if it is nowhere."""
    tracked = _list_tracked(name, asked)
    found, heading = _search(name, asked, ignore_case=False), ""
    if not (tracked or found):
        found, heading = _search(name, asked, ignore_case=True), "only with other capital letters:"
    if not (tracked or found):
        return ""
    rows = [heading] if heading else []
    rows += tracked
    size = sum(map(len, rows)) + _RESERVED
    shown: set[FoundLine] = set()
    for line, row in _render(sorted(found, key=lambda line: _rank(line, name)), asked):
        size += len(row) + 1
        if len(rows) >= _MAX_ROWS or size > _MAX_CHARACTERS:
            break
        rows.append(row)
        shown.add(line)
    rest = [line for line in found if line not in shown]
    if rest:
        files = len({line.path for line in rest})
        many = "more than " if len(found) >= _MAX_FOUND else ""
        rows.append(f"and {many}{len(rest):,} more in {files:,} file{'s' * (files > 1)}")
    return "\n".join(rows)


def describe_absence(names: Collection[str], asked: AskedCommit) -> dict[str, str]:
    """Say that names are nowhere, and which commit deleted the file of that name, if one did lately."""
    paths = {name for name in names if "/" in name or "." in name}
    deleted = _find_deleted(paths, asked) if paths else {}
    answers = {}
    for name in names:
        told = f"{ABSENT} at {asked.short}"
        if name in deleted:
            path, commit = deleted[name]
            told += f"; {clean_line(path)} was deleted in {shorten(commit.commit)} on {name_date(commit.time)}"
        inside = _search(name, asked, ignore_case=True, whole=False) if len(name) >= _MIN_PART else []
        rows = [row for _, row in itertools.islice(_render(inside, asked), _MAX_PARTS)]
        answers[name] = "\n".join((told + asked.gap, *(["as a part of other words:", *rows] if rows else [])))
    return answers


def _list_tracked(name: str, asked: AskedCommit) -> list[str]:
    wanted = name.removeprefix("./").rstrip("/")
    found = [path for path in asked.paths if path == wanted or path.endswith(f"/{wanted}")]
    found = found or [path for path in asked.paths if posixpath.splitext(posixpath.basename(path))[0] == wanted]
    rows = [f"tracked: {clean_line(path)}" for path in found[:_MAX_TRACKED]]
    if len(found) > _MAX_TRACKED:
        rows.append(f"and {len(found) - _MAX_TRACKED} more paths")
    # A word alone is too often the name of some directory.
    inside = [path for path in asked.paths if path.startswith(f"{wanted}/")] if "/" in name else []
    if inside:
        rows.append(f"tracked: {clean_line(posixpath.dirname(f'{wanted}/'))}/ ({len(inside)} files)")
    return rows


def _search(name: str, asked: AskedCommit, *, ignore_case: bool, whole: bool = True) -> list[FoundLine]:
    lines = grep_commit(asked.repository, asked.commit, name, SECONDS, ignore_case=ignore_case, whole=whole)
    # Generated lines have megabytes.
    short = (line._replace(text=line.text[: MAX_LINE + 1]) for line in lines if asked.shows(line.path))
    return list(itertools.islice(short, _MAX_FOUND))


def _rank(line: FoundLine, name: str) -> tuple[bool, bool, int]:
    """Sort definitions and settings before uses, code before prose, and generated lines last."""
    code = is_evidence(line.path)
    return len(line.text) > MAX_LINE, not code, _rank_use(line.text, name) if code else 0


def _rank_use(text: str, name: str) -> int:
    """Return 0 for a line that defines a name, 1 if it gives it a value, as a setting does, and 2 for other uses."""
    data = text.encode("utf-8", "replace")
    if name.startswith("-"):
        return 2 * only_borrows(data, name)
    assigned = _ASSIGNED.match(text.partition(name)[2]) is not None
    return 0 if defines(data, name) else 2 - assigned


def _render(found: Sequence[FoundLine], asked: AskedCommit) -> Iterator[tuple[FoundLine, str]]:
    for line in found:
        lines = asked.read_lines(line.path)
        if not isinstance(lines, str) and line.line <= len(lines):
            text = show_lines(lines, line.line, line.line)[0].strip()
            yield line, f"{clean_line(line.path)}:{line.line}: {text}"


def _find_deleted(names: Collection[str], asked: AskedCommit) -> dict[str, tuple[str, CommitPaths]]:
    """Return the newest commit that deleted a file of each name, and the path of that file."""
    floor = find_floor(asked.repository, asked.commit, _MAX_COMMITS)
    ends = {f"/{name.removeprefix('./').rstrip('/')}": name for name in names}
    found: dict[str, tuple[str, CommitPaths]] = {}
    for commit in iter_deletions(asked.repository, asked.commit, floor, SECONDS):
        for path in filter(asked.shows, commit.paths):
            for end, name in ends.items():
                if name not in found and f"/{path}".endswith(end):
                    found[name] = (path, commit)
        if len(found) == len(names):
            break
    return found


_MAX_LINES = 60
_MAX_SHOWN = 3_000
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
        if size > _MAX_SHOWN:
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
