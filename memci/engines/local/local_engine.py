"""Turns signals into operations, one by one; doubtful ones become questions."""

import datetime as dt
import functools
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.engines.local.known_topics import Stance, TopicMatch, find_meant, match_signal, rank_nearest
from memci.engines.protocol import ConsolidationRequest, OpenDraft, Proposals
from memci.memory.compose import (
    choose_name,
    choose_path,
    describe,
    make_name,
    make_slug,
    render_body,
    render_head,
    split_title,
    tidy,
)
from memci.memory.edit_topic import append_paragraph, insert_below, replace_field, replace_statement
from memci.memory.guides import read_guides
from memci.memory.pointers import MIN_HOOK, render_pointer
from memci.memory.topic import parse_topic
from memci.model.memory import ScopeSnapshot, Topic, TopicType
from memci.model.plan import Evidence, EvidenceKind, LeftOut, NeedsPerson, Operation, OperationKind
from memci.model.session import Signal, SignalKind, Turn
from memci.patterns import LazyPattern
from memci.prose.compare import is_about, read
from memci.prose.similar import normalise
from memci.prose.statements import Statement, is_reason, split_body
from memci.redaction.secrets import REDACTED
from memci.signals.third_person import name_speaker
from memci.use.repeated_rules import KnownRule, Repetition


class LocalEngine:
    """The engine without a model."""

    name = "local"
    reads_conversations = False

    def find_repetitions(
        self,
        rules: Sequence[KnownRule],  # noqa: ARG002 -- the protocol
        turns: Sequence[Turn],  # noqa: ARG002 -- the protocol
    ) -> list[Repetition]:
        """Find none: only nearly equal wording is certain."""
        return []

    def consolidate(self, request: ConsolidationRequest) -> None:
        """Propose operations for the signals of every scope."""
        rules = [found for guide in read_guides(request.guides) for group in guide.groups.values() for found in group]
        for draft in request.drafts:
            signals = request.signals.get(draft.scope.scope.path, ())
            new = [signal for signal in signals if not _leave_out(signal, rules, draft)]
            draft.work(functools.partial(propose_all, signals=new))


def _leave_out(signal: Signal, rules: Iterable[Statement], draft: OpenDraft) -> bool:
    """Leave out what a guide speaks of, in whatever words: every session reads the guide."""
    if signal.kind is SignalKind.FORGET or not any(is_about(read(rule.text), read(signal.rule)) for rule in rules):
        return False
    day = signal.timestamp.date().isoformat() if signal.timestamp else ""
    draft.leave_out(LeftOut(signal.text, "a guide speaks of it", day))
    return True


def propose_all(scope: ScopeSnapshot, signals: Sequence[Signal]) -> Proposals:
    """Propose one operation for each signal that is not in the scope yet."""
    known = set(scope.files)
    nearest = rank_nearest([f"{signal.rule} {signal.why}" for signal in signals], scope.topics)
    draft = scope
    made: dict[PurePosixPath, Topic] = {}
    for signal, near in zip(map(speak_of_person, signals), nearest, strict=True):
        current = [*made.values(), *(topic for each in near if (topic := draft.topic(each.path)))]
        if REDACTED in signal.rule:
            yield _ask(signal, None, "it held a secret, and without it may mean nothing")
            continue
        plan = _plan_forgetting if signal.kind is SignalKind.FORGET else _propose
        proposal = plan(signal, draft, current)
        if proposal is None:
            continue
        draft = yield proposal
        for path in set(proposal.texts) - known if isinstance(proposal, Operation) else ():
            made.pop(path, None)
            made |= {path: topic} if (topic := draft.topic(path)) else {}


def _propose(signal: Signal, scope: ScopeSnapshot, near: Sequence[Topic]) -> Operation | NeedsPerson | None:
    match match_signal(signal, scope, near):
        case TopicMatch(Stance.SAID, topic, statement):
            return _plan_reason(signal, topic, statement) if topic and statement else None
        case TopicMatch(Stance.EXTENDED, Topic() as topic, Statement() as statement):
            return _plan_exchange(signal, scope, topic, statement) or _plan_addition(signal, topic)
        case TopicMatch(Stance.REVERSED, Topic() as topic, Statement() as statement):
            return _plan_exchange(signal, scope, topic, statement) or _ask(
                signal, topic, "it replaces what is said here"
            )
        case TopicMatch(Stance.OPPOSED, Topic() as topic, Statement() as statement):
            return _ask(signal, topic, f'it contradicts "{statement.text}"')
        case TopicMatch(Stance.RELATED, Topic() as topic):
            return _plan_addition(signal, topic)
        case _:
            return _plan_creation(signal, scope)


