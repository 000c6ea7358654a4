"""The log of a path, and what one commit changed."""

from collections.abc import Collection, Iterable, Iterator

from memci.citations.answers.asked_commit import (
    SECONDS,
    UNANSWERED,
    AskedCommit,
    clean_line,
    name_date,
    refuse,
    shorten,
    show_lines,
)
from memci.errors import ServiceError
from memci.git.commit_contents import LoggedCommit, PatchLine, iter_patch, match_ancestors, read_log
from memci.git.history import read_shallow_ends

# Between what git knows of a commit and what its author wrote about it.
DASH = " — "
_MAX_COMMITS = 12
_MAX_PATHS = 20
_MAX_LINES = 40
_MAX_CHARACTERS = 3_000
# Lines of one file that are read: more than are shown, because a secret may have many.
_MAX_READ = 200
_MAX_AUTHOR = 60
_MAX_SUBJECT = 150


def answer_log(path: str, asked: AskedCommit) -> str:
    """Return the newest commits of a path, one a line; a file is followed through its renames."""
    follow = path in asked.tree.entries
    commits = read_log(asked.repository, asked.commit, path, _MAX_COMMITS, SECONDS, follow=follow)
    rows = [_describe(commit) for commit in commits] or [f"no commit of this path up to {asked.short}"]
    return "\n".join(rows) + asked.gap


def answer_commits(ids: Collection[str], asked: AskedCommit) -> Iterator[tuple[str, str]]:
    """Yield what each commit changed; only the asked commit and its ancestors count."""
    for given, commits in match_ancestors(asked.repository, asked.commit, ids, SECONDS).items():
        if not commits:
            yield given, f"no such commit up to {asked.short}{asked.gap}"
        elif len(commits) > 1:
            yield given, f"{UNANSWERED}{len(commits)} commits begin so"
        else:
            yield given, _answer_commit(commits[0], asked)


def _answer_commit(commit: str, asked: AskedCommit) -> str:
    try:
        return _describe_change(commit, asked)
    except ServiceError as error:
        return refuse(error)


def _describe_change(commit: str, asked: AskedCommit) -> str:
    rows = [_describe(one) for one in read_log(asked.repository, commit, "", 1, SECONDS)]
    if asked.repository.shallow and commit in read_shallow_ends(asked.repository):
        return "\n".join(rows) + asked.gap
    files = _group(iter_patch(asked.repository, commit, SECONDS))
    shown = {file: lines for file, lines in files.items() if asked.shows(file.old) and asked.shows(file.new)}
    rows += [_name_paths(file) for file in list(shown)[:_MAX_PATHS]]
    if len(shown) > _MAX_PATHS:
        rows.append(f"and {len(shown) - _MAX_PATHS:,} more files")
    if len(shown) < len(files):
        rows.append(f"not shown: {len(files) - len(shown):,} memory or private files")
    return "\n".join([*rows, *_list_hunks(shown)])


def _describe(commit: LoggedCommit) -> str:
    author = clean_line(commit.author, _MAX_AUTHOR).replace(DASH, " ")
    subject = clean_line(commit.subject, _MAX_SUBJECT)
    return f"{shorten(commit.commit)} {name_date(commit.time)} {author}{DASH}{subject}"


def _group(patch: Iterable[PatchLine]) -> dict[PatchLine, list[str]]:
    files: dict[PatchLine, list[str]] = {}
    for line in patch:
        lines = files.setdefault(line.file, [])
        if line.text and len(lines) < _MAX_READ:
            lines.append(line.text)
    return files


def _name_paths(file: PatchLine) -> str:
    old = f"{clean_line(file.old)} -> " if file.status == "R" else ""
    return f"{file.status} {old}{clean_line(file.new)}"


def _list_hunks(files: dict[PatchLine, list[str]]) -> Iterator[str]:
    left, size = _MAX_LINES, 0
    for file, lines in files.items():
        rows = clean_changes(lines)[: max(0, left - 1)]
        if not rows:
            continue
        for row in (f"{clean_line(file.new)}:", *rows):
            size += len(row) + 1
            if size > _MAX_CHARACTERS:
                return
            yield row
            left -= 1


def clean_changes(lines: list[str]) -> list[str]:
    """Return lines of a patch as they may be shown; secrets are recognised without the signs before them."""
    plain = show_lines([line[1:] for line in lines], 1, len(lines))
    return [line[0] + text for line, text in zip(lines, plain, strict=True)]
