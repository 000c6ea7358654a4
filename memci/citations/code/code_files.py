"""Which files of a repository can prove that a name exists."""

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
