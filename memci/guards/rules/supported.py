"""supported: every line that an operation adds says what its evidence says, and nothing else."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memci.guards.added_text import split_sentences
from memci.guards.context import Change, Context, Guard
from memci.guards.documents import Document, StatedFact
from memci.guards.evidence_support import EvidenceText, check_sense, check_support, make_source, read_signal
from memci.guards.repair_limits import is_repair
from memci.model.finding import Finding
from memci.model.memory import Frontmatter, TopicType
from memci.model.plan import OperationKind
from memci.prose.negation import find_dropped_denial
from memci.prose.similar import normalise

# A topic repeats its evidence in description, body and pointer; text beyond this is padding.
_ROOM = 800
_RESTATED = 4
# How many characters of the replaced statements count as evidence.
_MAX_REPLACED = 8_000
# The shortest prefix of a signal id that identifies it in a file name.
_MIN_ID = 6
# Markup that reverses the meaning of the words inside it.
_STRUCK = "~~"

# Each piece of evidence, together with the statements that the operation replaces.
_Sources = Sequence[EvidenceText]


def check(change: Change) -> str | None:
    """Refuse text that its evidence does not support."""
    sources = tuple(_make_sources(change))
    return _check_length(change, sources) or next(
        (problem for problem in _list_problems(change, sources) if problem), None
    )


def _check_length(change: Change, sources: _Sources) -> str | None:
    """Refuse far more text than the evidence has: supported words could be repeated without end."""
    if change.kind in {OperationKind.REPAIR, OperationKind.REINDEX}:
        return None
    added = sum(len(line.text) for line in change.added)
    told = max((sum(map(len, source.texts)) for source in sources), default=0)
    return f"it adds {added:,} characters to evidence of {told:,}" if added > _ROOM + _RESTATED * told else None


def _list_problems(change: Change, sources: _Sources) -> Iterator[str]:
    context = change.context
    for document in change.written_topics:
        if change.kind is OperationKind.REPAIR:
            yield from _check_head(document, make_source(_own_words(document, context)), context)
            continue
        yield from _check_body(document, change, sources)
        own = make_source((*_all_texts(sources), document.topic.body))
        yield from _check_head(document, own, context, [signal.id for signal in change.signals])
    index = context.index_path
    repaired = change.kind is OperationKind.REPAIR and is_repair(index, change)
    if change.operation.texts.get(index) is not None and not repaired:
        yield from _check_index(change, sources)


def _all_texts(sources: _Sources) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for source in sources for text in source.texts))


def _make_sources(change: Change) -> Iterator[EvidenceText]:
    """Yield one source per piece of evidence: nobody said a sentence that combines several messages."""
    replaced = _list_replaced(change)
    for signal in change.signals:
        yield make_source((*read_signal(signal), *replaced))
    for finding in change.findings:
        yield make_source((*_read_finding(finding), *replaced))
    for path, quote in change.quotations:
        # A quotation from a file that stays as it is would only be copied.
        if path not in change.operation.texts:
            continue
        lines = (line for line in change.context.draft[path].split("\n") if line.strip() and line.strip() in quote)
        yield make_source((quote, *lines, *replaced))


def _read_finding(finding: Finding) -> Iterator[str]:
    # The parentheses at the end have the subject of a commit, which is untrusted text.
    yield finding.message.partition(" (")[0]
    yield finding.suggestion
    yield from (edit.new for edit in (finding.fix.edits if finding.fix else ()))


def _list_replaced(change: Change) -> tuple[str, ...]:
    """Return the statements of topics that the operation removes or rewords."""
    new = {fact.key for document in change.written_topics for fact in document.facts}
    old = (fact for document in change.replaced_topics for fact in document.facts)
    replaced = "\n".join(fact.text for fact in old if fact.key not in new)
    return tuple(replaced[:_MAX_REPLACED].split("\n")) if replaced else ()


def _own_words(document: Document, context: Context) -> Iterator[str]:
    """Yield the words of a topic, its file name and its pointer, from which missing frontmatter is completed."""
    yield document.topic.body
    yield context.draft.get(document.path, "")
    yield _stem_words(document.path)
    index = context.draft.get(context.index_path, "")
    yield from (line for line in index.split("\n") if document.path.name in line)


def _check_body(document: Document, change: Change, sources: _Sources) -> Iterator[str]:
    path = document.path
    if not any(fact.profile.content for fact in document.facts):
        yield f"{path.name} would say nothing"
    for added in change.added:
        if added.path == path and added.line >= document.topic.body_line:
            if _STRUCK in added.text:
                yield f"{path.name}:{added.line} strikes something through"
            for sentence in split_sentences(added.text):
                if normalise(sentence) not in change.old_sentences:
                    yield _check_carried(sentence, sources, f"{path.name}:{added.line}")
    known = {(fact.key, fact.negated) for old in change.replaced for fact in old.facts}
    known |= {(key, False) for key in _index_keys(change)}
    new = [fact for fact in document.facts if (fact.key, fact.negated) not in known]
    yield from (_check_agreement(fact, sources, path.name) for fact in new)
    yield _check_denials(path, new, change)


def _check_denials(path: PurePosixPath, new: Sequence[StatedFact], change: Change) -> str:
    """Refuse new statements that mention what a person forbade and omit that it is forbidden."""
    told = [f"not {fact.text}" if fact.negated else fact.text for fact in new]
    for signal in change.signals:
        if word := find_dropped_denial(told, [signal.text]):
            return f'{path.name}: it does not say that "{word[:60]}" is what the person forbade'
    return ""


def _index_keys(change: Change) -> Iterator[str]:
    """Yield the normalised lines of the index: its prose may move into a topic."""
    path = change.context.index_path
    if path in change.operation.texts:
        text = change.context.draft.get(path, "")
        yield from (normalise(line) for line in text.split("\n") if line.strip())


def _check_carried(sentence: str, sources: _Sources, place: str, *, label: bool = False) -> str:
    problems = [check_support(sentence, source, label=label) for source in sources]
    if not all(problems):
        return ""
    return f"{place}: {min(problems, key=len) if problems else 'it has no evidence'}"


def _check_sense(text: str, told: Sequence[str], place: str) -> str:
    problem = check_sense(text, told)
    return f"{place}: {problem}" if problem else ""


def _check_agreement(fact: StatedFact, sources: _Sources, place: str) -> str:
    """Refuse a new statement that contradicts each source that has its words."""
    said = f"not {fact.text}" if fact.negated else fact.text
    fitting = [source for source in sources if not check_support(fact.text, source)]
    problems = [check_sense(said, source.texts) for source in fitting or sources]
    return f"{place}: {problems[0]}" if problems and all(problems) else ""


def _check_head(document: Document, source: EvidenceText, context: Context, ids: Sequence[str] = ()) -> Iterator[str]:
    topic, path = document.topic, document.path
    if not isinstance(topic.frontmatter, Frontmatter):
        return
    old = context.read(path).topic
    for key in ("name", "description"):
        value = topic.field(key)
        if value and value != old.field(key):
            words = re.sub(r"[-_]", " ", _drop_number(value, context)) if key == "name" else value
            place = f"{path.name}: {key}"
            parts = split_sentences(words)
            yield from (_check_carried(part, (source,), place, label=key == "name") for part in parts)
            if key == "description":
                yield _check_sense(value, source.texts, place)
    if path not in context.draft:
        stem = _drop_number(path.stem, context)
        stem = " ".join(word for word in re.split(r"[-_]", stem) if not _is_label(word, ids))
        own = make_source((*_all_texts((source,)), topic.name.replace("-", " "), topic.description))
        yield _check_carried(stem, (own,), path.name, label=True)


def _drop_number(name: str, context: Context) -> str:
    """Return a name without the number that only distinguishes it from another topic."""
    counted = re.fullmatch(r"(.+)[-_]\d{1,4}", name)
    if not counted:
        return name
    taken = any(counted[1] in {path.stem, context.read(path).topic.name} for path in context.draft)
    return counted[1] if taken else name


def _is_label(word: str, ids: Sequence[str]) -> bool:
    """Tell whether a word of a file name is a topic type, or the id of its signal (used if the name is not ASCII)."""
    return word in set(TopicType) or (len(word) >= _MIN_ID and any(found.startswith(word) for found in ids))


def _check_index(change: Change, sources: _Sources) -> Iterator[str]:
    """Check the words of new pointers against the topics they lead to, and headings against everything."""
    context, path = change.context, change.context.index_path
    everything = (*_all_texts(sources), *TopicType, "memory index", context.draft.get(path, ""))
    # A pointer that replaces a section may be titled by its heading.
    lines = context.draft.get(path, "").split("\n")
    headings = [make_source((line.strip("# "),)) for line in lines if line.startswith("#")]
    for row in change.index_after.lines:
        if row.line not in change.added_numbers[path]:
            continue
        place = f"{path.name}:{row.line}"
        if not row.pointers:
            parts = split_sentences(row.text)
            yield from (_check_carried(part, (make_source(everything),), place) for part in parts)
            yield _check_sense(row.text, everything, place)
        for pointer in row.pointers:
            topic = change.read_result(pointer.path).topic if pointer.path else None
            said = (
                (topic.name.replace("-", " "), topic.description, topic.body, _stem_words(topic.path)) if topic else ()
            )
            source = make_source((*said, *(line for line in lines if f"({pointer.target})" in line)))
            yield _check_carried(pointer.title, (source, *headings), place, label=True)
            yield from (_check_carried(part, (source,), place) for part in split_sentences(pointer.hook))
            yield _check_sense(pointer.hook, source.texts, place)


def _stem_words(path: PurePosixPath) -> str:
    return re.sub(r"[-_.]", " ", path.stem)


GUARD = Guard("supported", "Every added line says what its evidence says, and nothing else.", check)
