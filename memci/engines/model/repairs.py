"""Repairs: what a model is shown of a refusal, and how its correction changes a draft."""

from collections.abc import Mapping, Sequence
from typing import Any

from memci.engines.model.desk import Desk
from memci.engines.model.draft_change import DraftChange
from memci.engines.model.drafts import Hunk, NewStatement, tidy_text
from memci.engines.model.phases import REPLACED
from memci.model.plan import Refusal
from memci.prose.similar import normalise


def list_refused(waiting: Sequence[DraftChange]) -> list[tuple[DraftChange, NewStatement | None, Refusal]]:
    """Return what can be corrected: statements; for a change that is refused as a whole, each of its statements."""
    listed: list[tuple[DraftChange, NewStatement | None, Refusal]] = []
    for change in waiting:
        for entry, problem in change.refused:
            entries: Sequence[NewStatement | None] = (
                [entry] if entry else find_blamed(problem, change.hunk.new) or change.hunk.new or [None]
            )
            # A name is refused once, however many statements its topic has.
            listed += ((change, each, problem) for each in (entries[:1] if change.field else entries))
    return listed


def find_blamed(problem: Refusal, entries: Sequence[NewStatement]) -> Sequence[NewStatement]:
    """Return the statements that a guard refuses; none if it refuses something else."""
    words = normalise(problem.text)
    texts = [(entry, normalise(entry.text)) for entry in entries]
    # A guard may name a statement with its label.
    return [entry for entry, text in texts if words and (words in text or words.endswith(text))]


def correct(change: DraftChange, entry: NewStatement | None, told: Mapping[str, Any]) -> None:
    """Change a hunk as a repair says."""
    hunk = change.hunk
    cited = [(proof["id"], proof["quote"]) for proof in told["evidence"]]
    text = tidy_text(told["text"])
    if change.told and told["description"].strip():
        change.told.description = " ".join(told["description"].split())
    if told["withdraw"]:
        hunk.entries = [other for other in hunk.entries if other is not entry]
        if not hunk.new:
            # What only the new statement would have replaced stays; other reasons hold without it.
            hunk.entries, hunk.removed = [], [] if REPLACED in hunk.reasons or not hunk.reasons else hunk.removed
    elif change.field and text:
        setattr(change.told, change.field, text)
    elif entry is None:
        _cite_for_removed(hunk, cited)
    elif text:
        entry.text, entry.cited = text, cited or entry.cited
        # What is cited for the new words may also be what ends the old ones.
        _cite_for_removed(hunk, cited)


def _cite_for_removed(hunk: Hunk, cited: Sequence[tuple[str, str]]) -> None:
    for unit in hunk.removed:
        reason, known = hunk.retired.get(id(unit), (REPLACED, []))
        hunk.retired[id(unit)] = (reason, list(dict.fromkeys((*known, *cited))))


def show(entry: NewStatement | None, change: DraftChange, desk: Desk) -> dict[str, object]:
    """Return a refused statement, or a refused change as a whole, as a model is shown it."""
    hunk = change.hunk
    names = {id(line.unit): name for name, line in desk.lines.items()}
    cited = entry.cited if entry else hunk.cited
    lines = [names[id(unit)] for unit in hunk.removed if id(unit) in names]
    new = change.told if change.told and change.is_new else None
    return {
        "topic": new.name if new else hunk.path.name,
        **({"description": new.description} if new else {}),
        **({"part": entry.part, "text": entry.text} if entry else {}),
        **({"part": change.field, "text": getattr(change.told, change.field)} if change.field else {}),
        "evidence": [{"id": name, "quote": quote} for name, quote in cited],
        **({"retires": lines} if lines else {}),
    }
