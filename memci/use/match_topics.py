"""Finds the topic that a path of a session means; the same repository has another path on every machine."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from memci.model.memory import ScopeSnapshot


class TopicPaths:
    """The topics of some scopes, by name."""

    def __init__(self, scopes: Iterable[ScopeSnapshot]) -> None:
        self._paths: dict[str, list[PurePosixPath]] = {}
        for path in (topic.path for scope in scopes for topic in scope.topics):
            self._paths.setdefault(path.name, []).append(path)

    def match(self, path: str) -> PurePosixPath | None:
        """Return the topic at a path of any machine; None if it is not one of these."""
        whole = "/" + path.replace("\\", "/")
        named = self._paths.get(whole.rpartition("/")[2], ())
        # The person's own scopes are shown below `~`.
        found = (each for each in named if whole.endswith("/" + str(each).removeprefix("~").lstrip("/")))
        return max(found, key=lambda each: len(each.parts), default=None)
