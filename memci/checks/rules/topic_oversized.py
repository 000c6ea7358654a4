"""topic-oversized: a topic that is too long to be read."""

from collections.abc import Iterator

from memci.checks.rule import Group, Material, Rule
from memci.model.finding import Finding, Severity

# Nine of ten public topics are smaller than half of this; recall shows 4,096 bytes of a topic.
MAX_TOPIC_BYTES = 16_384


def check(material: Material) -> Iterator[Finding]:
    """Find topics over the size limit."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            size = len(topic.text.encode("utf-8", "replace"))
            if size > MAX_TOPIC_BYTES:
                yield RULE.finding(
                    topic.path,
                    f"{size:,} bytes; a topic should have at most {MAX_TOPIC_BYTES:,}",
                    suggestion="split it into one topic per subject",
                    key="oversized",
                )


RULE = Rule(
    id="topic-oversized",
    group=Group.TOPIC,
    severity=Severity.WARNING,
    summary="A topic is larger than 16 KiB.",
    why="A long topic costs the agent its context, and the part that matters is not what is shown of it.",
    example="a topic of 40,000 bytes",
    remedy="Split it into one topic per subject; move reference material into the documentation and point to it.",
    check=check,
)
