"""Which names occur in which code: one pass over the files, comments and documents left out."""

import re
from collections.abc import Collection, Iterable

from memci.drift.code import is_binary, strip_noise
from memci.drift.search import Searcher
from memci.model import Unreadable

# Enough to say where a name is; a name in more files than this is everywhere.
MAX_FILES = 20
_DEFINES = (
    rb"(?:def|class|func|fn|function|type|struct|enum|trait|interface|const|let|var|val|fun|module|namespace|object"
    rb"|record|protocol|mod|macro_rules!|defmodule|defp?|sub|static|final|void)"
)


def find_names(files: Iterable[tuple[str, bytes | Unreadable]], names: Collection[str]) -> dict[str, list[str]]:
    """Return for each name the files whose code has it as a whole word."""
    searcher = Searcher(names)
    found: dict[str, list[str]] = {}
    for path, data in files:
        for name in find_in_code(path, data, searcher):
            places = found.setdefault(name, [])
            if len(places) < MAX_FILES:
                places.append(path)
    return found


def find_in_code(path: str, data: bytes | Unreadable, searcher: Searcher) -> set[str]:
    """Return the names that the code of one file has."""
    if isinstance(data, Unreadable) or is_binary(data):
        return set()
    # Few files hold any of the names, so only those pay for being stripped.
    return searcher.find(strip_noise(path, data)) if searcher.find(data) else set()


def defines(data: bytes, name: str) -> bool:
    """Whether code defines a name, as far as most languages look alike."""
    word = re.escape(name.encode("utf-8", "surrogatepass"))
    receiver = rb"(?:\([^()\n]{0,80}\)\s{0,4})?"
    return re.search(rb"\b" + _DEFINES + rb"\s{1,8}" + receiver + word + rb"\b", data) is not None
