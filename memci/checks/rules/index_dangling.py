"""index-dangling: a pointer leads to no file."""

from collections.abc import Collection
from pathlib import PurePosixPath

from memci.checks.rule import Findings, Group, Material, Rule, Severity


def check(material: Material) -> Findings:
    """Find pointers into the scope whose file is not there."""
    # An index may point into a scope below its own.
    nested = frozenset(path for scope in material.snapshot.scopes for path in scope.files)
    for scope in material.snapshot.scopes:
        if scope.index is None:
            continue
        topics = scope.files - {scope.index_path}
        directories = {parent for path in scope.files for parent in path.parents}
        by_name: dict[str, list[PurePosixPath]] = {}
        for path in sorted(topics):
            by_name.setdefault(path.name.casefold(), []).append(path.relative_to(scope.scope.path))
        for pointer in scope.index.pointers:
            if pointer.path is None or pointer.path in topics or pointer.path in nested - {scope.index_path}:
                continue
            # Only a file that is surely meant is named: the same name in other case, or in another folder.
            near = by_name.get(pointer.path.name.partition("?")[0].casefold(), [])
            yield RULE.finding(
                scope.index.path,
                f"{pointer.target} {_describe(pointer.path, scope.index.path, directories)}",
                line=pointer.line,
                column=pointer.column,
                suggestion=f"point to {near[0]}" if len(near) == 1 else "restore the file or remove the pointer",
            )


def _describe(path: PurePosixPath, index: PurePosixPath, directories: Collection[PurePosixPath]) -> str:
    if path == index:
        return "is the index itself"
    return "is a directory" if path in directories else "does not exist"


RULE = Rule(
    id="index-dangling",
    group=Group.INDEX,
    severity=Severity.ERROR,
    summary="A pointer leads to a file that does not exist.",
    why="The agent follows the pointer, finds nothing, and has spent a turn and a line of the index on it.",
    example="- [Old plan](project_old_plan.md) — how we meant to do it   <- no such file",
    remedy="Point to the file's new name, restore it, or remove the pointer.",
    check=check,
)