def _plan_creation(signal: Signal, scope: ScopeSnapshot) -> Operation | NeedsPerson:
    about = signal.speaker if signal.type is TopicType.USER else ""
    name = make_slug(about) or make_name(signal.rule)
    if not name:
        return _ask(signal, None, "it has no words to name a topic by")
    name = choose_name(name, scope.catalogue.names)
    path = choose_path(scope.scope.path, signal.type, name, scope.catalogue.spellings)
    description = describe_signal(replace(signal, rule=tidy(signal.rule)))
    text = render_head(name, description, signal.type, scope.topics) + "\n"
    text += render_body(signal.rule, signal.why, signal.how)
    return _operate(OperationKind.CREATE, path, {path: text}, signal, "said by a person and not in memory yet")


def _plan_addition(signal: Signal, topic: Topic) -> Operation | NeedsPerson:
    if topic.pinned:
        return _ask(signal, topic, "it says more than a topic that is pinned")
    text = append_paragraph(topic.text, render_body(signal.rule, signal.why, signal.how))
    return _operate(OperationKind.UPDATE, topic.path, {topic.path: text}, signal, "adds to what this topic says")


def _plan_reason(signal: Signal, topic: Topic, statement: Statement) -> Operation | None:
    """Add the reason of a known rule, if the topic has none for it."""
    said = split_body(topic.body, topic.body_line)
    if (
        not signal.why
        or topic.pinned
        or _reasons_below(statement, said)
        or normalise(signal.why) in normalise(topic.body)
    ):
        return None
    text = _add_reason(topic.text, statement, said, f"**Why:** {tidy(signal.why)}")
    return _operate(OperationKind.UPDATE, topic.path, {topic.path: text}, signal, "gives the reason for a known rule")


def _reasons_below(rule: Statement, said: Sequence[Statement]) -> list[Statement]:
    """Return the reasons between a rule and the next rule."""
    behind = said[said.index(rule) + 1 :]
    return list(itertools.takewhile(is_reason, behind))


def _add_reason(text: str, rule: Statement, said: Sequence[Statement], reason: str) -> str:
    """Append a reason to the topic, or insert it below its rule if other rules follow."""
    last = [found for found in said if not is_reason(found)][-1]
    return append_paragraph(text, reason) if rule == last else insert_below(text, rule, reason)


def _plan_exchange(signal: Signal, scope: ScopeSnapshot, topic: Topic, statement: Statement) -> Operation | None:
    """Replace a statement; also the description and pointer if it is the main rule of the topic."""
    if topic.pinned:
        return None
    rule = tidy(signal.rule)
    if not statement.text.endswith((".", "!", "。")):
        rule = rule.rstrip(".。")
    said = split_body(topic.body, topic.body_line)
    reasons = _reasons_below(statement, said)
    text = topic.text
    if signal.reverses:
        # A withdrawn rule takes its reason with it; how to apply it may still be valid. Bottom up, so that line
        # numbers stay valid.
        for reason in (reason for reason in reversed(reasons) if signal.how or not _tells_how(reason)):
            text = replace_statement(text, reason, "") or text
    if (signal.why or signal.how) and (signal.reverses or not reasons):
        text = _add_reason(text, statement, said, render_body("", signal.why, signal.how))
    exchanged = replace_statement(text, statement, rule)
    if exchanged is None:
        return None
    text = exchanged
    texts: dict[PurePosixPath, str | None] = {topic.path: text}
    rules = [found for found in said if not is_reason(found)]
    if signal.reverses and rules and rules[0] == statement:
        texts |= _describe_anew(parse_topic(topic.path, text), scope, rule)
    verb = "replaces what this topic said" if signal.reverses else "says more than this topic did"
    return _operate(OperationKind.UPDATE, topic.path, texts, signal, verb)


