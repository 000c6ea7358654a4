"""What a model is shown, by id; a reply can refer to nothing else."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memci.engines.protocol import ConsolidationRequest, OpenDraft
from memci.guards.quoted_words import ADDRESS, QUESTION, object_to_quote
from memci.memory.units import BodyUnit, split_units
from memci.model.conversation import Message, Talk
from memci.model.finding import Finding, Severity
from memci.model.memory import IndexLine, IndexLineKind, Topic
from memci.model.plan import Evidence, EvidenceKind
from memci.model.session import Signal
from memci.prose.fold import count_unspaced
from memci.prose.similar import stem_content

# A shorter quotation is not recognisable, unless the message is no longer.
_MIN_QUOTE = 2
_ANSWER = 120
_STRAIGHT = str.maketrans("‘’“”„«»–—\u00a0", '\'\'"""""-- ')
# Rules that the model can do nothing about: code repairs these, or people have to.
_NOT_SHOWN = frozenset((
    "index-orphan", "index-dangling", "index-duplicate", "index-prose", "index-escapes-scope", "bad-encoding",
    "unreadable", "symlink-escape", "log-future", "ignore-unused", "topic-no-frontmatter", "topic-no-name",
    "topic-bad-yaml",
))  # fmt: skip


class WrongCitationError(ValueError):
    """Evidence that does not exist, or does not say what is quoted."""

    def __init__(self, message: str, *, spare: bool = False) -> None:
        super().__init__(message)
        # Whether it may be left out if there is other evidence.
        self.spare = spare


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One unit of a file, as the model may keep, move or replace it."""

    path: PurePosixPath
    unit: BodyUnit
    draft: OpenDraft


@dataclass(slots=True)
class Desk:
    """Everything that has an id."""

    request: ConsolidationRequest
    # By scope id.
    drafts: dict[str, OpenDraft] = field(default_factory=dict)
    topics: dict[str, tuple[OpenDraft, Topic]] = field(default_factory=dict)
    lines: dict[str, ShownLine] = field(default_factory=dict)
    # The units of each file in order, and the blank lines at its end.
    files: dict[PurePosixPath, tuple[list[BodyUnit], str]] = field(default_factory=dict)
    headings: dict[str, IndexLine] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    logged: dict[str, Signal | None] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    # The new statements in the draft that cite a line.
    restated: dict[str, list[tuple[PurePosixPath, object]]] = field(default_factory=dict)
    # The index and the line that point to a topic, as the model saw them.
    pointers: dict[str, tuple[str, str]] = field(default_factory=dict)
    # What was looked up: the question and the answer.
    answers: dict[str, tuple[str, str]] = field(default_factory=dict)

    def cite(self, name: str, quote: str, statement: str = "") -> Evidence:
        """Return the evidence that an id and a quotation name; of an answer, the line nearest to the statement."""
        if name in self.messages:
            message = self.messages[name]
            if message.taken_back:
                raise WrongCitationError(f"{name} was taken back by a later message", spare=True)
            return _quote_signal(message.signal, name, quote)
        if name in self.logged:
            signal = self.logged[name]
            if signal is None:
                raise WrongCitationError(f"{name} is a note of the agent, not a person's words")
            return _quote_signal(signal, name, quote)
        if name in self.lines:
            line = self.lines[name]
            return Evidence(EvidenceKind.MEMORY, str(line.path), line.unit.text)
        if name in self.findings:
            finding = self.findings[name]
            return Evidence(EvidenceKind.FINDING, finding.fingerprint, finding.message)
        if name in self.pointers:
            return Evidence(EvidenceKind.MEMORY, *self.pointers[name])
        if name in self.answers:
            source, answer = self.answers[name]
            exact = _find_exact(quote, answer) or (_nearest_line(answer, statement) if not quote.strip() else "")
            if exact:
                return Evidence(EvidenceKind.LOOKUP, source, exact)
            raise WrongCitationError(f'"{quote[:60]}" is not in {name}, word for word')
        raise WrongCitationError(f"there is nothing with the id {name[:40]!r}")


def _nearest_line(answer: str, statement: str) -> str:
    wanted = stem_content(statement)
    return max(answer.split("\n"), key=lambda line: len(wanted & stem_content(line.replace("_", " "))))


def _quote_signal(signal: Signal, name: str, quote: str) -> Evidence:
    exact = _find_exact(quote, signal.text)
    if not exact:
        raise WrongCitationError(f'"{quote[:60]}" is not what the person typed in {name}, word for word')
    if _count_words(exact) < _MIN_QUOTE and signal.text.startswith(exact):
        # A bare "yes" is recognised by what follows it.
        exact = signal.text[:_ANSWER].rpartition(" ")[0] if len(signal.text) > _ANSWER else signal.text
    if _count_words(exact) < min(_MIN_QUOTE, _count_words(signal.text)) and not ADDRESS.fullmatch(exact):
        raise WrongCitationError(f'"{exact}" is too short a quotation of {name} to recognise', spare=True)
    objection = object_to_quote(signal, exact)
    if objection and objection != QUESTION:
        raise WrongCitationError(f"{name}: {objection}", spare=True)
    return Evidence(EvidenceKind.SIGNAL, signal.id, exact)


def _count_words(text: str) -> int:
    return max(len(text.split()), count_unspaced(text) // 3)


def _find_exact(quote: str, text: str) -> str:
    """Return the words of a text that are quoted, blanks and the form of marks aside; "" if there are none."""
    words = quote.strip().strip("…").translate(_STRAIGHT).split()
    if not words:
        return ""
    found = re.search(r"\s+".join(map(re.escape, words)), text.translate(_STRAIGHT), re.IGNORECASE)
    return text[found.start() : found.end()] if found else ""


def lay_out(request: ConsolidationRequest) -> Desk:
    """Give an id to everything that the model may refer to."""
    desk = Desk(request)
    for number, draft in enumerate(request.drafts, 1):
        scope = draft.scope
        desk.drafts[scope.scope.id] = draft
        for topic in scope.topics:
            name = f"t{len(desk.topics) + 1}"
            desk.topics[name] = (draft, topic)
            _add_file(desk, draft, topic.path, topic.body, name)
        if scope.index:
            _add_index(desk, draft, f"i{number}", f"h{number}")
            rows = {row.pointers[0].path: row.text for row in reversed(scope.index.lines) if row.plain}
            owned = (pair for pair in desk.topics.items() if pair[1][0] is draft and pair[1][1].path in rows)
            desk.pointers |= {name: (str(scope.index_path), rows[topic.path]) for name, (_, topic) in owned}
    messages = (message for talk in request.conversation.talks for message in talk.messages)
    desk.messages = {f"m{number}": message for number, message in enumerate(messages, 1)}
    desk.logged = {f"g{number}": line.signal for number, line in enumerate(request.conversation.log, 1)}
    shown = [finding for finding in request.findings if is_shown(finding)]
    # Conditional ones last, because they are evidence rather than problems.
    shown.sort(key=lambda finding: finding.is_conditional)
    desk.findings = {f"f{number}": finding for number, finding in enumerate(shown, 1)}
    return desk


def is_shown(finding: Finding) -> bool:
    """Tell whether a model can do something about a finding; those with a fix are repaired before."""
    return (
        finding.rule not in _NOT_SHOWN
        and finding.fix is None
        and (finding.severity is not Severity.INFO or finding.is_conditional)
    )


def _add_file(desk: Desk, draft: OpenDraft, path: PurePosixPath, body: str, name: str) -> None:
    units, tail = split_units(body)
    desk.files[path] = (units, tail)
    for number, unit in enumerate(units, 1):
        desk.lines[f"{name}.{number}"] = ShownLine(path, unit, draft)


def _add_index(desk: Desk, draft: OpenDraft, name: str, heading: str) -> None:
    """Add the index: its prose can be kept or replaced, its headings can be named, its pointers follow the topics."""
    index = draft.scope.index
    if index is None:
        return
    _add_file(desk, draft, index.path, index.text, name)
    kinds: dict[str, set[IndexLineKind]] = {}
    for row in index.lines:
        kinds.setdefault(row.text, set()).add(row.kind)
    for key, line in list(desk.lines.items()):
        if line.path == index.path:
            found = set[IndexLineKind]().union(*(kinds.get(row, set()) for row in line.unit.text.split("\n")))
            if IndexLineKind.PROSE not in found or found & {IndexLineKind.POINTER, IndexLineKind.HEADING}:
                del desk.lines[key]
    rows = [row for row in index.lines if row.kind is IndexLineKind.HEADING]
    desk.headings |= {f"{heading}.{number}": row for number, row in enumerate(rows, 1)}


def name_talks(desk: Desk) -> Iterator[tuple[Talk, Sequence[tuple[str, Message]]]]:
    """Yield each session with its messages and their ids."""
    names: Mapping[int, str] = {id(message): name for name, message in desk.messages.items()}
    for talk in desk.request.conversation.talks:
        yield talk, [(names[id(message)], message) for message in talk.messages if id(message) in names]
