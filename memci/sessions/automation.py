"""Detects prompts of programs: named in the settings, or the same at the start of several sessions."""

import fnmatch
import re
from collections.abc import Sequence

from memci.model.session import Place, Turn

# People often start with the same short words; the same long text is a template.
_TEMPLATE_CHARACTERS = 200
_TEMPLATE_SESSIONS = 3
# Templates differ further on, in their subject, and in numbers.
_COMPARED = 160


def split_automation(turns: Sequence[Turn], patterns: Sequence[str]) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """Return the turns of people, and those of programs."""
    templates = _list_templates(turns)
    people: list[Turn] = []
    programs: list[Turn] = []
    for turn in turns:
        words = " ".join(turn.text.split())
        automated = any(fnmatch.fnmatchcase(words, pattern) for pattern in patterns)
        (programs if automated or _shape(words) in templates else people).append(turn)
    return tuple(people), tuple(programs)


def _list_templates(turns: Sequence[Turn]) -> frozenset[str]:
    sessions: dict[str, set[str]] = {}
    for turn in turns:
        words = " ".join(turn.text.split())
        if turn.place is Place.PROMPT and len(words) >= _TEMPLATE_CHARACTERS:
            sessions.setdefault(_shape(words), set()).add(turn.session)
    return frozenset(shape for shape, found in sessions.items() if len(found) >= _TEMPLATE_SESSIONS)


def _shape(words: str) -> str:
    return re.sub(r"\d+", "0", words[:_COMPARED]) if len(words) >= _TEMPLATE_CHARACTERS else words
