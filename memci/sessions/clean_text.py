"""Removes secrets and unstorable characters from the texts of transcripts."""

import functools
import os
from collections.abc import Collection, Mapping

from memci.patterns import LazyPattern
from memci.redaction.secrets import redact

UUID = LazyPattern(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_ANY_UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
# Names of sessions, branches and directories; no client makes longer ones.
_MAX_NAME = 1_024
# Shorter values of the environment, such as "true", occur everywhere.
_MIN_SECRET = 8
# Longer texts seldom repeat.
_SHORT = 200
# Parts of the names of variables with credentials; their values are redacted whatever they look like.
_SECRET_NAMES = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "CREDENTIAL")
# A writer that cuts a text in the middle leaves half a surrogate pair.
_UNSTORABLE = LazyPattern("[\0\ud800-\udfff]")


class Cleaner:
    """Removes secrets from texts; caches names and other short texts, which are in every record."""

    def __init__(self, secrets: Collection[str]) -> None:
        self._values = sorted((value for value in secrets if len(value) >= _MIN_SECRET), key=len, reverse=True)
        self._short = functools.lru_cache(maxsize=4_096)(self._clean)
        self._names: dict[str, str] = {}
        # Names with every id replaced by the same one, and whether they contain no secret.
        self._shapes: dict[str, bool] = {_ANY_UUID: True}

    def text(self, text: str) -> str:
        """Return a text without secrets, and without characters that cannot be stored."""
        return self._short(text) if len(text) <= _SHORT else self._clean(text)

    def _clean(self, text: str) -> str:
        return redact(self._replace(text))

    def name(self, name: str) -> str:
        """Return a name without secrets, printable on one line of a report."""
        known = self._names.get(name)
        if known is None:
            clean = self._replace(name[:_MAX_NAME])
            # Nearly all are or contain the id of a session, and the search for secrets is what takes time.
            shape = UUID.sub(_ANY_UUID, clean)
            if shape not in self._shapes:
                self._shapes[shape] = redact(shape) == shape
            clean = clean if self._shapes[shape] else redact(clean)
            known = clean if clean.isprintable() else "".join(_escape(letter) for letter in clean)
            self._names[name] = known
        return known

    def _replace(self, text: str) -> str:
        for value in self._values:
            text = text.replace(value, "[REDACTED:environment]")
        return _UNSTORABLE.sub("\ufffd", text)


def _escape(letter: str) -> str:
    return letter if letter.isprintable() else ascii(letter)[1:-1]


def list_secret_values(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the values of variables with the name of a credential, the longest first."""
    found = {
        value
        for name, value in environment.items()
        if len(value) >= _MIN_SECRET and any(part in name.upper() for part in _SECRET_NAMES)
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))
