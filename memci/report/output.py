"""Printing: results to standard output, progress to a terminal; a closed pipe is not an error."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator

from memci.errors import ServiceError
from memci.report.escape import quiet_lines, visible

# Shorter work needs no progress line.
QUIET_SECONDS = 1.0


def emit(text: str, *, commands: bool = False) -> None:
    """Print a result; ignore a closed pipe, as after `| head`.

    Workflow commands of GitHub in it are defused, unless it consists of `commands`.
    """
    try:
        # Not click's echo: it would send UTF-8 to a terminal that asked for ASCII.
        sys.stdout.write(text if commands else quiet_lines(text))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ServiceError(f"cannot print the result: {error.strerror}") from error


def warn(notes: Iterable[tuple[str, str]]) -> None:
    """Print warnings to standard error, for every format of the result."""
    for what, why in notes:
        sys.stderr.write(quiet_lines(f"memci: warning: {visible(what)}: {visible(why)}\n"))


def wants_colour() -> bool:
    """Whether to colour what is printed: on a terminal, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width(otherwise: int = 100) -> int:
    """Return the width to wrap at: what COLUMNS asks for, or the terminal has; files and logs get `otherwise`."""
    asked = os.environ.get("COLUMNS", "")
    # No terminal is wider, and Python refuses to read a number of thousands of digits.
    if asked.isascii() and asked.isdigit() and len(asked) <= 5 and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return otherwise


@contextlib.contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Give a function that shows what is being done, on a terminal and only if it takes long."""
    started = time.monotonic()
    shown = False

    def show(what: str) -> None:
        nonlocal shown
        if not quiet and sys.stderr.isatty() and time.monotonic() - started > QUIET_SECONDS:
            shown = True
            sys.stderr.write(f"\r\x1b[K{visible(what)} …")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
