"""What became of a memory, as the sessions that were read show it; without any content of them."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

# From the second time on, that a rule has to be said again is no accident.
OFTEN = 2
# A topic that fewer sessions had at hand may just not have been needed yet.
ENOUGH = 10


class TopicUse(NamedTuple):
    """In how many sessions a topic was used, and how."""

    # Its pointer was loaded with the index, or is below the part of the index that the client loads.
    loaded: int = 0
    cut: int = 0
    # It was read, or shown by the client's recall.
    opened: int = 0
    edited: int = 0
    # The last day it was opened or edited.
    last: dt.date | None = None

    @property
    def touched(self) -> int:
        """How often sessions opened or edited it."""
        return self.opened + self.edited


class MonthUse(NamedTuple):
    """How many sessions of a month had a scope at hand, and how many of them opened or edited a topic."""

    sessions: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True)
class ScopeUse:
    """What became of the topics of a scope."""

    # By file in the scope; a topic that no session had at hand has none.
    topics: Mapping[str, TopicUse] = field(default_factory=dict)
    # Rules that people repeated although a topic or guide had them: `file#digest` -> messages, as `session/uuid`.
    repeated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # By month, as `2026-10`.
    months: Mapping[str, MonthUse] = field(default_factory=dict)

    def list_unused(self) -> list[str]:
        """Return the topics that many sessions had at hand and none opened or edited, the longest known first."""
        never = [(-use.loaded - use.cut, name) for name, use in self.topics.items() if not use.touched]
        return [name for known, name in sorted(never) if -known >= ENOUGH]

    def list_disobeyed_rules(self) -> dict[str, int]:
        """Return the keys of rules that people had to repeat, and how often they did, the most frequent first."""
        often = {key: len(messages) for key, messages in self.repeated.items() if len(messages) >= OFTEN}
        return dict(sorted(often.items(), key=lambda item: (-item[1], item[0])))

    def list_disobeyed(self) -> dict[str, int]:
        """Return the files with rules that people had to repeat, and how often they did, the most frequent first."""
        counts: dict[str, int] = {}
        for key, times in self.list_disobeyed_rules().items():
            name = key.rpartition("#")[0]
            counts[name] = counts.get(name, 0) + times
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
