"""Rules in what a person pasted or quoted: named to people who ask, never taken."""

import re
from collections.abc import Iterator

from memci.model.session import PartKind, Turn
from memci.patterns import LazyPattern

# So much of a part is looked at, and so much of it shown.
_MAX_READ = 4_000
_MAX_SHOWN = 200
_REASONS = {
    PartKind.PASTED: "pasted text",
    PartKind.QUOTED: "a quotation",
    PartKind.REPORTED: "perhaps somebody else's words",
    PartKind.CODE: "pasted output or code",
    PartKind.WRAPPED: "text of a program",
}


def find_foreign_rules(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yield the parts of a message that read like rules and are not the person's, shortened, with what they are."""
    for part in turn.parts:
        words = turn.text[part.start : part.end].strip()
        if part.kind is not PartKind.TYPED and _RULES.search(words[:_MAX_READ]):
            yield words[:_MAX_SHOWN], _REASONS[part.kind]


_RULES = LazyPattern(
    r"\b(?:always|never|from now on|remember|must|immer|niemals|toujours|jamais|siempre|nunca|sempre)\b"
    r"|всегда|никогда|以后|必须|不要|必ず|今後|항상|절대",
    re.IGNORECASE,
)
