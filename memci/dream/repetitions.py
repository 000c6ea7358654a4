"""Finds what people had to say again: what code can tell, and what an engine tells it."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from memci.citations.history.git_queries import History
from memci.dream.due import is_seen
from memci.dream.inputs import DreamTask, Sources
from memci.engines.protocol import Engine
from memci.memory.guide_files import list_guides
from memci.model.memory import ScopeSnapshot
from memci.model.session import Turn
from memci.use.repeated_rules import KnownRule, Repetition, find_repetitions, list_rules, may_repeat
from memci.use.topic_use import list_places, loads

_NO_TIME = dt.datetime.min.replace(tzinfo=dt.UTC)


def find_repeated(
    task: DreamTask, sources: Sources, asked: Sequence[ScopeSnapshot], engine: Engine
) -> tuple[Mapping[PurePosixPath, Sequence[KnownRule]], list[Repetition]]:
    """Return the rules of each scope, and what people said of them again after they were committed.

    Of each session and rule the first message counts, in the order of time. An engine is asked only about the rules of
    `asked`. A guide that several scopes have in common is with the first one, whose state counts for it.
    """
    reading = sources.gathered.reading
    compared = {}
    guided: set[PurePosixPath] = set()
    for scope in sources.snapshot.scopes:
        guides = [guide for guide in list_guides(sources.snapshot.guides, scope.scope) if guide.path not in guided]
        compared[scope.scope.path] = list_rules(scope.topics, guides)
        guided.update(guide.path for guide in guides)
    settled = find_repetitions(reading.turns, [one for rules in compared.values() for one in rules])
    # A rule and the description of its topic are one.
    rules = {path: list(dict.fromkeys(rule for _, rule in listed)) for path, listed in compared.items()}
    known = _find_counted(rules, sources)
    heard = {(one.rule, one.turn.session) for one in (*settled, *known)}
    said = [one for one in _ask(engine, rules, sources, asked) if (one.rule, one.turn.session) not in heard]
    every = (*settled, *known, *said)
    return rules, _keep_first(filter(_date_rules(every, task, sources), every))


def _find_counted(rules: Mapping[PurePosixPath, Iterable[KnownRule]], sources: Sources) -> list[Repetition]:
    """Return what was counted in earlier dreams and is still at hand."""
    turns = {f"{turn.session}/{turn.uuid}": turn for turn in sources.gathered.reading.turns}
    return [
        Repetition(rule, turns[message], turns[message].typed)
        for path, listed in rules.items()
        if sources.states[path].use.repeated
        for rule in listed
        for message in sources.states[path].use.repeated.get(rule.key(path), ())
        if message in turns
    ]


def _ask(
    engine: Engine,
    rules: Mapping[PurePosixPath, Iterable[KnownRule]],
    sources: Sources,
    asked: Iterable[ScopeSnapshot],
) -> list[Repetition]:
    """Let an engine find what new messages say again of the rules that their sessions had loaded."""
    gathered = sources.gathered
    sessions = {session.id: session for session in gathered.reading.sessions}
    reactions = [turn for turn in gathered.reading.turns if may_repeat(turn) and turn.session in sessions]
    new: dict[KnownRule, frozenset[Turn]] = {}
    for scope in asked:
        state, places = sources.states[scope.scope.path], list_places(scope)
        loaded = {session.id for session in sessions.values() if loads(session, scope)}
        turns = frozenset(
            turn for turn in reactions if turn.session in loaded and not is_seen(turn, gathered.positions, state)
        )
        if turns:
            listed = rules[scope.scope.path]
            new |= {rule: turns for rule in listed if rule.is_guide or places.get(rule.path)}
    wanted = frozenset().union(*new.values())
    found = engine.find_repetitions(list(new), [turn for turn in reactions if turn in wanted]) if new else []
    return [one for one in found if one.turn in new[one.rule]]


def _date_rules(found: Collection[Repetition], task: DreamTask, sources: Sources) -> Callable[[Repetition], bool]:
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
    begun = {session.id: session.first for session in sources.gathered.reading.sessions if session.first}

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
