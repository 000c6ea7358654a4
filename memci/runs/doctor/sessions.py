"""Checks of `memci doctor` on transcripts and on the hook that collects them."""

from collections.abc import Iterator

from memci.dream.gather import is_elsewhere
from memci.errors import MemciError
from memci.runs.collect_install import SETTINGS
from memci.runs.doctor.result import Diagnosis, Here, ok, problem, unknown
from memci.runs.init import SESSIONS
from memci.sessions.places import GIT_PREFIX, Input, find_inputs
from memci.sessions.read_result import ReadLimits
from memci.stores.spool import read_jobs, spool_directory


def examine_transcripts(here: Here) -> Iterator[Diagnosis]:
    """Check that the configured places have transcripts which jobs can read."""
    if not here.config.transcripts:
        hint = "memci init --collect; or `transcripts` in the settings, or in the workflow"
        yield unknown("transcripts", "the settings name none; dreams may learn nothing new", hint)
    for place in here.config.transcripts:
        yield _examine_place(here, place)


def _examine_place(here: Here, place: str) -> Diagnosis:
    if is_elsewhere(place) and not place.startswith(GIT_PREFIX):
        return unknown("transcripts", f"{place} is looked at by the dream only")
    where = place if is_elsewhere(place) else str(here.workspace.root / place)
    try:
        count = sum(isinstance(item, Input) for item in find_inputs(where, here.repository, ReadLimits()))
    except MemciError as error:
        hint = error.hint
        if place.startswith(GIT_PREFIX):
            hint = f"it comes with the first `memci collect --to {place} --push`; if it is there: git fetch origin"
        return problem("transcripts", f"{place}: {error.message}", hint)
    if not count:
        return problem("transcripts", f"{place} holds no transcript", "memci collect puts them there")
    return ok("transcripts", f"{place}: {count} to read")


def examine_hook(here: Here) -> Iterator[Diagnosis]:
    """Check the hook that collects sessions, and its spool; jobs have no such hook."""
    if "CI" in here.environment:
        return
    # Other branches are written by other tools.
    wanted = any(place.startswith(SESSIONS) for place in here.config.transcripts)
    settings = here.workspace.tree.read(SETTINGS)
    if wanted and not (isinstance(settings, str) and "memci collect" in settings):
        yield problem("hook", f"{SETTINGS} collects no sessions", "memci init --collect")
    common = here.repository.common if here.repository else None
    waiting = len(read_jobs(spool_directory(here.workspace.root, common)))
    if waiting:
        yield problem("hook", f"{waiting} collected sessions wait", "memci collect --pending says why")
