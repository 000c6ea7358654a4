"""Puts what people said into its context, and what is known beside it, for an engine that reads conversations."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memci.citations.answers.asked_commit import list_hidden
from memci.citations.finding_proofs import FindingProof, explain_findings
from memci.citations.lookups import Lookup, answer_lookups, list_files
from memci.dream.due import is_fresh
from memci.dream.inputs import DreamTask, Sources
from memci.engines.protocol import ConsolidationRequest
from memci.git.history import list_authors
from memci.memory.snapshot import is_to_come, list_full_names
from memci.model.conversation import Conversation, LogLine, Message, Talk
from memci.model.memory import TopicType
from memci.model.session import TOLD, Place, Signal, SignalKind, Turn, blank_out
from memci.redaction.secrets import redact
from memci.sessions.people import name_people
from memci.sessions.read_result import Session
from memci.sessions.typed_parts import split_parts
from memci.signals.find import say_once
from memci.signals.logs import LOG_SESSION, LogEntry, list_entries
from memci.signals.retract import drop_taken_back

# Taking out what is not typed changes what the rest looks like; this often is always enough.
_MAX_PASSES = 4


def read_conversation(sources: Sources, people: Mapping[str, str], authors: Collection[str]) -> Conversation:
    """Return what is new to a scope that is due; `people` has the name of who ran each session."""
    gathered, states = sources.gathered, sources.list_states()
    wanted = [turn for turn in say_once(gathered.reading.turns) if turn.place is not Place.COMMAND]
    fresh = {
        (turn.session, turn.uuid)
        for turn in wanted
        if any(
            is_fresh(turn.session, gathered.positions[turn.session, turn.uuid], state)
            and not state.has_used(turn.session, turn.uuid)
            for state in states
        )
    }
    signals = {(turn.session, turn.uuid): make_said(turn, people.get(turn.session, "")) for turn in wanted}
    _, back = drop_taken_back(list(signals.values()), wanted)
    gone = {(down.session, down.uuid) for down in back if down.reason == "taken back later"}
    sessions = {session.id: session for session in gathered.reading.sessions}
    talks = []
    for name, turns in _group(wanted):
        messages = tuple(
            Message(turn, signals[key], key in gone) for turn in turns if (key := (turn.session, turn.uuid)) in fresh
        )
        if messages:
            talks.append(_make_talk(name, messages, sessions.get(name), people))
    talks.sort(key=lambda talk: (talk.day or dt.date.min, talk.session))
    return Conversation(tuple(talks), tuple(_read_logs(sources, authors)))


def _group(turns: Iterable[Turn]) -> Iterator[tuple[str, list[Turn]]]:
    groups: dict[str, list[Turn]] = {}
    for turn in turns:
        groups.setdefault(turn.session, []).append(turn)
    yield from groups.items()


def _make_talk(name: str, messages: tuple[Message, ...], session: Session | None, people: Mapping[str, str]) -> Talk:
    first = messages[0].turn
    agent = first.agent or (session.agent if session else None) or ""
    day = first.timestamp.date() if first.timestamp else None
    return Talk(name, day, people.get(name, ""), agent, messages)


def make_said(turn: Turn, speaker: str = "") -> Signal:
    """Return a message as a signal: its typed and reported words, which a later stage recognises as such, too."""
    text = turn.told
    for _ in range(_MAX_PASSES):
        parts = split_parts(text)
        if all(part.kind in TOLD or not text[part.start : part.end].strip() for part in parts):
            break
        text = blank_out(text, parts, TOLD)
    return Signal(
        turn.session, turn.uuid, turn.timestamp, turn.origin, SignalKind.SAID, TopicType.PROJECT, text.strip(),
        text.strip(), agent=turn.agent, speaker=speaker, before=turn.before,
    )  # fmt: skip


def make_logged(entry: LogEntry, path: object) -> Signal:
    """Return the words of a person in a daily log as a signal."""
    words = entry.words
    # What is before the words names who said them.
    names = [word for word in entry.text.partition(words)[0].strip(" :-*").split() if word[0].isupper()]
    return Signal(
        f"{LOG_SESSION}{path}", f"L{entry.line}", entry.moment, entry.origin, SignalKind.SAID, TopicType.PROJECT,
        words, words, speaker=" ".join(name.strip(",:") for name in names),
    )  # fmt: skip


def _read_logs(sources: Sources, authors: Collection[str]) -> Iterator[LogLine]:
    for scope in sources.snapshot.scopes:
        cursors = sources.states[scope.scope.path].cursors
        for log in (log for log in scope.logs if not is_to_come(log.day, sources.now)):
            read = cursors.get(f"{LOG_SESSION}{log.path}")
            entries: Sequence[LogEntry] = list_entries(log.day, redact(log.text), authors)
            for entry in entries:
                if read is None or entry.line > read.count:
                    signal = make_logged(entry, log.path) if entry.words else None
                    yield LogLine(scope.scope.path, log.day, entry.text, signal)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The conversation and what is known beside it; answers are added while the engine asks."""

    task: DreamTask
    conversation: Conversation
    proofs: Mapping[str, FindingProof]
    people: tuple[str, ...]
    answers: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()

    def complete(self, request: ConsolidationRequest) -> ConsolidationRequest:
        """Return the request of an engine with all of this."""
        return replace(
            request,
            conversation=self.conversation,
            proofs=self.proofs,
            people=self.people,
            files=self.files,
            look_up=self.look_up,
        )

    def look_up(self, lookups: Sequence[Lookup]) -> Mapping[str, str]:
        """Answer questions from HEAD, and keep the answers for the guards."""
        repository = self.task.workspace.repository
        if repository is None or not repository.has_commits():
            return {lookup.source: "not answered: there is no repository" for lookup in lookups}
        hidden = list_hidden((*self.task.scopes, *self.task.others), self.task.config)
        found = answer_lookups(lookups, repository, repository.resolve("HEAD"), hidden)
        self.answers.update(found)
        return found


def inquire(task: DreamTask, due: Sources) -> Inquiry:
    """Put together what was said with its context, and what is known about findings and people."""
    repository = task.workspace.repository
    authors = sorted(list_authors(repository)) if repository else []
    names = name_people(due.gathered.reading.sessions, authors)
    # Who speaks in a daily log has to be known from git or as the person of a session.
    known = {*(name for name, _ in authors), *names.values()}
    words = frozenset(word for name in known for word in name.lower().split())
    conversation = read_conversation(due, names, words)
    hidden = list_hidden((*task.scopes, *task.others), task.config)
    proofs = explain_findings(due.findings, due.judged, repository, hidden) if repository else {}
    people = {name for name, _ in authors} | {name for name in names.values() if name} | list_full_names(due.snapshot)
    head = repository.read_ref("HEAD") if repository else ""
    files = list_files(repository, head, hidden) if repository and head else ()
    return Inquiry(task, conversation, proofs, tuple(sorted(people)), files=files)
