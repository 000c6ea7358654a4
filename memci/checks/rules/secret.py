"""secret: a credential is written down in memory. The value itself is never repeated."""

from memci.checks.place import column_of, group_by_line
from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.topic import list_rewritten
from memci.model.memory import DailyLog, Guide, Index, Topic
from memci.redaction.secrets import find_secrets


def check(material: Material) -> Findings:
    """Find secrets in every text of every scope."""
    for scope in material.snapshot.scopes:
        for path in sorted(scope.files):
            for secret in find_secrets(path.name):
                message = f"the file name looks like it holds a secret ({secret.kind})"
                yield RULE.finding(path, message, suggestion="rename the file, and rotate the secret")
    for text in material.snapshot.texts:
        lines = group_by_line(text.text, find_secrets(text.text))
        every = ((line, secret) for line, secrets in lines.items() for secret in secrets)
        for number, (line, secret) in enumerate(every, 1):
            yield RULE.finding(
                path=text.path,
                line=line,
                column=column_of(text.text, secret.start),
                message=f"this looks like a secret ({secret.kind})",
                suggestion=_ROTATE,
                key=f"{secret.kind} {number}",
            )
        yield from _check_head(text)


def _check_head(text: Index | Topic | DailyLog | Guide) -> Findings:
    """Find secrets that only YAML puts together."""
    for value in list_rewritten(text):
        for secret in () if find_secrets(value.written) else find_secrets(value.text):
            start, _ = value.place(secret.start)
            yield RULE.finding(
                path=text.path,
                line=text.text.count("\n", 0, start) + 1,
                message=f"this value looks like a secret ({secret.kind}) once YAML has read it",
                suggestion=_ROTATE,
            )


_ROTATE = "remove it and rotate it: it stays readable in the history of the repository"


RULE = Rule(
    id="secret",
    group=Group.SAFETY,
    severity=Severity.ERROR,
    summary="A credential is written down in memory.",
    why="Memory is committed, loaded into every session and sent to the model; whoever reads one of them has the key.",
    example="The staging database password is kT7fQ-x92Lm, ask Dana.",
    remedy="Remove the value, write down where it is kept, and rotate it, because it stays in the git history.",
    check=check,
)
