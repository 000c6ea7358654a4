"""The names that old blobs have, kept for the next run: it reads only blobs that are new to it."""

import hashlib
import json
from collections.abc import Iterable, Mapping

# How code uses a name, added up: at all, other than as one that others define, and by defining it.
USED, OWNED, DEFINED = 1, 2, 4
# The content has the name, and nobody asked whether that is in a comment.
UNREAD = 8
# The names that one blob has, anywhere.
NamesOfBlob = Mapping[str, int]


class KeptNames:
    """Which of the names that are asked for old blobs have; what the last run read holds for the same names."""

    def __init__(self, data: bytes = b"", code: object = None) -> None:
        """Take what the last run kept; `code` tells one version of memci from another."""
        self._kept, self._code, self._state = data, code, ""
        self._rows: dict[str, NamesOfBlob] = {}
        self.changed = False

    def select(self, asked: Iterable[Iterable[str]]) -> None:
        """Begin with what is kept for these names; with nothing if other names were asked for."""
        said = repr((self._code, [sorted(names) for names in asked]))
        self._state = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
        head, _, body = self._kept.partition(b"\n")
        if head == f"{self._state} {hashlib.sha256(body).hexdigest()}".encode():
            self._rows = json.loads(body)

    def get(self, oid: str, name: str) -> NamesOfBlob | None:
        """Return what is known of a blob in a file of this name."""
        return self._rows.get(f"{oid} {name}")

    def add(self, oid: str, name: str, names: NamesOfBlob) -> None:
        """Keep what was read."""
        self._rows[f"{oid} {name}"] = names
        self.changed = True

    def render(self) -> bytes:
        """Return what to keep for the next run."""
        body = json.dumps(self._rows, separators=(",", ":")).encode("ascii")
        return f"{self._state} {hashlib.sha256(body).hexdigest()}\n".encode() + body
