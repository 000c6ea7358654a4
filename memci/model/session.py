"""The nouns of sessions as frozen values: who said what, and which of it is worth remembering."""

import datetime as dt
import enum
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memci.model.memory import TopicType
from memci.patterns import LazyPattern

_NO_BREAK = LazyPattern(r"[^\n]")


class Origin(enum.StrEnum):
    """Who a piece of text comes from; only `person` (and a daily log) can be the source of a memory."""

    PERSON = "person"
    MODEL = "model"
    TOOL = "tool"
    META = "meta"
    SUBAGENT = "subagent"
    # Prompts of programs: the SDK, schedules, jobs, other agents.
    AUTOMATION = "automation"
    SUMMARY = "summary"
    LOG = "log"


class Place(enum.StrEnum):
    """Where in a session a person's words are."""

    PROMPT = "prompt"
    QUEUED = "queued"
    REJECTION = "rejection"
    ANSWER = "answer"
    COMMAND = "command"
    LOG = "log"


class PartKind(enum.StrEnum):
    """Who wrote a part of a message."""

    TYPED = "typed"
    PASTED = "pasted"
    QUOTED = "quoted"
    # In doubt: perhaps pasted, or only what somebody else says. Form cannot decide that.
    REPORTED = "reported"
    CODE = "code"
    # Put around or into the message by a client, an editor or a job.
    WRAPPED = "wrapped"


class Part(NamedTuple):
    """A part of a message; only typed parts can be signals, and only typed and reported ones evidence."""

    start: int
    end: int
    kind: PartKind


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, redacted."""

    session: str
    # The record that carries it; a digest of the record if it has no uuid.
    uuid: str
    # In UTC; None if the record has none.
    timestamp: dt.datetime | None
    origin: Origin
    place: Place
    text: str
    # The agent that the session ran as, if the record names one.
    agent: str | None = None
    # The agent's last words or action before it: what the words refer to, never evidence.
    before: str = ""
    # Consecutive; without them nothing of the text counts as typed.
    parts: tuple[Part, ...] = ()

    @property
    def typed(self) -> str:
        """Return a text of the same length with blanks in place of everything that the person did not type."""
        return blank_out(self.text, self.parts or _whole(self.text))

    @property
    def told(self) -> str:
        """Return `typed` with what the person reports in their own sentences."""
        return blank_out(self.text, self.parts or _whole(self.text), TOLD)

    def is_typed(self, start: int, end: int) -> bool:
        """Tell whether all of a range was typed."""
        foreign = (part for part in self.parts if part.kind is not PartKind.TYPED)
        return bool(self.parts) and not any(part.start < end and start < part.end for part in foreign)


_TYPED = frozenset((PartKind.TYPED,))
TOLD = frozenset((PartKind.TYPED, PartKind.REPORTED))


def blank_out(text: str, parts: Sequence[Part], kept: frozenset[PartKind] = _TYPED) -> str:
    """Return a text of the same length with blanks in place of the parts of other kinds; lines stay lines."""
    pieces: list[str] = []
    done = 0
    for part in parts:
        if part.kind not in kept:
            pieces += (text[done : part.start], _NO_BREAK.sub(" ", text[part.start : part.end]))
            done = part.end
    return "".join((*pieces, text[done:]))


def _whole(text: str) -> tuple[Part]:
    return (Part(0, len(text), PartKind.PASTED),)


class SignalKind(enum.StrEnum):
    """Why a sentence is worth remembering."""

    REMEMBER = "remember"
    FORGET = "forget"
    CORRECTION = "correction"
    CONFIRMATION = "confirmation"
    PREFERENCE = "preference"
    DECISION = "decision"
    DEADLINE = "deadline"
    REFERENCE = "reference"
    PERSON = "person"
    # A whole message that a model cites; no cue was looked for.
    SAID = "said"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a signal was said."""

    session: str
    uuid: str
    timestamp: dt.datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class Signal:
    """Something a person said that is worth remembering, in the person's own words."""

    session: str
    uuid: str
    timestamp: dt.datetime | None
    origin: Origin
    kind: SignalKind
    type: TopicType
    # The passage word for word: consecutive sentences of one message that belong together.
    text: str
    # The same words by role, with relative dates made absolute; `why` and `how` are "" if the person gave none.
    rule: str
    why: str = ""
    how: str = ""
    # The cues that it was found by, shown to people.
    reason: str = ""
    agent: str | None = None
    # An older rule is explicitly replaced or withdrawn by this one.
    reverses: bool = False
    # Other places where the same was said, oldest first.
    repeated: tuple[Mention, ...] = ()
    # The name of the person, if the session tells it.
    speaker: str = ""
    # The agent's words or action before it: what the words refer to.
    before: str = ""

    @property
    def id(self) -> str:
        """Identify the signal by its place and its words."""
        content = f"{self.session}\0{self.uuid}\0{self.text}"
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:12]

    @property
    def strength(self) -> int:
        """Return how often it was said."""
        return 1 + len(self.repeated)


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """Something a person said that looked like a signal and is not one."""

    session: str
    uuid: str
    timestamp: dt.datetime | None
    origin: Origin
    text: str
    reason: str
