"""duplicates-claude-md: a topic says only what a CLAUDE.md already says."""

from collections.abc import Mapping, Sequence

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.guide_files import list_guides
from memci.memory.guides import GuideStatements, drop_reasons, match_guide, match_guides, read_guides
from memci.model.memory import Topic
from memci.prose.statements import Statement, list_fenced_lines, split_body


def check(material: Material) -> Findings:
    """Find topics whose statements, reasons aside, are all in guides that apply to their scope."""
    snapshot = material.snapshot
    guides = read_guides(snapshot.guides)
    if not guides:
        return
    every = (topic for scope in snapshot.scopes for topic in scope.topics)
    topics = {topic.path: drop_reasons(split_body(topic.body, topic.body_line)) for topic in every}
    alike = match_guides((found for main in topics.values() for found in main), guides)
    for scope in snapshot.scopes:
        applying = {guide.path for guide in list_guides(snapshot.guides, scope.scope)}
        chosen = [found for found in guides if found.guide.path in applying]
        for topic in sorted(scope.topics, key=lambda topic: topic.path):
            yield from _check_topic(topic, topics[topic.path], chosen, alike)


def _check_topic(
    topic: Topic, main: Sequence[Statement], guides: Sequence[GuideStatements], alike: Mapping[str, set[str]]
) -> Findings:
    places = [match_guide(found, guides, alike) for found in main]
    if not places or not all(places):
        return
    code = frozenset(line for found in guides for line in list_fenced_lines(found.guide.text))
    if list_fenced_lines(topic.body) <= code:
        yield RULE.finding(
            path=topic.path,
            line=main[0].line,
            message=f"says only what {places[0]} already says",
            suggestion="delete the topic and its index line, or keep only what the guide does not say",
            key=places[0].rpartition(":")[0],
        )


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
