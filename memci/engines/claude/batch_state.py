"""The file that records batches between runs."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from memci.stores.write_output import write_output


@dataclass(frozen=True, slots=True)
class Saved:
    """A batch that was submitted, or (without a name) was about to be."""

    name: str
    requests: tuple[str, ...]
    # Seconds since 1970.
    since: float
    # Whether this run or an earlier one certainly submitted it.
    sure: bool = True

    def __post_init__(self) -> None:
        """Refuse a name that is none."""
        if self.name and not is_name(self.name):
            raise ValueError("not the name of a batch")


def is_name(text: str) -> bool:
    """Tell whether a text is a valid batch id; it becomes part of a URL."""
    return re.fullmatch("[A-Za-z0-9_-]{1,128}", text) is not None


def read_saved(path: Path) -> list[Saved]:
    """Return the recorded batches; none if the file cannot be read."""
    import msgspec

    try:
        content = json.loads(path.read_text("utf-8"))
        return msgspec.convert(content["batches"], list[Saved]) if content["format"] == 1 else []
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def write_saved(path: Path, batches: list[Saved]) -> None:
    """Replace the file."""
    import msgspec

    content = {"format": 1, "batches": msgspec.to_builtins(batches)}
    write_output(path, (json.dumps(content, indent=1, sort_keys=True) + "\n").encode())
