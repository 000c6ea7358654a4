"""What became of memory since the last dream: counts for the state, and questions about rules that do not work."""

import datetime as dt
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from memci.dream.due import is_fresh
from memci.dream.inputs import DreamTask, FoundUse, Sources, UseQuestion
from memci.dream.repetitions import find_repeated
from memci.dream.state import DreamState
from memci.engines.protocol import Engine
from memci.git.history import first_changes, moment_of
from memci.memory.guide_files import list_guides
from memci.model.memory import ScopeSnapshot, TopicType, Trust
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson
from memci.model.session import Signal, SignalKind, Turn
from memci.model.use import OFTEN, ScopeUse
from memci.use.advice import advise
from memci.use.repeated_rules import Repetition
from memci.use.topic_use import IsNew, count_use, list_places
from memci.use.unsaid_topics import UnsaidTopic, find_unsaid

# The last quotations are shown.
_MAX_QUOTED = 3
_MAX_AROUND = 200
# Of a history that takes longer, the oldest topics count as unknown.
_MAX_SECONDS = 30


def find_use(task: DreamTask, sources: Sources, asked: Sequence[ScopeSnapshot], engine: Engine) -> FoundUse:
    """Read from the sessions what became of every scope; without sessions what is known stays.

    An engine is asked only about the rules of `asked`.
    """
    reading = sources.gathered.reading
    if not reading.sessions:
        return FoundUse({path: state.use for path, state in sources.states.items()})
    rules, said_again = find_repeated(task, sources, asked, engine)
    written = _date_topics(task, sources.snapshot.scopes)
    records = {session.id: session.records for session in reading.sessions}
    uses: dict[PurePosixPath, ScopeUse] = {}
    questions: dict[PurePosixPath, tuple[UseQuestion, ...]] = {}
    tracked = task.workspace.tree.paths()
    for scope in sources.snapshot.scopes:
        path, state = scope.scope.path, sources.states[scope.scope.path]
        guides = list_guides(sources.snapshot.guides, scope.scope)
        known = written if scope.scope.trust is Trust.COMMITTED else None
        keys = {rule: rule.key(path) for rule in rules[path]}
        found: dict[str, list[Repetition]] = {}
        for one in said_again:
            if one.rule in keys:
                found.setdefault(keys[one.rule], []).append(one)
        repeated = {key: _join(state, key, found.get(key, ())) for key in sorted(set(keys.values()))}
        repeated = {key: messages for key, messages in repeated.items() if messages}
        topics, months = count_use(scope, reading, state.use, _make_filter(state), known)
        uses[path] = ScopeUse(topics, repeated, months)
        again = [
            _ask_about_rule(scope, same, len(repeated[key]), tracked)
            for key, same in found.items()
            if len(repeated[key]) >= OFTEN and repeated[key] != state.use.repeated.get(key)
        ]
        unsaid = find_unsaid(scope, reading, guides, known)
        fresh = [one for one in unsaid if is_fresh(one.write.session, records.get(one.write.session, 0), state)]
        questions[path] = (*again, *map(_ask_about_topic, fresh))
    return FoundUse(uses, questions)


def _date_topics(task: DreamTask, scopes: Sequence[ScopeSnapshot]) -> dict[PurePosixPath, dt.datetime] | None:
    """Return when each topic was first committed."""
    if task.workspace.repository is None:
        return None
    inside = [scope.scope.path for scope in scopes if scope.scope.trust is Trust.COMMITTED]
    times = first_changes(task.workspace.repository, inside, _MAX_SECONDS)
    return {path: moment_of(time) for path, time in times.items()}


def _make_filter(state: DreamState) -> IsNew:
    """Return whether something was not counted yet; what a session does after a dream counts once more."""

    def is_new(session: str, time: dt.datetime | None) -> bool:
        since = state.last_consolidated_at
        return session not in state.cursors or (time is not None and since is not None and time > since)

    return is_new


def _join(state: DreamState, key: str, found: Iterable[Repetition]) -> tuple[str, ...]:
    """Return the messages that repeat a rule, one of each session."""
    messages = {message.partition("/")[0]: message for message in state.use.repeated.get(key, ())}
    for one in found:
        messages.setdefault(one.turn.session, f"{one.turn.session}/{one.turn.uuid}")
    return tuple(sorted(messages.values()))


def _ask_about_rule(
    scope: ScopeSnapshot, found: Sequence[Repetition], times: int, tracked: Sequence[str]
) -> UseQuestion:
    """Ask what to do about a rule that people had to repeat, with what may work better than a note."""
    rule = found[0].rule
    signals = tuple(_quote(one.turn, _shorten(one.sentence)) for one in found[-_MAX_QUOTED:])
    evidence = tuple(Evidence(EvidenceKind.SIGNAL, signal.id, signal.text) for signal in signals)
    where = "this guide" if rule.is_guide else "memory"
    reason = f"people had to say this again in {times} sessions although {where} has it"
    unseen = not rule.is_guide and not list_places(scope).get(rule.path)
    advice = "its topic is not in what the client loads of the index" if unseen else advise(rule, tracked)
    return NeedsPerson(f"{rule.path.name}:{rule.line}: {reason}; {advice}", rule.path, evidence), signals


def _ask_about_topic(found: UnsaidTopic) -> UseQuestion:
    """Ask whether a topic that nobody asked for is right, with the last messages before it was written."""
    signals = tuple(_quote(turn, shortened) for turn in found.around if (shortened := _shorten(turn.typed)))
    evidence = tuple(Evidence(EvidenceKind.SIGNAL, signal.id, signal.text) for signal in signals)
    day = f" of {found.write.timestamp.date()}" if found.write.timestamp else ""
    reason = (
        f"the agent wrote this in session {found.write.session[:8]}{day} as a person's wish, and no message says it; "
        "keep it if it is right, otherwise remove it"
    )
    return NeedsPerson(
        f"{found.topic.path.name}:{found.topic.body_line}: {reason}", found.topic.path, evidence
    ), signals


def _quote(turn: Turn, text: str) -> Signal:
    return Signal(
        turn.session, turn.uuid, turn.timestamp, turn.origin, SignalKind.SAID, TopicType.FEEDBACK, text, text,
        agent=turn.agent,
    )  # fmt: skip


def _shorten(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _MAX_AROUND else words[:_MAX_AROUND].rpartition(" ")[0] + " …"
