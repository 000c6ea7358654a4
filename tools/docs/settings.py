"""The reference of the settings, made from where they are declared."""

import dataclasses

from memci.config import Config


def find_keys() -> dict[str, dataclasses.Field[object]]:
    """Return the keys of the settings, as people write them."""
    return {key.name.replace("_", "-"): key for key in dataclasses.fields(Config) if key.metadata}


def render_keys() -> str:
    """Return a row for each key."""
    rows = ["| key | value | default | |", "|---|---|---|---|"]
    for name, key in find_keys().items():
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
