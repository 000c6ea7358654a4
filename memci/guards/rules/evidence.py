"""evidence: an operation rests on things that exist and may be a source, and on the right kind of them."""

from pathlib import PurePosixPath

from memci.guards.changes import cited_findings, cited_memory, cited_signals, find_signal, new_topics
from memci.guards.context import Ground, Guard
from memci.guards.repair import is_repair
from memci.memory.topic import parse_topic
from memci.model.finding import Finding
from memci.model.memory import TopicType
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.prose.similar import find_words

# More than this is not evidence but a way to have every word at hand.
_MAX_EVIDENCE = 20
# What a reader of the proposal can recognise; shorter only if that is all that was said.
_MIN_QUOTED_WORDS = 2
# What people say about themselves and how they want things done is theirs to say.
_PERSONAL = frozenset((TopicType.USER, TopicType.FEEDBACK))


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse evidence that is missing, made up, of another origin, or not of the kind that the change needs."""
    if not operation.evidence:
        return "it has no evidence"
    # What a repair or a new index may say is fixed by its findings and topics, however many there are.
    words = [item for item in operation.evidence if item.kind is not EvidenceKind.FINDING]
    if len(words) > _MAX_EVIDENCE and operation.kind not in {OperationKind.REPAIR, OperationKind.REINDEX}:
        return f"it cites {len(words)} quotations; at most {_MAX_EVIDENCE} are read"
    problems = (_check_item(item, operation, ground) for item in operation.evidence)
    return next((problem for problem in problems if problem), None) or _check_kind(operation, ground)


def _check_item(item: Evidence, operation: Operation, ground: Ground) -> str | None:
    match item.kind:
        case EvidenceKind.SIGNAL:
            return _check_signal(item, ground)
        case EvidenceKind.FINDING:
            return _check_finding(item, operation, ground)
        case EvidenceKind.MEMORY:
            quoted = item.quote.strip()
            stands = bool(quoted) and item.quote in ground.draft.get(PurePosixPath(item.source), "")
            return None if stands else f"what it quotes does not stand in {item.source[:200]!r}"


def _check_signal(item: Evidence, ground: Ground) -> str | None:
    if item.source not in ground.signals:
        return f"there is no signal {item.source[:40]!r}"
    signal = find_signal(item, ground)
    if signal is None:
        origin = ground.signals[item.source].origin
        return f"signal {item.source} comes from {origin.value} text, not from a person or a daily log"
    said = (signal.text, *(mention.text for mention in signal.repeated))
    if not item.quote.strip() or not any(item.quote in text for text in said):
        return f"its quotation is not what signal {item.source} says, word for word"
    if len(find_words(item.quote)) < min(_MIN_QUOTED_WORDS, len(find_words(signal.text))):
        return "its quotation is too short to recognise"
    return None


def _check_finding(item: Evidence, operation: Operation, ground: Ground) -> str | None:
    problem: str | None = f"there is no finding {item.source[:40]!r}"
    for finding in ground.findings.get(item.source, ()):
        problem = _check_cited(finding, item, operation, ground)
        if problem is None:
            break
    return problem


def _check_cited(finding: Finding, item: Evidence, operation: Operation, ground: Ground) -> str | None:
    edited = {edit.path for edit in finding.fix.edits} if finding.fix else set()
    if not ({finding.path} | edited) & set(operation.texts):
        return f"finding {finding.rule} is about {finding.path}, which it does not change"
    known = (finding.message, finding.suggestion, ground.original.get(finding.path, ""))
    return (
        None if any(item.quote in text for text in known) else f"its quotation is not what finding {finding.rule} says"
    )


def _check_kind(operation: Operation, ground: Ground) -> str | None:
    match operation.kind:
        case OperationKind.CREATE:
            return _check_create(operation, ground)
        case OperationKind.UPDATE:
            proved = cited_signals(operation, ground) or cited_findings(operation, ground)
            return None if proved else "an update needs a signal or a finding"
        case OperationKind.REPAIR:
            wrong = next((path for path in operation.texts if not is_repair(path, operation, ground)), None)
            return f"{wrong} is not the old text with only the cited fixes made" if wrong else None
        case OperationKind.MERGE | OperationKind.RETIRE | OperationKind.REINDEX:
            return None


def _check_create(operation: Operation, ground: Ground) -> str | None:
    signals = cited_signals(operation, ground)
    made = [parse_topic(path, text) for path, text in new_topics(operation, ground).items() if path not in ground.draft]
    if not signals and any(topic.type in _PERSONAL for topic in made):
        return "a user or feedback topic comes only from what a person said"
    if not signals and not _moves(operation, ground):
        return "a new topic needs a signal, or memory that moves into it"
    return None


def _moves(operation: Operation, ground: Ground) -> bool:
    """Tell whether everything it quotes from the memory leaves the place where it stood: only a heading may stay."""
    quoted = [(path, quote) for path, quote in cited_memory(operation, ground) if not quote.startswith("#")]
    return bool(quoted) and all(quote not in (operation.texts.get(path, quote) or "") for path, quote in quoted)


GUARD = Guard(
    "evidence",
    "Every operation rests on a person's words, a log, a finding or the memory itself, quoted exactly.",
    check,
)
