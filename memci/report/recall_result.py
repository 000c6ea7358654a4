"""The result of `memci recall`: the topics that a session would be shown, and why."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from memci.report.check_result import amount
from memci.report.escape import fields_of, json_text, name_reasons, shorten, visible

# A description at a terminal; the whole is in the JSON.
_MAX_DESCRIPTION = 300
_MAX_WHY = 12


@dataclass(frozen=True, slots=True)
class ShownTopic:
    """One topic as a session would see it; secrets are taken out already."""

    file: str
    scope: str
    type: str
    name: str
    description: str
    score: float
    why: tuple[str, ...]
    written: dt.datetime | None
    notes: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What was chosen, from how many, and what was not looked at."""

    now: dt.datetime
    query: str
    engine: str
    topics: Sequence[ShownTopic]
    # File and reason.
    set_aside: Sequence[tuple[str, str]]
    skipped: Sequence[tuple[str, str]]
    scopes: int
    scanned: int
    # Topics older than the newest that a session scans.
    beyond: int


def render_recall_json(result: RecallResult) -> str:
    """Return one JSON object: the schema memci/recall/1."""
    set_aside, skipped = (name_reasons(pairs, "file", "reason") for pairs in (result.set_aside, result.skipped))
    rest = {"schema": "memci/recall/1", "set_aside": set_aside, "skipped": skipped}
    return json_text(fields_of(result) | rest)


def render_recall(result: RecallResult, *, quiet: bool = False) -> str:
    """Return the topics for a person; their text is behind a bar, so that it cannot pass for memci's own output."""
    blocks = ["\n".join(_render_topic(topic)) for topic in result.topics]
    if not quiet:
        blocks.append("\n".join(_render_account(result)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _render_topic(topic: ShownTopic) -> list[str]:
    kind = f"  {visible(topic.type)}" if topic.type else ""
    lines = [f"{visible(topic.file)}{kind}  {topic.score:.2f}"]
    if topic.description:
        lines.append(f"  {visible(shorten(topic.description, _MAX_DESCRIPTION))}")
    if topic.why:
        lines.append(f"  matches {visible(', '.join(topic.why[:_MAX_WHY]))}")
    lines += (f"  {visible(note)}" for note in topic.notes)
    lines += (f"  | {visible(line, keep=chr(9))}".rstrip() for line in topic.text.split("\n"))
    return lines


def _render_account(result: RecallResult) -> list[str]:
    if not result.scopes:
        return ["nothing to recall: no memory was found"]
    shown = f"{len(result.topics)} of {amount(result.scanned, 'topic')}" if result.topics else "nothing relevant"
    among = "" if result.topics else f" among {amount(result.scanned, 'topic')}"
    lines = [f"{shown}{among}, {result.engine} engine"]
    if result.beyond:
        lines.append(f"{amount(result.beyond, 'older topic')} not looked at: a session scans the newest of each scope")
    lines += (f"set aside  {visible(file)}: {visible(reason)}" for file, reason in result.set_aside)
    lines += (f"skipped  {visible(file)}: {visible(reason)}" for file, reason in result.skipped)
    return lines
