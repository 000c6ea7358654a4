"""Options that several commands share."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


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


class Dollars(click.ParamType[float]):
    """An amount of money."""

    name = "USD"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the amount; also with the sign of the dollar, as people write it."""
        try:
            amount = float(str(value).removeprefix("$"))
        except ValueError:
            amount = -1.0
        # Not a number is not smaller than anything.
        if not 0 <= amount < float("inf"):
            self.fail(f"{value!r} is no amount of dollars, such as 0.50", param, ctx)
        return amount


class Minutes(click.ParamType[float]):
    """A length of time."""

    name = "MINUTES"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the minutes."""
        try:
            minutes = float(str(value))
        except ValueError:
            minutes = -1.0
        # Not a number is not smaller than anything.
        if not 0 <= minutes < float("inf"):
            self.fail(f"{value!r} is no number of minutes, such as 30", param, ctx)
        return minutes


class ShardType(click.ParamType[tuple[int, int]]):
    """One part of several: `2/5`."""

    name = "I/N"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the number and how many there are."""
        number, slash, total = str(value).partition("/")
        # 256 jobs are the most that GitHub makes of a matrix.
        if not (slash and _is_number(number) and _is_number(total) and 1 <= int(number) <= int(total) <= 256):
            self.fail(f"{value!r} is no part such as 2/5, of at most 256", param, ctx)
        return int(number), int(total)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3


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


def format_option(*styles: str) -> Callable[[_Decorated], _Decorated]:
    """Return the option that chooses among `styles`; the first one is the default."""
    return click.option(
        "--format",
        "style",
        type=click.Choice(styles),
        default=styles[0],
        show_default=True,
        help="How to print the result.",
    )
