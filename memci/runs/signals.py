"""Runs `memci signals`: the gather phase alone, over all scopes."""

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path

from memci.dream.check_memory import read_snapshot
from memci.dream.gather import gather, list_places
from memci.git.workspace import Workspace
from memci.report.signals_result import FileAccount, SignalsResult
from memci.runs.scopes import list_scopes, read_settings
from memci.signals.find import limit_offered


def read_signals(
    workspace: Workspace,
    transcripts: Sequence[str],
    config_path: Path | None,
    now: dt.datetime,
    show: Callable[[str], None],
) -> SignalsResult:
    """Read transcripts and daily logs, and return the signals, what was turned down, and the files read."""
    config = read_settings(workspace, config_path)
    scopes = read_snapshot(workspace.tree, list_scopes(workspace, config)).scopes
    places = list_places(transcripts, config.transcripts, workspace)
    gathered = gather(workspace, places, scopes, show, now=now, automation=config.automation)
    reading = gathered.reading
    files = [
        FileAccount(file.name, file.status.value, file.reason, file.used, file.broken, file.problem)
        for file in reading.files
    ]
    return SignalsResult(
        gathered.signals,
        limit_offered(gathered.candidates, len(gathered.signals)),
        gathered.turned_down,
        reading.used,
        reading.skipped,
        reading.broken,
        files,
    )
