"""The protocol of rankers: they order the ids of a list by relevance to a query."""

from collections.abc import Sequence
from typing import Protocol

from memci.recall.listing import TopicEntry


class Ranker(Protocol):
    """Chooses the entries that help with a query."""

    @property
    def name(self) -> str:
        """Its name in the report."""

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        """Return the ids of the entries that help, best first; none if nothing does."""
