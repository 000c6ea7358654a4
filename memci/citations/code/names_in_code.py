"""How a cited name can be written in code, and what code does with it: defines, borrows or introduces it."""

import functools
import re
from collections.abc import Iterator

from memci.citations.code.code_files import is_binary
from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.model.citation import Claim, ClaimKind
from memci.model.memory import Unreadable
from memci.patterns import LazyPattern

# Enough to locate a name; a name in more files than this is everywhere.
MAX_FILES = 20
# How much text around a name is read to classify its use.
_NEAR = 120
_QUOTES = frozenset((b'"', b"'", b"`", b"|", b"["))
_WORD_BYTES = frozenset(bytes((byte,)) for byte in range(128) if chr(byte).isalnum() or byte == 95)
# Words behind which a name is used, not made.
_OPERATORS = frozenset(
    b"return await new throw raise yield as typeof in of else not and or case go defer is = if".split()
)
_DEFINES = (
    rb"(?:def|class|func|fn|function|type|struct|enum|trait|interface|const|let|var|val|fun|module|namespace|object"
    rb"|record|protocol|mod|macro_rules!|defmodule|defp?|sub|static|final|void)"
)


def find_in_code(path: str, data: bytes | Unreadable, searcher: Searcher) -> set[str]:
    """Return the names that the code of one file has."""
    if isinstance(data, Unreadable) or is_binary(data):
        return set()
    # Few files contain any of the names; only those are stripped.
    return searcher.find(strip_noise(path, data)) if searcher.find(data) else set()


