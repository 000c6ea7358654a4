"""What of a repository can prove that a name exists: which files, and which parts of them."""

import functools
import re
from collections.abc import Iterator

from memci.drift.languages import PYTHON, Language, find_language

_BLANK = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"([{}])")
# What may follow a string that stands alone on its lines; empty at the end of the file.
_AFTER = (b"", b"\n", b"\r", b" ", b"\t", b"#")

_PROSE = "md mdx mdc mdown markdown rst adoc asciidoc org textile tex txt rtf pdf doc docx odt pod wiki man po pot"
_RECORDS = "jsonl ndjson log lock map snap ambr patch diff orig rej tsbuildinfo lcov"
_BINARY = (
    "png jpg jpeg gif webp avif ico icns bmp tif tiff psd svg mp3 mp4 mov wav ogg webm woff woff2 ttf otf eot"
    " zip gz bz2 xz zst 7z tar tgz jar war class o a so dylib dll exe pdb pyc wasm bin dat db sqlite sqlite3"
    " parquet npy npz pkl onnx pt uasset umap fbx blend glb keystore p12 pfx der"
)
_NO_EVIDENCE = frozenset(f"{_PROSE} {_RECORDS} {_BINARY}".split())
# Text files that tools read.
_TOOL_TEXTS = ("requirements", "constraints", "cmakelists")
_LOCK_NAMES = (
    "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-lock.yml packages.lock.json go.sum go.work.sum bun.lockb"
    " package.resolved project.assets.json gradle.lockfile .pnp.cjs .pnp.loader.mjs"
)
_LOCKS = frozenset(_LOCK_NAMES.split())
_PROSE_STEMS = (
    "license licence copying notice authors contributors maintainers changelog changes history news readme todo"
    " thanks patents install unlicense"
)
_PROSE_NAMES = frozenset(_PROSE_STEMS.split())
# What others wrote, what a tool wrote, and what a test recorded.
_FOREIGN_DIRECTORIES = (
    "node_modules vendor third_party third-party thirdparty bower_components .yarn __snapshots__ dist .next .nuxt"
    " site-packages pods coverage htmlcov __pycache__ .git _site"
)
_FOREIGN = frozenset(_FOREIGN_DIRECTORIES.split())
_BUNDLES = (".min.js", ".min.css", ".min.mjs", ".bundle.js", ".chunk.js", "-bundle.js", ".pack.js", ".umd.js")
_DOC_PAGES = frozenset(("docs", "doc", "site", "javadoc", "apidocs", "storybook-static"))

# Git calls a file binary if one of its first 8,000 bytes is a NUL.
_BINARY_HEAD = 8_000


def is_evidence(path: str) -> bool:
    """Return whether a file can prove that a name exists: sources, settings and scripts, not prose and not records.

    Memory is for the caller to leave out: where it lies depends on the scopes.
    """
    *directories, name = path.lower().split("/")
    if not _FOREIGN.isdisjoint(directories) or name in _LOCKS or name.endswith(_BUNDLES):
        return False
    stem, _, extension = name.rpartition(".")
    if not stem:
        return name not in _PROSE_NAMES
    if extension in _NO_EVIDENCE:
        return extension == "txt" and name.startswith(_TOOL_TEXTS)
    return not (extension in ("html", "htm") and not _DOC_PAGES.isdisjoint(directories))


def is_binary(data: bytes) -> bool:
    """Return whether git would call this binary."""
    return b"\0" in data[:_BINARY_HEAD]


def strip_noise(path: str, data: bytes) -> bytes:
    """Return the file with comments, docstrings and test titles blanked; sizes, lines and other strings stay."""
    parts: list[bytes] = []
    done = 0
    for start, end in iter_noise(path, data):
        parts += (data[done:start], data[start:end].translate(_BLANK))
        done = end
    return b"".join((*parts, data[done:]))


def iter_noise(path: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where comments, docstrings and test titles start and end."""
    language = find_language(path, data)
    if language is None:
        return iter(())
    return _iter_python_noise(data) if language is PYTHON else _iter_noise(language, data)


def _iter_noise(language: Language, data: bytes) -> Iterator[tuple[int, int]]:
    comments, titles = language.comments, _title_pattern(bare=language.bare_titles)
    for match in language.pattern.finditer(data):
        start, end = match.span()
        if data.startswith(comments, start) or (
            data[start] in b"\"'`"
            and start
            and data[start - 1] in b"( \t\n"
            and titles.search(data[max(0, start - 64) : start])
        ):
            yield start, end


@functools.cache
def _title_pattern(*, bare: bool) -> re.Pattern[bytes]:
    words = rb"(?:(?:it|test|describe|context|suite|specify|scenario|feature|group|testWidgets|bench)"
    calls = rb"(?:\.[a-z]{1,12}){0,2}|[tb]\.Run)"
    if bare:
        return re.compile(rb"(?<![\w$])" + words + calls + rb"(?:[ \t]{1,4}|\(\s{0,32})\Z")
    return re.compile(rb"(?<![.\w$])" + words + calls + rb" ?\(\s{0,32}\Z")


def _iter_python_noise(data: bytes) -> Iterator[tuple[int, int]]:
    # A program may build its options from its docstring.
    keep = b"__doc__" in data or b"docopt" in data
    # What stands between strings and comments, as far as its brackets are not counted yet.
    code: list[bytes] = []
    behind = depth = 0
    for match in _python_pattern().finditer(data):
        start, end = match.span()
        code.append(data[behind:start])
        behind = end
        if data[start] != 35:
            # Most strings are followed by something, and looking at that is the cheapest test.
            if keep or data[end : end + 1] not in _AFTER or not _is_statement(data, start, end):
                continue
            depth = max(0, depth + _count_open(b"".join(code)))
            code.clear()
            if depth:
                continue
        yield start, end


def _count_open(code: bytes) -> int:
    """Return how many brackets are opened and not closed."""
    brackets = code.translate(None, _NO_BRACKETS)
    return len(brackets) - 2 * len(brackets.translate(None, b"([{"))


@functools.cache
def _python_pattern() -> re.Pattern[bytes]:
    """Strings and comments alone: stopping at every bracket takes longer than counting them where it matters."""
    pieces = (piece for piece in PYTHON.pieces if not piece.startswith(b"\\"))
    return re.compile(b"|".join(pieces), re.DOTALL)


def _is_statement(data: bytes, start: int, end: int) -> bool:
    """Return whether a string stands alone on its lines."""
    # No one indents further than this, and looking back along a long line for every string would be quadratic.
    line = data.rfind(b"\n", max(0, start - 200), start) + 1
    if line == 0 and start > 200:
        return False
    before = data[line:start].strip()
    if before.lower() not in (b"", b"r", b"u", b"b", b"f", b"br", b"rb", b"fr", b"rf"):
        return False
    if data[max(0, line - 3) : line].rstrip(b"\r\n").endswith(b"\\"):
        return False
    return _rest_pattern().match(data, end) is not None


@functools.cache
def _rest_pattern() -> re.Pattern[bytes]:
    return re.compile(rb"[ \t\r]*+(?:[#\n]|\Z)")
