"""What a repair may do: exactly what the findings it cites prescribe."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from memci.guards.context import Change
from memci.guards.documents import Document
from memci.memory.apply_edits import split_lines
from memci.model.finding import Edit, Finding
from memci.redaction.hidden import strip_hidden
from memci.redaction.secrets import redact

# Rules about the head of a topic: their repair completes the frontmatter and leaves the body alone.
_HEAD_RULES = frozenset(("topic-no-frontmatter", "topic-no-name", "topic-no-description", "topic-bad-type"))


def is_repair(path: PurePosixPath, change: Change) -> bool:
    """Tell whether the new text of a file is the old one with nothing but cited fixes applied."""
    context, findings = change.context, change.findings
    old, new = context.draft.get(path), change.operation.texts.get(path)
    if old is None and path == context.index_path:
        # A fix may create a missing index.
        old = ""
    if old is None or new is None:
        return False
    expected = _apply_fixes(path, _redact(path, old, findings), change)
    if path == context.index_path:
        # The order of index lines has no meaning, and earlier operations may have changed it.
        return _count_lines(expected) == _count_lines(new)
    read = context.documents.read
    return new == expected or (
        _repairs_head(path, findings) and _body_lines(read(path, new)) == _body_lines(read(path, expected))
    )


def _count_lines(text: str) -> Counter[str]:
    return Counter(line for line in text.split("\n") if line.strip())


def _repairs_head(path: PurePosixPath, findings: Iterable[Finding]) -> bool:
    return any(finding.rule in _HEAD_RULES and finding.path == path for finding in findings)


def _body_lines(document: Document) -> list[str]:
    """Return the lines below the frontmatter; if it is not closed, those below its keys."""
    body_line = document.topic.body_line
    lines = document.text.split("\n")[body_line - 1 :]
    if body_line == 1 and lines[0].rstrip() == "---":
        end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
        lines = lines[end:]
    return [line for line in lines if line.strip()]


def _redact(path: PurePosixPath, text: str, findings: Sequence[Finding]) -> str:
    """Remove the secrets and invisible characters that the cited findings are about."""
    rules = {finding.rule for finding in findings if finding.path == path}
    if "hidden-text" in rules:
        text = strip_hidden(text)
    return redact(text, certain=True) if "secret" in rules else text


def _apply_fixes(path: PurePosixPath, text: str, change: Change) -> str:
    edits = [edit for finding in change.findings if finding.fix for edit in finding.fix.edits if edit.path == path]
    lines = split_lines(text)
    end = len(split_lines(change.context.original.get(path, ""))) + 1
    groups: dict[tuple[int, str], list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        groups.setdefault((edit.line, edit.old), []).append(edit)
    appended = ""
    # From the last line to the first, so that earlier ones keep their numbers.
    for (number, old), group in sorted(groups.items(), key=lambda entry: (-entry[0][0], not entry[0][1])):
        if not old:
            new = "".join(edit.new for edit in group)
            if number >= end:
                appended = new + appended
            else:
                lines[number - 1 : number - 1] = [new]
            continue
        block = split_lines(old)
        place = _find_block(lines, block, number - 1)
        if place >= 0:
            lines[place : place + len(block)] = [_compose(old, [edit.new for edit in group])]
    rest = "".join(lines)
    return f"{rest}\n{appended}" if appended and rest and not rest.endswith("\n") else rest + appended


def _find_block(lines: Sequence[str], block: Sequence[str], expected: int) -> int:
    """Return the position of the block: where the finding saw it, else the only other one; -1 if there is none."""
    if list(lines[expected : expected + len(block)]) == list(block):
        return expected
    places = [place for place, line in enumerate(lines) if line == block[0]]
    fitting = [place for place in places[:100] if list(lines[place : place + len(block)]) == list(block)]
    return fitting[0] if len(fitting) == 1 else -1


def _compose(old: str, versions: Sequence[str]) -> str:
    """Combine several versions of the same lines; each changes one span, and the spans do not overlap."""
    spans = sorted({_changed_span(old, new) for new in versions}, reverse=True)
    result, limit = old, len(old) + 1
    for start, end, text in spans:
        if end <= limit:
            result = result[:start] + text + result[end:]
            limit = start
    return result


def _changed_span(old: str, new: str) -> tuple[int, int, str]:
    short = min(len(old), len(new))
    start = next((place for place in range(short) if old[place] != new[place]), short)
    tail = next((place for place in range(short - start) if old[-1 - place] != new[-1 - place]), short - start)
    return start, len(old) - tail, new[start : len(new) - tail]
