"""duplicates-claude-md: a topic says only what a CLAUDE.md already says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memci.checks.rule import Group, Material, Rule
from memci.model import Finding, Guide, Severity, Topic
from memci.text.guides import find_guides
from memci.text.similarity import find_alike, find_content_stems, read_phrases
from memci.text.statements import (
    Statement,
    find_fenced_lines,
    find_said,
    group_statements,
    is_reason,
    split_body,
    split_statements,
)

# A statement of two words or fewer ("See README") is said everywhere.
_MIN_STEMS = 3


@dataclass(frozen=True, slots=True)
class _GuideStatements:
    guide: Guide
    groups: Mapping[str, Sequence[Statement]]


def check(material: Material) -> Iterator[Finding]:
    """Find topics whose statements, reasons aside, all stand in guides that apply to their scope."""
    snapshot = material.snapshot
    guides = [_GuideStatements(guide, group_statements(split_statements(guide.text))) for guide in snapshot.guides]
    if not guides:
        return
    topics = {topic.path: _find_main(topic) for scope in snapshot.scopes for topic in scope.topics}
    guided = (other.text for found in guides for group in found.groups.values() for other in group)
    alike = find_alike(read_phrases((*(found.text for main in topics.values() for found in main), *guided)))
    for scope in snapshot.scopes:
        applying = {guide.path for guide in find_guides(snapshot.guides, scope.scope)}
        chosen = [found for found in guides if found.guide.path in applying]
        for topic in sorted(scope.topics, key=lambda topic: topic.path):
            yield from _check_topic(topic, topics[topic.path], chosen, alike)


def _check_topic(
    topic: Topic, main: Sequence[Statement], guides: Sequence[_GuideStatements], alike: Mapping[str, set[str]]
) -> Iterator[Finding]:
    places = [_find_place(found, guides, alike) for found in main]
    if not places or not all(places):
        return
    code = frozenset(line for found in guides for line in find_fenced_lines(found.guide.text))
    if find_fenced_lines(topic.body) <= code:
        yield RULE.finding(
            path=topic.path,
            line=main[0].line,
            message=f"says only what {places[0]} already says",
            suggestion="delete the topic and its index line, or keep only what the guide does not say",
            key=places[0].rpartition(":")[0],
        )


def _find_main(topic: Topic) -> list[Statement]:
    main = [found for found in split_body(topic.body, topic.body_line) if not is_reason(found)]
    stems = {stem for found in main for stem in find_content_stems(found.text)}
    return main if len(stems) >= _MIN_STEMS else []


def _find_place(statement: Statement, guides: Sequence[_GuideStatements], alike: Mapping[str, set[str]]) -> str:
    """Return `path:line` of the guide that says this; "" if none does."""
    for found in guides:
        other = find_said(statement, found.groups, alike)
        if other:
            return f"{found.guide.path}:{other.line}"
    return ""


RULE = Rule(
    id="duplicates-claude-md",
    group=Group.CONTENT,
    severity=Severity.WARNING,
    summary="A topic says only what a CLAUDE.md already says.",
    why="Both are loaded, so the agent pays twice, and a change of the guide leaves the old rule in memory.",
    example="`CLAUDE.md`: Use ruff for linting, line length 100.\n`linter.md`: Use ruff for linting, line length 100.",
    remedy="Delete the topic and its index line, or keep only what the guide does not say.",
    check=check,
)
