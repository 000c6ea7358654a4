"""ignore-unused: an exception that nothing needs, or that is not written as one."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.config import Config
from memci.model.memory import Frontmatter, Snapshot, Topic
from memci.patterns import LazyPattern
from memci.prose.markdown import list_comments

# A longer comment is a text for the model, not an exception.
MAX_DIRECTIVE = 200


class Directive(NamedTuple):
    """An exception written into a memory file: `<!-- memci: ignore RULE reason -->`."""

    path: PurePosixPath
    line: int
    rule: str
    reason: str
    # The lines it covers: its own and, if nothing else is on it, the next.
    covers: range


_DIRECTIVE = LazyPattern(r"memci:\s{0,8}ignore\s{1,8}(\S{1,60})(?:\s{1,8}(\S.*))?")


def parse_directives(snapshot: Snapshot) -> Iterator[Directive]:
    """Find all exceptions in comments, and after `#` in frontmatter, where Markdown comments do not exist."""
    for text in snapshot.texts:
        if "memci:" not in text.text:
            continue
        for start, end in list_comments(text.text):
            yield from _read(text.path, text.text, start, text.text[start:end][4:-3])
        if isinstance(text, Topic) and isinstance(text.frontmatter, Frontmatter):
            head = "\n".join(text.text.split("\n")[: text.body_line - 1])
            for found in re.finditer(r"(?:^|\s)#(.*)", head):
                yield from _read(text.path, head, found.start(1), found[1])


def _read(path: PurePosixPath, text: str, start: int, comment: str) -> Iterator[Directive]:
    found = _DIRECTIVE.fullmatch(comment.strip()) if len(comment) <= MAX_DIRECTIVE and "\n" not in comment else None
    if found:
        line = text.count("\n", 0, start) + 1
        alone = text[text.rfind("\n", 0, start) + 1 : start].strip(" #") == ""
        rest = text[start + len(comment) :].partition("\n")[0].removeprefix("-->").strip()
        yield Directive(path, line, found[1], found[2] or "", range(line, line + (2 if alone and len(rest) < 8 else 1)))


def report_unused(directives: Iterable[Directive], config: Config, used: frozenset[object]) -> Findings:
    """Report exceptions that covered nothing in this run."""
    for directive in directives:
        if directive not in used and directive.reason:
            message = f"nothing here breaks {directive.rule} any more"
            yield RULE.finding(directive.path, message, line=directive.line, suggestion="remove the comment")
    for entry in config.ignore:
        if entry not in used and config.path is not None:
            message = f"nothing in {entry.path} breaks {entry.rule} any more"
            yield RULE.finding(config.path, message, line=entry.line, suggestion="remove the entry")


def check(material: Material) -> Findings:
    """Find exceptions without a reason; those count for nothing."""
    for directive in parse_directives(material.snapshot):
        if not directive.reason:
            message = f"the exception from {directive.rule} has no reason, so it does not count"
            yield RULE.finding(directive.path, message, line=directive.line, suggestion="say why, behind the rule")


RULE = Rule(
    id="ignore-unused",
    group=Group.FILE,
    severity=Severity.WARNING,
    summary="An exception covers nothing, or gives no reason.",
    why="Exceptions outlive what they were made for and then hide the next problem.",
    example="Use spaces. <!-- memci: ignore date-relative -->",
    remedy="Remove the exception, or add the reason behind the rule.",
    check=check,
)
