"""Progress of long commands on a terminal: one line per phase with its time, gone when the work is done."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from memci.report.escape import visible
from memci.report.output import QUIET_SECONDS, progress

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@contextlib.contextmanager
def phases(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Give a function that shows the current step, as `phase: step` or `step`; plain where a terminal is too simple."""
    if quiet or not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        with progress(quiet=quiet) as show:
            yield show
        return
    display = _Display()
    try:
        yield display.show
    finally:
        display.stop()


class _Display:
    """The lines on the terminal; rich is loaded when the first one is due."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._progress: Progress | None = None
        self._phase = ""
        self._task: TaskID | None = None

    def show(self, what: str) -> None:
        """Show a step, and a new line if it begins another phase."""
        if time.monotonic() - self._started < QUIET_SECONDS:
            return
        if self._progress is None:
            self._progress = _start()
        phase, colon, step = visible(what).partition(": ")
        name, step = (phase, step) if colon else ("", phase)
        if self._task is None or name != self._phase:
            if self._task is not None:
                self._progress.update(self._task, total=1, completed=1, step="")
            self._phase, self._task = name, self._progress.add_task(name, total=None, step=step)
        else:
            self._progress.update(self._task, step=step)

    def stop(self) -> None:
        """Remove the lines."""
        if self._progress is not None:
            self._progress.stop()


def _start() -> "Progress":
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    # No markup: steps name files and commits. The result goes to standard output, which is left alone.
    started = Progress(
        SpinnerColumn("line", finished_text="*"),
        TextColumn("{task.description}", style="bold", markup=False),
        TextColumn("{task.fields[step]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        redirect_stdout=False,
        transient=True,
    )
    started.start()
    return started
