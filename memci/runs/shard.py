"""Runs `memci plan`: divides scopes among the jobs of a matrix, deterministically."""

import heapq
import json
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memci.errors import UnsafeError, UsageError
from memci.git.file_tree import Tree
from memci.model.memory import Scope, Trust, Unread
from memci.patterns import LazyPattern
from memci.report.check_result import amount
from memci.report.escape import json_text, visible
from memci.runs.scopes import Prepared

# The most jobs of a matrix at GitHub.
MAX_JOBS = 256
# Our estimate: an empty scope takes as long as 4 KB of text.
_MIN_SIZE = 4_096
_MAX_LIST = 1_000_000
_REPOSITORY = LazyPattern(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}/[A-Za-z0-9_.-]{1,100}")


@dataclass(frozen=True, slots=True)
class Shard:
    """The scopes of one job."""

    number: int
    total: int
    scopes: tuple[Scope, ...]
    size: int

    @property
    def name(self) -> str:
        """The name for `memci dream --shard`."""
        return f"{self.number}/{self.total}"


def plan_shards(tree: Tree, scopes: Sequence[Scope], most: int) -> tuple[Shard, ...]:
    """Divide scopes into at most `most` shards: the largest first, each to the smallest shard so far."""
    committed = [scope for scope in scopes if scope.trust is Trust.COMMITTED]
    sizes = {scope.path: max(_MIN_SIZE, _measure(tree, scope)) for scope in committed}
    total = min(most, len(committed))
    heap = [(0, number) for number in range(total)]
    parts: list[list[Scope]] = [[] for _ in range(total)]
    for scope in sorted(committed, key=lambda one: (-sizes[one.path], one.path)):
        load, number = heapq.heappop(heap)
        parts[number].append(scope)
        heapq.heappush(heap, (load + sizes[scope.path], number))
    return tuple(
        Shard(number, total, tuple(sorted(part, key=lambda one: one.path)), sum(sizes[scope.path] for scope in part))
        for number, part in enumerate(parts, 1)
    )


def _measure(tree: Tree, scope: Scope) -> int:
    inside = (item for item in tree.below(scope.path) if not isinstance(item, Unread))
    return sum(_read_size(scope.target / path.relative_to(scope.path)) for path in inside)


def _read_size(target: Path) -> int:
    try:
        found = target.lstat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def list_shards(found: Prepared, named: Sequence[Path], most: int) -> tuple[Shard, ...]:
    """Divide the wanted scopes of a workspace into shards; all if none is wanted."""
    return plan_shards(found.workspace.tree, found.select(named), most) if found.config.dream else ()


def take_shard(tree: Tree, scopes: Sequence[Scope], shard: tuple[int, int]) -> tuple[Scope, ...]:
    """Return the scopes of one shard; none if there are fewer scopes than shards."""
    number, total = shard
    return next((one.scopes for one in plan_shards(tree, scopes, total) if one.number == number), ())


def render_plan(shards: Sequence[Shard], style: str) -> str:
    """Return a plan in one of the formats."""
    rows = [(shard, [str(scope.path) for scope in shard.scopes]) for shard in shards]
    match style:
        case "json":
            content = [{"shard": shard.name, "size": shard.size, "scopes": paths} for shard, paths in rows]
            return json_text({"schema": "memci/plan/1", "shards": content})
        case "github-matrix":
            _check_names(rows)
            return _matrix(
                [
                    {"shard": shard.name, "number": str(shard.number), "scopes": "\n".join(paths)}
                    for shard, paths in rows
                ]
            )
        case _:
            lines = [f"{shard.name}  {shard.size:,} bytes: {', '.join(map(visible, paths))}" for shard, paths in rows]
            count = sum(len(shard.scopes) for shard in shards)
            return "\n".join([*lines, f"{amount(count, 'scope')} in {amount(len(shards), 'shard')}"]) + "\n"


def _check_names(rows: Sequence[tuple[Shard, Sequence[str]]]) -> None:
    """Refuse paths with a line break, which would become two in a list of lines."""
    odd = next((path for _, paths in rows for path in paths if "\n" in path or "\r" in path), None)
    if odd is not None:
        raise UnsafeError(f"{odd!r} has a line break in its name", hint="rename the directory")


def _matrix(rows: Sequence[Mapping[str, str]]) -> str:
    return json.dumps({"include": rows}, separators=(",", ":")) + "\n"


def read_repositories(target: Path) -> tuple[str, ...]:
    """Read a list of repositories, `owner/name` on each line; `#` begins a comment."""
    try:
        with target.open(encoding="utf-8") as file:
            text = file.read(_MAX_LIST)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {target}: {error}") from error
    found: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), 1):
        name = line.partition("#")[0].strip()
        if name and (not _REPOSITORY.fullmatch(name) or name.endswith(("/.", "/.."))):
            raise UsageError(f"{target}:{number}: {name[:200]!r} is no repository", hint="one owner/name on each line")
        found |= {name: None} if name else {}
    if len(found) > MAX_JOBS:
        raise UsageError(f"{target} names {len(found)} repositories, and a matrix has {MAX_JOBS} jobs at most")
    return tuple(found)


def render_repositories(names: Sequence[str], style: str) -> str:
    """Return a list of repositories in one of the formats."""
    match style:
        case "json":
            return json_text({"schema": "memci/plan/1", "repositories": list(names)})
        case "github-matrix":
            return _matrix([{"repository": name} for name in names])
        case _:
            return "\n".join([*names, f"{len(names)} repositories"]) + "\n"
