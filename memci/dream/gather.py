"""Reading what people said: transcripts and daily logs, redacted, classified, with every record accounted for."""

import datetime as dt
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memci.dream.unseen import drop_written
from memci.errors import UsageError
from memci.git.history import find_author_names
from memci.git.workspace import Workspace
from memci.memory.daily_logs import is_to_come
from memci.model.memory import ScopeSnapshot
from memci.model.session import Signal, Turn, TurnedDown
from memci.redaction.secrets import redact
from memci.report.escape import workflow_line
from memci.sessions.automation import split_automation
from memci.sessions.places import ARTIFACT_PREFIX, GIT_PREFIX, find_inputs
from memci.sessions.raw_records import find_secret_values
from memci.sessions.read_turns import read_transcripts
from memci.sessions.reading import Reading, ReadLimits
from memci.signals.find import FoundSignals, find_signals
from memci.signals.logs import find_log_signals
from memci.signals.repeats import group_repeated
from memci.signals.retract import drop_taken_back

# So much of a prompt of a program tells which one it is.
_MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Gathered:
    """What people said that should last, what was turned down, and the account of what was read."""

    signals: tuple[Signal, ...]
    turned_down: tuple[TurnedDown, ...]
    reading: Reading
    # Which of the turns of its session a record is, counting from 1; for logs the line.
    positions: Mapping[tuple[str, str], int]
    # What of the model's search did not work.
    failures: tuple[str, ...] = ()


def find_places(named: Sequence[str], configured: Sequence[str], workspace: Workspace) -> Sequence[str]:
    """Return where transcripts are: as a person named them, or as settings do, which stand in the root.

    What a person names has to be there. What settings name may still come, such as a branch before the first session.
    """
    if named:
        return named
    places = (place if is_elsewhere(place) else str(workspace.root / place) for place in configured)
    return [place for place in places if _is_there(place, workspace)]


def is_elsewhere(place: str) -> bool:
    """Whether a place is no path."""
    return place.startswith((GIT_PREFIX, ARTIFACT_PREFIX))


def _is_there(place: str, workspace: Workspace) -> bool:
    try:
        if not place.startswith(ARTIFACT_PREFIX):
            next(iter(find_inputs(place, workspace.repository, ReadLimits())), None)
    except UsageError as error:
        _tell(f"{place} in the settings: {error.message}; it is left out")
        return False
    return True


# Finds signals that were not found without a model, among the turns that are new; also returns what the model pointed
# at in vain, and what did not work.
Search = Callable[[Sequence[Turn], Sequence[Signal]], tuple[list[Signal], list[TurnedDown], list[str]]]


def _read(workspace: Workspace, places: Sequence[str], secrets: Sequence[str], show: Callable[[str], None]) -> Reading:
    remote = [place for place in places if place.startswith(ARTIFACT_PREFIX)]
    if not remote:
        return read_transcripts(places, repository=workspace.repository, secrets=secrets)
    from memci.dream.fetch_artifacts import fetch_artifacts

    local = [place for place in places if place not in remote]
    with fetch_artifacts(remote, workspace, os.environ, show, _tell) as fetched:
        return read_transcripts(local, repository=workspace.repository, secrets=secrets, fetched=fetched)


def _tell(text: str) -> None:
    sys.stderr.write(f"memci: {workflow_line(redact(text))}\n")


def _refuse_automated(turn: Turn) -> TurnedDown:
    shown = turn.text[:_MAX_SHOWN]
    return TurnedDown(turn.session, turn.uuid, turn.timestamp, turn.origin, shown, "a prompt of a program")


def gather(
    workspace: Workspace,
    places: Sequence[str],
    scopes: Sequence[ScopeSnapshot],
    show: Callable[[str], None],
    search: Search = lambda _turns, _known: ([], [], []),
    *,
    now: dt.datetime,
    automation: Sequence[str] = (),
) -> Gathered:
    """Read transcripts and the logs of the scopes up to today, and find the signals in them.

    `automation` are globs over prompts that programs of the repository type.
    """
    show("gather: reading transcripts")
    secrets = find_secret_values(os.environ)
    reading = _read(workspace, places, secrets, show)
    for kind, count in reading.skipped.items():
        if kind.startswith("unknown"):
            _tell(f"{kind}: {count} records were not read; memci may be older than the client")
    positions: dict[tuple[str, str], int] = {}
    counts: dict[str, int] = {}
    for turn in reading.turns:
        counts[turn.session] = counts.get(turn.session, 0) + 1
        positions[turn.session, turn.uuid] = counts[turn.session]
    people, programs = split_automation(reading.turns, automation)
    reading = replace(reading, turns=people)
    found = [find_signals(people), FoundSignals((), tuple(_refuse_automated(turn) for turn in programs))]
    logs = [log for scope in scopes for log in scope.logs if not is_to_come(log.day, now)]
    authors = find_author_names(workspace.repository) if logs and workspace.repository else frozenset()
    for log in logs:
        logged = find_log_signals(log.path, log.day, redact(log.text), authors)
        positions |= {(signal.session, signal.uuid): int(signal.uuid[1:]) for signal in logged.signals}
        found.append(logged)
    # What a session wrote elsewhere, or what was never committed, is not in this memory and has to be kept.
    topics = {str(topic.path): topic.text for scope in scopes for topic in scope.topics}
    writes: dict[str, list[str]] = {}
    for write in reading.writes:
        name = write.path.replace("\\", "/")
        held = next((text for path, text in topics.items() if name.endswith(f"/{path}")), None)
        if held is not None:
            writes.setdefault(write.session, []).append(held)
    known = [signal for each in found for signal in each.signals]
    more, in_vain, failures = search(reading.turns, known)
    standing, back = drop_taken_back([*known, *more], reading.turns)
    kept, written = drop_written(standing, writes)
    turned_down = (*(down for each in found for down in each.turned_down), *back, *written, *in_vain)
    return Gathered(group_repeated(kept), turned_down, reading, positions, tuple(failures))
