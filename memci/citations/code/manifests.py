"""Reads which scripts, targets and programs the manifests of a repository define. Nothing is executed."""

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from memci.citations.code import build_files
from memci.citations.code.build_files import NOTHING, UNREADABLE, Names
from memci.citations.code.comments import strip_noise

# Real manifests stay far below this.
_MAX_TEXT = 300_000

# Several programs run the same scripts.
_RUNNERS: Mapping[str, str] = {"pnpm": "npm", "yarn": "npm", "bun": "npm", "uv": "python", "poetry": "python"}


class Scripts(NamedTuple):
    """What one runner can run according to one manifest."""

    path: str
    # npm, make, just, task, rake, nox, tox, composer, python.
    runner: str
    defined: Names = NOTHING
    # Commands that the project itself installs.
    programs: frozenset[str] = frozenset()
    # Dependencies: each may bring programs, mostly under its own name.
    packages: frozenset[str] = frozenset()


def parse_scripts(path: str, text: str) -> tuple[Scripts, ...]:
    """Return what a manifest defines, by runner; nothing if the file is no manifest."""
    parse = _select_parser(path)
    if parse is None:
        return ()
    return tuple(parse(path, text.removeprefix("\ufeff")))


def has_script(manifests: Iterable[Scripts], runner: str, name: str) -> bool | None:
    """Return whether a manifest defines `name` for `runner`; None if that cannot be known."""
    wanted = _RUNNERS.get(runner, runner)
    same = [scripts for scripts in manifests if scripts.runner == wanted]
    if any(name in scripts.defined.names or name in scripts.programs for scripts in same):
        return True
    if not same or any(scripts.defined.incomplete or _fits(scripts.defined, name) for scripts in same):
        return None
    return False


def has_manifest(manifests: Iterable[Scripts], runner: str) -> bool:
    """Tell whether there is a manifest for a runner at all."""
    wanted = _RUNNERS.get(runner, runner)
    return any(scripts.runner == wanted for scripts in manifests)


def has_program(manifests: Iterable[Scripts], name: str) -> bool:
    """Whether the projects install a program or depend on a package of that name; others may install it, too."""
    return any(
        name in scripts.programs or name in scripts.packages or name in map(_bare, scripts.packages)
        for scripts in manifests
    )


def _fits(names: Names, name: str) -> bool:
    for pattern in names.patterns:
        before, _, after = pattern.partition("%")
        if name.startswith(before) and name.endswith(after) and len(name) >= len(before) + len(after):
            return True
    return False


def _bare(package: str) -> str:
    """Return `cli` for `@scope/cli`."""
    return package.rpartition("/")[2]


def _names(*tables: Mapping[str, object]) -> frozenset[str]:
    return frozenset(key for table in tables for key in table if 0 < len(key) <= MAX_NAME)


def _parse_package(path: str, text: str) -> Iterator[Scripts]:
    document = read_json(text)
    if document is None:
        yield Scripts(path, "npm", UNREADABLE)
        return
    binaries = document.get("bin")
    programs = (
        {_bare(name) for name in texts(document.get("name"))} if isinstance(binaries, str) else _names(dig(binaries))
    )
    kinds = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
    packages = _names(*(dig(document, kind) for kind in kinds))
    yield Scripts(path, "npm", Names(_names(dig(document, "scripts"))), frozenset(programs), packages)


def _parse_composer(path: str, text: str) -> Iterator[Scripts]:
    document = read_json(text)
    names = UNREADABLE
    if document is not None:
        names = Names(
            _names(dig(document, "scripts"), dig(document, "scripts-descriptions")) | _composer_aliases(document)
        )
    programs = frozenset(_bare(name) for name in texts(dig({"": document}, "").get("bin")))
    packages = _names(dig(document, "require"), dig(document, "require-dev"))
    yield Scripts(path, "composer", names, programs, packages)


def _composer_aliases(document: Mapping[str, object]) -> frozenset[str]:
    return frozenset(name for value in dig(document, "scripts-aliases").values() for name in texts(value))


def _parse_pyproject(path: str, text: str) -> Iterator[Scripts]:
    document = read_toml(text)
    if document is None:
        yield Scripts(path, "python", UNREADABLE)
        return
    tool = dig(document, "tool")
    programs = _names(dig(document, "project", "scripts"), dig(document, "project", "gui-scripts"))
    programs |= _names(dig(tool, "poetry", "scripts"))
    yield Scripts(path, "python", NOTHING, programs, _python_packages(document))
    if "tox" in tool:
        legacy = dig(tool, "tox").get("legacy_tox_ini")
        yield from (
            _parse_ini(path, legacy)
            if isinstance(legacy, str)
            else (Scripts(path, "tox", _tox_names(dig(tool, "tox"))),)
        )


def _tox_names(table: Mapping[str, object]) -> Names:
    listed = [name for name in texts(table.get("env_list")) if "{" not in name]
    return Names(_names(dig(table, "env")) | frozenset(listed), frozenset({"py%"}), incomplete="requires" in table)