def _tells_how(reason: Statement) -> bool:
    return reason.label.lower().startswith("how")


def _describe_anew(topic: Topic, scope: ScopeSnapshot, rule: str) -> dict[PurePosixPath, str | None]:
    text = replace_field(topic, "description", describe(rule))
    if text is None:
        return {topic.path: topic.text}
    topic = parse_topic(topic.path, text)
    texts: dict[PurePosixPath, str | None] = {topic.path: text}
    lines = (
        [line for line in scope.index.lines if any(p.path == topic.path for p in line.pointers)] if scope.index else []
    )
    if scope.index and len(lines) == 1 and lines[0].plain:
        number = lines[0].line
        new = render_pointer(topic, scope.scope.path) + lines[0].end
        texts[scope.index.path] = "".join(new if line.line == number else line.whole for line in scope.index.lines)
    return texts


def _plan_forgetting(signal: Signal, scope: ScopeSnapshot, near: Sequence[Topic]) -> Operation | NeedsPerson:
    meant = find_meant(signal.rule, near)
    topics = {topic.path for topic, _ in meant}
    if len(topics) != 1 or meant[0][0].pinned:
        return _ask(signal, None, "what should be forgotten is not clear")
    topic = meant[0][0]
    rules = [found for found in split_body(topic.body, topic.body_line) if not is_reason(found)]
    reason = "a person asked to forget it"
    if len(meant) == len(rules):
        texts: dict[PurePosixPath, str | None] = {topic.path: None}
        if scope.index and any(pointer.path == topic.path for pointer in scope.index.pointers):
            kept = [line for line in scope.index.lines if all(pointer.path != topic.path for pointer in line.pointers)]
            texts[scope.index.path] = "".join(line.whole for line in kept)
        return _operate(OperationKind.RETIRE, topic.path, texts, signal, reason)
    if len(meant) > 1:
        return _ask(signal, topic, "what should be forgotten is not clear")
    text = replace_statement(topic.text, meant[0][1], "")
    if text is None:
        return _ask(signal, topic, "what should be forgotten is not clear")
    return _operate(OperationKind.RETIRE, topic.path, {topic.path: text}, signal, reason)


def _operate(
    kind: OperationKind, path: PurePosixPath, texts: dict[PurePosixPath, str | None], signal: Signal, why: str
) -> Operation:
    days = sorted({moment.date().isoformat() for moment in _moments(signal) if moment})
    said = f" (said {signal.strength} times: {', '.join(days)})" if signal.repeated else ""
    return Operation(kind, path, texts, f"{signal.kind}: {why}{said}", _cite(signal))


def _moments(signal: Signal) -> Iterable[dt.datetime | None]:
    return (signal.timestamp, *(mention.timestamp for mention in signal.repeated))


def _cite(signal: Signal) -> tuple[Evidence, ...]:
    return (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)


def _ask(signal: Signal, topic: Topic | None, why: str) -> NeedsPerson:
    return NeedsPerson(f"{signal.kind} not stored: {why}", topic.path if topic else None, _cite(signal))


_IS = LazyPattern(r" (is|are) ")
# The room in a pointer behind a title and a file name.
_MAX_PLACE = 100


def speak_of_person(signal: Signal) -> Signal:
    """Return the signal with the person in the third person."""
    rule, why, how = (name_speaker(text, signal.speaker) for text in (signal.rule, signal.why, signal.how))
    return replace(signal, rule=rule, why=why, how=how)


def describe_signal(signal: Signal) -> str:
    """Return the description: the rule, and behind a dash its reason or the rest of the sentence."""
    title, rest = split_title(signal.rule)
    if "://" in title:
        # What is somewhere is the title, and where it is the hook: an address is never cut.
        for said in (signal.rule.rstrip(".。"), title):
            thing, verb, place = (*_IS.split(said, maxsplit=1), "", "")[:3]
            if verb and "://" not in thing and len(place) <= _MAX_PLACE:
                return f"{thing} — {place}"
    if signal.why:
        return describe(signal.rule, signal.why)
    whole = describe(signal.rule)
    return describe(title, rest) if len(rest) >= MIN_HOOK and whole.startswith(title) else whole
