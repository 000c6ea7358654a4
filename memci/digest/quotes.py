"""Cutting untrusted text for a digest: redacted before it is cut, so that no half of a secret is left."""

from collections.abc import Callable

Clean = Callable[[str], str]
# A secret that begins within the preview ends within this.
_WINDOW = 8_192


def preview(text: str, size: int, clean: Clean, lines: int = 12) -> str:
    """Return the beginning of a text, and how much follows."""
    text = text.strip()
    cleaned = clean(text[: size + _WINDOW])
    kept = "\n".join(row.rstrip().replace("\t", " ") for row in cleaned.split("\n")[:lines])[:size].rstrip()
    more = len(text) - len(kept)
    # What redaction made shorter was not left out.
    if more <= 0 or kept == cleaned.rstrip():
        return kept
    rows = text.count("\n") - kept.count("\n")
    return f"{kept} […{rows:,} more lines]" if rows > 0 else f"{kept} […{more:,} more characters]"


def line(text: str, size: int, clean: Clean) -> str:
    """Return the beginning of a text on one line."""
    text = text.strip()
    cleaned = " ".join(clean(text[: size + _WINDOW]).split())
    return cleaned if len(cleaned) <= size else f"{cleaned[:size].rstrip()} […]"
