"""What was read of the past, kept for the next run: it reads only contents and lines that are new to it."""

import hashlib
import json
from collections.abc import Iterable, Mapping

# How code uses a name, added up: at all, other than as one that others may define, and by defining it.
USED, OWNED, DEFINED = 1, 2, 4
# The content has the name, and nobody asked whether that is in a comment.
UNREAD = 8
# The names that one blob has, anywhere.
NamesOfBlob = Mapping[str, int]


# Per line its commit, the time of that, and whether no older one may have written it.
OriginsOfFile = Mapping[str, tuple[str, int, bool]]


class KeptHistory:
    """Which of the names that are asked for old contents have, and who wrote the lines that ask for them."""

    def __init__(self, data: bytes = b"", code: object = None) -> None:
        """Take what the last run kept; `code` tells one version of memci from another."""
        self._code, self._names = str(code), ""
        self._rows: dict[str, NamesOfBlob] = {}
        self._origins: dict[str, OriginsOfFile] = {}
        self._old_origins: Mapping[str, OriginsOfFile] = {}
        self._old_names, self._old_rows = "", dict[str, NamesOfBlob]()
        self.changed = False
        head, _, body = data.partition(b"\n")
        if head == self._digest(body):
            self._old_names, self._old_rows, self._old_origins = json.loads(body)

    def select(self, asked: Iterable[Iterable[str]]) -> None:
        """Begin with what is kept for these names; with nothing if other names were asked for."""
        self._names = _hash(repr([sorted(names) for names in asked]))
        self._rows = self._old_rows if self._names == self._old_names else {}

    def get(self, oid: str, name: str) -> NamesOfBlob | None:
        """Return what is known of a content in a file of this name."""
        return self._rows.get(f"{oid} {name}")

    def add(self, oid: str, name: str, names: NamesOfBlob) -> None:
        """Keep what was read."""
        self._rows[f"{oid} {name}"] = names
        self.changed = True

    def get_origins(self, head: str, path: str, lines: Mapping[int, str]) -> OriginsOfFile | None:
        """Return who wrote these lines of a file, as seen from a commit."""
        key = _name_lines(head, path, lines)
        found = self._old_origins.get(key)
        if found is not None:
            self._origins[key] = found
        return found

    def add_origins(self, head: str, path: str, lines: Mapping[int, str], found: OriginsOfFile) -> None:
        """Keep who wrote the lines of a file."""
        self._origins[_name_lines(head, path, lines)] = found
        self.changed = True

    def render(self) -> bytes:
        """Return what to keep for the next run."""
        body = json.dumps([self._names, self._rows, self._origins], separators=(",", ":")).encode("ascii")
        return self._digest(body) + b"\n" + body

    def _digest(self, body: bytes) -> bytes:
        return hashlib.sha256(self._code.encode() + b"\n" + body).hexdigest().encode()


def _name_lines(head: str, path: str, lines: Mapping[int, str]) -> str:
    return _hash(repr((head, path, sorted(lines.items()))))


def _hash(said: str) -> str:
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
