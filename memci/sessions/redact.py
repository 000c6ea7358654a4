"""Records of a session without secrets and without ballast: what can leave the machine, and still be read as before."""

import functools
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence

from memci.sessions.speaker import find_writes, hear

# The client shows 2,000 characters of a large output; beginning, note and end stay below, so that a second time
# changes nothing.
LARGE = 2_000
_PREVIEW = 1_200
_END = 500
# A line of a private key or of another encoded text.
_DENSE = re.compile(r"[A-Za-z0-9+/=_-]{32}")
# A secret that begins within the preview ends within this; private keys have up to 4 KB.
_WINDOW = 8_192
# Pieces of what stands in other records, whole; a secret in pieces could not be recognised.
_DROPPED = ("progress", "stream_event", "tool_progress", "rate_limit_event", "file-history-snapshot")
# A copy of what the message says, for the client; only answers to questions stand nowhere else.
_COPIES = ("toolUseResult", "tool_use_result")
_BLOB = re.compile(r"(?:data:[\w/+.;=-]{1,80},)?[A-Za-z0-9+/_-]{400,}={0,2}\s{0,4}")
# No client nests deeper, and reading what is deeper again could fail.
_MAX_DEPTH = 40
# Their values are no secrets by their name; looking at each of them with its name would double the work.
_PLAIN_KEYS = frozenset(
    {"type", "uuid", "parentUuid", "sessionId", "session_id", "timestamp", "cwd", "version", "gitBranch", "userType",
     "role", "model", "id", "name", "tool_use_id", "text", "content", "command", "file_path", "old_string",
     "new_string", "description", "requestId", "promptId", "stop_reason", "entrypoint", "subtype"}
)  # fmt: skip

Clean = Callable[[str], str]


def redact_record(record: Mapping[str, object], clean: Clean) -> dict[str, object] | None:
    """Return a record that may be published, or None if nothing of it is needed.

    What a person said, and what the session wrote into memory, stays whole; of anything else that is large, and of
    images, only a preview and a reference stay.
    """
    if record.get("type") in _DROPPED:
        return None
    cut = _is_same(record, _slim(record))
    kept = {key: value for key, value in record.items() if not (cut and key in _COPIES)}
    cleaned = _clean_value(kept, clean, cut, 0)
    return cleaned if isinstance(cleaned, dict) else None


def _is_same(record: Mapping[str, object], slim: object) -> bool:
    """Whether nothing that memory is made of gets lost by cutting."""
    return (
        isinstance(slim, Mapping)
        and hear(record) == hear(slim)
        and list(find_writes(record)) == list(find_writes(slim))
    )


def _slim(record: Mapping[str, object]) -> object:
    kept = {key: value for key, value in record.items() if key not in _COPIES}
    return _clean_value(kept, _as_it_is, cut=True, depth=0)


def _as_it_is(text: str) -> str:
    return text


def _clean_value(value: object, clean: Clean, cut: bool, depth: int) -> object:  # noqa: FBT001 -- called from two places here
    match value:
        case str():
            return _clean_text(value, clean, cut)
        case Mapping() | list() if depth >= _MAX_DEPTH:
            return "[left out by memci: nested too deeply]"
        case Mapping():
            return {clean(str(key)): _clean_entry(str(key), item, clean, cut, depth) for key, item in value.items()}
        case list():
            if len(value) > 1 and all(isinstance(item, str) for item in value):
                return _clean_lines([str(item) for item in value], clean, cut)
            return [_clean_value(item, clean, cut, depth + 1) for item in value]
        case _:
            return value


def _clean_entry(key: str, value: object, clean: Clean, cut: bool, depth: int) -> object:  # noqa: FBT001
    if key == "signature" and isinstance(value, str):
        # It proves to the service that a thought is its own; nobody else can use it.
        return ""
    cleaned = _clean_value(value, clean, cut, depth + 1)
    named = isinstance(value, str) and value and cleaned == value and key not in _PLAIN_KEYS and len(value) < LARGE
    # `"password": "…"`: the name makes the value a secret.
    if named and not all(str(value) in clean(form) for form in (f"{key}={value}", f'"{key}": "{value}"')):
        return "[REDACTED:by name]"
    return cleaned


def _clean_text(text: str, clean: Clean, cut: bool) -> str:  # noqa: FBT001
    if cut and len(text) >= 400 and _BLOB.fullmatch(text):
        return f"[left out by memci: {_refer(text)}]"
    if not cut or len(text) <= LARGE:
        return clean(text)
    # Cleaned before it is cut, so that no half of a secret is left.
    beginning = clean(text[: _PREVIEW + _WINDOW])[:_PREVIEW]
    return "\n".join([beginning, f"[left out by memci: the rest of {_refer(text)}]", *_find_end(text, clean)])


def _find_end(text: str, clean: Clean) -> list[str]:
    """Return the last lines, where errors and summaries stand; none that could belong to a secret begun before."""
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


def _clean_lines(lines: Sequence[str], clean: Clean, cut: bool) -> list[str]:  # noqa: FBT001
    """Clean lines one by one, unless only all of them together show a secret, as those of a private key do."""
    joined = "\n".join(lines)
    if cut and len(joined) > LARGE:
        return [_clean_text(joined, clean, cut)]
    single = [clean(line) for line in lines]
    together = clean(joined)
    return single if "\n".join(single) == together else together.split("\n")


def make_cleaner(redact: Clean, secrets: Sequence[str]) -> Clean:
    """Return a function that takes out secrets and the values given; texts repeat, so it remembers short ones."""

    def clean(text: str) -> str:
        for value in secrets:
            text = text.replace(value, "[REDACTED:environment]")
        return redact(text)

    remembering = functools.lru_cache(maxsize=4_096)(clean)
    # Ids, directories and versions stand in every record; long texts are not worth the memory.
    return lambda text: remembering(text) if len(text) <= 200 else clean(text)
