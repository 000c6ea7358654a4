"""The second phase: reads transcripts and daily logs, redacted, and finds the signals in them."""

import datetime as dt
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memci.config import Config
from memci.dream.due import drop_written
from memci.dream.inputs import Gathered
from memci.errors import UsageError
from memci.git.history import list_author_names, list_authors
from memci.git.workspace import Workspace
from memci.memory.snapshot import is_to_come
from memci.model.memory import ScopeSnapshot
from memci.model.session import Signal, Turn, TurnedDown
from memci.redaction.secrets import redact
from memci.report.escape import workflow_line
from memci.sessions.automation import split_automation
from memci.sessions.clean_text import list_secret_values
from memci.sessions.people import name_people
from memci.sessions.places import ARTIFACT_PREFIX, GIT_PREFIX, find_inputs
from memci.sessions.read_result import Reading, ReadLimits
from memci.sessions.read_turns import read_transcripts
from memci.signals.find import FoundSignals, find_signals
from memci.signals.logs import find_log_signals
from memci.signals.repeats import group_repeated
from memci.signals.retract import drop_taken_back
from memci.use.topic_use import TopicPaths

# Enough of a prompt to recognize the program that wrote it.
_MAX_SHOWN = 200


def list_places(named: Sequence[str], configured: Sequence[str], workspace: Workspace) -> Sequence[str]:
    """Return the places of transcripts: those that are named, or those of the settings, relative to the root.

    A named place must exist. A place of the settings may be missing, such as a branch before the first session.
    """
    if named:
        return named
    places = (place if is_elsewhere(place) else str(workspace.root / place) for place in configured)
    return [place for place in places if _is_inside(place, workspace) and _exists(place, workspace)]


def _is_inside(place: str, workspace: Workspace) -> bool:
    """Whether a place of the settings is in the repository: a clone must not read a person's other sessions."""
    inside = is_elsewhere(place) or Path(place).resolve().is_relative_to(workspace.root.resolve())
    if not inside:
        _warn(f"{place} in the settings is outside of the repository: name it with --transcripts; it is left out")
    return inside


def is_elsewhere(place: str) -> bool:
    """Whether a place is a branch or an artifact, not a path."""
    return place.startswith((GIT_PREFIX, ARTIFACT_PREFIX))


def _exists(place: str, workspace: Workspace) -> bool:
    try:
        if not place.startswith(ARTIFACT_PREFIX):
            next(iter(find_inputs(place, workspace.repository, ReadLimits())), None)
    except UsageError as error:
        _warn(f"{place} in the settings: {error.message}; it is left out")
        return False
    return True


def _read(workspace: Workspace, places: Sequence[str], secrets: Sequence[str], show: Callable[[str], None]) -> Reading:
    remote = [place for place in places if place.startswith(ARTIFACT_PREFIX)]
    if not remote:
        return read_transcripts(places, repository=workspace.repository, secrets=secrets)
    from memci.dream.fetch_artifacts import fetch_artifacts

    local = [place for place in places if place not in remote]
    with fetch_artifacts(remote, workspace, os.environ, show, _warn) as fetched:
        return read_transcripts(local, repository=workspace.repository, secrets=secrets, fetched=fetched)


def _warn(text: str) -> None:
    sys.stderr.write(f"memci: {workflow_line(redact(text))}\n")


def _refuse_automated(turn: Turn) -> TurnedDown:
    shown = turn.text[:_MAX_SHOWN]
    return TurnedDown(turn.session, turn.uuid, turn.timestamp, turn.origin, shown, "a prompt of a program")


def gather(
    workspace: Workspace,
    config: Config,
    named: Sequence[str],
    scopes: Sequence[ScopeSnapshot],
    now: dt.datetime,
    show: Callable[[str], None],
) -> Gathered:
    """Read transcripts, those in the `named` places if there are any, and the daily logs, and find the signals."""
    places = list_places(named, config.transcripts, workspace)
    show("gather: reading transcripts")
    secrets = list_secret_values(os.environ)
    reading = _read(workspace, places, secrets, show)
    warn_of_unknown(reading)
    positions = _number_turns(reading.turns)
    people, programs = split_automation(reading.turns, config.automation)
    reading = replace(reading, turns=people)
    found = [find_signals(people), FoundSignals((), tuple(_refuse_automated(turn) for turn in programs))]
    for logged in _read_logs(workspace, scopes, now):
        said = (*logged.signals, *logged.offered)
        positions |= {(signal.session, signal.uuid): int(signal.uuid[1:]) for signal in said}
        found.append(logged)
    known = [signal for each in found for signal in each.signals]
    standing, back = drop_taken_back(known, reading.turns)
    kept, written = drop_written(standing, _list_written(reading, scopes))
    turned_down = (*(down for each in found for down in each.turned_down), *back, *written)
    signals = group_repeated(kept)
    if signals and workspace.repository:
        names = name_people(reading.sessions, sorted(list_authors(workspace.repository)))
        signals = tuple(replace(signal, speaker=names.get(signal.session, "")) for signal in signals)
    return Gathered(signals, turned_down, reading, _rank_candidates(found), positions)


def account_for(reading: Reading) -> Gathered:
    """Return what a dream tells of a reading for which no scope is due: what became of the files, and no words."""
    return Gathered((), (), Reading(sessions=reading.sessions, files=reading.files), (), {})


def warn_of_unknown(reading: Reading) -> None:
    """Warn of records of a kind that this version does not know."""
    for kind, count in reading.skipped.items():
        if kind.startswith("unknown"):
            _warn(f"{kind}: {count} records were not read; memci may be older than the client")


def _rank_candidates(found: Sequence[FoundSignals]) -> tuple[Signal, ...]:
    """Return the candidates of all sources; what was said twice comes first."""
    every = [signal for each in found for signal in each.offered]
    order = {signal.id: place for place, signal in enumerate(every)}
    return tuple(sorted(group_repeated(every), key=lambda signal: (-signal.strength, order[signal.id])))


def _number_turns(turns: Sequence[Turn]) -> dict[tuple[str, str], int]:
    positions: dict[tuple[str, str], int] = {}
    counts: Counter[str] = Counter()
    for turn in turns:
        counts[turn.session] += 1
        positions[turn.session, turn.uuid] = counts[turn.session]
    return positions


def _read_logs(workspace: Workspace, scopes: Sequence[ScopeSnapshot], now: dt.datetime) -> Iterator[FoundSignals]:
    logs = [log for scope in scopes for log in scope.logs if not is_to_come(log.day, now)]
    authors = list_author_names(workspace.repository) if logs and workspace.repository else frozenset()
    for log in logs:
        yield find_log_signals(log.path, log.day, redact(log.text), authors)


def _list_written(reading: Reading, scopes: Sequence[ScopeSnapshot]) -> dict[str, list[str]]:
    """Return, by session, the current texts of the topics that it wrote itself.

    A file that a session wrote elsewhere, or that was never committed, is not in this memory and does not count.
    """
    topics = {topic.path: topic.text for scope in scopes for topic in scope.topics}
    paths = TopicPaths(scopes)
    written: dict[str, list[str]] = {}
    for write in reading.writes:
        if path := paths.match(write.path):
            written.setdefault(write.session, []).append(topics[path])
    return written
