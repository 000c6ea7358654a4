"""Reads which value a file gives a name: an assignment or a key with one literal, in any language."""

import re
from typing import NamedTuple

# In these files a bare word is a text, elsewhere it is another name.
_PLAIN_FILES = (".yml", ".yaml", ".env", ".ini", ".cfg", ".conf", ".properties")
# Longer lines are data.
_MAX_LINE = 500


class AssignedValue(NamedTuple):
    """A literal as it is written, without quotes; `range` is `^` or `>=` before a version, `unit` what follows it."""

    text: str
    range: str = ""
    unit: str = ""

    def agrees(self, cited: str) -> bool:
        """Whether a cited value is this one, or the beginning of this version."""
        mine, other = _normalise(self.text), _normalise(cited)
        return mine == other or mine.startswith(f"{other}.")


def _normalise(value: str) -> str:
    return re.sub(r"(?<=\d)[_,](?=\d)", "", value).removeprefix("v").lower()


def read_value(path: str, text: str, name: str) -> AssignedValue | None:
    """Return the value that a file gives a name; None if it gives none, several, or one that must be computed."""
    last = re.escape(name.rpartition(".")[2])
    # Settings are written in one case and spoken of in another: "port 8080" is `PORT=8080`.
    flags = re.IGNORECASE if name.islower() else 0
    assignment = re.compile(
        rf"(?<![\w-])[\"']?{last}[\"']?(?:\s*:\s*[\w\[\]., |]+?)?\s*(?::=|=>|=(?!=)|:)\s*(?P<rest>.*)", flags
    )
    plain = path.endswith(_PLAIN_FILES) or "/.env" in f"/{path}"
    found: set[AssignedValue | None] = set()
    for line in text.split("\n"):
        match = assignment.search(line) if len(line) <= _MAX_LINE else None
        if match:
            found.add(_parse_literal(match["rest"], plain=plain))
    return found.pop() if len(found) == 1 else None


def _parse_literal(rest: str, *, plain: bool) -> AssignedValue | None:
    end = r"\s*(?:$|[,;)}\]]|\s#|//|/\*|\*/)"
    number = re.match(
        rf"(?P<quote>[\"'`]?)(?P<range>[\^~<>=]*)\s?(?P<text>v?\d[\d_]*(?:\.\d+)*(?:-[a-z]+\.?\d+)?)(?P<unit>[A-Za-z%]*)(?P=quote){end}",
        rest,
    )
    if number:
        return AssignedValue(number["text"], number["range"], number["unit"])
    word = re.match(rf"(?P<quote>[\"'`])(?P<text>[\w.:@+-]{{1,80}})(?P=quote){end}", rest)
    word = word or re.match(rf"(?P<text>(?i:true|false)){end}", rest)
    if not word and plain:
        word = re.match(rf"(?P<text>[A-Za-z][\w.:@+-]{{0,80}}){end}", rest)
    return AssignedValue(word["text"]) if word else None
