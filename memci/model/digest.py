"""The session memory of a transcript as values: ten sections of entries, each with its source."""

import datetime as dt
import enum
from dataclasses import dataclass, field

from memci.model.session import Origin

# The limits of the client's own session memory, so that a digest can replace it.
MAX_SECTION_TOKENS = 2_000
MAX_TOKENS = 12_000


class SectionKind(enum.StrEnum):
    """The ten sections, in the order in which they are read."""

    TITLE = "Session title"
    STATE = "Current state"
    TASK = "Task specification"
    FILES = "Files and functions"
    WORKFLOW = "Workflow"
    ERRORS = "Errors and corrections"
    DOCUMENTATION = "Codebase and system documentation"
    LEARNINGS = "Learnings"
    RESULTS = "Key results"
    WORKLOG = "Worklog"


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """One line of a section. `label` and `note` are written by memci; everything else is untrusted and redacted."""

    # Shown before and after the subject.
    label: str = ""
    # A path, a command, a title: shown on one line.
    subject: str = ""
    note: str = ""
    # Shown after the note: functions of a file, directories, patterns.
    names: tuple[str, ...] = ()
    # Quoted lines, verbatim.
    quote: str = ""
    # The author of the quotation.
    by: Origin | None = None
    time: dt.datetime | None = None
    # The record that it comes from.
    uuid: str = ""
    # When there is no room, entries with the lowest priority are dropped first.
    weight: int = 0


@dataclass(frozen=True, slots=True)
class DigestSection:
    """One of the ten sections, with the number of entries that did not fit."""

    kind: SectionKind
    entries: tuple[DigestEntry, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Digest:
    """The session memory of one session."""

    session: str
    # Where it was read from.
    name: str
    first: dt.datetime | None
    last: dt.datetime | None
    sections: tuple[DigestSection, ...] = field(default=())


def count_tokens(text: str) -> int:
    """Return how many tokens a text has at the most, whatever the model; the same number everywhere.

    English prose has four letters a token, code and paths about three, other scripts up to one and a half token a
    character. So three ASCII characters count as one token, and two bytes of anything else.
    """
    wide = len(text.encode("utf-8", "surrogatepass")) - len(text)
    ascii_letters = sum(letter < "\x80" for letter in text) if wide else len(text)
    others = len(text) - ascii_letters
    return -(-ascii_letters // 3) + -(-(others + wide) // 2)
