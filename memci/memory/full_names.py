"""Full names of people that memory mentions: with one of its words, a statement may use the whole name."""

from memci.model.memory import Snapshot
from memci.patterns import LazyPattern

_NAME = LazyPattern(r"(?<![\w.`/-])[^\W\d_a-z][^\W\d_]+ (?:(?:van|von|de|da|al) )?[^\W\d_a-z][^\W\d_]+(?![\w`/(])")


def list_full_names(snapshot: Snapshot) -> frozenset[str]:
    """Return what looks like a first name and a surname in the topics and indexes."""
    texts = (text.text for scope in snapshot.scopes for text in scope.texts)
    return frozenset(found[0] for text in texts for found in _NAME.finditer(text) if found[0].istitle())
