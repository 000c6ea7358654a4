"""The names that build files define, read line by line: make, just, task, rake, nox. Nothing is executed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memci.memory.strict_yaml import Entries, Items, Node, Scalar, StrictYamlError, parse_yaml
from memci.patterns import LazyPattern

# Longer lines contain no names that people type.
_MAX_LINE = 10_000
_DIRECTIVES = ("ifeq", "ifneq", "ifdef ", "ifndef ", "else", "endif", "export ", "unexport ", "vpath ", "undefine ")


class Names(NamedTuple):
    """What a build file defines."""

    names: frozenset[str] = frozenset()
    # Names with one `%` that matches anything.
    patterns: frozenset[str] = frozenset()
    # Whether more names may exist: the file includes others, computes names, or could not be read.
    incomplete: bool = False


NOTHING = Names()
UNREADABLE = Names(incomplete=True)


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield line[:_MAX_LINE].rstrip()


_ASSIGNMENT = LazyPattern(r"(?:export\s|override\s)?\s*([A-Za-z_][\w.-]*)\s*(?::{0,3}|\?|\+|!)=\s*(.*)", re.DOTALL)


_REFERENCE = LazyPattern(r"\$[({]([A-Za-z_][\w.-]*)[)}]")


def parse_makefile(text: str) -> Names:
    """Return the targets of a makefile; variables in names are replaced where the file sets them plainly."""
    found, patterns, incomplete = set[str](), set[str](), False
    variables: dict[str, str] = {}
    for line in _make_lines(text):
        if match := _ASSIGNMENT.fullmatch(line):
            variables[match[1]] = match[2][:1_000]
        elif line.startswith(("include ", "-include ", "sinclude ")):
            incomplete |= not _is_harmless(line.split()[1:])
        elif line.startswith(_DIRECTIVES):
            continue
        elif line.startswith(("$(eval", "$(call", "$(foreach", "${eval", "${call", "${foreach")):
            incomplete = True
        else:
            names = _REFERENCE.sub(lambda match: variables.get(match[1], match[0]), _make_targets(line)).split()
            incomplete |= any("$" in name for name in names)
            patterns |= {name for name in names if "%" in name}
            found |= {name for name in names if not set("$%") & set(name)}
    return Names(frozenset(found), frozenset(patterns), incomplete)


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
    for line in _lines(text):
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


def _is_harmless(files: list[str]) -> bool:
    """Return whether included files have settings or dependencies, and no targets that people type."""
    return all(".env" in name or name.endswith((".d", ".dep", ".conf")) or "DEP" in name for name in files)


_JUST_NAME = LazyPattern(r"@?([A-Za-z_][\w-]*)")


def parse_justfile(text: str) -> Names:
    """Return the recipes, aliases and modules of a justfile."""
    found, patterns, incomplete = set[str](), set[str](), False
    for line in _lines(text):
        match = _JUST_NAME.match(line)
        if match is None:
            continue
        first, rest = match[1], line[match.end() :]
        words = rest.split(maxsplit=2)
        if first == "import":
            incomplete = True
        elif first == "mod" and words and ":" not in rest.partition(" ")[0]:
            module = words[1] if words[0] == "?" and len(words) > 1 else words[0]
            found.add(module)
            patterns.add(f"{module}::%")
        elif first == "alias" and len(words) > 1 and words[1] == ":=":
            found.add(words[0])
        elif not rest.lstrip().startswith(":=") and ":" in rest and first not in ("set", "export", "unexport"):
            found.add(first)
    return Names(frozenset(found), frozenset(patterns), incomplete)


def parse_taskfile(text: str) -> Names:
    """Return the tasks of a Taskfile and their aliases."""
    try:
        # Real ones are below 64 KB; YAML this long is read in half a second.
        document = parse_yaml(text.encode("utf-8", "replace").decode(), max_bytes=200_000)
    except StrictYamlError:
        return UNREADABLE
    top = _entries(document)
    found = set[str]()
    for name, task in _entries(top.get("tasks")).items():
        found.add(name)
        aliases = _entries(task).get("aliases")
        if isinstance(aliases, Items):
            found |= {item.value for item in aliases.items if isinstance(item, Scalar)}
    patterns = {name.replace("*", "%") for name in found if "*" in name} | {
        f"{name}:%" for name in _entries(top.get("includes"))
    }
    return Names(frozenset(found), frozenset(patterns), incomplete="tasks" not in top)


def _entries(node: Node | None) -> dict[str, Node]:
    return {key.value: value for key, value in node.entries} if isinstance(node, Entries) else {}


def _rake_line_source() -> str:
    name = r"(?:(?P<symbol>:?\w[\w?!]{0,80}):?|[\"'](?P<quoted>[\w:./-]{1,80})[\"'])"
    return rf"(?P<indent>\s*)(?P<word>task|multitask|namespace|\w[\w:]{{0,80}}Task\.new)[ (]\s?:?{name}"


_RAKE_LINE = LazyPattern(_rake_line_source)


def parse_rakefile(text: str) -> Names:
    """Return the tasks of a Rakefile with their namespaces, recognised by indentation."""
    found, incomplete = set[str](), False
    spaces: list[tuple[int, str]] = []
    for line in _lines(text):
        incomplete |= line.lstrip().startswith(("load ", "import ", "Rake.", "Rails.", "Dir", "require "))
        match = _RAKE_LINE.match(line)
        if match is None:
            continue
        name = (match["quoted"] or match["symbol"]).strip(":")
        indent = len(match["indent"])
        spaces = [space for space in spaces if space[0] < indent]
        full = ":".join([*(space for _, space in spaces), name])
        if match["word"] == "namespace":
            spaces.append((indent, name))
        else:
            found.add(full)
    return Names(frozenset(found), incomplete=incomplete)


_NOX_NAME = LazyPattern(r"\bname\s?=\s?(?:[\"']([^\"'\n]{1,80})[\"'])?")


def parse_noxfile(text: str) -> Names:
    """Return the sessions of a noxfile; `name-3.12` runs one of them with one Python."""
    found, incomplete, marked, named = set[str](), False, False, ""
    for line in _lines(text):
        if line.startswith(("@nox.session", "@session", "@nox_poetry.session")):
            marked = True
        if marked and (match := _NOX_NAME.search(line)):
            named, incomplete = match[1] or "", incomplete or not match[1]
        if marked and line.startswith(("def ", "async def ")):
            found.add(named or line.partition("def ")[2].partition("(")[0].strip())
            marked, named = False, ""
        incomplete |= "nox.session(" in line and not line.startswith("@")
    patterns = frozenset(f"{name}{mark}%" for name in found for mark in "-(")
    return Names(frozenset(found), patterns, incomplete)
