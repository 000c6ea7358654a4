"""index-prose: facts written into the index."""

from collections.abc import Iterator, Sequence

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.client_limit import is_crowded
from memci.model.memory import IndexLine, IndexLineKind


def check(material: Material) -> Findings:
    """Find runs of content; only a pointer ends a run, so an index without pointers is one finding."""
    for scope in material.snapshot.scopes:
        # What the client loads whole may stay: rules that every session sees are worth more there.
        crowded = scope.index is not None and is_crowded(scope.index.text)
        for run in _split_runs(scope.index.lines if scope.index and crowded else ()):
            count = f"{len(run)} lines of content" if len(run) > 1 else "a line of content"
            yield RULE.finding(
                scope.index_path,
                f"{count} in the index instead of in a topic",
                line=run[0].line,
                suggestion="move it into a topic and leave a pointer",
                key=run[0].text,
            )


def _split_runs(lines: Sequence[IndexLine]) -> Iterator[list[IndexLine]]:
    run: list[IndexLine] = []
    for line in lines:
        if line.kind is IndexLineKind.PROSE:
            run.append(line)
        elif line.kind is IndexLineKind.POINTER and run:
            yield run
            run = []
    if run:
        yield run


RULE = Rule(
    id="index-prose",
    group=Group.INDEX,
    severity=Severity.WARNING,
    summary="An index that is nearly full holds content instead of pointers.",
    why="Content fills the lines that the client loads, has no type, date or source, and is lost first when it cuts.",
    example="a MEMORY.md of 170 lines, 40 of them no pointers",
    remedy="Move the content into a topic with frontmatter and leave one pointer.",
    check=check,
)
