"""topic-no-description: a topic without a description."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import Frontmatter


def check(material: Material) -> Findings:
    """Find topics with a head but without a description."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            if isinstance(topic.frontmatter, Frontmatter) and not topic.description.strip():
                yield RULE.finding(
                    topic.path,
                    "no description",
                    line=topic.frontmatter.lines.get("description", 1),
                    suggestion="say in one sentence when this topic matters",
                )


RULE = Rule(
    id="topic-no-description",
    group=Group.TOPIC,
    severity=Severity.WARNING,
    summary="The frontmatter has no description.",
    why="The description is what recall searches; without it the topic is not found.",
    example="---\nname: owners\nmetadata:\n  type: project\n---",
    remedy="Add `description:` with one specific sentence.",
    check=check,
)
