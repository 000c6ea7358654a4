"""The line in a pull request by which memci knows it again; state that people can read and cannot lose by accident."""

import json
import re
from dataclasses import asdict, dataclass

# The last one counts: text above it comes from other people, even though it is escaped.
_MARKER = re.compile(r"<!-- memci:v1 (\{[^<>{}]{0,1000}\}) -->")
_HEX = re.compile(r"[0-9a-f]{0,64}")


@dataclass(frozen=True, slots=True)
class Marker:
    """What a pull request is about: digest, base and head are hexadecimal."""

    digest: str = ""
    base: str = ""
    head: str = ""
    # Whether memci closed it: then nobody declined anything.
    closed: bool = False


def render_marker(marker: Marker) -> str:
    """Return the marker as a comment that nobody sees."""
    return f"<!-- memci:v1 {json.dumps(asdict(marker), sort_keys=True)} -->"


def find_marker(body: str) -> Marker | None:
    """Return the marker of a pull request; None if it has none that memci could have written."""
    found = _MARKER.findall(body)
    try:
        content = json.loads(found[-1]) if found else None
        names = {key: content[key] for key in ("digest", "base", "head")} if content else {}
        if content and all(isinstance(name, str) and _HEX.fullmatch(name) for name in names.values()):
            return Marker(**names, closed=content["closed"] is True)
    except (ValueError, KeyError, TypeError):
        return None
    return None


def replace_marker(body: str, marker: Marker) -> str:
    """Return the body with another marker."""
    return f"{_MARKER.sub('', body).rstrip()}\n\n{render_marker(marker)}\n"
