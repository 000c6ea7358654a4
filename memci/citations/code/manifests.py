"""Reads which scripts, targets and programs the manifests of a repository define. Nothing is executed."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from memci.citations.code.comments import strip_noise
from memci.patterns import LazyPattern

# Real manifests stay below 200 KB; TOML is parsed slowly, so its share is smaller.
_MAX_JSON = 2_000_000
_MAX_TEXT = 300_000
# A longer name is none that people type, and longer lines contain none.
_MAX_NAME = 200
_MAX_LINE = 10_000
# Several programs run the same scripts.
_RUNNERS: Mapping[str, str] = {"pnpm": "npm", "yarn": "npm", "bun": "npm", "uv": "python", "poetry": "python"}


class Scripts(NamedTuple):
    """What one runner can run according to one manifest."""

    path: str
    # npm, make, python.
    runner: str
    names: frozenset[str] = frozenset()
    # Whether more names may exist: the file includes others, computes names, or could not be read.
    incomplete: bool = False
    # Commands that the project itself installs.
    programs: frozenset[str] = frozenset()
    # Dependencies: each may bring programs, mostly under its own name.
    packages: frozenset[str] = frozenset()


def parse_scripts(path: str, text: str) -> tuple[Scripts, ...]:
    """Return what a manifest defines; nothing if the file is no manifest."""
    parse = _select_parser(path)
    return (parse(path, text.removeprefix("\ufeff")),) if parse else ()


def is_manifest(path: str) -> bool:
    """Return whether `parse_scripts` can read this file."""
    return _select_parser(path) is not None


def has_script(manifests: Iterable[Scripts], runner: str, name: str) -> bool | None:
    """Return whether a manifest defines `name` for `runner`; None if that cannot be known."""
    wanted = _RUNNERS.get(runner, runner)
    same = [scripts for scripts in manifests if scripts.runner == wanted]
    if any(name in scripts.names or name in scripts.programs for scripts in same):
        return True
    return None if not same or any(scripts.incomplete for scripts in same) else False


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


def _bare(package: str) -> str:
    """Return `cli` for `@scope/cli`."""
    return package.rpartition("/")[2]


def _parse_package(path: str, text: str) -> Scripts:
    document = _read_json(text)
    if document is None:
        return Scripts(path, "npm", incomplete=True)
    binaries, name = document.get("bin"), document.get("name")
    programs = {_bare(name)} if isinstance(binaries, str) and isinstance(name, str) else _names(_dig(binaries))
    kinds = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
    packages = _names(*(_dig(document, kind) for kind in kinds))
    return Scripts(path, "npm", _names(_dig(document, "scripts")), programs=frozenset(programs), packages=packages)


def _read_json(text: str) -> Mapping[str, object] | None:
    """Return a JSON object, also with comments and trailing commas; None if it is not one."""
    if len(text) > _MAX_JSON:
        return None
    found = _load(text)
    if found is None:
        stripped = strip_noise("x.jsonc", text.encode("utf-8", "replace")).decode("utf-8", "replace")
        pattern = re.compile(r'"(?:[^"\\]++|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)
        found = _load(pattern.sub(lambda match: "" if match[0] == "," else match[0], stripped))
    return found if isinstance(found, dict) else None


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parse_pyproject(path: str, text: str) -> Scripts:
    import tomllib

    try:
        document = tomllib.loads(text if len(text) <= _MAX_TEXT else "[")
    except (ValueError, RecursionError):
        return Scripts(path, "python", incomplete=True)
    poetry = _dig(document, "tool", "poetry")
    programs = _names(
        _dig(document, "project", "scripts"), _dig(document, "project", "gui-scripts"), _dig(poetry, "scripts")
    )
    return Scripts(path, "python", programs=programs, packages=_list_packages(document, poetry))


def _list_packages(document: Mapping[str, object], poetry: Mapping[str, object]) -> frozenset[str]:
    groups = (_dig(document, "project", "optional-dependencies"), _dig(document, "dependency-groups"))
    listed = _texts(_dig(document, "project").get("dependencies"))
    listed += [name for group in groups for items in group.values() for name in _texts(items)]
    named = _names(
        _dig(poetry, "dependencies"), *(_dig(group, "dependencies") for group in _dig(poetry, "group").values())
    )
    return named | {match[0].lower() for item in listed if (match := re.match(r"[\w.-]+", item))}


def _names(*tables: Mapping[str, object]) -> frozenset[str]:
    return frozenset(key for table in tables for key in table if 0 < len(key) <= _MAX_NAME)


def _dig(document: object, *keys: str) -> Mapping[str, object]:
    """Return the table at these keys, or an empty one."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def _texts(value: object) -> list[str]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str) and 0 < len(item) <= _MAX_NAME]


_ASSIGNMENT = LazyPattern(r"(?:export\s|override\s)?\s*[A-Za-z_][\w.-]*\s*(?::{0,3}|\?|\+|!)=")
_DIRECTIVES = ("ifeq", "ifneq", "ifdef ", "ifndef ", "else", "endif", "export ", "unexport ", "vpath ", "undefine ")
_MORE = ("include ", "-include ", "sinclude ", "$(eval", "$(call", "$(foreach", "${eval", "${call", "${foreach")


def _parse_makefile(path: str, text: str) -> Scripts:
    found, incomplete = set[str](), len(text) > _MAX_TEXT
    for line in _make_lines(text[:_MAX_TEXT]):
        if line.startswith(_MORE):
            incomplete = True
        elif not line.startswith(_DIRECTIVES) and not _ASSIGNMENT.match(line):
            names = _make_targets(line).split()
            # A name with a variable or a wildcard may be any.
            incomplete |= any(set("$%") & set(name) for name in names)
            found.update(names)
    return Scripts(path, "make", frozenset(found), incomplete)


def _make_targets(line: str) -> str:
    head, colon, rest = line.partition(":")
    # The names behind `.PHONY:` are targets, even when their rules are computed; other names like it mean make itself.
    if head.strip() == ".PHONY":
        return rest
    special = head.startswith(".") and head[1:].strip().replace("_", "").isupper()
    return head.rstrip("&") if colon and not special else ""


def _make_lines(text: str) -> Iterator[str]:
    """Yield the lines outside of recipes, definitions and comments, with continued ones joined."""
    whole, defining = "", False
    for line in (line[:_MAX_LINE].rstrip() for line in text.split("\n")):
        if line.startswith("define "):
            defining = True
        if defining or (not whole and (line.startswith("\t") or line.lstrip().startswith("#"))):
            defining = defining and not line.startswith("endef")
            continue
        whole = (whole + line)[:_MAX_LINE]
        if whole.endswith("\\"):
            whole = whole[:-1] + " "
            continue
        # A `#` ends the line; `:=` inside a comment must not look like an assignment.
        yield whole.partition(" #")[0].strip()
        whole = ""
    yield whole.strip()


# By file name in lower case.
_PARSERS: Mapping[str, Callable[[str, str], Scripts]] = {
    "package.json": _parse_package,
    "pyproject.toml": _parse_pyproject,
    "makefile": _parse_makefile,
    "gnumakefile": _parse_makefile,
}


def _select_parser(path: str) -> Callable[[str, str], Scripts] | None:
    name = path.lower().rpartition("/")[2]
    return _parse_makefile if name.endswith(".mk") else _PARSERS.get(name)
