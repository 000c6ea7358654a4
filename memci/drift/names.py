"""Which names occur in which code: one pass over the files, comments and documents left out."""

import functools
import re
from collections.abc import Collection, Iterable

from memci.drift.code import is_binary, strip_noise
from memci.drift.search import Searcher
from memci.model import Unreadable

# Enough to say where a name is; a name in more files than this is everywhere.
MAX_FILES = 20
# How much beside a name can tell what it is there.
_NEAR = 120
# Words behind which a name is used, not made.
_OPERATORS = frozenset(
    b"return await new throw raise yield as typeof in of else not and or case go defer is = if".split()
)
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


def only_borrows(data: bytes, name: str) -> bool:
    """Whether code uses a name only as one that others define: it imports it, calls it, or gives it to a program."""
    word = re.escape(name.encode("utf-8", "surrogatepass"))
    if name.startswith("--"):
        # A parser has it as a string, a shell script as a case, a help text with what it takes.
        return re.search(rb"[\"'`|\[]" + word + rb"(?![\w-])|(?<!\S)" + word + rb"(?:[|)]|[= ]<)", data) is None
    return not any(
        _introduces(data[max(0, found.start() - _NEAR) : found.start()], data[found.end() : found.end() + _NEAR])
        for found in re.finditer(rb"(?<!\w)" + word + rb"(?!\w)", data)
    )


def _introduces(before: bytes, after: bytes) -> bool:
    """Whether a name between these bytes may be new there; generous, because every language has its own ways."""
    line = before.rpartition(b"\n")[2]
    if _taken().match(line):
        return False
    # Of a variable of the environment code has no more than this.
    if line.lower().endswith(b"env."):
        return True
    if line.endswith((b".", b"->", b"::")):
        # `this.name = 1`, `void Table::name(int count) {`
        return re.match(rb"\s{0,4}[:=](?![:=])", after) is not None or (
            line.endswith(b"::")
            and re.match(rb"\s{0,4}\([^()\n]*\)[\w ]{0,20}\{?$", after.partition(b"\n")[0]) is not None
        )
    if not line.strip() or line.endswith((b'"', b"'", b"$", b"{", b"@")) or re.match(rb"\s{0,4}[:=](?![:=])", after):
        return True
    # `def name`, `FString name;`, `const name`
    last = re.search(rb"([\w>\]*&?)]+)[ \t]{1,4}[*&]{0,2}$", line)
    return last is not None and last[1] not in _OPERATORS


@functools.cache
def _taken() -> re.Pattern[bytes]:
    # Lines that name what another file or the compiler has.
    return re.compile(rb"[ \t]*(?:#[ \t]*(?:if|ifdef|ifndef|elif|include)|import|from|use|using|require)\b")
