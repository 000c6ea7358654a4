"""The file that records batches between runs."""

import json
import re
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from memci.stores.write_output import write_output

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Saved:
    """A batch that was submitted, or (without a name) was about to be."""

    name: str
    requests: tuple[str, ...]
    # Seconds since 1970.
    since: float
    reserved: Decimal = Decimal(0)
    # Whether this run or an earlier one certainly submitted it.
    sure: bool = True


def is_name(text: str) -> bool:
    """Tell whether a text is a valid batch id; it becomes part of a URL."""
    return re.fullmatch("[A-Za-z0-9_-]{1,128}", text) is not None


def read_saved(path: Path) -> list[Saved]:
    """Return the recorded batches; none if the file cannot be read."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    match content:
        case {"format": 1, "batches": list(entries)}:
            return [saved for entry in entries if (saved := _parse(entry)) is not None]
    return []


def write_saved(path: Path, batches: list[Saved]) -> None:
    """Replace the file."""
    entries = [{**asdict(saved), "reserved": str(saved.reserved)} for saved in batches]
    text = json.dumps({"format": _FORMAT, "batches": entries}, indent=1, sort_keys=True) + "\n"
    write_output(path, text.encode())


def _parse(entry: object) -> Saved | None:
    match entry:
        case {
            "name": str(name),
            "requests": list(requests),
            "since": int() | float() as since,
            "reserved": str(reserved),
            "sure": bool(sure),
        } if (not name or is_name(name)) and all(isinstance(request, str) for request in requests):
            try:
                return Saved(name, tuple(requests), float(since), Decimal(reserved), sure)
            except InvalidOperation:
                return None
    return None
