"""Progress of long commands on a terminal: a spinner with the current step, gone when the work is done."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from memci.report.escape import visible
from memci.report.output import QUIET_SECONDS, progress

if TYPE_CHECKING:
    from rich.status import Status


@contextlib.contextmanager
def phases(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Give a function that shows the current step; plain where a terminal is too simple."""
    if quiet or not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        with progress(quiet=quiet) as show:
            yield show
        return
    started = time.monotonic()
    status: Status | None = None

    def update(what: str) -> None:
        nonlocal status
        if time.monotonic() - started < QUIET_SECONDS:
            return
        # Loaded when the first step is shown. No markup: steps name files and commits.
        from rich.console import Console
        from rich.text import Text

        if status is None:
            status = Console(stderr=True, highlight=False).status("", spinner="line")
            status.start()
        status.update(Text(visible(what)))

    try:
        yield update
    finally:
        if status is not None:
            status.stop()
