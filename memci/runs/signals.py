"""Runs `memci signals`: the gather phase alone, over all scopes."""

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path

from memci.dream.gather import find_places, gather
from memci.git.workspace import Workspace, find_inside
from memci.memory.scopes import find_scopes
from memci.report.signals_result import FileAccount, SignalsResult
from memci.runs.load import read_snapshot
from memci.settings import read_config


def read_signals(
    workspace: Workspace,
    transcripts: Sequence[str],
    config_path: Path | None,
    now: dt.datetime,
    show: Callable[[str], None],
) -> SignalsResult:
    """Read transcripts and daily logs, and return the signals, what was turned down, and the files read."""
    config = read_config(workspace.tree, find_inside(workspace, config_path) if config_path else None)
    scopes = read_snapshot(workspace.tree, find_scopes(workspace.tree, workspace.root, config.scopes)).scopes
    places = find_places(transcripts, config.transcripts, workspace)
    gathered = gather(workspace, places, scopes, show, now=now, automation=config.automation)
    reading = gathered.reading
    files = [FileAccount(file.name, file.status.value, file.reason, file.used, file.broken) for file in reading.files]
    return SignalsResult(gathered.signals, gathered.turned_down, reading.used, reading.skipped, reading.broken, files)
