"""Options that several commands share."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from memci.errors import UsageError

if TYPE_CHECKING:
    from memci.publish.target import PublishRequest

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


# A named tuple, because a dataclass takes five times as long to define, and every run pays for it.
class Settings(NamedTuple):
    """The options before the command name."""

    directory: Path
    config: Path | None
    verbosity: int


def _parse_moment(value: object) -> dt.datetime:
    if isinstance(value, dt.datetime):
        return value
    try:
        moment = dt.datetime.fromisoformat(str(value))
    except ValueError as error:
        message = f"{value!r} is not an ISO date or time such as 2026-11-16 or 2026-11-16T03:00:00Z"
        raise click.BadParameter(message) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


def amount_type(what: str) -> Callable[[object], Decimal]:
    """Return what parses a number, with or without a dollar sign, that is finite and not below zero."""

    def parse(value: object) -> Decimal:
        try:
            amount = float(str(value).removeprefix("$"))
        except ValueError:
            amount = -1.0
        # Written this way around, so that NaN is refused, too.
        if not 0 <= amount < float("inf"):
            raise click.BadParameter(f"{value!r} is not {what}")
        return Decimal(str(amount))

    return parse


def parse_shard(value: object) -> tuple[int, int]:
    """Parse the number of a part and how many there are: `2/5`."""
    number, slash, total = str(value).partition("/")
    digits = all(part.isascii() and part.isdigit() and len(part) <= 3 for part in (number, total))
    # GitHub runs at most 256 jobs for a matrix.
    if not (slash and digits and 1 <= int(number) <= int(total) <= 256):
        raise click.BadParameter(f"{value!r} is not a shard such as 2/5 (at most 256)")
    return int(number), int(total)


now_option = click.option(
    "--now",
    type=_parse_moment,
    metavar="ISO",
    default=lambda: dt.datetime.now(dt.UTC),
    show_default="the clock",
    help="The current time for all dates (UTC if no zone is given).",
)
user_option = click.option(
    "--user", "with_user", is_flag=True, help="Also include your own memory: ~/.claude and agent-memory-local."
)


def format_option(*styles: str) -> Callable[[_Decorated], _Decorated]:
    """Return the option `--format` with these choices; the first is the default."""
    return click.option(
        "--format",
        "style",
        type=click.Choice(styles),
        default=styles[0],
        show_default=True,
        help="Output format.",
    )


def forge_option(*kinds: str) -> Callable[[_Decorated], _Decorated]:
    """Return the option `--forge` with these choices."""
    return click.option(
        "--forge",
        type=click.Choice(kinds),
        default="auto",
        show_default=True,
        help="Forge type; auto-detected from the remote URL.",
    )


transcripts_option = click.option(
    "--transcripts",
    multiple=True,
    metavar="PLACE",
    help="Read sessions from this path, git:REF[:PATH] or artifact:NAME; may be repeated.",
)
scopes_argument = click.argument("scopes", nargs=-1, type=click.Path(path_type=Path))
_FORGES = ("auto", "github", "gitea", "gitlab", "none")
_TARGET = (
    click.option("--base", metavar="NAME", help="The branch to merge into; the checked-out branch by default."),
    forge_option(*_FORGES),
    click.option("--remote", metavar="NAME", default="origin", show_default=True, help="The remote to push to."),
    click.option("--draft/--no-draft", default=False, show_default=True, help="Open the pull request as a draft."),
    click.option("--label", "labels", metavar="NAME", multiple=True, help="Add this label; may be repeated."),
    click.option(
        "--reviewer", "reviewers", metavar="NAME", multiple=True, help="Request a review from this person or org/team."
    ),
)
_TARGET_NAMES = ("branch", "base", "forge", "remote", "draft", "labels", "reviewers")


def target_options(branch: str) -> Callable[[_Decorated], _Decorated]:
    """Return the options that define the branch, with its default, and the pull request of a proposal."""
    first = click.option("--branch", metavar="NAME", default=branch, show_default=True, help="The branch to push to.")

    def add(function: _Decorated) -> _Decorated:
        for option in reversed((first, *_TARGET)):
            function = option(function)
        return function

    return add


def take_pull_request(options: dict[str, Any], settings: Settings) -> "PublishRequest | None":
    """Take the options of a pull request out of `options`; refuse them where `--pr` does not ask for one."""
    given = click.get_current_context().get_parameter_source
    spare = [name for name in _TARGET_NAMES if given(name) is click.core.ParameterSource.COMMANDLINE]
    target = {name: options.pop(name) for name in _TARGET_NAMES}
    if not options.pop("with_pr"):
        if spare:
            raise UsageError(f"--{spare[0].rstrip('s').replace('_', '-')} needs --pr", hint="add --pr")
        return None
    from memci.publish.target import PublishRequest

    return PublishRequest((), **target, dry_run=False, now=options["now"], config=settings.config)
