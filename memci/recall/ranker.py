"""Who chooses: anything that puts the ids of a list in order for a query."""

from collections.abc import Sequence
from typing import Protocol

from memci.recall.listing import TopicEntry


class Ranker(Protocol):
    """Chooses from a list what helps with a query."""

    @property
    def name(self) -> str:
        """What the report calls it."""

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        """Return the ids of the entries that help, best first; none if nothing does."""
