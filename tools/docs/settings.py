"""Renders the reference and the JSON schema of the settings from their declarations."""

import dataclasses
import json
import re
from collections.abc import Mapping
from typing import Any

from memci import HOMEPAGE
from memci.checks.registry import RULES
from memci.config import Config
from memci.errors import FAIL_LEVELS

_TEXTS = {"type": "array", "items": {"type": "string", "minLength": 1}}
_RULE = {"enum": [rule.id for rule in RULES]}
_LEVELS = {"enum": [level for level in FAIL_LEVELS if level != "never"]}
# What each key may be.
_FORMS: Mapping[str, Mapping[str, Any]] = {
    "scopes": _TEXTS,
    "ignore": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"rule": _RULE, "path": {"type": "string"}, "reason": {"type": "string", "minLength": 1}},
            "required": ["rule", "reason"],
            "additionalProperties": False,
        },
    },
    "fail-on": {"enum": list(FAIL_LEVELS)},
    "severity": {"type": "object", "propertyNames": _RULE, "additionalProperties": _LEVELS},
    "dream": {"type": "boolean"},
    "transcripts": _TEXTS,
    "automation": _TEXTS,
    "route": {"type": "string", "minLength": 1},
}


def render_schema() -> str:
    """Render the JSON schema of `.memci.yml`, for editors."""
    properties = {}
    for name, key in list_keys().items():
        meaning = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", str(key.metadata["meaning"])).replace("`", "")
        properties[name] = {"description": meaning, **_FORMS[name]}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{HOMEPAGE.replace('github.com', 'raw.githubusercontent.com')}/main/docs/memci.schema.json",
        "title": "Settings of memci (.memci.yml)",
        "type": ["object", "null"],
        "properties": properties,
        "additionalProperties": False,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def list_keys() -> dict[str, dataclasses.Field[object]]:
    """Return the keys of the settings, as written in the file."""
    return {key.name.replace("_", "-"): key for key in dataclasses.fields(Config) if key.metadata}


def render_keys() -> str:
    """Render a row for each key."""
    rows = ["| key | value | default | |", "|---|---|---|---|"]
    for name, key in list_keys().items():
        rows.append(f"| `{name}` | {key.metadata['values']} | {_show(key.default)} | {key.metadata['meaning']} |")
    return "\n".join(rows)


def _show(default: object) -> str:
    match default:
        case None | ():
            return "none"
        case bool():
            return str(default).lower()
        case _:
            return str(default)
