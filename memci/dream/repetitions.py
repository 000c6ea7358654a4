"""Finds what people had to say again: what code can tell, and what it leaves to an engine."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from memci.citations.history.git_queries import History
from memci.dream.due import is_seen
from memci.dream.gather import Gathered
from memci.dream.inputs import DreamTask, Sources
from memci.memory.guide_files import list_guides
from memci.model.memory import ScopeSnapshot
from memci.use.repeated_rules import KnownRule, Repetition, find_repetitions, list_rules
from memci.use.topic_use import list_places, loads

# So many pairs fit into one call of a small model.
MAX_ASKED = 20
# Of so many git is asked how old their rules are.
_MAX_DATED = 5 * MAX_ASKED
_NO_TIME = dt.datetime.min.replace(tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Repeated:
    """The rules of each scope, and what people said of them again after they were committed."""

    # A guide that several scopes have in common is with the first one, whose state counts for it.
    rules: Mapping[PurePosixPath, Sequence[KnownRule]] = field(default_factory=dict)
    # In order; of each session and rule the first message counts.
    settled: Sequence[Repetition] = ()
    # May say a rule in other words.
    unsettled: Sequence[Repetition] = ()

    def settle(self, confirmed: Collection[int]) -> "Repeated":
        """Return the repetitions with those that an engine confirmed."""
        more = [one for number, one in enumerate(self.unsettled) if number in confirmed]
        return replace(self, settled=_keep_first((*self.settled, *more)), unsettled=())


def find_repeated(task: DreamTask, sources: Sources, gathered: Gathered, asked: Sequence[ScopeSnapshot]) -> Repeated:
    """Find the repetitions in all scopes; an engine is asked only about those of `asked`."""
    if not gathered.reading.sessions:
        return Repeated()
    compared = {}
    guided: set[PurePosixPath] = set()
    for scope in sources.snapshot.scopes:
        guides = [guide for guide in list_guides(sources.snapshot.guides, scope.scope) if guide.path not in guided]
        compared[scope.scope.path] = list_rules(scope.topics, guides)
        guided.update(guide.path for guide in guides)
    found = find_repetitions(gathered.reading.turns, [one for rules in compared.values() for one in rules])
    owners = {rule: path for path, rules in compared.items() for _, rule in rules}
    known, new = _split_unsettled(found.unsettled, owners, sources)
    heard = {(one.rule, one.turn.session) for one in (*found.settled, *known)}
    can_ask = _make_filter(owners, sources, gathered, asked)
    new = [one for one in new if (one.rule, one.turn.session) not in heard and can_ask(one)][:_MAX_DATED]
    is_later = _date_rules((*found.settled, *known, *new), task, sources, gathered)
    settled = _keep_first(filter(is_later, (*found.settled, *known)))
    rules = {path: [rule for _, rule in listed] for path, listed in compared.items()}
    return Repeated(rules, settled, list(filter(is_later, new))[:MAX_ASKED])


def _split_unsettled(
    found: Iterable[Repetition], owners: Mapping[KnownRule, PurePosixPath], sources: Sources
) -> tuple[list[Repetition], list[Repetition]]:
    """Return what an engine confirmed in an earlier dream, and what is in sessions that do not count yet."""
    counted = {
        rule: sources.states[path].use.repeated.get(rule.key(path), ())
        for rule, path in owners.items()
        if sources.states[path].use.repeated
    }
    known, new = [], []
    for one in found:
        messages = counted.get(one.rule, ())
        if f"{one.turn.session}/{one.turn.uuid}" in messages:
            known.append(one)
        elif not any(message.startswith(f"{one.turn.session}/") for message in messages):
            new.append(one)
    return known, new


def _make_filter(
    owners: Mapping[KnownRule, PurePosixPath], sources: Sources, gathered: Gathered, asked: Iterable[ScopeSnapshot]
) -> Callable[[Repetition], bool]:
    """Return whether a message is new to the scope of a rule that its session loaded."""
    scopes = {scope.scope.path: (scope, list_places(scope)) for scope in asked}
    sessions = {session.id: session for session in gathered.reading.sessions}

    def can_ask(one: Repetition) -> bool:
        path, session = owners[one.rule], sessions.get(one.turn.session)
        if path not in scopes or session is None or is_seen(one.turn, sources.positions, sources.states[path]):
            return False
        scope, places = scopes[path]
        return one.rule.is_guide or (places.get(one.rule.path, False) and loads(session, scope))

    return can_ask


def _date_rules(
    found: Iterable[Repetition], task: DreamTask, sources: Sources, gathered: Gathered
) -> Callable[[Repetition], bool]:
    """Return whether something was said in a session that began after the rule was committed."""
    rules = {one.rule for one in found}
    if not rules or task.workspace.repository is None:
        return lambda _: False
    texts = {text.path: text.text for scope in sources.snapshot.scopes for text in scope.texts}
    texts |= {guide.path: guide.text for guide in sources.snapshot.guides}
    wanted: dict[str, dict[int, str]] = {}
    for rule in rules:
        row = texts[rule.path].split("\n")[rule.line - 1].rstrip("\r")
        wanted.setdefault(str(rule.path), {})[rule.line] = row
    writers = History(task.workspace.repository).find_written(wanted)
    begun = {session.id: session.first for session in gathered.reading.sessions if session.first}

    def is_later(one: Repetition) -> bool:
        writer, begin = writers.get((str(one.rule.path), one.rule.line)), begun.get(one.turn.session)
        return bool(writer and begin and writer.time < begin.timestamp())

    return is_later


def _keep_first(found: Iterable[Repetition]) -> list[Repetition]:
    """Return the first message of each session that says a rule, in the order of time."""
    kept: dict[tuple[KnownRule, str], Repetition] = {}
    for one in sorted(found, key=lambda one: (one.turn.timestamp or _NO_TIME, one.turn.session)):
        kept.setdefault((one.rule, one.turn.session), one)
    return list(kept.values())
