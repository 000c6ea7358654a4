"""Knows what an earlier dream read from the same files, so that a night without new sessions opens none of them.

Kept are names, counts and times, and no words; it decides only whether a scope is due. It holds as long as memci, the
places and the identity of everything in them are the same.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from memci.dream.gather import list_places, warn_of_unknown
from memci.dream.inputs import DreamTask
from memci.sessions.places import ARTIFACT_PREFIX, Unopened, find_inputs
from memci.sessions.read_result import FileReport, Reading, ReadLimits, Session

_NAME = "sessions"
# 5,000 files and as many sessions have about 2 MB.
_MAX_BYTES = 16 << 20
# Sessions, and what became of each file.
_Account = tuple[tuple[Session, ...], tuple[FileReport, ...]]


def identify_inputs(task: DreamTask) -> str:
    """Return a digest of all transcripts of a dream; "" if one has no identity, or the dream asks for what was said."""
    request = task.request
    places = list_places(request.transcripts, task.config.transcripts, task.workspace)
    remote = any(place.startswith(ARTIFACT_PREFIX) for place in places)
    if task.workspace.repository is None or request.force or request.accept or request.ticked or remote:
        return ""
    identities = list(_list_identities(task, places))
    # A run without transcripts must not replace what is known of them.
    if not identities or not all(identity for _, identity in identities):
        return ""
    from memci.citations.kept_verdicts import read_code

    return hashlib.sha256(repr((read_code(), places, identities)).encode("utf-8", "backslashreplace")).hexdigest()


def _list_identities(task: DreamTask, places: Sequence[str]) -> list[tuple[str, str]]:
    found = (item for place in places for item in find_inputs(place, task.workspace.repository, ReadLimits()))
    return [(item.name, item.reason if isinstance(item, Unopened) else item.identity) for item in found]


def recall_reading(task: DreamTask, state: str) -> Reading | None:
    """Return the account of the last reading, without words; None if anything is different since."""
    if not state or task.workspace.repository is None:
        return None
    import msgspec

    from memci.stores.state_directory import read_cached

    head, _, body = read_cached(task.workspace.repository.common, _NAME, _MAX_BYTES).partition(b"\n")
    if head != f"{state} {hashlib.sha256(body).hexdigest()}".encode():
        return None
    sessions, files = msgspec.json.decode(body, type=_Account)
    reading = Reading(sessions=sessions, files=files)
    warn_of_unknown(reading)
    return reading


def keep_reading(task: DreamTask, state: str, reading: Reading) -> None:
    """Keep the account of a reading for the next dream."""
    if not state or task.workspace.repository is None:
        return
    import msgspec

    from memci.stores.state_directory import write_cached

    # Who ran a session, and where, decides nothing here.
    sessions = [replace(one, agent=None, cwd=None, branch=None, person="") for one in reading.sessions]
    body = msgspec.json.encode((sessions, reading.files))
    head = f"{state} {hashlib.sha256(body).hexdigest()}\n".encode()
    write_cached(task.workspace.repository.common, _NAME, head + body)