def _iter_words(data: bytes, word: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a word is that is no part of a longer one; looking for its bytes skips what has none of them."""
    start = data.find(word)
    while start >= 0:
        end = start + len(word)
        whole = data[start - 1 : start] not in _WORD_BYTES and data[end : end + 1] not in _WORD_BYTES
        if whole:
            yield start, end
        start = data.find(word, end if whole else start + 1)


def defines(data: bytes, name: str) -> bool:
    """Whether code defines a name, as far as most languages look alike."""
    return any(
        _follows_keyword(data, start) or _makes(data[max(0, start - _NEAR) : start], data[end : end + _NEAR])
        for start, end in _iter_words(data, name.encode("utf-8", "surrogatepass"))
    )


def declares(data: bytes, name: str) -> bool:
    """Whether code defines a name behind a keyword, as a class does not define its methods in many languages."""
    return any(_follows_keyword(data, start) for start, _ in _iter_words(data, name.encode("utf-8", "surrogatepass")))


def _follows_keyword(data: bytes, start: int) -> bool:
    """Whether a keyword that defines things is before a place, but not on a line that names what others have."""
    made = _keyword().search(data, max(0, start - _NEAR), start)
    if made is None:
        return False
    # `import { type Name } from "library"`
    return not _taken().match(data[max(0, made.start() - _NEAR) : made.start()].rpartition(b"\n")[2])


@functools.cache
def _keyword() -> re.Pattern[bytes]:
    return re.compile(rb"\b" + _DEFINES + rb"\s{1,8}(?:\([^()\n]{0,80}\)\s{0,4})?\Z")


def _makes(before: bytes, after: bytes) -> bool:
    """Whether a name between these bytes is a method, an attribute or a variable that is made there."""
    line = before.rpartition(b"\n")[2]
    assigned = re.match(rb"[ \t]{0,4}(?::[^=\n]{0,60})?=(?![=>])", after) is not None
    if not line.strip():
        # Not a call that is given a function: `batch(() => {`.
        method = rb"\((?:[^\n=]{0,100}\{[ \t\r]{0,4}(?:\n|$)|[^()\n=]{0,60}\)[ \t]{0,4}\{)"
        return re.match(method, after) is not None or (assigned and not line)
    if line.endswith((b"self.", b"this.")):
        return assigned
    # `public async Task<int> name(`, `private name = 1`, `void Table::name(`
    if _modified().fullmatch(line):
        return re.match(rb"[ \t]{0,2}[(=;{<:?]", after) is not None
    return after.startswith(b"(") and _typed().fullmatch(line) is not None


@functools.cache
def _modified() -> re.Pattern[bytes]:
    words = b"public private protected internal override virtual inline readonly abstract export pub async open".split()
    return re.compile(rb"[ \t]*(?:" + b"|".join(words) + rb")[ \t](?:[^=();{}]*[ \t*&])?")


@functools.cache
def _typed() -> re.Pattern[bytes]:
    # Where functions are not indented.
    words = b"return else new await using import from yield throw raise case if while not in print assert".split()
    return re.compile(rb"(?!(?:" + b"|".join(words) + rb")\b)[A-Za-z_][\w<>*&:, ]*(?:::|[ \t*&])")


def only_borrows(data: bytes, name: str) -> bool:
    """Whether code uses a name only as one that others define: it imports it, calls it, or gives it to a program."""
    word = name.encode("utf-8", "surrogatepass")
    if name.startswith("--"):
        return not any(_offers(data, found.start(), found.end()) for found in re.finditer(re.escape(word), data))
    return not any(
        _introduces(data[max(0, start - _NEAR) : start], data[end : end + _NEAR])
        for start, end in _iter_words(data, word)
    )


def _offers(data: bytes, start: int, end: int) -> bool:
    """Whether an option is here as a string, as in a parser, as a case of a shell script, or with what it takes."""
    before, after = data[max(0, start - 1) : start], data[end : end + 2]
    if before in _QUOTES:
        # `["git", "rev-parse", "--show-toplevel"]`: an argument; in a parser only other options stand before it.
        given = _argument().search(data[max(0, start - _NEAR) : start])
        return not given and not re.match(rb"[\w-]", after)
    return (not before or before.isspace()) and re.match(rb"[|)]|[= ]<", after) is not None


@functools.cache
def _argument() -> re.Pattern[bytes]:
    return re.compile(rb"[\"'][\w./][^\"'\n]{0,60}[\"'],\s{0,20}[\"'`]\Z")


def _introduces(before: bytes, after: bytes) -> bool:
    """Whether a variable or constant between these bytes may be new there, in any language."""
    line = before.rpartition(b"\n")[2]
    if _taken().match(line) or _given().match(line[-1:] + after):
        return False
    # Of a variable of the environment code has no more than this.
    if line.lower().endswith(b"env.") or line.endswith((b'"', b"'", b"$", b"{")):
        return True
    if re.match(rb"\s{0,4}[:=](?![:=])", after):
        return True
    # `FString name;`, `const name`
    last = re.search(rb"([\w>\]*&?)]+)[ \t]{1,4}[*&]{0,2}$", line)
    return last is not None and last[1] not in _OPERATORS


@functools.cache
def _given() -> re.Pattern[bytes]:
    # `env["NAME"] = "x"`, `"NAME": "1"`: a setting of the program that it is given to.
    return re.compile(rb"([\"'])\1\]?\s{0,4}[:=](?![:=])")


@functools.cache
def _taken() -> re.Pattern[bytes]:
    # Lines that name what another file or the compiler has.
    return re.compile(rb"[ \t]*(?:#[ \t]*(?:if|ifdef|ifndef|elif|include)|import|from|use|using|require)\b")


# `a::b`, `A.b`, `a->b`, `A#b`, `pkg/b`: the last part is what must be there.
_JOINTS = LazyPattern(r"::|->|[.#/\\]")
# Behind the name: a call, generics, an index.
_BEHIND = LazyPattern(r"[(<\[{].*$", re.DOTALL)


def list_spellings(claim: Claim) -> tuple[str, ...]:
    """Return the spellings any of which proves a claim about a name; none for other kinds of claim."""
    match claim.kind:
        case ClaimKind.SYMBOL:
            name = _last_part(claim.text)
            return (name,) if name else ()
        case ClaimKind.ENVIRONMENT:
            return (claim.text,)
        case ClaimKind.FLAG:
            word = claim.text.lstrip("-")
            return (claim.text, f'"{word}"', f"'{word}'", *_joined(word))
        case _:
            return ()


def list_loose_spellings(claim: Claim) -> tuple[str, ...]:
    """Return further spellings whose presence makes it unsafe to call the claim broken."""
    if claim.kind is not ClaimKind.FLAG:
        return ()
    word = claim.text.lstrip("-")
    # A parser that derives options from fields (clap, typer) has `verbose: bool` and nowhere `--verbose`;
    # one that derives negations has `--no-cache` from `cache`.
    return (word, word.removeprefix("no-")) if "-" not in word.removeprefix("no-") else ()


def _last_part(text: str) -> str:
    parts = [part for part in _JOINTS.split(_BEHIND.sub("", text.strip())) if part]
    return parts[-1] if parts and re.fullmatch(r"[^\W\d]\w*", parts[-1]) else ""


def _joined(word: str) -> tuple[str, ...]:
    """Return the spellings of a flag of several words as an identifier."""
    first, *rest = word.split("-")
    if not rest:
        return ()
    camel = first + "".join(part.capitalize() for part in rest)
    return (word, word.replace("-", "_"), camel, camel[:1].upper() + camel[1:])
