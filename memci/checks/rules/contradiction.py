"""contradiction: two statements of one scope say the opposite, or give one thing two values."""

from collections.abc import Iterator

from memci.checks.rule import Finding, Findings, Group, Material, Rule, Severity
from memci.model.memory import IndexLineKind, ScopeSnapshot
from memci.prose.contradictions import OpinionReading, StatementSource, find_clashes, split_topic, take_apart
from memci.prose.statements import Statement

MAX_QUOTE = 80


def check(material: Material) -> Findings:
    """Find pairs of statements that cannot both be true."""
    for scope in material.snapshot.scopes:
        yield from _check_scope(scope)


def _check_scope(scope: ScopeSnapshot) -> Findings:
    found = (said for source, body, line in _list_bodies(scope) for said in take_apart(source, body, line))
    for first, second in find_clashes(found):
        yield _report(scope, first, second)


def _list_bodies(scope: ScopeSnapshot) -> Iterator[tuple[StatementSource, str, int]]:
    if scope.index:
        kept = {IndexLineKind.PROSE, IndexLineKind.HEADING}
        text = "\n".join(line.text if line.kind in kept else "" for line in scope.index.lines)
        yield StatementSource(scope.index.path, frozenset(), frozenset()), text, 1
    for topic in sorted(scope.topics, key=lambda topic: topic.path):
        yield split_topic(topic)


def _report(scope: ScopeSnapshot, first: OpinionReading, second: OpinionReading) -> Finding:
    other = first.source.path.relative_to(scope.scope.path)
    quotes = _quote(second.statement), _quote(first.statement)
    return RULE.finding(
        path=second.source.path,
        line=second.statement.line,
        message=f'"{quotes[0]}" contradicts "{quotes[1]}" ({other}:{first.statement.line})',
        suggestion="keep the statement that is true; if both are, say under which condition each holds",
        key="\0".join((quotes[0], str(other), quotes[1])),
    )


def _quote(statement: Statement) -> str:
    # Its patterns are many, and most runs find nothing to quote.
    from memci.redaction.secrets import redact

    # Before cutting: half a secret is not recognised.
    text = redact(statement.text)
    return text if len(text) <= MAX_QUOTE else f"{text[: MAX_QUOTE - 1].rstrip()}…"


RULE = Rule(
    id="contradiction",
    group=Group.CONTENT,
    severity=Severity.WARNING,
    summary="Two statements of one scope say the opposite, or give one thing two values.",
    why="The agent follows whichever it reads last, and nobody can tell which one that is.",
    example="`rebase.md`: Always rebase feature branches before merging.\n"
    "`merging.md`: Never rebase feature branches before merging.",
    remedy="Keep the statement that is true; if both are, say under which condition each holds.",
    check=check,
)
