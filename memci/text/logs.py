"""Daily logs: how their paths say which day they are of."""

import datetime as dt
from pathlib import PurePosixPath

LOG_DIRECTORY = "logs"


def find_day(path: PurePosixPath) -> dt.date | None:
    """Return the day of a log at this path inside a scope; None if it is no daily log.

    Both `logs/2026/11/2026-11-14.md` and the flat `logs/2026-11-14.md` and `2026-11-14.md` are logs.
    """
    if path.suffix != ".md" or (len(path.parts) > 1 and path.parts[0] != LOG_DIRECTORY):
        return None
    try:
        day = dt.date.fromisoformat(path.stem)
    except ValueError:
        return None
    # Python also reads `20261114` and `2026-W46-6`, which are names like any other.
    return day if day.isoformat() == path.stem else None
