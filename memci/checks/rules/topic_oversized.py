"""topic-oversized: a topic of which recall shows only the beginning."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.apply_edits import split_lines
from memci.memory.client_limit import MAX_TOPIC_LINES, MAX_TOPIC_SHOWN

# Nine of ten public topics are smaller than half of this.
MAX_TOPIC_BYTES = 16_384


def check(material: Material) -> Findings:
    """Find topics that recall would cut."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            size = len(topic.text.encode("utf-8", "replace"))
            lines = len(split_lines(topic.text))
            if size <= MAX_TOPIC_SHOWN and lines <= MAX_TOPIC_LINES:
                continue
            over = f"{size:,} bytes" if size > MAX_TOPIC_SHOWN else f"{lines:,} lines"
            limit = f"{MAX_TOPIC_SHOWN:,}" if size > MAX_TOPIC_SHOWN else MAX_TOPIC_LINES
            yield RULE.finding(
                topic.path,
                f"{over}; recall shows the first {limit}",
                suggestion="split it into one topic per subject",
                key="oversized",
                severity=Severity.WARNING if size > MAX_TOPIC_BYTES else Severity.INFO,
            )


RULE = Rule(
    id="topic-oversized",
    group=Group.TOPIC,
    severity=Severity.WARNING,
    summary="A topic is longer than recall shows: 4,096 bytes or 200 lines. A warning over 16 KiB, else a note.",
    why="A session that is shown the topic sees its beginning only, and a long topic costs the agent its context.",
    example="a topic of 40,000 bytes",
    remedy="Split it into one topic per subject; move reference material into the documentation and point to it.",
    check=check,
)
