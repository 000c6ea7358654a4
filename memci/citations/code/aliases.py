"""Names that map to paths of the repository: modules of Python, package names, imports. Nothing is executed."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from memci.citations.code.json_toml import dig, read_json, read_toml, texts

_MAX_TEXT = 300_000
# What a name without an ending may mean.
_FILES = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue", ".svelte", ".json")
_INDEXES = ("/index.ts", "/index.tsx", "/index.js")


class Alias(NamedTuple):
    """Maps names that match `pattern` to `target`; a `*` in `target` is replaced by the text that `*` matched."""

    pattern: str
    target: str
    # Whether the name is one of Python, whose parts are joined by dots.
    dotted: bool = False


def resolve_alias(cited: str, aliases: Iterable[Alias]) -> list[str]:
    """Return the paths that a cited name may map to, likeliest first, each once."""
    found: dict[str, None] = {}
    for alias in aliases:
        middle = _match(alias.pattern, cited)
        # A dotted name leads to a module; a path or a sentence with dots does not.
        if middle is None or (alias.dotted and not cited.replace(".", "").isidentifier()):
            continue
        path = _join(alias.target.replace("*", middle.replace(".", "/") if alias.dotted else middle, 1))
        if path:
            found |= dict.fromkeys(_expand_module(path) if alias.dotted else _expand_script(path))
    return list(found)


def _match(pattern: str, cited: str) -> str | None:
    before, star, after = pattern.partition("*")
    if not star:
        return "" if cited == pattern else None
    if len(cited) < len(before) + len(after) or not cited.startswith(before) or not cited.endswith(after):
        return None
    return cited[len(before) : len(cited) - len(after)]


def _join(*parts: str) -> str:
    """Return a path inside the repository, or "" if the parts lead out of it."""
    path = posixpath.normpath(posixpath.join(*parts)).lstrip("/")
    return "" if path in (".", "..") or path.startswith("../") else path


def _expand_script(path: str) -> Iterator[str]:
    yield path
    stem, extension = posixpath.splitext(path)
    if extension in (".js", ".jsx", ".mjs", ".cjs"):
        # Sources in TypeScript are imported by the name of their output.
        yield from (stem + other for other in (".ts", ".tsx", extension.replace("j", "t")))
    elif not path.endswith(tuple(_FILES)):
        yield from (path + ending for ending in (*_FILES, *_INDEXES))


def _expand_module(path: str) -> Iterator[str]:
    yield path
    if not path.endswith((".py", ".pyi")):
        # The last part may be a name inside the file that the others lead to.
        for stem in (path, posixpath.dirname(path)) if "/" in path else (path,):
            yield from (stem + ending for ending in (".py", "/__init__.py", ".pyi"))


def parse_aliases(path: str, text: str) -> tuple[Alias, ...]:
    """Return the aliases that a manifest defines; nothing if it defines none or cannot be read."""
    directory, name = posixpath.split(path)
    parse = _PARSERS.get(name.lower())
    if parse is None or len(text) > _MAX_TEXT:
        return ()
    return tuple(dict.fromkeys(parse(directory, text.removeprefix("\ufeff"))))


def _text(value: object) -> str:
    return next(iter(texts(value)), "") if isinstance(value, str) else ""


def _under(*parts: str) -> str:
    return posixpath.normpath(posixpath.join(*parts))


def _parse_package(directory: str, text: str) -> Iterator[Alias]:
    if name := _text(dig({"": read_json(text)}, "").get("name")):
        yield Alias(name, directory or ".")
        yield Alias(f"{name}/*", _under(directory, "*"))
        yield Alias(f"{name}/*", _under(directory, "src/*"))


def _parse_deno(directory: str, text: str) -> Iterator[Alias]:
    for key, target in dig(read_json(text), "imports").items():
        if (place := _text(target)).startswith("."):
            star = "*" if key.endswith("/") and place.endswith("/") else ""
            yield Alias(key + star, _under(directory, place + star))


def _parse_pyproject(directory: str, text: str) -> Iterator[Alias]:
    document = read_toml(text)
    tool = dig(document, "tool")
    packages = tool.get("poetry") and dig(tool, "poetry").get("packages")
    roots = (
        [_text(dig(item).get("from")) for item in packages if isinstance(item, dict)]
        if isinstance(packages, list)
        else []
    )
    roots += texts(dig(tool, "setuptools", "packages", "find").get("where"))
    roots += texts(dig(tool, "setuptools", "package-dir").get(""))
    roots += [
        posixpath.dirname(item) for item in texts(dig(tool, "hatch", "build", "targets", "wheel").get("packages"))
    ]
    roots += texts(dig(tool, "uv", "build-backend").get("module-root"))
    yield from _python_roots(directory, roots if document is not None else [])


def _parse_setup(directory: str, _: str) -> Iterator[Alias]:
    yield from _python_roots(directory, ())


def _python_roots(directory: str, roots: Iterable[str]) -> Iterator[Alias]:
    # Most projects keep their packages at the top or below `src`, whether or not they declare it.
    for root in (*roots, "", "src"):
        yield Alias("*", _under(directory, root, "*"), dotted=True)


_Parser = Callable[[str, str], Iterator[Alias]]
# By file name in lower case.
_PARSERS: Mapping[str, _Parser] = {
    "package.json": _parse_package,
    "deno.json": _parse_deno,
    "deno.jsonc": _parse_deno,
    "pyproject.toml": _parse_pyproject,
    "setup.py": _parse_setup,
    "setup.cfg": _parse_setup,
}
