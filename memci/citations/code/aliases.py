"""Names that map to paths of the repository: import aliases, module paths, package names. Nothing is executed."""

import enum
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from memci.citations.code.json_toml import dig, read_json, read_toml, texts
from memci.patterns import LazyPattern

_MAX_TEXT = 300_000


class Style(enum.Enum):
    """How the parts of a cited name are joined, and what the files behind it may be called."""

    # Separator, then the endings of files that a name without one may mean; `/index.ts` is a file in a directory.
    SCRIPT = (
        "/",
        (
            ".ts",
            ".tsx",
            ".js",
            ".jsx",
            ".mjs",
            ".cjs",
            ".d.ts",
            ".vue",
            ".svelte",
            ".json",
            "/index.ts",
            "/index.tsx",
            "/index.js",
        ),
    )
    FILES = ("/", ())
    PYTHON = (".", (".py", "/__init__.py", ".pyi"))
    RUST = ("::", (".rs", "/mod.rs"))
    PHP = ("\\", (".php",))


class Alias(NamedTuple):
    """Maps names that match `pattern` to `target`; a `*` in `target` is replaced by the text that `*` matched."""

    pattern: str
    target: str
    style: Style


def resolve_alias(cited: str, aliases: Iterable[Alias]) -> list[str]:
    """Return the paths that a cited name may map to, likeliest first, each once."""
    found: dict[str, None] = {}
    for alias in aliases:
        middle = _match(alias.pattern, cited)
        # A dotted name leads to a module; a path or a sentence with dots does not.
        if middle is None or (alias.style is Style.PYTHON and not cited.replace(".", "").isidentifier()):
            continue
        separator, endings = alias.style.value
        path = _join(alias.target.replace("*", middle.replace(separator, "/"), 1))
        for candidate in _expand(path, alias.style, endings):
            found.setdefault(candidate)
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


def _expand(path: str, style: Style, endings: tuple[str, ...]) -> Iterator[str]:
    if not path:
        return
    yield path
    stem, extension = posixpath.splitext(path)
    if style is Style.SCRIPT and extension in (".js", ".jsx", ".mjs", ".cjs"):
        # Sources in TypeScript are imported by the name of their output.
        yield from (stem + other for other in (".ts", ".tsx", extension.replace("j", "t")))
    elif not path.endswith(tuple(ending for ending in endings if ending.startswith("."))):
        yield from (path + ending for ending in endings)
        if style in (Style.PYTHON, Style.RUST) and "/" in path:
            # The last part may be a name inside the file that the others lead to.
            yield from (posixpath.dirname(path) + ending for ending in endings)


def parse_aliases(path: str, text: str) -> tuple[Alias, ...]:
    """Return the aliases that a manifest defines; nothing if it defines none or cannot be read."""
    directory, parse = posixpath.dirname(path), _select_parser(path)
    if parse is None or len(text) > _MAX_TEXT:
        return ()
    return tuple(dict.fromkeys(parse(directory, text.removeprefix("\ufeff"))))


def parse_members(path: str, text: str) -> tuple[str, ...]:
    """Return the directories, or patterns of directories, of the projects that a workspace manifest lists."""
    directory, name = posixpath.split(path)
    found: list[str] = []
    if name == "package.json":
        workspaces = dig({"": read_json(text)}, "").get("workspaces")
        found = texts(dig(workspaces).get("packages") if isinstance(workspaces, dict) else workspaces)
    elif name == "Cargo.toml":
        found = texts(dig(read_toml(text), "workspace").get("members"))
    elif name == "pyproject.toml":
        found = texts(dig(read_toml(text), "tool", "uv", "workspace").get("members"))
    elif name == "pnpm-workspace.yaml":
        found = re.findall(r"^[ \t]{0,8}-[ \t]{1,8}[\"']?([\w@./*-]{1,200})", text[:_MAX_TEXT], re.MULTILINE)
    elif name == "go.work":
        found = re.findall(r"^(?:use)?[ \t]{0,8}(\.[\w./-]{0,200})[ \t\r]{0,8}$", text[:_MAX_TEXT], re.MULTILINE)
    return tuple(place for item in found if not item.startswith("!") and (place := _join(directory, item)))


def _parse_tsconfig(directory: str, text: str) -> Iterator[Alias]:
    options = dig(read_json(text), "compilerOptions")
    base = _text(options.get("baseUrl"))
    for pattern, targets in dig(options, "paths").items():
        for target in texts(targets):
            place = target.replace("${configDir}", ".")
            yield Alias(pattern, _under(posixpath.join(directory, base or "."), place), Style.SCRIPT)
    if base:
        yield Alias("*", _under(directory, base, "*"), Style.SCRIPT)


def _text(value: object) -> str:
    return next(iter(texts(value)), "") if isinstance(value, str) else ""


def _under(*parts: str) -> str:
    return posixpath.normpath(posixpath.join(*parts))


