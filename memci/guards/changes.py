"""What an operation changes: the texts it replaces, the lines it adds, and the draft that it would leave behind."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.guards.context import Ground
from memci.memory.head_values import find_rewritten
from memci.memory.topic import parse_topic
from memci.model.finding import Finding
from memci.model.memory import INDEX_NAME
from memci.model.plan import Evidence, EvidenceKind, Operation
from memci.model.session import Origin, Signal
from memci.prose.similar import normalise

# Only these two speak for a person.
TRUSTED_ORIGINS = frozenset((Origin.PERSON, Origin.LOG))
# What stands in front of a line and says nothing: quotation and list marks, headings, labels.
_MARKS = re.compile(
    r"[\s>#*+|-]{0,40}(?:\d{1,3}[.)]\s)?(?:\[[ xX]\]\s)?(?:\*{0,2}(?:Why|How to apply)\s?:\*{0,2})?\s{0,4}"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


@dataclass(frozen=True, slots=True)
class Added:
    """One line that no text which the operation replaces has."""

    path: PurePosixPath
    # From 1, in the new text.
    line: int
    text: str


def index_path(ground: Ground) -> PurePosixPath:
    """Return where the index of the scope is or would be."""
    return ground.scope / INDEX_NAME


def find_result(operation: Operation, ground: Ground) -> dict[PurePosixPath, str]:
    """Return the draft as the operation would leave it."""
    result = ground.draft.copy()
    for path, text in operation.texts.items():
        if text is None:
            result.pop(path, None)
        else:
            result[path] = text
    return result


def old_texts(operation: Operation, ground: Ground) -> dict[PurePosixPath, str]:
    """Return the texts that the operation replaces or removes."""
    return {path: ground.draft[path] for path in operation.texts if path in ground.draft}


def new_texts(operation: Operation) -> dict[PurePosixPath, str]:
    """Return the texts that the operation writes."""
    return {path: text for path, text in operation.texts.items() if text is not None}


def new_topics(operation: Operation, ground: Ground) -> dict[PurePosixPath, str]:
    """Return the topics that the operation writes."""
    return {path: text for path, text in new_texts(operation).items() if path != index_path(ground)}


def find_added(operation: Operation, ground: Ground) -> tuple[Added, ...]:
    """Return the lines that the operation brings in; a line that it moves between its files is not new."""
    old = Counter(line.rstrip() for text in old_texts(operation, ground).values() for line in text.split("\n"))
    return tuple(_subtract(operation, old))


def _subtract(operation: Operation, old: Counter[str]) -> Iterator[Added]:
    for path, text in new_texts(operation).items():
        for number, line in enumerate(text.split("\n"), 1):
            key = line.rstrip()
            if old[key] > 0:
                old[key] -= 1
            elif key:
                yield Added(path, number, line)


def find_added_values(operation: Operation, ground: Ground) -> Iterator[Added]:
    """Yield what the heads of written texts newly say by way of YAML, which no line of them says as it is."""
    for path, text in new_texts(operation).items():
        old = {value.text for value in find_rewritten(parse_topic(path, ground.draft.get(path, "")))}
        for value in find_rewritten(parse_topic(path, text)):
            if value.text not in old:
                yield Added(path, text.count("\n", 0, value.start) + 1, value.text)


def split_sentences(line: str) -> list[str]:
    """Return the sentences of a line without the marks in front of it."""
    marks = _MARKS.match(line)
    return [part for part in _SENTENCE.split(line[marks.end() if marks else 0 :]) if part.strip()]


def find_old_sentences(operation: Operation, ground: Ground) -> frozenset[str]:
    """Return what the replaced texts say, sentence by sentence and normalised."""
    lines = (line for text in old_texts(operation, ground).values() for line in text.split("\n"))
    return frozenset(normalise(sentence) for line in lines for sentence in split_sentences(line))


def added_numbers(operation: Operation, ground: Ground) -> dict[PurePosixPath, frozenset[int]]:
    """Return the numbers of the added lines of each written text."""
    added = find_added(operation, ground)
    return {path: frozenset(line.line for line in added if line.path == path) for path in new_texts(operation)}


def find_signal(evidence: Evidence, ground: Ground) -> Signal | None:
    """Return the signal that evidence names, if it is one that may be the source of a memory."""
    if evidence.kind is not EvidenceKind.SIGNAL:
        return None
    signal = ground.signals.get(evidence.source)
    return signal if signal and signal.origin in TRUSTED_ORIGINS else None


def cited_signals(operation: Operation, ground: Ground) -> tuple[Signal, ...]:
    """Return the signals that the operation rests on."""
    return tuple(signal for item in operation.evidence if (signal := find_signal(item, ground)))


def cited_findings(operation: Operation, ground: Ground) -> tuple[Finding, ...]:
    """Return the findings that the operation rests on."""
    cited = (item.source for item in operation.evidence if item.kind is EvidenceKind.FINDING)
    return tuple(finding for source in cited for finding in ground.findings.get(source, ()))


def cited_memory(operation: Operation, ground: Ground) -> tuple[tuple[PurePosixPath, str], ...]:
    """Return file and quotation of each piece of the memory that the operation rests on."""
    memory = (
        (PurePosixPath(item.source), item.quote) for item in operation.evidence if item.kind is EvidenceKind.MEMORY
    )
    return tuple((path, quote) for path, quote in memory if quote.strip() and quote in ground.draft.get(path, ""))
