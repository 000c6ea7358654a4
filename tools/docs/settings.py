"""Renders the reference of the settings from their declarations."""

import dataclasses

from memci.config import Config


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
