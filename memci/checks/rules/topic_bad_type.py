"""topic-bad-type: a type that is none of the four."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import Frontmatter, TopicType

_TYPES = ", ".join(TopicType)


def check(material: Material) -> Findings:
    """Find topics with a head but without a valid type."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            if not isinstance(topic.frontmatter, Frontmatter) or topic.type:
                continue
            lines = topic.frontmatter.lines
            message = f"the type {topic.type_text[:40]!r} is none of {_TYPES}" if topic.type_text else "no type"
            yield RULE.finding(
                topic.path,
                message,
                line=lines.get("type", lines.get("metadata.type", 1)),
                suggestion=f"write one of {_TYPES}",
            )


RULE = Rule(
    id="topic-bad-type",
    group=Group.TOPIC,
    severity=Severity.ERROR,
    summary="The type is missing or none of user, feedback, project, reference.",
    why="The type says how far a topic is trusted and which leaves the index first.",
    example="metadata:\n  type: decision",
    remedy="Write `user` (who people are), `feedback` (how to work), `project` or `reference` (where things are).",
    check=check,
)
