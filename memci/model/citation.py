"""Claims of memory about the repository, and the verdicts on them."""

import enum
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple


class ClaimKind(enum.StrEnum):
    """The kind of thing that a claim is about."""

    # A file, also with only its name; a directory; a pattern over paths.
    PATH = "path"
    DIRECTORY = "directory"
    GLOB = "glob"
    # A place in a file: `path:12`, `path:12-30`.
    LINES = "lines"
    # A function, class, type, method or module name; a constant or environment variable.
    SYMBOL = "symbol"
    ENVIRONMENT = "environment variable"
    FLAG = "flag"
    # A script or target that a tool of the repository runs: `npm run x`, `make x`.
    SCRIPT = "script"
    COMMIT = "commit"
    # What a file gives a name: `MAX_RETRIES` is 5 in `src/x.py`.
    VALUE = "value"


class Wording(enum.StrEnum):
    """How the sentence around a claim refers to it; only plain claims can be stale."""

    PLAIN = "plain"
    # "there is no X", "X is not supported"
    NEGATED = "negated"
    # "will live in X", "create X", "TODO"
    PLANNED = "planned"
    # "X was removed", "we used to call X", a dated log entry
    HISTORICAL = "historical"
    # "never call X"
    PROHIBITED = "prohibited"
    STRUCK = "struck through"
    # "if it exists", "for example X", "something like X"
    HEDGED = "hedged"


class Claim(NamedTuple):
    """One statement of a line of memory about the repository."""

    kind: ClaimKind
    # What is cited, without the marks around it: `src/app.py`, `parse_config`, `--strict`, `seed:dev`, `3f9c2ab`.
    text: str
    path: PurePosixPath
    line: int
    column: int
    wording: Wording = Wording.PLAIN
    # For LINES: first and last line cited; (0, 0) otherwise.
    lines: tuple[int, int] = (0, 0)
    # What the claim is tied to: for a symbol the file named with it, for a script its runner (`npm`, `make`, …),
    # for a flag the program it is given to, for a path the directory named just before, for a value its file; "" if
    # nothing.
    context: str = ""
    # For VALUE: the value that is cited with the name.
    value: str = ""


class VerdictKind(enum.StrEnum):
    """Whether the repository confirms a claim."""

    VERIFIED = "verified"
    MOVED = "moved"
    MISSING = "missing"
    UNVERIFIABLE = "unverifiable"


class Reason(enum.StrEnum):
    """Details of a verdict: why a claim is unverifiable, or what exactly is wrong."""

    PLANNED = "planned"
    HISTORICAL = "historical"
    NEGATED = "negated"
    PROHIBITED = "prohibited"
    STRUCK = "struck through"
    HEDGED = "hedged"
    IGNORED = "ignored by git"
    NAMED = "still named in code"
    ELSEWHERE = "only on another branch"
    EXTERNAL = "not of this repository"
    NEVER = "never existed"
    NO_HISTORY = "history unavailable"
    UNDECIDED = "definitions are incomplete"
    # For cited lines: the file has fewer, or they are elsewhere in it.
    SHORTER = "the file is shorter"
    LINES_MOVED = "lines moved"
    # For values: the file gives the name another one.
    CHANGED = "the value has changed"


class Exemption(enum.StrEnum):
    """Why a claim that is proven stale may describe the past, so that it is only information."""

    TOPIC = "its file is about one piece of work"
    HEADING = "the heading above it names a piece of work"
    ENTRY = "it is in an entry with a date"
    SENTENCE = "its sentence describes a change"
    COMPARED = "the text names the new place as well"
    ROTATED = "the file was put away with a date, as logs are"


class Commit(NamedTuple):
    """A commit with its time and subject."""

    id: str
    time: int
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one claim, and the evidence for it."""

    claim: Claim
    kind: VerdictKind
    reason: Reason | None = None
    # Where it is now: a path, `path:12-30`, or the file that defines the symbol. Of a missing name, what it is called
    # now.
    target: str = ""
    # The commit that wrote the line, and where the claim held at that time.
    written: Commit | None = None
    held_at: str = ""
    # The commit that removed or moved it.
    broken: Commit | None = None
    # Possible new places, if none is certain.
    candidates: tuple[str, ...] = ()
    # Whether git itself, or lines that are equal, prove the new place: only then may it be repaired unasked.
    proven: bool = False
    # Set if the claim is stale but may describe the past.
    exemption: Exemption | None = None
