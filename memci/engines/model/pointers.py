"""Pointers and descriptions that follow their topics, each proposed on its own."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from memci.engines.model.desk import Desk
from memci.engines.model.drafts import TopicDraft
from memci.engines.protocol import OpenDraft
from memci.memory.edit_topic import replace_field
from memci.memory.pointers import render_pointer
from memci.model.memory import Index, IndexLine, IndexLineKind, Topic
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind


def describe_anew(told: TopicDraft, path: PurePosixPath, evidence: tuple[Evidence, ...]) -> Operation | None:
    """Return the operation that changes the description of a topic; None if it stays."""
    topic = told.draft.scope.topic(path)
    if topic is None or not told.description or told.description == topic.description:
        return None
    text = replace_field(topic, "description", told.description)
    reason = "the description follows its topic"
    return Operation(OperationKind.UPDATE, path, {path: text}, reason, evidence) if text else None


def point_anew(told: TopicDraft, path: PurePosixPath, desk: Desk) -> Operation | None:
    """Return the operation that writes the pointer of a topic; None if it stays as it is."""
    scope = told.draft.scope
    topic = scope.topic(path)
    if topic is None or not (told.hook or told.topic is None):
        return None
    index = scope.index
    rows = list(index.lines) if index else []
    old = next((row for row in rows if row.plain and row.pointers[0].path == path), None)
    title = told.title if told.topic is None or not old else old.pointers[0].title
    line = render_pointer(topic, scope.scope.path, title, told.hook)
    heading = desk.headings.get(told.heading)
    if old and heading is None:
        texts = ["".join(line + row.end if row is old else row.whole for row in rows)]
    else:
        rest = [row for row in rows if row is not old]
        texts = [_insert(rest, line, heading if heading in rows else None)]
    if index and texts[0] == index.text:
        return None
    quote = topic.description if topic.description in topic.text else topic.text.strip().split("\n")[0]
    evidence = (Evidence(EvidenceKind.MEMORY, str(path), quote),)
    return Operation(
        OperationKind.REINDEX, scope.index_path, {scope.index_path: texts[0]}, "the pointer follows its topic", evidence
    )


def _insert(rows: Sequence[IndexLine], line: str, heading: IndexLine | None) -> str:
    """Return the index with a new pointer below the last one under a heading, or below the last one of all."""
    end = "\r\n" if any(row.end == "\r\n" for row in rows) else "\n"
    start = rows.index(heading) + 1 if heading else 0
    stop = next((at for at in range(start, len(rows)) if heading and rows[at].kind is IndexLineKind.HEADING), len(rows))
    places = [at for at in range(start, stop) if rows[at].plain]
    cut = places[-1] + 1 if places else start if heading else len(rows)
    above = [row.whole if row.whole.endswith("\n") else row.whole + end for row in rows[:cut]]
    gap = [end] if heading and not places else []
    return "".join((*above, *gap, line + end, *(row.whole for row in rows[cut:])))


def sort_pointers(draft: OpenDraft, order: Sequence[str], desk: Desk) -> Operation | None:
    """Return the operation that orders the pointers under each heading; None if the order stays."""
    index = draft.scope.index
    if index is None or len(order) < 2:
        return None
    wanted = {topic.path: place for place, name in enumerate(order) for topic in _find_topic(name, draft, desk)}
    text = "".join(_sort(index, wanted))
    if text == index.text:
        return None
    quote = next(row.text for row in index.lines if row.plain)
    evidence = (Evidence(EvidenceKind.MEMORY, str(index.path), quote),)
    return Operation(OperationKind.REINDEX, index.path, {index.path: text}, "the order of the pointers", evidence)


def _find_topic(name: str, draft: OpenDraft, desk: Desk) -> list[Topic]:
    owner, topic = desk.topics.get(name, (None, None))
    return [topic] if topic and owner is draft else []


def _sort(index: Index, wanted: dict[PurePosixPath, int]) -> list[str]:
    """Return the lines with each run of plain pointers sorted; pointers that are not named keep their place behind."""
    lines: list[str] = []
    run: list[IndexLine] = []
    for row in (*index.lines, None):
        if row is not None and row.plain and row.end:
            run.append(row)
            continue
        last = len(wanted)
        run.sort(key=lambda each: wanted.get(each.pointers[0].path or index.path, last))
        lines += [each.whole for each in run]
        run = []
        if row is not None:
            lines.append(row.whole)
    return lines
