"""topic-no-name: a topic without a name."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import Frontmatter


def check(material: Material) -> Findings:
    """Find topics with a head but without a name."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            if isinstance(topic.frontmatter, Frontmatter) and not topic.name.strip():
                yield RULE.finding(
                    topic.path,
                    "no name",
                    line=topic.frontmatter.lines.get("name", 1),
                    suggestion=f"add name: {topic.path.stem.replace('_', '-').lower()}",
                )


RULE = Rule(
    id="topic-no-name",
    group=Group.TOPIC,
    severity=Severity.WARNING,
    summary="The frontmatter has no name.",
    why="Links of the form `[[name]]` find a topic by its name.",
    example="---\ndescription: where we are\nmetadata:\n  type: user\n---",
    remedy="Add `name:` with a short name in kebab-case.",
    check=check,
)
