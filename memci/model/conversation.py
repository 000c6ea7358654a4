"""What people said, in its context: sessions with their messages, and the lines of daily logs."""

import datetime as dt
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model.session import Signal, Turn


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a person; only `signal.text` may be quoted."""

    turn: Turn
    signal: Signal
    # A later message takes it back, so it is shown but cannot be evidence.
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of one session, oldest first."""

    session: str
    day: dt.date | None
    # Who typed, and the agent that was spoken to; "" if the session does not tell.
    person: str
    agent: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of a daily log; without a signal it is a note of the agent itself, which is no evidence."""

    scope: PurePosixPath
    day: dt.date
    text: str
    signal: Signal | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything that was said since the last dream."""

    talks: tuple[Talk, ...] = ()
    log: tuple[LogLine, ...] = ()

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Everything that may be quoted."""
        said = tuple(message.signal for talk in self.talks for message in talk.messages if not message.taken_back)
        return (*said, *(line.signal for line in self.log if line.signal))
