"""Redacts records that leave the machine: allowed fields only, no secrets, long outputs as previews."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.sessions.kept_fields import keep_fields
from memci.sessions.record_fields import list_touched
from memci.sessions.speaker import hear

# The client shows 2,000 characters of a large output.
LARGE = 2_000
_PREVIEW = 1_200
_END = 500
# A digest counts the lines of commands and replies; of longer texts it reads only both ends.
LONG = 32_768
_NOTE = LazyPattern(r"^\[left out by memci: the rest of \d{1,12} characters, sha256 [0-9a-f]{16}\]$", re.MULTILINE)
# A line of a private key or of another encoded text.
_DENSE = LazyPattern(r"[A-Za-z0-9+/=_-]{32}")
# A secret that begins within the preview ends within this; private keys have up to 4 KB.
_WINDOW = 8_192
_BLOB = LazyPattern(r"(?:data:[\w/+.;=-]{1,80},)?[A-Za-z0-9+/_-]{400,}={0,2}\s{0,4}")
# No client nests deeper, and parsing deeper records again could fail.
_MAX_DEPTH = 40
# Names that never make their value a secret; checking each pair would double the work.
_PLAIN_KEYS = frozenset(
    {"type", "uuid", "parentUuid", "sessionId", "session_id", "timestamp", "cwd", "version", "gitBranch", "userType",
     "role", "model", "id", "name", "tool_use_id", "text", "content", "command", "file_path", "old_string",
     "new_string", "description", "requestId", "promptId", "stop_reason", "entrypoint", "subtype"}
)  # fmt: skip
_LONG_KEYS = frozenset({"command", "userFeedback"})

Clean = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class _RedactionWay:
    """How the texts of one record are cleaned."""

    clean: Clean
    # Whether long texts become previews, and the fields that become one only beyond `LONG`.
    cut: bool = True
    long: frozenset[str] = frozenset()


def redact_record(record: Mapping[str, object], clean: Clean) -> dict[str, object] | None:
    """Return a record that may be published, or None if records of its type may not.

    What a person said, and what the session wrote into memory, stays complete; any other long text becomes a preview
    and a reference.
    """
    kept = keep_fields(record)
    if kept is None:
        return None
    # What the model says is a reply in an assistant's record, and the output of a tool elsewhere.
    long = _LONG_KEYS | {"text"} if record.get("type") == "assistant" else _LONG_KEYS
    slim = _clean_value(kept, _RedactionWay(str, long=long), 0)
    way = _RedactionWay(clean, cut=not record.get("holdsPersonsWords") and _is_same(record, slim), long=long)
    cleaned = _clean_value(kept, way, 0)
    return cleaned if isinstance(cleaned, dict) else None


def _is_same(record: Mapping[str, object], slim: object) -> bool:
    """Tell whether the cut record still gives the same turns and memory writes."""
    if not isinstance(slim, Mapping):
        return False
    before, after = hear(record), hear(slim)
    same = (before.said, before.withdrawn) == (after.said, after.withdrawn)
    return same and list(list_touched(record)) == list(list_touched(slim))


def _clean_value(value: object, way: _RedactionWay, depth: int, limit: int = LARGE) -> object:
    match value:
        case str():
            return _clean_text(value, way, limit)
        case Mapping() | list() if depth >= _MAX_DEPTH:
            return "[left out by memci: nested too deeply]"
        case Mapping():
            return {way.clean(str(key)): _clean_entry(str(key), item, way, depth) for key, item in value.items()}
        case list():
            if len(value) > 1 and all(isinstance(item, str) for item in value):
                return _clean_lines([str(item) for item in value], way)
            return [_clean_value(item, way, depth + 1) for item in value]
        case _:
            return value


def _clean_entry(key: str, value: object, way: _RedactionWay, depth: int) -> object:
    cleaned = _clean_value(value, way, depth + 1, LONG if key in way.long else LARGE)
    named = isinstance(value, str) and value and cleaned == value and key not in _PLAIN_KEYS and len(value) < LARGE
    # `"password": "…"`: the name makes the value a secret.
    if named and not all(str(value) in way.clean(form) for form in (f"{key}={value}", f'"{key}": "{value}"')):
        return "[REDACTED:by name]"
    return cleaned


def _clean_text(text: str, way: _RedactionWay, limit: int = LARGE) -> str:
    if way.cut and len(text) >= 400 and _BLOB.fullmatch(text):
        return f"[left out by memci: {_refer(text)}]"
    if not way.cut or len(text) <= limit or (len(text) <= 2 * LARGE and _NOTE.search(text)):
        # Short, or already a preview.
        return way.clean(text)
    # Cleaned before it is cut, so that no half of a secret remains.
    beginning = way.clean(text[: _PREVIEW + _WINDOW])[:_PREVIEW]
    if "\n" in beginning[_PREVIEW // 2 :]:
        # Half a line could be quoted as if it were one.
        beginning = beginning.rpartition("\n")[0]
    end = _last_lines(text, way.clean)
    return "\n".join([beginning, f"[left out by memci: the rest of {_refer(text)}]", *end])


def _last_lines(text: str, clean: Clean) -> list[str]:
    """Return the last lines, with errors and summaries; none that could be part of an earlier secret."""
    found: list[str] = []
    left = _END
    for line in reversed(clean(text[-_WINDOW:]).split("\n")[1:]):
        left -= len(line) + 1
        if left < 0:
            break
        if not _DENSE.search(line):
            found.append(line)
    return found[::-1]


def _refer(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{len(text)} characters, sha256 {digest}"


def _clean_lines(lines: Sequence[str], way: _RedactionWay) -> list[str]:
    """Clean lines one by one, unless only together they form a secret, as those of a private key do."""
    joined = "\n".join(lines)
    if way.cut and len(joined) > LARGE:
        return [_clean_text(joined, way)]
    single = [way.clean(line) for line in lines]
    together = way.clean(joined)
    return single if "\n".join(single) == together else together.split("\n")
