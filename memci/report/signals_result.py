"""The result of `memci signals`: every signal, everything that was turned down, and an account of every record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memci.model.session import Signal, TurnedDown
from memci.redaction.secrets import redact
from memci.report.dream_json import render_signal
from memci.report.dream_result import name_session
from memci.report.escape import fields_of, json_text, shorten, visible

# A quotation at a terminal; the whole is in the JSON.
_MAX_QUOTE = 200


@dataclass(frozen=True, slots=True)
class FileAccount:
    """What became of one file."""

    name: str
    status: str
    reason: str
    used: int
    broken: int
    # The reason, or where the first broken line is.
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SignalsResult:
    """What was found, and what every record was."""

    signals: Sequence[Signal]
    # Candidates that a person may accept, best first.
    offered: Sequence[Signal]
    turned_down: Sequence[TurnedDown]
    used: int
    skipped: Mapping[str, int]
    broken: int
    files: Sequence[FileAccount]


def render_signals_json(result: SignalsResult) -> str:
    """Return one JSON object: the schema memci/signals/1."""
    return json_text(
        {
            "schema": "memci/signals/1",
            "signals": [render_signal(signal) for signal in result.signals],
            "offered": [render_signal(signal) for signal in result.offered],
            "turned_down": [fields_of(down) | {"text": redact(down.text)} for down in result.turned_down],
            "records": {"used": result.used, "skipped": dict(result.skipped), "broken": result.broken},
            "files": result.files,
        }
    )


def render_signals(result: SignalsResult) -> str:
    """Return signals and what was turned down for a person at a terminal."""
    lines = [line for signal in result.signals for line in _render_signal(signal)]
    if result.offered:
        lines += ["", "offered: memci dream --accept ID writes one"]
        lines += [line for signal in result.offered for line in _render_signal(signal)[:2]]
    if result.turned_down:
        lines += ["", "turned down"]
        quoted = ((down.reason, shorten(redact(down.text), _MAX_QUOTE)) for down in result.turned_down)
        lines += [f"  {visible(reason)}: “{visible(quote)}”" for reason, quote in quoted]
    odd = [file for file in result.files if file.problem]
    if odd:
        lines += ["", *(f"{file.status}  {visible(file.name)}: {visible(file.problem)}" for file in odd)]
    skipped = sum(result.skipped.values())
    found = f"{len(result.signals)} signals, {len(result.offered)} offered, {len(result.turned_down)} turned down"
    read = f"{len(result.files)} files: {result.used} records by people, {skipped} others, {result.broken} broken"
    more = "" if result.files else "; name transcripts with --transcripts or in the settings"
    return "\n".join([*lines, "", f"{found}; {read}{more}"]).lstrip("\n") + "\n"


def _render_signal(signal: Signal) -> list[str]:
    often = f", said {signal.strength} times" if signal.repeated else ""
    when = signal.timestamp.date().isoformat() if signal.timestamp else "undated"
    return [
        f"{signal.kind.value} → {signal.type.value}  {when}  {name_session(signal.session)}  {signal.id}{often}",
        f"  “{visible(shorten(redact(signal.text), _MAX_QUOTE))}”",
        f"  {visible(signal.reason)}",
    ]
