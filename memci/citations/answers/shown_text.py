"""Makes text of a repository fit to be shown: without secrets and hidden characters, and not too long."""

from collections.abc import Sequence

from memci.redaction.hidden import strip_hidden
from memci.redaction.secrets import REDACTED, find_secrets, redact

# A longer line is generated or minified.
MAX_LINE = 500
# Whether something is a secret may depend on lines around it; a private key of 8,192 bits has about 100.
_AROUND = 150
# Enough to see a secret whole that begins in the part that is shown.
_MAX_READ = 2_000
# As often as `redact` looks again: removing one secret can complete another.
_PASSES = 3


def clean_line(text: str, limit: int = MAX_LINE) -> str:
    """Return one line that may be shown."""
    plain = strip_hidden(redact(text[:_MAX_READ])).replace("\r", " ").replace("\n", " ").rstrip()
    return plain if len(plain) <= limit else f"{plain[:limit]}…"


def show_lines(lines: Sequence[str], first: int, last: int) -> list[str]:
    """Return the lines from `first` to `last`, counted from 1, as they may be shown."""
    start = max(0, first - 1 - _AROUND)
    window = _redact_lines([line[:_MAX_READ] for line in lines[start : last + _AROUND]])
    return [clean_line(line) for line in window[first - 1 - start : last - start]]


def _redact_lines(lines: Sequence[str]) -> list[str]:
    """Redact lines together; a secret of several lines leaves empty ones, so that numbers stay right."""
    text = "\n".join(lines)
    for _ in range(_PASSES):
        found = find_secrets(text)
        if not found:
            break
        for secret in reversed(found):
            breaks = "\n" * text.count("\n", secret.start, secret.end)
            text = f"{text[: secret.start]}{REDACTED}{secret.kind}]{breaks}{text[secret.end :]}"
    return text.split("\n")
