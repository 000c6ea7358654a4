"""Which files of a work tree can prove that a name exists, reading many of them, and one pass for all names."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.git.safe_open import open_beneath
from memci.model.memory import Unreadable
from memci.patterns import LazyPattern

_PROSE = "md mdx mdc mdown markdown rst adoc asciidoc org textile tex txt rtf pdf doc docx odt pod wiki man po pot"
_RECORDS = "jsonl ndjson sarif log lock map snap ambr patch diff orig rej tsbuildinfo lcov"
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
_OWN_HEAD = 600
_OWN_MARKS = (b'<meta name="generator" content="memci ', b'"schema": "memci/')
_DIGEST = LazyPattern(r"[0-9a-f]{64}")


def is_evidence(path: str) -> bool:
    """Return whether a file can prove that a name exists: sources, settings and scripts, not prose and not records.

    Memory is for the caller to leave out: where it lies depends on the scopes.
    """
    *directories, name = path.lower().split("/")
    if not _FOREIGN.isdisjoint(directories) or name in _LOCKS or name.endswith(_BUNDLES):
        return False
    stem, _, extension = name.rpartition(".")
    if not stem:
        # A text of a bundle is called by its digest.
        return name not in _PROSE_NAMES and not _DIGEST.fullmatch(name)
    if extension in _NO_EVIDENCE:
        return extension == "txt" and name.startswith(_TOOL_TEXTS)
    return not (extension in ("html", "htm") and not _DOC_PAGES.isdisjoint(directories))


def is_own_output(data: bytes) -> bool:
    """Tell whether memci wrote this page, bundle or result: it quotes memory, so it proves nothing about it."""
    return any(mark in data[:_OWN_HEAD] for mark in _OWN_MARKS)


def is_binary(data: bytes) -> bool:
    """Return whether git would call this binary."""
    return b"\0" in data[:_BINARY_HEAD]


# A larger file is generated or data.
MAX_BYTES = 1_000_000


def iter_worktree(root: Path, paths: Iterable[str], limit: int) -> Iterator[tuple[str, bytes | Unreadable]]:
    """Yield the content of each file, directory by directory, or why it was not read."""
    by_directory: dict[str, list[str]] = {}
    for path in paths:
        directory, _, name = path.rpartition("/")
        by_directory.setdefault(directory, []).append(name)
    for directory, names in sorted(by_directory.items()):
        prefix = f"{directory}/" if directory else ""
        opened = _open(root, directory)
        try:
            for name in names:
                yield prefix + name, Unreadable.ABSENT if opened is None else _read(opened, name, limit)
        finally:
            if opened is not None:
                os.close(opened)


def _open(root: Path, directory: str) -> int | None:
    try:
        return open_beneath(root, PurePosixPath(directory), os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, ValueError):
        return None


def _read(directory: int, name: str, limit: int) -> bytes | Unreadable:
    try:
        # A FIFO without a writer would block.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
    # A path with a NUL is a ValueError.
    except (OSError, ValueError):
        return Unreadable.ABSENT
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return Unreadable.SPECIAL
        if found.st_size > limit:
            return Unreadable.TOO_LARGE
        data = bytearray()
        while chunk := os.read(descriptor, max(found.st_size - len(data), 0) + 1):
            data += chunk
            if len(data) > limit:
                return Unreadable.TOO_LARGE
        return bytes(data)
    except OSError:
        return Unreadable.FAILED
    finally:
        os.close(descriptor)


def search_tree(root: Path, paths: Iterable[str], wanted: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the first files whose code has each name, as many as are wanted."""
    left = dict(wanted)
    found: dict[str, list[str]] = {}
    searcher, useless = Searcher(left), 0
    for path, data in iter_worktree(root, paths, MAX_BYTES) if left else ():
        if isinstance(data, Unreadable) or is_binary(data):
            continue
        # By then the hits of names that are no longer looked for have cost as much as a new automaton.
        if useless > len(left):
            searcher, useless = Searcher(left), 0
        hits = searcher.find(data)
        likely = hits & left.keys() if not is_own_output(data) else set()
        useless += len(hits) - len(likely)
        # Few files contain any of the names; only those are stripped.
        for name in sorted(likely & searcher.find(strip_noise(path, data))) if likely else ():
            found.setdefault(name, []).append(path)
            left[name] -= 1
            if not left[name]:
                del left[name]
        if not left:
            break
    return found
