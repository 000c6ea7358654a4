"""Counts in how many sessions each topic was loaded, opened and edited, and by month; every session counts once."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import PurePosixPath

from memci.memory.client_limit import cut
from memci.model.memory import ScopeSnapshot
from memci.model.use import MonthUse, ScopeUse, TopicUse
from memci.sessions.read_result import MemoryTouch, Reading, Session

_AGENT = "agent:"
# Whether something in a session is new to a scope.
IsNew = Callable[[str, dt.datetime | None], bool]


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


def count_use(
    scope: ScopeSnapshot,
    reading: Reading,
    known: ScopeUse,
    is_new: IsNew,
    written: Mapping[PurePosixPath, dt.datetime] | None,
) -> tuple[dict[str, TopicUse], dict[str, MonthUse]]:
    """Return what was known of the use of each topic and in each month, with what is new in the sessions.

    `written` is when each topic was first committed; None if nobody knows, as outside of a repository.
    """
    paths = TopicPaths([scope])
    opened = _collect(reading.opened, paths, is_new)
    edited = _collect(reading.writes, paths, is_new)
    places = list_places(scope)
    touched = {session for days in (*opened.values(), *edited.values()) for session in days}
    sessions = [
        session
        for session in reading.sessions
        # Nobody spoke in the others, and what they load is not known.
        if is_new(session.id, None) and (session.id in touched or (session.records and loads(session, scope)))
    ]
    counted: dict[str, TopicUse] = {}
    for topic in scope.topics:
        name = str(topic.path.relative_to(scope.scope.path))
        before = known.topics.get(name, TopicUse())
        present = sum(_existed(topic.path, session, written) for session in sessions)
        days = {**opened.get(topic.path, {}), **edited.get(topic.path, {})}.values()
        use = TopicUse(
            before.loaded + present * (places.get(topic.path) is True),
            before.cut + present * (places.get(topic.path) is False),
            before.opened + len(opened.get(topic.path, {})),
            before.edited + len(edited.get(topic.path, {})),
            max((day for day in (*days, before.last) if day), default=None),
        )
        if use != TopicUse():
            counted[name] = use
    return counted, _count_months(known.months, sessions, touched)


def _count_months(
    known: Mapping[str, MonthUse], sessions: Iterable[Session], touched: Collection[str]
) -> dict[str, MonthUse]:
    """Count each session in the month in which it began."""
    months = dict(known)
    for session in sessions:
        if session.first is not None:
            month = f"{session.first:%Y-%m}"
            before = months.get(month, MonthUse())
            months[month] = MonthUse(before.sessions + 1, before.used + (session.id in touched))
    return months


def _collect(
    events: Iterable[MemoryTouch], paths: TopicPaths, is_new: IsNew
) -> dict[PurePosixPath, dict[str, dt.date | None]]:
    """Return the sessions of each topic, with the last day."""
    found: dict[PurePosixPath, dict[str, dt.date | None]] = {}
    for event in events:
        path = paths.match(event.path)
        if path is not None and is_new(event.session, event.timestamp):
            # Events are in the order of time.
            found.setdefault(path, {})[event.session] = event.timestamp.date() if event.timestamp else None
    return found


def list_places(scope: ScopeSnapshot) -> dict[PurePosixPath, bool]:
    """Return whether the client loads the pointer of each topic that has one."""
    if scope.index is None:
        return {}
    lost_from = cut(scope.index.text).lost_from
    places: dict[PurePosixPath, bool] = {}
    for pointer in scope.index.pointers:
        if pointer.path:
            places[pointer.path] = places.get(pointer.path, False) or not lost_from or pointer.line < lost_from
    return places


def loads(session: Session, scope: ScopeSnapshot) -> bool:
    """Tell whether a session loads the index of a scope; that of an agent is loaded for this agent only."""
    _, mark, agent = scope.scope.id.rpartition(_AGENT)
    return not mark or session.agent == agent


def _existed(path: PurePosixPath, session: Session, written: Mapping[PurePosixPath, dt.datetime] | None) -> bool:
    if written is None:
        return True
    return path in written and (session.first is None or written[path] <= session.first)
