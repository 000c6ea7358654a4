"""Options that several commands share."""

import datetime as dt
from pathlib import Path
from typing import NamedTuple

import click


# A named tuple, because every run makes one and a dataclass takes five times as long to define.
class Settings(NamedTuple):
    """The options that stand before the command."""

    directory: Path
    config: Path | None
    verbosity: int


class _Moment(click.ParamType[dt.datetime]):
    name = "ISO"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> dt.datetime:
        if isinstance(value, dt.datetime):
            return value
        try:
            moment = dt.datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no ISO date or time, such as 2026-11-16 or 2026-11-16T03:00:00Z", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


now_option = click.option(
    "--now",
    type=_Moment(),
    default=lambda: dt.datetime.now(dt.UTC),
    show_default="the clock",
    help="Judge dates as of this moment (UTC).",
)
user_option = click.option(
    "--user", "with_user", is_flag=True, help="Also look at your own memory: ~/.claude and agent-memory-local."
)
