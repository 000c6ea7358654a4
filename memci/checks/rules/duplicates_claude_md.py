"""duplicates-claude-md: a topic says only what a CLAUDE.md already says."""

from collections.abc import Mapping, Sequence

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.guide_files import list_guides
from memci.memory.guides import GuideStatements, match_guide, match_guides, read_guides
from memci.model.memory import Topic
from memci.prose.similar import tokenise
from memci.prose.statements import Statement, is_reason, list_fenced_lines, split_body

# "TODO" in both is no rule that is said twice; "Use pnpm" is.
_MIN_WORDS = 2


def check(material: Material) -> Findings:
    """Find topics whose statements, reasons aside, are all in guides that apply to their scope."""
    snapshot = material.snapshot
    guides = read_guides(snapshot.guides)
    if not guides:
        return
    every = (topic for scope in snapshot.scopes for topic in scope.topics)
    topics = {topic.path: _list_rules(topic) for topic in every}
    alike = match_guides((found for main in topics.values() for found in main), guides)
    for scope in snapshot.scopes:
        applying = {guide.path for guide in list_guides(snapshot.guides, scope.scope)}
        chosen = [found for found in guides if found.guide.path in applying]
        for topic in sorted(scope.topics, key=lambda topic: topic.path):
            yield from _check_topic(topic, topics[topic.path], chosen, alike)


def _list_rules(topic: Topic) -> list[Statement]:
    """Return the statements of a topic without its reasons; none if they are a single word."""
    main = [found for found in split_body(topic.body, topic.body_line) if not is_reason(found)]
    return main if sum(len(tokenise(found.text)) for found in main) >= _MIN_WORDS else []


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
