"""evidence: an operation rests on things that exist and may be a source, and on the right kind of them."""

from pathlib import PurePosixPath

from memci.guards.context import Change, Guard
from memci.guards.quoted_words import ADDRESS, QUESTION, object_to_quote
from memci.guards.repair_limits import is_repair
from memci.model.finding import Finding
from memci.model.memory import TopicType
from memci.model.plan import Evidence, EvidenceKind, OperationKind
from memci.model.session import SignalKind
from memci.prose.similar import tokenise

# With more quotations, any sentence could be assembled from their words.
_MAX_EVIDENCE = 20
# Enough for a reviewer to recognise the sentence; shorter only if the whole message is.
_MIN_QUOTED_WORDS = 2
# Topics about people and their preferences may only come from a person.
_PERSONAL = frozenset((TopicType.USER, TopicType.FEEDBACK))
_TELLING = frozenset((OperationKind.CREATE, OperationKind.UPDATE, OperationKind.MERGE))


def check(change: Change) -> str | None:
    """Refuse evidence that is missing, made up, of another origin, or not of the kind that the change needs."""
    evidence = change.operation.evidence
    if not evidence:
        return "it has no evidence"
    # Repairs and reindexes are checked against their findings and topics instead.
    words = [item for item in evidence if item.kind is not EvidenceKind.FINDING]
    if len(words) > _MAX_EVIDENCE and change.kind not in {OperationKind.REPAIR, OperationKind.REINDEX}:
        return f"it cites {len(words)} quotations; at most {_MAX_EVIDENCE} are read"
    problems = (_check_item(item, change) for item in evidence)
    return next((problem for problem in problems if problem), None) or _check_kind(change)


def _check_item(item: Evidence, change: Change) -> str | None:
    match item.kind:
        case EvidenceKind.SIGNAL:
            return _check_signal(item, change)
        case EvidenceKind.FINDING:
            return _check_finding(item, change)
        case EvidenceKind.LOOKUP:
            answer = change.context.lookups.get(item.source, "")
            found = bool(item.quote.strip()) and item.quote in answer
            return None if found else f"the repository does not say what it quotes for {item.source[:200]!r}"
        case EvidenceKind.MEMORY:
            context = change.context
            sources = (context.draft, context.original, context.beside)
            texts = (source.get(PurePosixPath(item.source), "") for source in sources)
            found = bool(item.quote.strip()) and any(item.quote in text for text in texts)
            return None if found else f"what it quotes does not stand in {item.source[:200]!r}"


def _check_signal(item: Evidence, change: Change) -> str | None:
    context = change.context
    if item.source not in context.signals:
        return f"there is no signal {item.source[:40]!r}"
    signal = context.signal(item)
    if signal is None:
        origin = context.signals[item.source].origin
        return f"signal {item.source} comes from {origin.value} text, not from a person or a daily log"
    said = (signal.text, *(mention.text for mention in signal.repeated))
    if not item.quote.strip() or not any(item.quote in text for text in said):
        return f"its quotation is not what signal {item.source} says, word for word"
    if signal.kind is SignalKind.SAID and (objection := object_to_quote(signal, item.quote)):
        # Beside a statement, a question may tell what it is about.
        return None if objection == QUESTION and change.statements else objection
    words = len(tokenise(item.quote))
    if words < min(_MIN_QUOTED_WORDS, len(tokenise(signal.text))) and not ADDRESS.fullmatch(item.quote.strip()):
        return "its quotation is too short to recognise"
    return None


def _check_finding(item: Evidence, change: Change) -> str | None:
    problem: str | None = f"there is no finding {item.source[:40]!r}"
    for finding in change.context.findings.get(item.source, ()):
        problem = _check_cited(finding, item, change)
        if problem is None:
            break
    return problem


def _check_cited(finding: Finding, item: Evidence, change: Change) -> str | None:
    edited = {edit.path for edit in finding.fix.edits} if finding.fix else set()
    # Beside other evidence, what a finding shows may be told in another topic.
    tells = change.kind in _TELLING and bool(change.signals or change.lookups or change.quotations)
    if not tells and not ({finding.path} | edited) & set(change.operation.texts):
        return f"finding {finding.rule} is about {finding.path}, which it does not change"
    known = (finding.message, finding.suggestion, change.context.original.get(finding.path, ""))
    return (
        None if any(item.quote in text for text in known) else f"its quotation is not what finding {finding.rule} says"
    )


def _check_kind(change: Change) -> str | None:
    match change.kind:
        case OperationKind.CREATE:
            return _check_create(change)
        case OperationKind.UPDATE:
            resting = change.signals or change.findings or change.lookups or change.quotations
            return None if resting else "an update needs a signal, a finding, a look-up, or the line that it rewords"
        case OperationKind.REPAIR:
            wrong = next((path for path in change.operation.texts if not is_repair(path, change)), None)
            return f"{wrong} is not the old text with only the cited fixes made" if wrong else None
        case OperationKind.MERGE | OperationKind.RETIRE | OperationKind.REINDEX:
            return None


def _check_create(change: Change) -> str | None:
    if change.signals:
        return None
    new = (document.topic for document in change.written_topics if document.path not in change.context.draft)
    if any(topic.type in _PERSONAL for topic in new):
        return "a user or feedback topic comes only from what a person said"
    return None if change.quotations else "a new topic needs a signal, or memory that moves into it"


GUARD = Guard(
    "evidence",
    "Every operation rests on a person's words, a log, a finding or the memory itself, quoted exactly.",
    check,
)
