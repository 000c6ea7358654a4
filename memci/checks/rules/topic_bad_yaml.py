"""topic-bad-yaml: a head that is not YAML."""

from memci.checks.rule import Findings, Fix, Group, Material, Rule, Severity
from memci.memory.apply_edits import split_lines
from memci.memory.frontmatter import repair_quoting
from memci.model.finding import Edit
from memci.model.memory import Frontmatter, Topic


def check(material: Material) -> Findings:
    """Find frontmatter that strict YAML rejects."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            if isinstance(topic.frontmatter, Frontmatter) and topic.frontmatter.problem:
                problem = topic.frontmatter.problem
                yield RULE.finding(
                    topic.path,
                    f"the frontmatter is not valid YAML: {problem.message}",
                    line=problem.line,
                    suggestion="put the value in double quotes",
                    fix=_quote(topic),
                )


def _quote(topic: Topic) -> Fix | None:
    repaired = None if topic.pinned else repair_quoting(topic.text)
    if repaired is None:
        return None
    old, new = split_lines(topic.text), split_lines(repaired)
    edits = [
        Edit(topic.path, number, before, after)
        for number, (before, after) in enumerate(zip(old, new, strict=True), 1)
        if before != after
    ]
    return Fix("quote the value", tuple(edits))


RULE = Rule(
    id="topic-bad-yaml",
    group=Group.TOPIC,
    severity=Severity.ERROR,
    summary="The frontmatter is not valid YAML, or uses parts of YAML that are not read.",
    why="Tools that read the head lose the description and the type.",
    example="description: tests: always run them   <- the second colon",
    remedy="Put the value in double quotes; write every key once, without anchors and tags.",
    fix="Quotes the value, if that makes the head valid. Every other byte stays.",
    check=check,
)
