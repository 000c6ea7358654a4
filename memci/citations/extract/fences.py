"""What fenced text cites: files drawn as a tree, and the scripts and flags of command lines."""

import re
from collections.abc import Iterator

from memci.citations.extract.command_lines import CommandPart, parse_command, runs_own_file, split_commands
from memci.citations.extract.spans import parse_span
from memci.model.citation import ClaimKind
from memci.patterns import LazyPattern

_SHELLS = frozenset(("", "sh", "bash", "zsh", "shell", "console", "shell-session", "terminal", "text", "txt"))
# Deeper trees are not drawn.
_MAX_DEPTH = 20


_BRANCH = LazyPattern(r"([│|\s]*)(?:├|└|\+|`|\|)[─-]{1,3} ?")


def parse_fence(opening: str, inside: str) -> Iterator[CommandPart]:
    """Yield what the text of a fence cites; code of other languages cites nothing."""
    language = opening.lstrip("-*+ ").strip("`~ ").split(" ")[0].lower()
    if language not in _SHELLS:
        return
    if "├" in inside or "└" in inside:
        yield from _parse_tree(inside)
        return
    position = 0
    for line in inside.split("\n"):
        for part in _parse_commands(line[:1000]):
            yield part._replace(start=part.start + position)
        position += len(line) + 1


def _parse_commands(line: str) -> Iterator[CommandPart]:
    """Yield scripts, and flags where the program is the repository's own."""
    own = any(runs_own_file(words) for words in split_commands(line))
    for part in parse_command(line):
        if part.kind is ClaimKind.SCRIPT or (part.kind is ClaimKind.FLAG and own):
            yield part


def _parse_tree(inside: str) -> Iterator[CommandPart]:
    """Yield the files and directories of a tree with their directories joined; the root is their context, with "/"."""
    position = 0
    root, outside = "", False
    above: list[tuple[int, str]] = []
    for line in inside.split("\n"):
        branch = _BRANCH.match(line[:200])
        name = re.match(r"[^\s#←(│|]+", line[branch.end() :] if branch else line.strip())
        if branch and name:
            indent = len(branch[1])
            above = [item for item in above if item[0] < indent][:_MAX_DEPTH]
            joined = "".join(directory for _, directory in above) + name[0]
            kinds = (ClaimKind.PATH, ClaimKind.DIRECTORY)
            found = parse_span(joined)
            if not outside and len(found) == 1 and found[0].kind in kinds and found[0].text == joined:
                yield CommandPart(found[0].kind, position + branch.end(), joined, root)
            if name[0].endswith("/"):
                above.append((indent, name[0]))
            elif "." not in name[0]:
                above.append((indent, name[0] + "/"))
        elif name:
            root, above = f"{name[0].strip('/.')}/".removeprefix("/"), []
            # A tree below a home directory or a drive is drawn of a machine.
            outside = name[0].startswith(("~", "$")) or re.match(r"[/\\]\w|[A-Za-z]:[/\\]", name[0]) is not None
        position += len(line) + 1
