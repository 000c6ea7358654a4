"""What a guard sees: the proposed operation, the draft that it would change, and what it may rest on."""

import datetime as dt
import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.citations.lookups import evidence_text
from memci.guards.added_text import AddedText, split_sentences, subtract_lines
from memci.guards.documents import Document, Documents
from memci.guards.quoted_words import QUESTION, object_to_quote
from memci.memory.index import parse_index
from memci.model.finding import Finding
from memci.model.memory import INDEX_NAME, Guide, Index, Topic
from memci.model.plan import Evidence, EvidenceKind, FlagKind, Operation, OperationKind
from memci.model.session import Origin, Signal
from memci.prose.similar import normalise

# The origins that may be the source of a memory.
TRUSTED_ORIGINS = frozenset((Origin.PERSON, Origin.LOG))


@dataclass(frozen=True, slots=True)
class Context:
    """What every operation on a scope is judged by; nothing in it comes from an engine."""

    scope: PurePosixPath
    # The index and the topics as they were read, and as they are right before this operation.
    original: Mapping[PurePosixPath, str]
    draft: dict[PurePosixPath, str]
    # The lines of other committed scopes, which may be cited.
    beside: Mapping[PurePosixPath, str] = field(default_factory=dict)
    # Other files of the scope: logs, unread files, files of other types.
    taken: Collection[PurePosixPath] = ()
    signals: Mapping[str, Signal] = field(default_factory=dict)
    # By fingerprint: what the rules found in the scope before the dream.
    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)
    # What the commits behind findings changed, and where it is now: by fingerprint.
    proofs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    guides: tuple[Guide, ...] = ()
    # What the repository answered, by question.
    lookups: Mapping[str, str] = field(default_factory=dict)
    # The day of the dream; without it no date is over.
    today: dt.date | None = None
    # Full names of people, known from the history of the repository or the memory.
    people: tuple[str, ...] = ()
    # Shared by all drafts of the scope, so that a file that stays as it is stays parsed.
    documents: Documents = field(default_factory=Documents, repr=False, compare=False)

    @property
    def index_path(self) -> PurePosixPath:
        """Where the index of the scope is or would be."""
        return self.scope / INDEX_NAME

    def add_topics(self, topics: Iterable[Topic]) -> None:
        """Take over topics that are already parsed."""
        for topic in topics:
            self.documents.add(topic)

    def read(self, path: PurePosixPath) -> Document:
        """Return a file of the draft; an empty one if the draft does not have it."""
        return self.documents.read(path, self.draft.get(path, ""))

    def signal(self, evidence: Evidence) -> Signal | None:
        """Return the signal that evidence names, if it may be the source of a memory."""
        if evidence.kind is not EvidenceKind.SIGNAL:
            return None
        signal = self.signals.get(evidence.source)
        return signal if signal and signal.origin in TRUSTED_ORIGINS else None


