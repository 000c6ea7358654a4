"""Signals in daily logs: only what an entry attributes to the user."""

import datetime as dt
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.model.session import TOLD, Origin, Place, Signal, Turn, blank_out
from memci.patterns import LazyPattern
from memci.sessions.delimited import blank_delimited
from memci.sessions.reported_speech import reports
from memci.sessions.typed_parts import split_parts
from memci.signals.dating import date_words
from memci.signals.find import FoundSignals, find_signals, make_signal

# The name of the session that a log stands for begins with this.
LOG_SESSION = "log:"
_WHO = (
    r"(?:the )?(?:user|human|person|nutzer|benutzer|utilisateur|usuario|usuário|пользователь|用户|使用者"
    r"|ユーザー?|사용자)"
)


# A plus begins an added line of a diff, and a bar stands between the cells of a table.
_ENTRY = LazyPattern(
    r"\s*(?P<bullet>[-*•]\s+)?(?P<time>\[?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?\]?\s{0,3}[-–—:]?\s*)?(?=\S)"
)
_FENCE = LazyPattern(r"^[ \t]+(?=```|~~~)", re.MULTILINE)
_LONG_CODE = LazyPattern(r"(?<!`)`[^`\n]{0,500}\n[^`]{0,500}`(?!`)")


def _said() -> str:
    """Match what puts the rest of an entry into the user's mouth."""
    verbs = (
        r"(?:\s(?:said|says|asked|corrected|decided|noted|feedback|correction|decision|preference|rule|request"
        r"|confirmed|reminded|told me|wrote|hat gesagt|sagt|a dit|dijo|disse|сказал|说|說)(?:\s(?:me|us|that"
        r"|to))?)?"
    )
    return rf"^[*_]{{0,3}}{_WHO}{verbs}[*_]{{0,3}}\s?[:：][*_]{{0,3}}\s*"


_SAID = LazyPattern(_said, re.IGNORECASE)
# What may be a name at the start of an entry.
_NAMED = LazyPattern(
    r"[*_]{0,3}(?P<name>[A-Z][a-zà-ÿ]{1,14}(?: [A-Z][a-zà-ÿ]{1,14})?)[*_]{0,3}: +"
    r"(?=\S+ \S+ \S|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
)
_REPORTED = LazyPattern(
    rf"^{_WHO}\s+(?P<verb>said|says|asked|told|wants?|prefers?|likes?|hates?|insists?|doesn't want"
    rf"|does not want|is (?:an?|new|the)|decided|confirmed|corrected)\b",
    re.IGNORECASE,
)
# A single word is the kind of the entry.
_LABEL = LazyPattern(r"\S\s+\S+[:：](?:\s|$)")
# What is asked is not wished.
_ASKS = LazyPattern(r"(?:\W+\w+){0,2}?\W+(?:if|whether|why|how|what|when|where|which|who)\b", re.IGNORECASE)
_ENCLOSED = LazyPattern(r"[\"“„]([^\"“”„]*)[\"“”]")
_SIGNED = LazyPattern(
    rf"\s*(?:\((?:per |by |from |said by |laut |selon |según )?{_WHO}\)|[—–-] ?{_WHO})[\s.]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a daily log; `words` is the part that it attributes to a person, "" if there is none."""

    line: int
    moment: dt.datetime
    text: str
    words: str
    origin: Origin = Origin.LOG


def list_entries(day: dt.date, text: str, people: Collection[str] = frozenset()) -> list[LogEntry]:
    """Return the entries of a daily log."""
    entries: list[LogEntry] = []
    announced = False
    for number, entry, hour, minute, indented in _find_entries(text):
        # What is listed below an entry is what it speaks of, and what it announces may be somebody else's text.
        announced = announced and not (hour or minute)
        words = "" if indented or announced else _find_words(entry, people)
        announced = announced or (not words and entry.endswith((":", "：")))
        moment = dt.datetime(day.year, day.month, day.day, hour, minute, tzinfo=dt.UTC)
        entries.append(LogEntry(number, moment, entry, words))
    return entries


def find_log_signals(
    path: PurePosixPath | str, day: dt.date, text: str, people: Collection[str] = frozenset()
) -> FoundSignals:
    """Find the signals in a daily log; entries that name no person as speaker are the agent's own notes.

    `people` are words of the names of those who work on the repository, in lower case.
    """
    turns: list[Turn] = []
    reported: list[Signal] = []
    for entry in list_entries(day, text, people):
        words = entry.words
        if words:
            session, uuid = f"{LOG_SESSION}{path}", f"L{entry.line}"
            turns.append(Turn(session, uuid, entry.moment, Origin.LOG, Place.LOG, words, parts=split_parts(words)))
        if words == entry.text and (told := _REPORTED.match(words)):
            reported.append(_make_reported(turns.pop(), told["verb"].lower()))
    found = find_signals(turns)
    return replace(found, signals=(*found.signals, *reported))


def _find_words(entry: str, people: Collection[str]) -> str:
    """Return the part of an entry that is the user's; "" if none is."""
    said = _SAID.search(entry)
    named = _NAMED.match(entry)
    if said is None and named and all(word.lower() in people for word in named["name"].split()):
        said = named
    if said:
        words = entry[said.end() :].strip()
        if whole := _ENCLOSED.fullmatch(words):
            return whole[1]
        # All that is left can be evidence.
        return blank_out(words, split_parts(words), TOLD).strip()
    signed = _SIGNED.search(entry)
    if signed:
        # Behind a label it may be the name of somebody in a quoted text.
        return "" if _LABEL.search(entry, 0, signed.start()) else entry[: signed.start()].strip()
    told = _REPORTED.match(entry)
    direct = told and not _ASKS.match(entry, told.end()) and not reports(entry[told.end() :])
    return entry if direct and _lasts_reported(entry) else ""


def _lasts_reported(entry: str) -> bool:
    """Tell whether a report in the third person is of a lasting wish: "user prefers small commits"."""
    verb = _REPORTED.match(entry)
    lasting = verb is not None and verb["verb"].lower().startswith(("prefer", "hate", "insist", "is ", "decided"))
    return lasting or bool(re.search(r"\b(?:always|never|every|from now on|all)\b", entry, re.IGNORECASE))


def _make_reported(turn: Turn, verb: str) -> Signal:
    cue = "person" if verb.startswith("is ") else "decision" if verb == "decided" else "rule"
    day = turn.timestamp.date() if turn.timestamp else None
    rule = date_words(turn.text, day, event=cue == "decision")
    return replace(make_signal(turn, turn.text, cue), rule=rule, reason=f"the log says what the user {verb}")


def _find_entries(text: str) -> Iterator[tuple[int, str, int, int, bool]]:
    """Yield line, words and clock time of each entry, and whether it is below another; indented lines go on with it.

    An entry begins with a bullet or a time: any other line may be of something pasted.
    """
    entries: list[tuple[int, str, int, int, bool]] = []
    text = _LONG_CODE.sub(lambda code: "\n" * code[0].count("\n"), _FENCE.sub("", text))
    for number, row in enumerate(blank_delimited(text).split("\n"), 1):
        found = _ENTRY.match(row)
        if not found or row.lstrip().startswith("#"):
            continue
        indented = row.startswith(("  ", "\t"))
        if entries and indented and not found["bullet"]:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {row.strip()}", *entries[-1][2:])
            continue
        if not (found["bullet"] or found["time"]):
            continue
        hour, minute = int(found["hour"] or 0), int(found["minute"] or 0)
        if hour > 23 or minute > 59:
            hour = minute = 0
        entries.append((number, row[found.end() :].strip(), hour, minute, indented))
    yield from entries
