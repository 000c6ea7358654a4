"""Merges the scans of several files: forked, resumed and published sessions repeat each other's records."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memci.model.session import PartKind, Place, Turn
from memci.sessions.clean_text import Cleaner
from memci.sessions.people import find_login
from memci.sessions.read_result import MemoryTouch, Session
from memci.sessions.scan import Facts, Scan, ScanResult
from memci.sessions.typed_parts import split_parts

# Only a person at the client refuses a call or answers a dialog.
_NEEDS_PERSON = (Place.REJECTION, Place.ANSWER)
_NO_TIME, _LAST_TIME = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)


def merge_turns(scans: Sequence[Scan], cleaner: Cleaner) -> tuple[Turn, ...]:
    """Return every turn once, without secrets, in the order of time, session and position."""
    best: dict[tuple[str, str, str], tuple[bool, dt.timedelta, str, int, ScanResult]] = {}
    ends: dict[str, dt.datetime] = {}
    for session, facts in (item for scan in scans for item in scan.sessions.items()):
        ends[session] = max(ends.get(session, _NO_TIME), facts.last or _NO_TIME)
    for position, found in enumerate(found for scan in scans for found in scan.turns):
        turn = found.turn
        # The original session keeps the turn; without a fork mark the one that goes on, where it may be taken back.
        left = _LAST_TIME - ends.get(turn.session, _NO_TIME)
        candidate = (found.forked, left, turn.session, position, found)
        key = (found.source, turn.place, turn.text)
        if key not in best or candidate[:4] < best[key][:4]:
            best[key] = candidate
    once = _without_copies([(position, found) for *_, position, found in best.values()])
    kept = _without_repetitions(once, scans)
    agents = {session: facts.agent for scan in scans for session, facts in scan.sessions.items() if facts.agent}
    kept.sort(key=lambda item: (item[1].turn.timestamp or _NO_TIME, item[1].turn.session, item[0]))
    return tuple(_finish(found, cleaner, agents.get(found.turn.session)) for _, found in kept)


def _finish(found: ScanResult, cleaner: Cleaner, agent: str | None) -> Turn:
    # Secrets are removed before anything is classified by its form.
    text = cleaner.text(found.turn.text)
    parts = split_parts(text)
    if found.doubtful:
        parts = tuple(part._replace(kind=PartKind.REPORTED) if part.kind is PartKind.TYPED else part for part in parts)
    return replace(found.turn, text=text, agent=agent, parts=parts)


def _without_copies(found: list[tuple[int, ScanResult]]) -> list[tuple[int, ScanResult]]:
    """Drop copies with a new id of forked or resumed sessions: they keep their time to the millisecond."""
    seen: set[tuple[str, object, str]] = set()
    kept: list[tuple[int, ScanResult]] = []
    for position, item in sorted(found, key=lambda pair: (pair[1].forked, pair[0])):
        turn = item.turn
        here, anywhere = (turn.session, turn.timestamp, turn.text), ("", turn.timestamp, turn.text)
        if turn.timestamp and not item.queued and (here in seen or (item.forked and anywhere in seen)):
            continue
        seen |= set() if item.queued else {here, anywhere}
        kept.append((position, item))
    return kept


def _without_repetitions(found: list[tuple[int, ScanResult]], scans: Sequence[Scan]) -> list[tuple[int, ScanResult]]:
    """Drop entries of the queue whose lines the person also said elsewhere in the session, or took back."""
    # Of a session that goes on under another id the prompts count there, but its queue is only here.
    sent = [item.turn for scan in scans for item in scan.turns if not item.queued]
    whole = {(turn.session, turn.text) for turn in sent}
    # Nearly all were sent unchanged; only the others are compared line by line.
    queued = [item.turn for _, item in found if item.queued and (item.turn.session, item.turn.text) not in whole]
    open_in = {turn.session for turn in queued}
    said = {(turn.session, line) for turn in sent if turn.session in open_in for line in _lines(turn.text)}
    said |= {(session, line) for scan in scans for session, text in scan.withdrawn for line in _lines(text)}
    kept = []
    automated = {session for scan in scans for session, facts in scan.sessions.items() if facts.automated}
    for position, item in sorted(found, key=lambda pair: pair[0]):
        turn = item.turn
        if turn.session in automated and turn.place not in _NEEDS_PERSON and not item.named:
            continue
        if item.queued:
            lines = {(turn.session, line) for line in _lines(turn.text)}
            if (turn.session, turn.text) in whole or lines <= said:
                continue
            said |= lines
        kept.append((position, item))
    return kept


def _lines(text: str) -> set[str]:
    return {" ".join(line.split()) for line in text.split("\n") if line.strip()}


def merge_sessions(scans: Sequence[Scan], turns: Iterable[Turn]) -> tuple[Session, ...]:
    """Return every session with the facts from all its files."""
    merged: dict[str, Facts] = {}
    named: dict[str, str] = {}
    for scan in scans:
        for session, facts in scan.sessions.items():
            known = merged.setdefault(session, Facts())
            named[session] = named.get(session) or scan.person
            known.agent = known.agent or facts.agent
            known.cwd = known.cwd or facts.cwd
            known.branch = known.branch or facts.branch
            known.continued = known.continued or facts.continued
            known.first = min((time for time in (known.first, facts.first) if time), default=None)
            known.last = max((time for time in (known.last, facts.last) if time), default=None)
    uuids: dict[str, list[str]] = {}
    for turn in turns:
        uuids.setdefault(turn.session, []).append(turn.uuid)
    return tuple(
        Session(
            session, facts.agent, facts.cwd, facts.branch, facts.first, facts.last,
            uuids[session][-1] if session in uuids else None, len(uuids.get(session, ())),
            named[session] or find_login(facts.cwd), facts.continued,
        )
        for session, facts in sorted(merged.items())
    )  # fmt: skip


def merge_touched(scans: Sequence[Scan], cleaner: Cleaner) -> list[MemoryTouch]:
    """Return every use of a memory file once, without those that failed; copies count in the first session."""
    found: dict[tuple[str, str, str | None], MemoryTouch] = {}
    for touch in (touch for scan in scans for call, touch in scan.touched if call not in scan.failed):
        key = (touch.uuid, touch.path, touch.text)
        found[key] = min(found.get(key, touch), touch, key=lambda each: each.session)
    ordered = sorted(found.values(), key=lambda each: (each.timestamp or _NO_TIME, each.session, each.uuid, each.path))
    return [
        replace(each, path=cleaner.name(each.path), text=None if each.text is None else cleaner.text(each.text))
        for each in ordered
    ]
