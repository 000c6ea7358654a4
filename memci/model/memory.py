"""Memory as it is read: scopes, their index, topics, logs and guides."""

import bisect
import datetime as dt
import enum
import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

INDEX_NAME = "MEMORY.md"


class Trust(enum.StrEnum):
    """Where a scope comes from, and so how far it is trusted."""

    COMMITTED = "committed"
    LOCAL = "local"
    USER = "user"


class TopicType(enum.StrEnum):
    """The four kinds of topic."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Scope:
    """One memory directory."""

    id: str
    # As people see it: relative to the repository, or starting with `~` or `/` outside of it.
    path: PurePosixPath
    trust: Trust
    # Where it really is.
    target: Path


class Unreadable(enum.StrEnum):
    """Why a file was not read."""

    ABSENT = "absent"
    SYMLINK = "symbolic link"
    SPECIAL = "not a regular file"
    DIRECTORY = "directory"
    NESTED_REPOSITORY = "nested repository"
    TOO_LARGE = "too large"
    NO_PERMISSION = "no permission"
    NOT_UTF8 = "not UTF-8"
    LFS_POINTER = "Git LFS pointer"
    TOO_DEEP = "nested too deep"
    FAILED = "the system cannot read it"


class Unread(NamedTuple):
    """A file that could not, or must not, be read."""

    path: PurePosixPath
    reason: Unreadable
    detail: str = ""


class Absence(enum.StrEnum):
    """Why a topic has no frontmatter."""

    EMPTY = "the file is empty"
    MISSING = "there is none"
    UNCLOSED = "it is not closed"


class YamlProblem(NamedTuple):
    """Where and why strict YAML rejected a text; `line` counts from 1 within the file."""

    line: int
    message: str


class Frontmatter(NamedTuple):
    """The head of a topic. Nested keys are joined with dots; every value is a string."""

    fields: Mapping[str, str]
    # The line of the file with each key.
    lines: Mapping[str, int]
    # Set when YAML rejected the text and `fields` come from the line-based fallback.
    problem: YamlProblem | None = None


_TYPES = {kind.value: kind for kind in TopicType}


@dataclass(frozen=True, slots=True)
class Topic:
    """One memory file: frontmatter and body."""

    path: PurePosixPath
    text: str
    frontmatter: Frontmatter | Absence
    # The line on which the body starts, counting from 1.
    body_line: int

    def field(self, key: str) -> str:
        """Return a frontmatter value, or "" if the topic does not have it."""
        return self.frontmatter.fields.get(key, "") if isinstance(self.frontmatter, Frontmatter) else ""

    @property
    def name(self) -> str:
        """The name in the frontmatter."""
        return self.field("name")

    @property
    def description(self) -> str:
        """The description in the frontmatter."""
        return self.field("description")

    @property
    def type_text(self) -> str:
        """The type as written, in either style."""
        return self.field("type") or self.field("metadata.type")

    @property
    def type(self) -> TopicType | None:
        """The type, if it is one of the four."""
        return _TYPES.get(self.type_text)

    @property
    def pinned(self) -> bool:
        """Whether people marked this topic as never to be edited by memci."""
        return (self.field("pinned") or self.field("metadata.pinned")).lower() == "true"

    @property
    def body(self) -> str:
        """The text below the frontmatter."""
        return "\n".join(self.text.split("\n")[self.body_line - 1 :])


class PointerForm(enum.StrEnum):
    """How a pointer is written."""

    LINK = "link"
    CODE = "code"
    WIKI = "wiki"


class Pointer(NamedTuple):
    """One reference from the index to a topic."""

    line: int
    column: int
    form: PointerForm
    title: str
    # As written, and the path inside the scope it leads to (None if it leads elsewhere).
    target: str
    path: PurePosixPath | None
    # The text after the separator; "" if there is none.
    hook: str


class IndexLineKind(enum.StrEnum):
    """What a line of the index is."""

    BLANK = "blank"
    HEADING = "heading"
    POINTER = "pointer"
    # Rules, table heads, comments: neither content nor pointers.
    FURNITURE = "furniture"
    PROSE = "prose"


# A named tuple: a hostile index may have 60,000 lines, and a frozen dataclass takes five times as long to make.
class IndexLine(NamedTuple):
    """One line of the index."""

    line: int
    text: str
    # What ends it: a line feed, with or without a carriage return, or nothing at the end of the file.
    end: str
    kind: IndexLineKind
    pointers: tuple[Pointer, ...] = ()
    # Whether the line is one list item with one pointer and nothing else but its hook.
    plain: bool = False

    @property
    def whole(self) -> str:
        """The line with its end, as edits need it."""
        return self.text + self.end


class Index(NamedTuple):
    """The `MEMORY.md` of a scope."""

    path: PurePosixPath
    text: str
    lines: tuple[IndexLine, ...]

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """All pointers, in order."""
        return tuple(pointer for line in self.lines for pointer in line.pointers)


class DailyLog(NamedTuple):
    """The notes of one day."""

    path: PurePosixPath
    day: dt.date
    text: str


class Guide(NamedTuple):
    """Instructions that people wrote for the agent: a CLAUDE.md or a file it includes."""

    path: PurePosixPath
    text: str


class Catalogue(NamedTuple):
    """The topics of a scope by path and by name; after a change it is made from the one before, not from the scope."""

    # In the order of their paths.
    ordered: tuple[Topic, ...]
    topics: dict[PurePosixPath, Topic]
    names: Counter[str]
    # The names of all files but the index, as a case-insensitive disk sees them.
    spellings: Counter[str]

    def change(self, changed: Mapping[PurePosixPath, Topic | None]) -> "Catalogue":
        """Return the catalogue with these topics; None removes one."""
        ordered, topics = list(self.ordered), dict(self.topics)
        names, spellings = self.names.copy(), self.spellings.copy()
        for path, new in changed.items():
            old = topics.pop(path, None)
            place = bisect.bisect_left(ordered, path, key=lambda topic: topic.path)
            ordered[place : place + (old is not None)] = [new] if new else []
            if new:
                topics[path] = new
            for topic, by in ((old, -1), (new, 1)):
                for counts, key in ((names, topic.name), (spellings, path.name.casefold())) if topic else ():
                    counts[key] += by
                    if not counts[key]:
                        del counts[key]
        return Catalogue(tuple(ordered), topics, names, spellings)


# Without slots, because of the cached properties.
@dataclass(frozen=True)
class ScopeSnapshot:
    """Everything read from one scope."""

    scope: Scope
    # None: there is no MEMORY.md, or it is among `unread`.
    index: Index | None
    topics: tuple[Topic, ...]
    logs: tuple[DailyLog, ...] = ()
    unread: tuple[Unread, ...] = ()
    # Files of other types; they count as targets of pointers and are not read.
    others: tuple[PurePosixPath, ...] = ()

    @property
    def index_path(self) -> PurePosixPath:
        """Where the index is or would be."""
        return self.scope.path / INDEX_NAME

    @property
    def texts(self) -> tuple[Index | Topic | DailyLog, ...]:
        """Every text that was read: index, topics, logs."""
        return (*((self.index,) if self.index else ()), *self.topics, *self.logs)

    @functools.cached_property
    def files(self) -> frozenset[PurePosixPath]:
        """Every file of the scope, read or not; what a pointer names below a directory that was not read may be one."""
        index = (self.index.path,) if self.index else ()
        closed = {item.path for item in self.unread}
        named = [pointer.path for pointer in self.index.pointers if pointer.path] if self.index and closed else []
        hidden = [path for path in named if not closed.isdisjoint(path.parents)]
        return frozenset(self.catalogue.topics) | {*index, *self._find_others(), *hidden}

    def _find_others(self) -> tuple[PurePosixPath, ...]:
        return (*(log.path for log in self.logs), *self.others, *(item.path for item in self.unread))

    @functools.cached_property
    def catalogue(self) -> Catalogue:
        """The topics by path and by name."""
        ordered = tuple(sorted(self.topics, key=lambda topic: topic.path))
        topics = {topic.path: topic for topic in ordered}
        names = Counter(topic.name for topic in ordered)
        return Catalogue(ordered, topics, names, Counter(p.name.casefold() for p in (*topics, *self._find_others())))

    def topic(self, path: PurePosixPath) -> Topic | None:
        """Return the topic at `path`, or None."""
        return self.catalogue.topics.get(path)

    def exchange(self, catalogue: Catalogue, index: Index | None) -> "ScopeSnapshot":
        """Return the scope with the topics of this catalogue and this index."""
        changed = replace(self, topics=catalogue.ordered, index=index)
        # Fill the cache of the property: otherwise each of a thousand changes would read all topics again.
        vars(changed)["catalogue"] = catalogue
        return changed


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All scopes of a repository at one moment, with their guides."""

    scopes: tuple[ScopeSnapshot, ...]
    # What the client loads together with the scopes.
    guides: tuple[Guide, ...] = ()
    # Every guide of any client, for `memci check`.
    checked_guides: tuple[Guide, ...] = ()

    @property
    def texts(self) -> tuple[Index | Topic | DailyLog | Guide, ...]:
        """Every text that is checked: those of the scopes, then the guides."""
        return (*(text for scope in self.scopes for text in scope.texts), *self.checked_guides)
