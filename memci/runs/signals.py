"""Runs `memci signals`: the gather phase alone, over all scopes, with an account of every record."""

import datetime as dt
from collections.abc import Callable, Sequence

from memci.dream.check_memory import read_snapshot
from memci.dream.gather import gather
from memci.dream.inputs import Gathered
from memci.model.session import Signal
from memci.redaction.secrets import redact
from memci.report.dream_json import render_signal
from memci.report.dream_result import name_session
from memci.report.escape import fields_of, json_text, shorten, visible
from memci.runs.scopes import Prepared
from memci.signals.find import limit_offered

# A quotation at a terminal; the whole is in the JSON.
_MAX_QUOTE = 200
_FILE = ("name", "status", "reason", "used", "broken", "problem")


def read_signals(
    found: Prepared, transcripts: Sequence[str], now: dt.datetime, show: Callable[[str], None]
) -> Gathered:
    """Read transcripts and daily logs; writes nothing."""
    scopes = read_snapshot(found.workspace.tree, found.scopes).scopes
    return gather(found.workspace, found.config, transcripts, scopes, now, show)


def _list_offered(gathered: Gathered) -> Sequence[Signal]:
    return limit_offered(gathered.candidates, len(gathered.signals))


def render_signals_json(gathered: Gathered) -> str:
    """Return one JSON object: the schema memci/signals/1."""
    reading = gathered.reading
    return json_text(
        {
            "schema": "memci/signals/1",
            "signals": [render_signal(signal) for signal in gathered.signals],
            "offered": [render_signal(signal) for signal in _list_offered(gathered)],
            "turned_down": [fields_of(down) | {"text": redact(down.text)} for down in gathered.turned_down],
            "records": {"used": reading.used, "skipped": dict(reading.skipped), "broken": reading.broken},
            "files": [{name: getattr(file, name) for name in _FILE} for file in reading.files],
        }
    )


def render_signals(gathered: Gathered) -> str:
    """Return signals and what was turned down for a person at a terminal."""
    reading, offered = gathered.reading, _list_offered(gathered)
    lines = [line for signal in gathered.signals for line in _render_signal(signal)]
    if offered:
        lines += ["", "offered: memci dream --accept ID writes one"]
        lines += [line for signal in offered for line in _render_signal(signal)[:2]]
    if gathered.turned_down:
        lines += ["", "turned down"]
        quoted = ((down.reason, shorten(redact(down.text), _MAX_QUOTE)) for down in gathered.turned_down)
        lines += [f"  {visible(reason)}: “{visible(quote)}”" for reason, quote in quoted]
    odd = [file for file in reading.files if file.problem]
    if odd:
        lines += ["", *(f"{file.status}  {visible(file.name)}: {visible(file.problem)}" for file in odd)]
    skipped = sum(reading.skipped.values())
    found = f"{len(gathered.signals)} signals, {len(offered)} offered, {len(gathered.turned_down)} turned down"
    read = f"{len(reading.files)} files: {reading.used} records by people, {skipped} others, {reading.broken} broken"
    more = "" if reading.files else "; name transcripts with --transcripts or in the settings"
    return "\n".join([*lines, "", f"{found}; {read}{more}"]).lstrip("\n") + "\n"


def _render_signal(signal: Signal) -> list[str]:
    often = f", said {signal.strength} times" if signal.repeated else ""
    when = signal.timestamp.date().isoformat() if signal.timestamp else "undated"
    return [
        f"{signal.kind.value} → {signal.type.value}  {when}  {name_session(signal.session)}  {signal.id}{often}",
        f"  “{visible(shorten(redact(signal.text), _MAX_QUOTE))}”",
        f"  {visible(signal.reason)}",
    ]
