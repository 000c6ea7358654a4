"""Questions about the repository that a model may ask; one commit answers them, always with the same words."""

import enum
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from memci.citations.answers.asked_commit import UNANSWERED, AskedCommit, clean_line, refuse
from memci.citations.answers.commit_answers import DASH, answer_commits, answer_log
from memci.citations.answers.file_answers import ROOT, answer_lines, answer_name, describe_absence
from memci.errors import ServiceError
from memci.git.file_tree import read_commit
from memci.git.repository import Repository
from memci.patterns import LazyPattern
from memci.redaction.hidden import strip_hidden
from memci.redaction.secrets import redact

_MAX_NAME = 120
_MAX_PATH = 300
_MAX_SOURCE = 350
# About 2,000 tokens; six look-ups for files that do not exist cost more.
_MAX_FILES = 200
_MAX_DEPTH = 6
_RANGE = LazyPattern(r"([1-9][0-9]{0,6})-([1-9][0-9]{0,6})")
_ID = LazyPattern(r"[0-9a-f]{4,64}")
# What code adds to the rows of a file: `path:12: ` and `12: `.
_NAME_ROW = LazyPattern(r"(?m)^(.+?):[0-9]+: ")
_LINE_ROW = LazyPattern(r"(?m)^[0-9]+: ")
_COUNTED = LazyPattern(r"(?m)(?:^(?:and [^\n]* more |not shown: )[^\n]*$| \([0-9,]+ (?:lines?|files)\)(?=:?$))")


class LookupKind(enum.StrEnum):
    """What is asked: where a name is, lines of a file, the log of a path, or what a commit changed."""

    NAME = "name"
    LINES = "lines"
    LOG = "log"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True)
class Lookup:
    """One question; `first` and `last` are the lines that are asked for, 0 for other kinds."""

    kind: LookupKind
    subject: str
    first: int = 0
    last: int = 0

    @property
    def source(self) -> str:
        """The question as evidence cites it, such as `lines:src/app.py:1-40`."""
        lines = f":{self.first}-{self.last}" if self.kind is LookupKind.LINES else ""
        return f"{self.kind.value}:{self.subject}{lines}"


def parse_lookup(source: str) -> Lookup | None:
    """Return the question that a source writes; None if it is none, or no reasonable one."""
    if len(source) > _MAX_SOURCE or not source.isprintable() or strip_hidden(source) != source:
        return None
    name, _, subject = source.partition(":")
    kind = next((kind for kind in LookupKind if kind.value == name), None)
    if kind is None:
        return None
    first = last = 0
    if kind is LookupKind.LINES:
        subject, _, span = subject.rpartition(":")
        found = _RANGE.fullmatch(span)
        if found is None or int(found[1]) > int(found[2]):
            return None
        first, last = int(found[1]), int(found[2])
    # Where a secret is must not be asked: the question itself is shown to people.
    return Lookup(kind, subject, first, last) if _is_askable(kind, subject) and redact(subject) == subject else None


def _is_askable(kind: LookupKind, subject: str) -> bool:
    if subject != subject.strip():
        return False
    match kind:
        case LookupKind.NAME:
            return 2 <= len(subject) <= _MAX_NAME and any(character.isalnum() for character in subject)
        case LookupKind.LINES | LookupKind.LOG:
            parts = subject.lower().split("/")
            return subject == ROOT or (len(subject) <= _MAX_PATH and {"", ".", "..", ".git"}.isdisjoint(parts))
        case LookupKind.COMMIT:
            return _ID.fullmatch(subject) is not None


def answer_lookups(
    lookups: Sequence[Lookup], repository: Repository, commit: str, hidden: Collection[str]
) -> dict[str, str]:
    """Return what a commit answers, by source; `hidden` paths (see `list_hidden`) are neither searched nor shown."""
    answers = dict.fromkeys((lookup.source for lookup in lookups), f"{UNANSWERED}this cannot be asked")
    good = {lookup.source: lookup for lookup in lookups if parse_lookup(lookup.source) == lookup}
    if not good:
        return answers
    asked = AskedCommit(repository, commit, read_commit(repository, commit), hidden)
    for source, lookup in good.items():
        if lookup.kind is not LookupKind.COMMIT:
            answers[source] = _answer(lookup, asked)
    answers |= _answer_absent([lookup for source, lookup in good.items() if not answers[source]], asked)
    return answers | _answer_commits([one for one in good.values() if one.kind is LookupKind.COMMIT], asked)


def list_files(repository: Repository, commit: str, hidden: Collection[str]) -> tuple[str, ...]:
    """Return the files of a commit that may be shown; of many, the directories with how many each has."""
    paths = AskedCommit(repository, commit, read_commit(repository, commit), hidden).paths
    depth = 0 if len(paths) <= _MAX_FILES else _MAX_DEPTH
    while depth and len({_cut(path, depth) for path in paths}) > _MAX_FILES:
        depth -= 1
    counts = Counter(_cut(path, depth) for path in paths) if depth else Counter(paths)
    return tuple(
        clean_line(f"{name} ({count} files)" if name.endswith("/") else name)
        for name, count in list(counts.items())[:_MAX_FILES]
    )


def _cut(path: str, depth: int) -> str:
    parts = path.split("/")
    return path if len(parts) <= depth else "/".join(parts[:depth]) + "/"


def _answer(lookup: Lookup, asked: AskedCommit) -> str:
    path = lookup.subject
    if lookup.kind is not LookupKind.NAME and not asked.shows(path):
        return f"{UNANSWERED}memory, transcripts and private files are not shown"
    try:
        match lookup.kind:
            case LookupKind.NAME:
                return answer_name(lookup.subject, asked)
            case LookupKind.LINES:
                return answer_lines(path, lookup.first, lookup.last, asked)
            case _:
                return answer_log(path, asked)
    except ServiceError as error:
        return refuse(error)


def _answer_absent(lookups: Sequence[Lookup], asked: AskedCommit) -> Mapping[str, str]:
    """Answer all names that are nowhere together: git's past is read once."""
    if not lookups:
        return {}
    try:
        absent = describe_absence([lookup.subject for lookup in lookups], asked)
    except ServiceError as error:
        return {lookup.source: refuse(error) for lookup in lookups}
    return {lookup.source: absent[lookup.subject] for lookup in lookups}


def _answer_commits(lookups: Sequence[Lookup], asked: AskedCommit) -> dict[str, str]:
    """Answer all questions about commits together: the ancestors are listed once."""
    if not lookups:
        return {}
    try:
        answers = dict(answer_commits([lookup.subject for lookup in lookups], asked))
    except ServiceError as error:
        return {lookup.source: refuse(error) for lookup in lookups}
    return {lookup.source: answers[lookup.subject] for lookup in lookups}


def evidence_text(source: str, answer: str) -> str:
    """Return the part of an answer that may support a statement: not what authors of commits wrote about them.

    Line numbers and counts are left out, too: otherwise any number could be had by asking for enough lines.
    """
    lookup = parse_lookup(source)
    if lookup is None or answer.startswith(UNANSWERED):
        return ""
    match lookup.kind:
        case LookupKind.NAME:
            return _NAME_ROW.sub(r"\1: ", _COUNTED.sub("", answer))
        case LookupKind.LINES:
            return _LINE_ROW.sub("", _COUNTED.sub("", answer, count=1))
        case LookupKind.LOG:
            return "\n".join(row.partition(DASH)[0] for row in answer.split("\n"))
        case LookupKind.COMMIT:
            head, _, changes = answer.partition("\n")
            return f"{head.partition(DASH)[0]}\n{_COUNTED.sub('', changes)}"