def _python_packages(document: Mapping[str, object]) -> frozenset[str]:
    groups = (dig(document, "project", "optional-dependencies"), dig(document, "dependency-groups"))
    listed = texts(dig(document, "project").get("dependencies"))
    listed += [name for group in groups for items in group.values() for name in texts(items)]
    poetry = dig(document, "tool", "poetry")
    named = _names(
        dig(poetry, "dependencies"), *(dig(group, "dependencies") for group in dig(poetry, "group").values())
    )
    return named | frozenset(match[0].lower() for item in listed if (match := re.match(r"[\w.-]+", item)))


def _parse_ini(path: str, text: str) -> Iterator[Scripts]:
    """Read tox.ini and setup.cfg: environments of tox, and console scripts."""
    import configparser

    parser = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        parser.read_string(text[:_MAX_TEXT])
    except configparser.Error:
        yield Scripts(path, "tox", UNREADABLE)
        return
    entries = parser.get("options.entry_points", "console_scripts", fallback="") or ""
    if entries:
        yield Scripts(
            path,
            "python",
            NOTHING,
            frozenset(line.partition("=")[0].strip() for line in entries.split("\n") if "=" in line),
        )
    sections = {name.removeprefix("testenv:") for name in parser.sections() if name.startswith("testenv:")}
    tox: Mapping[str, str] = next((parser[name] for name in ("tox", "tox:tox") if name in parser), {})
    listed = re.split(r"[,\s]", tox.get("envlist") or tox.get("env_list") or "")
    if tox or sections or "testenv" in parser:
        names = {name for name in (*sections, *listed) if name and not set("{}") & set(name)}
        # Environments are put together from factors: `py{311,312}-{linux,mac}`.
        yield Scripts(
            path,
            "tox",
            Names(frozenset(names), frozenset({"py%"}), incomplete=any("{" in name for name in (*sections, *listed))),
        )


def _parse_setup(path: str, text: str) -> Iterator[Scripts]:
    pattern = re.compile(r"[\"']([\w.-]{1,80})\s{0,4}=\s{0,4}[\w.]{1,200}:\w")
    yield Scripts(path, "python", NOTHING, frozenset(match[1] for match in pattern.finditer(text[:_MAX_TEXT])))


_Parser = Callable[[str, str], Iterator[Scripts]]


def _by_lines(runner: str, parse: Callable[[str], Names]) -> _Parser:
    def read(path: str, text: str) -> Iterator[Scripts]:
        yield Scripts(path, runner, parse(text) if len(text) <= _MAX_TEXT else UNREADABLE)

    return read


_MAKE = _by_lines("make", build_files.parse_makefile)
_JUST = _by_lines("just", build_files.parse_justfile)
_TASK = _by_lines("task", build_files.parse_taskfile)
_RAKE = _by_lines("rake", build_files.parse_rakefile)
# By file name in lower case.
_PARSERS: Mapping[str, _Parser] = {
    "package.json": _parse_package,
    "composer.json": _parse_composer,
    "pyproject.toml": _parse_pyproject,
    "tox.ini": _parse_ini,
    "setup.cfg": _parse_ini,
    "setup.py": _parse_setup,
    "makefile": _MAKE,
    "gnumakefile": _MAKE,
    "justfile": _JUST,
    ".justfile": _JUST,
    "rakefile": _RAKE,
    "noxfile.py": _by_lines("nox", build_files.parse_noxfile),
}
_BY_EXTENSION: Mapping[str, _Parser] = {".mk": _MAKE, ".just": _JUST, ".rake": _RAKE}


def _select_parser(path: str) -> _Parser | None:
    name = path.lower().rpartition("/")[2]
    if name.startswith("taskfile") and name.endswith((".yml", ".yaml")):
        return _TASK
    return _PARSERS.get(name) or _BY_EXTENSION.get(posixpath.splitext(name)[1])


def is_manifest(path: str) -> bool:
    """Return whether `parse_scripts` can read this file."""
    return _select_parser(path) is not None


# Real manifests stay below 200 KB; TOML is parsed slowly, so its share is smaller.
_MAX_JSON = 2_000_000
_MAX_TOML = 300_000
# A longer name is none that people type.
MAX_NAME = 200


def read_json(text: str) -> Mapping[str, object] | None:
    """Return a JSON object, also with comments and trailing commas; None if it is not one."""
    if len(text) > _MAX_JSON:
        return None
    found = _load(text)
    if found is None:
        found = _load(_drop_comments(text))
    return found if isinstance(found, dict) else None


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _drop_comments(text: str) -> str:
    stripped = strip_noise("x.jsonc", text.encode("utf-8", "replace")).decode("utf-8", "replace")
    pattern = re.compile(r'"(?:[^"\\]++|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)
    return pattern.sub(lambda match: "" if match[0] == "," else match[0], stripped)


def read_toml(text: str) -> Mapping[str, object] | None:
    """Return a TOML document; None if it is not one."""
    import tomllib

    if len(text) > _MAX_TOML:
        return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def dig(document: object, *keys: str) -> Mapping[str, object]:
    """Return the table at these keys, or an empty one."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def texts(value: object) -> list[str]:
    """Return the strings of a list, or a string as a list of one."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and 0 < len(item) <= MAX_NAME]
