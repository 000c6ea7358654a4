"""topic-no-frontmatter: a topic without a head."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.client_limit import MAX_HEAD_LINES
from memci.memory.frontmatter import has_late_head
from memci.model.memory import Absence, Frontmatter


def check(material: Material) -> Findings:
    """Find topics whose frontmatter is missing, unclosed, not read by recall, or whose file is empty."""
    for scope in material.snapshot.scopes:
        for topic in scope.topics:
            match topic.frontmatter:
                case Absence.MISSING:
                    message, severity = "no frontmatter", Severity.WARNING
                    if has_late_head(topic.text):
                        message = "the frontmatter does not begin on the first line, so no client reads it"
                case Absence.UNCLOSED:
                    message, severity = "the frontmatter is not closed with ---", Severity.ERROR
                case Absence.EMPTY:
                    message, severity = "the file is empty", Severity.ERROR
                case Frontmatter() if topic.body_line - 1 > MAX_HEAD_LINES:
                    message = f"the frontmatter ends on line {topic.body_line - 1}; recall reads {MAX_HEAD_LINES} lines"
                    severity = Severity.WARNING
                case _:
                    continue
            suggestion = "begin the file with name, description and type between two lines of ---"
            yield RULE.finding(topic.path, message, suggestion=suggestion, severity=severity)


RULE = Rule(
    id="topic-no-frontmatter",
    group=Group.TOPIC,
    severity=Severity.ERROR,
    summary="A topic has no frontmatter that the client reads, an unclosed one, or is empty.",
    why="Name, description and type decide when a topic is shown. Without them it is text that nobody asks for.",
    example="Prefer small pull requests.   <- no `---` head",
    remedy="Begin the file with `name`, `description` and `metadata: {type: …}` between two lines of `---`.",
    check=check,
)
