"""Truncates untrusted text for a digest; redacts first, so that no half of a secret remains."""

from collections.abc import Callable

Clean = Callable[[str], str]
# Enough to contain a secret that begins within the preview.
_WINDOW = 8_192


def preview(text: str, size: int, clean: Clean, lines: int = 12) -> str:
    """Return the beginning of a text, and a note of how much is left out."""
    text = text.strip()
    cleaned = clean(text[: size + _WINDOW])
    kept = "\n".join(row.rstrip().replace("\t", " ") for row in cleaned.split("\n")[:lines])[:size].rstrip()
    more = len(text) - len(kept)
    # Redaction shortens the text, too; nothing was left out then.
    if more <= 0 or kept == cleaned.rstrip():
        return kept
    rows = text.count("\n") - kept.count("\n")
    return f"{kept} […{rows:,} more lines]" if rows > 0 else f"{kept} […{more:,} more characters]"


def line(text: str, size: int, clean: Clean) -> str:
    """Return the beginning of a text on one line."""
    text = text.strip()
    cleaned = " ".join(clean(text[: size + _WINDOW]).split())
    return cleaned if len(cleaned) <= size else f"{cleaned[:size].rstrip()} […]"
