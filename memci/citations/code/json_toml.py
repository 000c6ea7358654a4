"""JSON and TOML as people write them into manifests: whatever the text, the answer is a table or None."""

import json
import re
from collections.abc import Mapping

from memci.citations.code.comments import strip_noise

# Real manifests stay below 200 KB; TOML is parsed slowly, so its share is smaller.
_MAX_JSON = 2_000_000
_MAX_TOML = 300_000
# A longer name is none that people type.
MAX_NAME = 200


def read_json(text: str) -> Mapping[str, object] | None:
    """Return a JSON object, also with comments and trailing commas; None if it is not one."""
    if len(text) > _MAX_JSON:
        return None
    found = _load(text)
    if found is None:
        found = _load(_drop_comments(text))
    return found if isinstance(found, dict) else None


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _drop_comments(text: str) -> str:
    stripped = strip_noise("x.jsonc", text.encode("utf-8", "replace")).decode("utf-8", "replace")
    pattern = re.compile(r'"(?:[^"\\]++|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)
    return pattern.sub(lambda match: "" if match[0] == "," else match[0], stripped)


def read_toml(text: str) -> Mapping[str, object] | None:
    """Return a TOML document; None if it is not one."""
    import tomllib

    if len(text) > _MAX_TOML:
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def dig(document: object, *keys: str) -> Mapping[str, object]:
    """Return the table at these keys, or an empty one."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def texts(value: object) -> list[str]:
    """Return the strings of a list, or a string as a list of one."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and 0 < len(item) <= MAX_NAME]