def group_findings(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return findings by fingerprint: equal lines of a file give several that are one problem to a baseline."""
    grouped: dict[str, list[Finding]] = {}
    for finding in findings:
        grouped.setdefault(finding.fingerprint, []).append(finding)
    return grouped


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file before and after an operation; None where it does not exist."""

    path: PurePosixPath
    before: Document | None
    after: Document | None


# Without slots, because the cached properties need a `__dict__`.
@dataclass(frozen=True)
class Change:
    """An operation on a draft; what several guards need is computed once."""

    operation: Operation
    context: Context

    @property
    def kind(self) -> OperationKind:
        """The kind of the operation."""
        return self.operation.kind

    @functools.cached_property
    def edits(self) -> tuple[FileEdit, ...]:
        """The files that the operation names, as the draft has them and as it would leave them."""
        read, draft = self.context.documents.read, self.context.draft
        return tuple(
            FileEdit(
                path,
                read(path, draft[path]) if path in draft else None,
                None if text is None else read(path, text),
            )
            for path, text in self.operation.texts.items()
        )

    @functools.cached_property
    def written(self) -> tuple[Document, ...]:
        """The files that the operation writes."""
        return tuple(edit.after for edit in self.edits if edit.after)

    @functools.cached_property
    def written_topics(self) -> tuple[Document, ...]:
        """The topics that the operation writes."""
        return tuple(document for document in self.written if document.path != self.context.index_path)

    @functools.cached_property
    def replaced(self) -> tuple[Document, ...]:
        """The files that the operation rewrites or removes, as they are in the draft."""
        return tuple(edit.before for edit in self.edits if edit.before)

    @functools.cached_property
    def replaced_topics(self) -> tuple[Document, ...]:
        """The topics that the operation rewrites or removes, as they are in the draft."""
        return tuple(document for document in self.replaced if document.path != self.context.index_path)

    @functools.cached_property
    def removed(self) -> frozenset[PurePosixPath]:
        """The files that the operation removes."""
        return frozenset(edit.path for edit in self.edits if edit.after is None)

    @functools.cached_property
    def result(self) -> dict[PurePosixPath, str]:
        """The draft as the operation would leave it."""
        result = self.context.draft.copy()
        for path, text in self.operation.texts.items():
            if text is None:
                result.pop(path, None)
            else:
                result[path] = text
        return result

    def read_result(self, path: PurePosixPath) -> Document:
        """Return a file as the operation would leave it; an empty one if it would not exist."""
        return self.context.documents.read(path, self.result.get(path, ""))

    @functools.cached_property
    def added(self) -> tuple[AddedText, ...]:
        """The lines that the operation adds."""
        new = {document.path: document.text for document in self.written}
        return tuple(subtract_lines(new, (document.text for document in self.replaced)))

    @functools.cached_property
    def added_numbers(self) -> dict[PurePosixPath, frozenset[int]]:
        """The numbers of the added lines of each written file."""
        numbers: dict[PurePosixPath, set[int]] = {document.path: set() for document in self.written}
        for added in self.added:
            numbers[added.path].add(added.line)
        return {path: frozenset(lines) for path, lines in numbers.items()}

    @functools.cached_property
    def added_values(self) -> tuple[AddedText, ...]:
        """The new frontmatter values that YAML reads differently from how their lines are written."""
        return tuple(
            AddedText(document.path, document.text.count("\n", 0, value.start) + 1, value.text)
            for document in self.written
            for value in document.rewritten_values
            if value.text not in {old.text for old in self.context.read(document.path).rewritten_values}
        )

    @functools.cached_property
    def old_sentences(self) -> frozenset[str]:
        """The normalised sentences of the replaced files."""
        return frozenset().union(*(document.sentences for document in self.replaced))

    @functools.cached_property
    def index_before(self) -> Index:
        """The index as the draft has it."""
        path, draft = self.context.index_path, self.context.draft
        return parse_index(path, draft.get(path, ""), (), (*draft, *self.context.taken))

    @functools.cached_property
    def index_after(self) -> Index:
        """The index as the operation would leave it."""
        path = self.context.index_path
        return parse_index(path, self.result.get(path, ""), (), (*self.result, *self.context.taken))

    @functools.cached_property
    def signals(self) -> tuple[Signal, ...]:
        """The signals that the operation cites."""
        return tuple(signal for item in self.operation.evidence if (signal := self.context.signal(item)))

    @functools.cached_property
    def statements(self) -> tuple[Signal, ...]:
        """The signals of which something other than a question is cited."""
        cited = ((self.context.signal(item), item.quote) for item in self.operation.evidence)
        return tuple(signal for signal, quote in cited if signal and object_to_quote(signal, quote) != QUESTION)

    @functools.cached_property
    def asked(self) -> tuple[str, ...]:
        """The questions that are cited: they tell what is meant, and state nothing."""
        cited = ((self.context.signal(item), item.quote) for item in self.operation.evidence)
        return tuple(quote for signal, quote in cited if signal and object_to_quote(signal, quote) == QUESTION)

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings that the operation cites."""
        cited = (item.source for item in self.operation.evidence if item.kind is EvidenceKind.FINDING)
        return tuple(finding for source in cited for finding in self.context.findings.get(source, ()))

    @functools.cached_property
    def speakers(self) -> tuple[str, ...]:
        """The names of the people who said what the operation cites."""
        return tuple(dict.fromkeys(signal.speaker for signal in self.signals if signal.speaker))

    @functools.cached_property
    def flagged(self) -> frozenset[str]:
        """The normalised statements whose wording a model confirmed, and their sentences."""
        return _normalise_all(flag.statement for flag in self.operation.flags if flag.kind is not FlagKind.RETIRED)

    @functools.cached_property
    def confirmed(self) -> frozenset[str]:
        """The normalised lines of which a model confirmed that the evidence ends them, and their sentences."""
        return _normalise_all(self.ended)

    @functools.cached_property
    def ended(self) -> tuple[str, ...]:
        """The lines of which a model confirmed that the evidence ends them."""
        return tuple(flag.statement for flag in self.operation.flags if flag.kind is FlagKind.RETIRED)

    @functools.cached_property
    def lookups(self) -> tuple[str, ...]:
        """The answers of the repository that the operation cites, without the words of strangers."""
        cited = (item.source for item in self.operation.evidence if item.kind is EvidenceKind.LOOKUP)
        known = self.context.lookups
        found = tuple(evidence_text(source, known[source]) for source in cited if source in known)
        # "Not merged on 2026-11-12": the repository was asked today.
        return (*found, self.context.today.isoformat()) if found and self.context.today else found

    @functools.cached_property
    def quotations(self) -> tuple[tuple[PurePosixPath, str], ...]:
        """File and text of each quotation that the operation cites from the memory, now or before the dream."""
        cited = (item for item in self.operation.evidence if item.kind is EvidenceKind.MEMORY)
        found = ((PurePosixPath(item.source), item.quote) for item in cited)
        texts = (self.context.draft, self.context.original, self.context.beside)
        return tuple(
            (path, quote)
            for path, quote in found
            if quote.strip() and any(quote in source.get(path, "") for source in texts)
        )


def _normalise_all(texts: Iterable[str]) -> frozenset[str]:
    lines = (line for text in texts for line in (text, *text.split("\n")))
    return frozenset(normalise(part) for line in lines for part in (line, *split_sentences(line)))


class Objection(NamedTuple):
    """Why an operation is refused, and which field or statement of it."""

    why: str
    # "name", "description", "title", "hook" or "heading"; "" for statements.
    field: str = ""
    text: str = ""
    # Whether it passes if a reader confirms that its evidence says it in other words.
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard; `check` returns why the operation is refused, or None."""

    id: str
    summary: str
    check: Callable[[Change], Objection | str | None]
