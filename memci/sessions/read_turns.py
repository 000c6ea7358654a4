"""Reads transcripts from all places and merges what people said in them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memci.errors import ServiceError, UsageError
from memci.git.repository import Repository, find_repository
from memci.sessions.archives import RefusedError
from memci.sessions.clean_text import Cleaner
from memci.sessions.merge_sessions import merge_sessions, merge_touched, merge_turns
from memci.sessions.places import Input, Unopened, choose_newest, find_inputs
from memci.sessions.read_result import FileReport, FileStatus, Reading, ReadLimits
from memci.sessions.scan import Scan, scan_stream
from memci.sessions.streams import PACKED, Opened, open_streams


def read_transcripts(
    places: Sequence[str],
    *,
    repository: Repository | None,
    limits: ReadLimits | None = None,
    secrets: Collection[str] = (),
    fetched: Sequence[Input | Unopened] = (),
) -> Reading:
    """Read what people said; `secrets` are values to redact in addition to everything that looks like a secret.

    `fetched` is read in addition to the places.
    """
    limits = limits or ReadLimits()
    cleaner = Cleaner(secrets)
    inputs, unopened = collect_inputs(places, repository, limits, fetched)
    reports = [_report(item, cleaner) for item in unopened]
    scans: list[Scan] = []
    known: dict[str, bool] = {}
    for item in inputs:
        for result in _read_input(item, cleaner, limits):
            report = result.report() if isinstance(result, Scan) else _report(result, cleaner)
            if isinstance(result, Scan) and repository and _is_elsewhere(result, repository, known):
                report = replace(report, status=FileStatus.FOREIGN, reason="its session ran in another repository")
            reports.append(report)
            if isinstance(result, Scan) and report.status is FileStatus.USED:
                scans.append(result)
    turns = merge_turns(scans, cleaner)
    files = tuple(sorted(reports, key=lambda report: report.name))
    touched = merge_touched(scans, cleaner)
    return Reading(
        turns,
        merge_sessions(scans, turns),
        writes=tuple(touch for touch in touched if touch.text is not None),
        files=files,
        opened=tuple(touch for touch in touched if touch.text is None),
        chosen=tuple((session, cleaner.text(answer)) for scan in scans for session, answer in scan.chosen),
    )


def collect_inputs(
    places: Sequence[str], repository: Repository | None, limits: ReadLimits, fetched: Sequence[Input | Unopened] = ()
) -> tuple[list[Input], list[Unopened]]:
    """Return the inputs to read and those that are refused; a file named twice is read once."""
    inputs: dict[str, Input] = {}
    unopened: list[Unopened] = []
    for items in (fetched, *(find_inputs(place, repository, limits) for place in places)):
        for item in items:
            if isinstance(item, Unopened):
                unopened.append(item)
            else:
                inputs.setdefault(item.name, item)
    chosen, rest = choose_newest(list(inputs.values()), limits)
    return chosen, unopened + rest


def _read_input(item: Input, cleaner: Cleaner, limits: ReadLimits) -> list[Scan | Unopened]:
    """Read one file; a bundle that is refused half way leaves only the report."""
    try:
        return [
            opened if isinstance(opened, Unopened) else scan_stream(opened, cleaner)
            for opened in open_streams(item, limits)
        ]
    except (RefusedError, OSError) as error:
        return [_explain(item, error)]


def _explain(item: Input, error: RefusedError | OSError) -> Unopened:
    if isinstance(error, RefusedError):
        return Unopened(item.name, str(error), FileStatus.REFUSED)
    return Unopened(item.name, error.strerror or str(error))


def open_transcripts(places: Sequence[str], repository: Repository | None) -> Iterator[Opened | Unopened]:
    """Yield what is in the places, to be decoded in full one stream after the other, and what is not read."""
    limits = ReadLimits()
    inputs, unopened = collect_inputs(places, repository, limits)
    yield from unopened
    for item in inputs:
        try:
            if item.path.name.lower().endswith(PACKED):
                _read_to_the_end(item, limits)
            for opened in open_streams(item, limits):
                if isinstance(opened, Opened) and opened.form:
                    yield Unopened(opened.name, f"a session of {opened.form}, which is only read by dream and signals")
                else:
                    yield opened
        except (RefusedError, OSError) as error:
            yield _explain(item, error)


def _read_to_the_end(item: Input, limits: ReadLimits) -> None:
    """Raise before any record of a packed file is used: it is used as a whole or not at all."""
    for opened in open_streams(item, limits):
        if isinstance(opened, Opened):
            for _ in opened.read_lines():
                pass


def _is_elsewhere(scan: Scan, repository: Repository, known: dict[str, bool]) -> bool:
    """Tell whether all turns of a file are from other projects; known directories are cached."""
    places = {facts.cwd for facts in scan.sessions.values() if facts.cwd}
    for place in places - known.keys():
        known[place] = is_foreign(place, repository)
    return bool(places) and all(known[place] for place in places)


def _report(item: Unopened, cleaner: Cleaner) -> FileReport:
    return FileReport(cleaner.name(item.name), item.status, cleaner.name(item.reason))


def is_foreign(cwd: str | None, repository: Repository) -> bool:
    """Tell whether a session ran in another project of this machine; unknown for sessions from elsewhere."""
    directory = Path(cwd or "")
    # The same project has another path on every machine, so a directory that does not exist here proves nothing.
    try:
        if not directory.is_absolute() or not directory.is_dir():
            return False
        other = find_repository(directory)
    except (OSError, ValueError, ServiceError):
        return False
    # Worktrees of one repository share this directory.
    if other is None or other.common.resolve() == repository.common.resolve():
        return False
    return not (_knows_head(repository, other) or _knows_head(other, repository))


def _knows_head(repository: Repository, other: Repository) -> bool:
    """Tell whether a repository has the newest commit of another: then both are clones of one project."""
    try:
        repository.resolve(other.resolve("HEAD"))
    except UsageError:
        return False
    return True
