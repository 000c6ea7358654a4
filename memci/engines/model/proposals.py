"""Turns a model's reply into operations: the model supplies ids and words, this code makes paths and texts."""

import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from memci.memory.compose import choose_path, make_name, render_body, render_head, tidy
from memci.memory.edit_topic import append_paragraph, insert_below, replace_statement
from memci.memory.topic import parse_topic
from memci.model.memory import ScopeSnapshot, Topic, TopicType
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.patterns import LazyPattern
from memci.prose.similar import normalise, stem_content
from memci.prose.statements import Statement, StatementKind, is_reason, split_body

# Two topics about the same subject share at least this part of the smaller one's words.
_SAME_SUBJECT = 0.4
_MARK = LazyPattern(r"(?:[-*+•]|\d{1,9}[.)])\s{1,8}")


def plan_proposal(
    told: Mapping[str, Any], topics: Mapping[str, PurePosixPath], scope: ScopeSnapshot, *, reverses: bool = False
) -> Operation | str:
    """Return the operation for an entry of a reply, or why there is none; `reverses` if its signals withdraw a rule.

    The reason that reviewers read is written here, because the model's own words could claim anything.
    """
    evidence = tuple(Evidence(EvidenceKind.SIGNAL, item["signal"], item["quote"]) for item in told["evidence"])
    kind = OperationKind(told["kind"])
    if kind is OperationKind.CREATE:
        return _plan_creation(told, scope, evidence)
    path = topics.get(told["file"])
    topic = scope.topic(path) if path else None
    if topic is None:
        return "it names no topic of this scope"
    match kind:
        case OperationKind.UPDATE:
            return _plan_update(told, topic, evidence, reverses=reverses)
        case OperationKind.MERGE:
            merged = [scope.topic(topics[name]) if name in topics else None for name in told["merged"]]
            return _plan_merge(topic, merged, scope)
        case _:
            return _plan_retirement(told, topic, scope, evidence)


def _plan_creation(told: Mapping[str, Any], scope: ScopeSnapshot, evidence: tuple[Evidence, ...]) -> Operation | str:
    name = make_name(told["name"].replace("-", " ").replace("_", " "))
    description = " ".join(told["description"].split())
    if not name or not told["rule"].strip() or not description:
        return "a new topic needs a name, a description and a rule"
    fallback = evidence[0].source[:8] if evidence and re.fullmatch("[0-9a-f]{12}", evidence[0].source) else "topic"
    kind = TopicType(told["type"])
    path = choose_path(scope.scope.path, kind, name, scope.catalogue.spellings, fallback)
    text = render_head(name, description, kind) + "\n" + render_body(told["rule"], told["why"], told["how"])
    return Operation(OperationKind.CREATE, path, {path: text}, "said by people and not in memory yet", evidence)


def _plan_update(
    told: Mapping[str, Any], topic: Topic, evidence: tuple[Evidence, ...], *, reverses: bool
) -> Operation | str:
    new = render_body(told["rule"], told["why"], told["how"])
    if not new.strip():
        return "an update needs a rule, a reason or a way to apply it"
    if not told["replaces"].strip():
        text = append_paragraph(topic.text, new)
        return Operation(OperationKind.UPDATE, topic.path, {topic.path: text}, "adds to what this topic says", evidence)
    old = _match_statement(told["replaces"], topic)
    if isinstance(old, str):
        return old
    text = topic.text
    reasons = _reasons_below(old, topic)
    if reverses:
        # A withdrawn rule takes its reason with it. Bottom up, so that line numbers stay valid.
        for gone in reversed(reasons):
            text = replace_statement(text, gone, "") or text
    if (told["why"] or told["how"]) and (reverses or not reasons):
        text = insert_below(text, old, render_body("", told["why"], told["how"]))
    rule = tidy(told["rule"]) if old.text.endswith((".", "!", "。")) else tidy(told["rule"]).rstrip(".。")
    exchanged = replace_statement(text, old, rule)
    if exchanged is None:
        return f"the line it replaces is not found in {topic.path.name}"
    verb = "replaces what this topic said" if reverses else "says more than this topic did"
    return Operation(OperationKind.UPDATE, topic.path, {topic.path: exchanged}, verb, evidence)


