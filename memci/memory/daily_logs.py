"""Maps the paths of daily logs to days."""

import datetime as dt
from pathlib import PurePosixPath

LOG_DIRECTORY = "logs"
# Logs have the date of their author's clock, and the first zone to begin a day is UTC+14.
_FIRST_ZONE = dt.timezone(dt.timedelta(hours=14))


def parse_day(path: PurePosixPath) -> dt.date | None:
    """Return the day of a log at this path inside a scope; None if it is not a daily log.

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


def is_to_come(day: dt.date, now: dt.datetime) -> bool:
    """Tell whether a day has not begun anywhere on earth."""
    return day > now.astimezone(_FIRST_ZONE).date()
