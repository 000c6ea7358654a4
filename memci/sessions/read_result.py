"""The result of reading transcripts, and the limits of reading."""

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from memci.model.session import Turn


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits of reading; anything beyond them is reported, never silently dropped."""

    # The longest line seen in 170,000 of real sessions has 2.1 MB; decoding takes about twice the line in memory.
    line_bytes: int = 8 << 20
    # Real sessions have up to some hundred MB; of a larger file the end is read, where the latest records are.
    file_bytes: int = 1 << 30
    # A gigabyte takes about one second; a year of one person's sessions has two to three.
    run_bytes: int = 8 << 30
    # Three years of one person's work; also a bound for the number of members in a bundle.
    files: int = 5_000
    # Sessions shrink to a tenth or twentieth; a bomb to a thousandth.
    ratio: int = 100
    # The unpacked size of all members of one bundle.
    bundle_bytes: int = 1 << 30
    # Objects of git are read whole, so they count as memory.
    blob_bytes: int = 256 << 20


class FileStatus(enum.StrEnum):
    """What became of a file."""

    USED = "used"
    # Its content does not match its name, or no line of it could be read.
    QUARANTINED = "quarantined"
    FOREIGN = "foreign"
    # Reading it could do harm: links, devices, bombs, bundles that reach out of themselves.
    REFUSED = "refused"
    NOT_READ = "not read"


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of a file and of every record in it."""

    # Redacted and without control characters.
    name: str
    status: FileStatus
    reason: str = ""
    # Records with words of a person, even if the same record is in another file.
    used: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    broken: int = 0
    # The first broken line; 0 in a file that has no lines.
    broken_line: int = 0
    # How many bytes were read, and how many at the beginning were skipped.
    bytes: int = 0
    truncated: int = 0

    @property
    def problem(self) -> str:
        """Why the file, or which lines of it, were not read; "" if all of it was."""
        if self.reason or not self.broken:
            return self.reason
        place = f", the first in line {self.broken_line}" if self.broken_line else ""
        return f"broken records: {self.broken}{place}"


@dataclass(frozen=True, slots=True)
class MemoryTouch:
    """A memory file that a session wrote, opened, or was shown by recall; redacted."""

    session: str
    uuid: str
    timestamp: dt.datetime | None
    path: str
    # What was written; None if the file was only opened.
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One session, merged from all files with parts of it."""

    id: str
    # The agent that the whole session ran as.
    agent: str | None
    cwd: str | None
    branch: str | None
    first: dt.datetime | None
    last: dt.datetime | None
    # Where the next reading continues: the last record with words of a person, and their number.
    last_uuid: str | None
    records: int
    # The name that `collect` recorded, or the login in `cwd`; empty if neither names a person.
    person: str = ""
    # It begins with the summary of another one, whose words are not in it.
    continued: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything people said in the transcripts, and an account of every record."""

    # In the order of time, session and position.
    turns: tuple[Turn, ...] = ()
    sessions: tuple[Session, ...] = ()
    writes: tuple[MemoryTouch, ...] = ()
    files: tuple[FileReport, ...] = ()
    opened: tuple[MemoryTouch, ...] = ()
    # What people chose in dialogs, by session: words of the model that a person agreed to.
    chosen: tuple[tuple[str, str], ...] = ()

    @property
    def used(self) -> int:
        """Return how many records contain words of a person."""
        return sum(report.used for report in self.files)

    @property
    def broken(self) -> int:
        """Return how many lines could not be read."""
        return sum(report.broken for report in self.files)

    @property
    def skipped(self) -> Mapping[str, int]:
        """Return how many records of each kind contain no words of a person."""
        total: dict[str, int] = {}
        for report in self.files:
            for kind, count in report.skipped.items():
                total[kind] = total.get(kind, 0) + count
        return dict(sorted(total.items()))