def _match_statement(quoted: str, topic: Topic) -> Statement | str:
    """Return the only line or sentence of a topic with exactly these words, or why there is none."""
    wanted = " ".join(_MARK.sub("", quoted.strip(), count=1).split())
    lines = [
        Statement(text, number, StatementKind.ITEM if text != line.strip() else StatementKind.SENTENCE)
        for number, line in enumerate(topic.text.split("\n"), 1)
        if number >= topic.body_line and (text := _MARK.sub("", line.strip(), count=1))
    ]
    for found in (lines, split_body(topic.body, topic.body_line)):
        same = [statement for statement in found if " ".join(statement.text.split()) == wanted]
        if len(same) == 1 and wanted:
            return same[0]
    return f"what it replaces is no line or sentence of {topic.path.name}, or stands there more than once"


def _reasons_below(rule: Statement, topic: Topic) -> list[Statement]:
    """Return the reasons between a rule and the next rule."""
    behind = [found for found in split_body(topic.body, topic.body_line) if found.line > rule.line]
    return list(itertools.takewhile(is_reason, behind))


def _plan_merge(kept: Topic, merged: Sequence[Topic | None], scope: ScopeSnapshot) -> Operation | str:
    """Append the lines that only the merged topics have to the surviving one; nothing is reworded."""
    others = list({other.path: other for other in merged if other and other.path != kept.path}.values())
    if not others or None in merged:
        return "a merge needs topics of this scope that go into another"
    if not all(_is_alike(kept, other) for other in others):
        return "topics that are not about the same thing are not merged"
    said = {normalise(line) for line in kept.body.split("\n")}
    new = [line for other in others for line in other.body.split("\n") if line.strip() and normalise(line) not in said]
    texts: dict[PurePosixPath, str | None] = {other.path: None for other in others}
    if new:
        texts[kept.path] = append_paragraph(kept.text, "\n".join(new))
    texts |= drop_pointers(scope, {other.path for other in others})
    quotes = [(other.path, line) for other in (kept, *others) for line in other.body.split("\n") if line.strip()]
    evidence = tuple(Evidence(EvidenceKind.MEMORY, str(path), line) for path, line in quotes[:20])
    return Operation(OperationKind.MERGE, kept.path, texts, "these topics are about the same thing", evidence)


def _is_alike(one: Topic, other: Topic) -> bool:
    stems = [stem_content(f"{topic.description} {topic.body}") for topic in (one, other)]
    smaller = min(map(len, stems))
    return one.type is other.type and smaller > 0 and len(stems[0] & stems[1]) >= _SAME_SUBJECT * smaller


def _plan_retirement(
    told: Mapping[str, Any], topic: Topic, scope: ScopeSnapshot, evidence: tuple[Evidence, ...]
) -> Operation | str:
    reason = "a person took it back"
    gone: dict[PurePosixPath, str | None] = {topic.path: None, **drop_pointers(scope, {topic.path})}
    if not told["replaces"].strip():
        return Operation(OperationKind.RETIRE, topic.path, gone, reason, evidence)
    old = _match_statement(told["replaces"], topic)
    if isinstance(old, str):
        return old
    text = topic.text
    for statement in (*reversed(_reasons_below(old, topic)), old):
        text = replace_statement(text, statement, "") or text
    # A topic without statements is removed.
    left = gone if not split_body(parse_topic(topic.path, text).body, 1) else {topic.path: text}
    return Operation(OperationKind.RETIRE, topic.path, left, reason, evidence)


def drop_pointers(scope: ScopeSnapshot, gone: set[PurePosixPath]) -> dict[PurePosixPath, str | None]:
    """Return the index without the lines that only point to removed topics."""
    if scope.index is None:
        return {}
    kept = [line for line in scope.index.lines if not (line.plain and line.pointers[0].path in gone)]
    return {scope.index.path: "".join(line.whole for line in kept)} if len(kept) < len(scope.index.lines) else {}
