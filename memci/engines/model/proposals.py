"""Turning a reply into operations: the model names ids and words, code makes paths and texts."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from memci.model import ScopeSnapshot, Topic, TopicType
from memci.operation import Evidence, EvidenceKind, Operation, OperationKind
from memci.text.compose import choose_path, make_name, render_body, render_head, tidy
from memci.text.rewriting import append_paragraph
from memci.text.similarity import normalise


def plan_proposal(
    told: Mapping[str, Any], topics: Mapping[str, PurePosixPath], scope: ScopeSnapshot
) -> Operation | str:
    """Return the operation that an entry of a reply means, or why it means none."""
    evidence = tuple(Evidence(EvidenceKind.SIGNAL, item["signal"], item["quote"]) for item in told["evidence"])
    reason = " ".join(told["reason"].split())[:300]
    kind = OperationKind(told["kind"].lower())
    if kind is OperationKind.CREATE:
        return _plan_creation(told, scope, reason, evidence)
    path = topics.get(told["file"])
    topic = scope.topic(path) if path else None
    if topic is None:
        return f"there is no topic {told['file'][:40]!r}"
    match kind:
        case OperationKind.UPDATE:
            return _plan_update(told, topic, reason, evidence)
        case OperationKind.MERGE:
            merged = [scope.topic(topics[name]) if name in topics else None for name in told["merged"]]
            return _plan_merge(topic, [other for other in merged if other], scope, reason)
        case _:
            return _plan_retirement(told, topic, scope, reason, evidence)


def _plan_creation(
    told: Mapping[str, Any], scope: ScopeSnapshot, reason: str, evidence: tuple[Evidence, ...]
) -> Operation | str:
    name = make_name(told["name"].replace("-", " ").replace("_", " "))
    description = " ".join(told["description"].split())
    if not name or not told["rule"].strip() or not description:
        return "a new topic needs a name, a description and a rule"
    fallback = evidence[0].source[:8] if evidence else "topic"
    kind = TopicType(told["type"].lower())
    path = choose_path(scope.scope.path, kind, name, scope.files, fallback)
    text = render_head(name, description, kind) + "\n" + render_body(told["rule"], told["why"], told["how"])
    return Operation(OperationKind.CREATE, path, {path: text}, reason, evidence)


def _plan_update(told: Mapping[str, Any], topic: Topic, reason: str, evidence: tuple[Evidence, ...]) -> Operation | str:
    old = told["replaces"].strip()
    if not old:
        text = append_paragraph(topic.text, render_body(told["rule"], told["why"], told["how"]))
        return Operation(OperationKind.UPDATE, topic.path, {topic.path: text}, reason, evidence)
    if topic.body.count(old) != 1:
        return f"the line it replaces stands {topic.body.count(old)} times in {topic.path.name}"
    head = topic.text[: len(topic.text) - len(topic.body)]
    text = head + topic.body.replace(old, tidy(told["rule"]))
    if told["why"] or told["how"]:
        text = append_paragraph(text, render_body("", told["why"], told["how"]))
    return Operation(OperationKind.UPDATE, topic.path, {topic.path: text}, reason, evidence)


def _plan_merge(kept: Topic, others: Sequence[Topic], scope: ScopeSnapshot, reason: str) -> Operation | str:
    """Bring every line that only the others have into the topic that stays: nothing is reworded."""
    others = [other for other in dict.fromkeys(others) if other.path != kept.path]
    if not others:
        return "a merge needs topics that go into another"
    said = normalise(kept.body)
    new = [line for other in others for line in other.body.split("\n") if line.strip() and normalise(line) not in said]
    texts: dict[PurePosixPath, str | None] = {other.path: None for other in others}
    if new:
        texts[kept.path] = append_paragraph(kept.text, "\n".join(new))
    texts |= drop_pointers(scope, set(texts) - {kept.path})
    quotes = [(other.path, line) for other in (kept, *others) for line in other.body.split("\n") if line.strip()]
    evidence = tuple(Evidence(EvidenceKind.MEMORY, str(path), line) for path, line in quotes[:20])
    return Operation(OperationKind.MERGE, kept.path, texts, reason, evidence)


def _plan_retirement(
    told: Mapping[str, Any], topic: Topic, scope: ScopeSnapshot, reason: str, evidence: tuple[Evidence, ...]
) -> Operation | str:
    old = told["replaces"].strip()
    if not old:
        texts: dict[PurePosixPath, str | None] = {topic.path: None, **drop_pointers(scope, {topic.path})}
        return Operation(OperationKind.RETIRE, topic.path, texts, reason, evidence)
    lines = topic.text.split("\n")
    kept = [line for number, line in enumerate(lines, 1) if number < topic.body_line or line.strip() != old]
    if len(kept) != len(lines) - 1:
        return f"the line it takes out stands {len(lines) - len(kept)} times in {topic.path.name}"
    return Operation(OperationKind.RETIRE, topic.path, {topic.path: "\n".join(kept)}, reason, evidence)


def drop_pointers(scope: ScopeSnapshot, gone: set[PurePosixPath]) -> dict[PurePosixPath, str | None]:
    """Return the index without the lines that are nothing but a pointer to topics that leave."""
    if scope.index is None:
        return {}
    kept = [line for line in scope.index.lines if not (line.plain and line.pointers[0].path in gone)]
    return {scope.index.path: "".join(line.whole for line in kept)} if len(kept) < len(scope.index.lines) else {}
