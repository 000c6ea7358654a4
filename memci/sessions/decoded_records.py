"""Decodes every record of transcripts in full, for `digest` and `collect`."""

import os
from collections.abc import Iterator, Mapping, Sequence

from memci.git.repository import Repository
from memci.sessions.archives import TAR_NAMES, ZIP_NAMES, RefusedError
from memci.sessions.places import Input, Unopened
from memci.sessions.read_result import ReadLimits
from memci.sessions.read_turns import collect_inputs
from memci.sessions.streams import Opened, open_streams

# Parts of the names of variables with credentials; their values are redacted whatever they look like.
_SECRET_NAMES = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "CREDENTIAL")
# Shorter values ("1", "true", "none") occur in every sentence.
_MIN_SECRET = 8
_PACKED = (*TAR_NAMES, *ZIP_NAMES, ".gz", ".zst")


def open_transcripts(places: Sequence[str], repository: Repository | None) -> Iterator[Opened | Unopened]:
    """Yield what is in the places, one stream after the other, and what is not read."""
    limits = ReadLimits()
    inputs, unopened = collect_inputs(places, repository, limits)
    yield from unopened
    for item in inputs:
        try:
            if item.path.name.lower().endswith(_PACKED):
                _read_to_the_end(item, limits)
            for opened in open_streams(item, limits):
                if isinstance(opened, Opened) and opened.form:
                    yield Unopened(opened.name, f"a session of {opened.form}, which is only read by dream and signals")
                else:
                    yield opened
        except RefusedError as error:
            yield Unopened(item.name, str(error))
        except OSError as error:
            yield Unopened(item.name, error.strerror or str(error))


def _read_to_the_end(item: Input, limits: ReadLimits) -> None:
    """Raise before any record of a packed file is used: it is used as a whole or not at all."""
    for opened in open_streams(item, limits):
        if isinstance(opened, Opened):
            for _ in opened.read_lines():
                pass


def list_secret_values(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the values of variables with the name of a credential, the longest first."""
    found = {
        value
        for name, value in environment.items()
        if len(value) >= _MIN_SECRET and any(part in name.upper() for part in _SECRET_NAMES)
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))