def _alias_line_source() -> str:
    # "@": path.resolve(__dirname, "./src"), '@': fileURLToPath(new URL('./src', import.meta.url)), "@": "./src";
    # or with find: and replacement: on one line.
    name = r"(?:find:[ \t]{0,8})?[\"'](?P<key>[@~#$\w][\w@/$~#-]{0,80})[\"']"
    key = name + r"[ \t]{0,8}[:,][ \t]{0,8}(?:replacement:[ \t]{0,8})?"
    root = r"(?:__dirname|import\.meta\.dirname|process\.cwd\(\))"
    call = rf"(?:path\.)?(?:resolve|join)\([ \t]{{0,8}}{root}[ \t]{{0,8}},|fileURLToPath\([ \t]{{0,8}}new URL\("
    return rf"{key}(?:{call})[ \t]{{0,8}}[\"'](?P<target>[\w./@-]{{1,200}})[\"']"


_ALIAS_LINE = LazyPattern(_alias_line_source)


def _parse_bundler(directory: str, text: str) -> Iterator[Alias]:
    for line in text.split("\n"):
        for match in _ALIAS_LINE.finditer(line[:1_000]):
            yield from _both(match["key"].rstrip("/"), _under(directory, match["target"]), Style.SCRIPT)


def _both(name: str, target: str, style: Style) -> Iterator[Alias]:
    """Yield an alias for a name itself and one for everything below it."""
    separator = style.value[0]
    yield Alias(name, target, style)
    yield Alias(f"{name}{separator}*", f"{target}/*", style)


def _parse_package(directory: str, text: str) -> Iterator[Alias]:
    document = read_json(text)
    if name := _text(dig({"": document}, "").get("name")):
        yield from _both(name, directory or ".", Style.SCRIPT)
        yield Alias(f"{name}/*", _under(directory, "src/*"), Style.SCRIPT)
    for pattern, target in dig(document, "imports").items():
        for place in _places(target):
            yield Alias(pattern, _under(directory, place), Style.SCRIPT)


def _places(target: object) -> list[str]:
    """Return the paths among the conditions of an import map."""
    values = dig(target).values() if isinstance(target, dict) else texts(target)
    return [value for value in values if isinstance(value, str) and value.startswith(".")]


def _parse_deno(directory: str, text: str) -> Iterator[Alias]:
    for key, target in dig(read_json(text), "imports").items():
        if (place := _text(target)).startswith("."):
            star = "*" if key.endswith("/") and place.endswith("/") else ""
            yield Alias(key + star, _under(directory, place + star), Style.SCRIPT)


def _parse_go(directory: str, text: str) -> Iterator[Alias]:
    if match := re.search(r"^module[ \t]{1,8}\"?([^\s\"]{1,200})", text, re.MULTILINE):
        yield from _both(match[1], directory or ".", Style.FILES)


def _parse_cargo(directory: str, text: str) -> Iterator[Alias]:
    document = read_toml(text)
    for table in (dig(document, "package"), dig(document, "lib")):
        if name := _text(table.get("name")):
            for crate in (name.replace("-", "_"), "crate"):
                yield Alias(f"{crate}::*", _under(directory, "src/*"), Style.RUST)


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
        yield Alias("*", _under(directory, root, "*"), Style.PYTHON)


def _parse_pubspec(directory: str, text: str) -> Iterator[Alias]:
    if match := re.search(r"^name:[ \t]{1,8}[\"']?(\w{1,80})", text, re.MULTILINE):
        yield Alias(f"package:{match[1]}/*", _under(directory, "lib/*"), Style.FILES)


def _parse_composer(directory: str, text: str) -> Iterator[Alias]:
    document = read_json(text)
    for section in ("autoload", "autoload-dev"):
        for prefix, targets in dig(document, section, "psr-4").items():
            for target in texts(targets):
                yield Alias(f"{prefix}*", _under(directory, target, "*"), Style.PHP)


_Parser = Callable[[str, str], Iterator[Alias]]
# By file name in lower case.
_PARSERS: Mapping[str, _Parser] = {
    "package.json": _parse_package,
    "deno.json": _parse_deno,
    "deno.jsonc": _parse_deno,
    "go.mod": _parse_go,
    "cargo.toml": _parse_cargo,
    "pyproject.toml": _parse_pyproject,
    "setup.py": _parse_setup,
    "setup.cfg": _parse_setup,
    "pubspec.yaml": _parse_pubspec,
    "composer.json": _parse_composer,
}


def _select_parser(path: str) -> _Parser | None:
    name = path.rpartition("/")[2].lower()
    if name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json"):
        return _parse_tsconfig
    if name.startswith(("vite", "webpack")) and ".config." in name:
        return _parse_bundler
    return _PARSERS.get(name)


def has_aliases(path: str) -> bool:
    """Return whether `parse_aliases` or `parse_members` can read this file."""
    return _select_parser(path) is not None or path.rpartition("/")[2] in ("pnpm-workspace.yaml", "go.work")
