"""Pointers and descriptions that follow their topics, each proposed on its own, and the headings above pointers."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from memci.engines.model.desk import Desk
from memci.engines.model.drafts import Group, TopicDraft
from memci.engines.protocol import OpenDraft
from memci.memory.edit_topic import replace_field
from memci.memory.pointers import render_pointer
from memci.model.memory import Index, IndexLine, IndexLineKind
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.patterns import LazyPattern

# A heading in the model's words: a few words, no markup.
_HEADING = LazyPattern(r"[^\W\d_][\w ,&/'’-]{1,48}")


def describe_anew(told: TopicDraft, path: PurePosixPath, evidence: tuple[Evidence, ...]) -> Operation | None:
    """Return the operation that changes the description of a topic; None if it stays."""
    topic = told.draft.scope.topic(path)
    if topic is None or not told.description or told.description == topic.description:
        return None
    text = replace_field(topic, "description", told.description)
    reason = "the description follows its topic"
    flags = tuple(told.flags)
    return Operation(OperationKind.UPDATE, path, {path: text}, reason, evidence, flags) if text else None


def point_anew(told: TopicDraft, path: PurePosixPath, desk: Desk) -> Operation | None:
    """Return the operation that writes the pointer of a topic; None if it stays as it is."""
    scope = told.draft.scope
    topic = scope.topic(path)
    if topic is None or not (told.hook or told.topic is None):
        return None
    rows = list(scope.index.lines) if scope.index else []
    old = next((row for row in rows if row.plain and row.pointers[0].path == path), None)
    if old is None and any(pointer.path == path for row in rows for pointer in row.pointers):
        # A line of prose points to it.
        return None
    title = told.title if told.topic is None or not old else old.pointers[0].title
    line = render_pointer(topic, scope.scope.path, title, told.hook)
    heading = _name_heading(told.heading, desk)
    if old and not heading:
        text = "".join(line + row.end if row is old else row.whole for row in rows)
    else:
        lines = [row.whole for row in rows if row is not old]
        text = _place(lines, [line], heading)
    if scope.index and text == scope.index.text:
        return None
    quote = topic.description if topic.description in topic.text else topic.text.strip().split("\n")[0]
    evidence = (Evidence(EvidenceKind.MEMORY, str(path), quote),)
    reason, path = "the pointer follows its topic", scope.index_path
    flags = tuple(flag for flag in told.flags if flag.statement in line)
    return Operation(OperationKind.REINDEX, path, {path: text}, reason, evidence, flags)


def group_pointers(
    draft: OpenDraft, groups: Sequence[Group], desk: Desk, names: Mapping[str, PurePosixPath]
) -> Operation | None:
    """Return the operation that puts pointers under headings, in an order; None if everything stays.

    `names` are the topics by their id or, for new ones, by their name. Pointers that are not named stay.
    """
    index = draft.scope.index
    if index is None or not groups:
        return None
    rows = {row.pointers[0].path: row for row in index.lines if row.plain}
    wanted = [
        (_name_heading(heading, desk), [row for name in topics if (row := rows.get(names.get(name)))])
        for heading, topics in groups
        if not heading or _name_heading(heading, desk)
    ]
    lines = _take_out(index, {row.line for _, found in wanted for row in found}, {heading for heading, _ in wanted})
    for heading, found in wanted:
        text = _place(lines, [row.text for row in found], heading) if found else "".join(lines)
        lines = text.splitlines(keepends=True)
    text = "".join(lines)
    if text == index.text:
        return None
    quote = next((row.text for row in index.lines if row.plain), "")
    evidence = (Evidence(EvidenceKind.MEMORY, str(index.path), quote),)
    return Operation(OperationKind.REINDEX, index.path, {index.path: text}, "the order of the pointers", evidence)


def _name_heading(told: str, desk: Desk) -> str:
    """Return the line of a heading: an existing one by its id, or a new one in the model's words."""
    if told in desk.headings:
        return desk.headings[told].text
    return f"## {told}" if _HEADING.fullmatch(told) else ""


def _take_out(index: Index, numbers: set[int], kept: set[str]) -> list[str]:
    """Return the lines without some pointers; a heading goes with the last pointer below it, unless it is `kept`."""
    sections: list[list[IndexLine]] = [[]]
    for row in index.lines:
        if row.kind is IndexLineKind.HEADING:
            sections.append([])
        sections[-1].append(row)
    lines: list[str] = []
    for section in sections:
        rest = [row for row in section if row.line not in numbers]
        said = any(row.kind is not IndexLineKind.BLANK for row in rest[1:])
        emptied = len(rest) < len(section) and rest[0].text.startswith("##") and not said
        lines += () if emptied and rest[0].text not in kept else (row.whole for row in rest)
    return lines


def _place(lines: Sequence[str], pointers: Sequence[str], heading: str) -> str:
    """Return the index with pointers below the last one under a heading, which is made if it does not exist."""
    end = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    lines = [line if line.endswith("\n") else line + end for line in lines]
    new = [line + end for line in pointers]
    plain = [line.strip() for line in lines]
    if heading and heading not in plain:
        above = ["" if not lines or not plain[-1] else end]
        return "".join((*lines, *above, heading + end, end, *new))
    start = plain.index(heading) + 1 if heading else 0
    stop = next((at for at in range(start, len(lines)) if heading and plain[at].startswith("#")), len(lines))
    places = [at for at in range(start, stop) if plain[at].startswith("- [")]
    said = [at for at in range(start, stop) if plain[at]]
    if places or not heading:
        cut, gap = (places[-1] + 1 if places else len(lines)), ""
    elif said:
        # Below the prose of the section.
        cut, gap = said[-1] + 1, end
    else:
        opened = start < stop
        cut, gap = start + opened, "" if opened else end
    return "".join((*lines[:cut], gap, *new, *lines[cut:]))
