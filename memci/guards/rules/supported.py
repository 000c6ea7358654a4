"""supported: every line that an operation adds says what its evidence says, and nothing else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.guards.changes import (
    Added,
    cited_findings,
    cited_memory,
    cited_signals,
    find_added,
    find_old_sentences,
    find_result,
    index_path,
    new_topics,
    old_texts,
    split_sentences,
)
from memci.guards.context import Ground, Guard
from memci.guards.facts import StatedFact, find_facts
from memci.guards.repair import is_repair
from memci.guards.support import EvidenceText, find_opposite, find_unsupported, make_source, read_signal
from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.finding import Finding
from memci.model.memory import Frontmatter, Topic, TopicType
from memci.model.plan import Operation, OperationKind
from memci.prose.negation import find_dropped_denial
from memci.prose.similar import normalise, profile

# A topic restates what was said in its head, its body and its pointer; more than this is padding.
_ROOM = 800
_RESTATED = 4
# Of the text that is replaced, so much is read.
_MAX_REPLACED = 8_000
# So much of a signal's id tells it from others.
_MIN_ID = 6
# Marks that change what the words between them say.
_STRUCK = "~~"


@dataclass(frozen=True, slots=True)
class _Case:
    """An operation, and what may carry its words: each piece of evidence with the statements that are replaced."""

    operation: Operation
    ground: Ground
    sources: tuple[EvidenceText, ...]
    added: tuple[Added, ...]


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse text that its evidence does not carry."""
    case = _Case(operation, ground, tuple(_make_sources(operation, ground)), find_added(operation, ground))
    return _check_length(case) or next((problem for problem in _find_problems(case) if problem), None)


def _check_length(case: _Case) -> str | None:
    """Refuse far more text than the evidence has: words that may be repeated could be repeated without end."""
    if case.operation.kind in {OperationKind.REPAIR, OperationKind.REINDEX}:
        return None
    added = sum(len(line.text) for line in case.added)
    told = max((sum(map(len, source.texts)) for source in case.sources), default=0)
    return f"it adds {added:,} characters to evidence of {told:,}" if added > _ROOM + _RESTATED * told else None


def _find_problems(case: _Case) -> Iterator[str]:
    operation, ground = case.operation, case.ground
    for path, text in new_topics(operation, ground).items():
        topic = parse_topic(path, text)
        if operation.kind is OperationKind.REPAIR:
            yield from _check_head(topic, (make_source(_own_words(topic, ground)),), ground)
            continue
        yield from _check_body(topic, case)
        ids = [signal.id for signal in cited_signals(operation, ground)]
        yield from _check_head(topic, (make_source((*_all_texts(case.sources), topic.body)),), ground, ids)
    index = operation.texts.get(index_path(ground))
    if index is not None and not (
        operation.kind is OperationKind.REPAIR and is_repair(index_path(ground), operation, ground)
    ):
        yield from _check_index(index, case)


def _all_texts(sources: Sequence[EvidenceText]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for source in sources for text in source.texts))


def _make_sources(operation: Operation, ground: Ground) -> Iterator[EvidenceText]:
    """Yield one source a piece of evidence: a sentence put together from what several people said is nobody's."""
    replaced = _find_replaced(operation, ground)
    for signal in cited_signals(operation, ground):
        yield make_source((*read_signal(signal), *replaced))
    for finding in cited_findings(operation, ground):
        yield make_source((*_read_finding(finding), *replaced))
    for path, quote in cited_memory(operation, ground):
        # What stays where it stands would only be copied.
        if path not in operation.texts:
            continue
        lines = (line for line in ground.draft[path].split("\n") if line.strip() and line.strip() in quote)
        yield make_source((quote, *lines, *replaced))


def _read_finding(finding: Finding) -> Iterator[str]:
    # In brackets, at the end, stands the subject of a commit: text that nobody vouched for.
    yield finding.message.partition(" (")[0]
    yield finding.suggestion
    yield from (edit.new for edit in (finding.fix.edits if finding.fix else ()))


def _find_replaced(operation: Operation, ground: Ground) -> tuple[str, ...]:
    """Return the statements of topics that the operation takes out or rewords."""
    old = [
        fact
        for path, text in old_texts(operation, ground).items()
        if path != index_path(ground)
        for fact in find_facts(path, text)
    ]
    new = {fact.key for path, text in new_topics(operation, ground).items() for fact in find_facts(path, text)}
    replaced = "\n".join(fact.text for fact in old if fact.key not in new)
    return tuple(replaced[:_MAX_REPLACED].split("\n")) if replaced else ()


def _own_words(topic: Topic, ground: Ground) -> Iterator[str]:
    """Yield what a topic and its pointer say; a missing head is completed from that."""
    yield topic.body
    yield ground.draft.get(topic.path, "")
    yield re.sub(r"[-_.]", " ", topic.path.stem)
    yield from (line for line in ground.draft.get(index_path(ground), "").split("\n") if topic.path.name in line)


def _check_body(topic: Topic, case: _Case) -> Iterator[str]:
    if not any(profile(fact.text).content for fact in find_facts(topic.path, topic.text)):
        yield f"{topic.path.name} would say nothing"
    known = find_old_sentences(case.operation, case.ground)
    for added in case.added:
        if added.path == topic.path and added.line >= topic.body_line:
            if _STRUCK in added.text:
                yield f"{topic.path.name}:{added.line} strikes something through"
            for sentence in split_sentences(added.text):
                if normalise(sentence) in known:
                    continue
                yield _carried(sentence, case.sources, f"{topic.path.name}:{added.line}")
    old = old_texts(case.operation, case.ground)
    facts = {(fact.key, fact.negated) for path, text in old.items() for fact in find_facts(path, text)}
    facts |= {(key, False) for key in _index_keys(case)}
    for fact in find_facts(topic.path, topic.text):
        if (fact.key, fact.negated) not in facts:
            yield _agrees(fact, case.sources, topic.path.name)
    yield _keeps_denials(topic, facts, case)


def _keeps_denials(topic: Topic, old: set[tuple[str, bool]], case: _Case) -> str:
    """Refuse new statements that speak of what a person forbade and leave out that it is forbidden."""
    new = [fact for fact in find_facts(topic.path, topic.text) if (fact.key, fact.negated) not in old]
    told = [f"not {fact.text}" if fact.negated else fact.text for fact in new]
    for signal in cited_signals(case.operation, case.ground):
        if word := find_dropped_denial(told, [signal.text]):
            return f'{topic.path.name}: it does not say that "{word[:60]}" is what the person forbade'
    return ""


def _index_keys(case: _Case) -> Iterator[str]:
    """Yield what lines of the index say: prose there may move into a topic."""
    text = case.ground.draft.get(index_path(case.ground), "")
    if index_path(case.ground) in case.operation.texts:
        yield from (normalise(line) for line in text.split("\n") if line.strip())


def _carried(sentence: str, sources: Sequence[EvidenceText], place: str, *, label: bool = False) -> str:
    problems = [find_unsupported(sentence, source, label=label) for source in sources]
    if not all(problems):
        return ""
    return f"{place}: {min(problems, key=len) if problems else 'it has no evidence'}"


def _turned(text: str, told: Sequence[str], place: str) -> str:
    problem = find_opposite(text, told)
    return f"{place}: {problem}" if problem else ""


def _agrees(fact: StatedFact, sources: Sequence[EvidenceText], place: str) -> str:
    """Say why a new statement says the opposite of each source that has its words."""
    said = f"not {fact.text}" if fact.negated else fact.text
    fitting = [source for source in sources if not find_unsupported(fact.text, source)]
    problems = [find_opposite(said, source.texts) for source in fitting or sources]
    return f"{place}: {problems[0]}" if problems and all(problems) else ""


def _check_head(
    topic: Topic, sources: tuple[EvidenceText, ...], ground: Ground, ids: Sequence[str] = ()
) -> Iterator[str]:
    if not isinstance(topic.frontmatter, Frontmatter):
        return
    old = parse_topic(topic.path, ground.draft.get(topic.path, ""))
    for key in ("name", "description"):
        value = topic.field(key)
        if value and value != old.field(key):
            words = re.sub(r"[-_]", " ", _drop_number(value, ground)) if key == "name" else value
            place = f"{topic.path.name}: {key}"
            yield from (_carried(part, sources, place, label=key == "name") for part in split_sentences(words))
            if key == "description":
                yield _turned(value, sources[0].texts, place)
    if topic.path not in ground.draft:
        stem = _drop_number(topic.path.stem, ground)
        stem = " ".join(word for word in re.split(r"[-_]", stem) if not _is_label(word, ids))
        own = make_source((*_all_texts(sources), topic.name.replace("-", " "), topic.description))
        yield _carried(stem, (own,), topic.path.name, label=True)


def _drop_number(name: str, ground: Ground) -> str:
    """Return a name without the number that only tells it from another topic's."""
    counted = re.fullmatch(r"(.+)[-_]\d{1,4}", name)
    if not counted:
        return name
    others = {path.stem for path in ground.draft} | {
        parse_topic(path, text).name for path, text in ground.draft.items()
    }
    return counted[1] if counted[1] in others else name


def _is_label(word: str, ids: Sequence[str]) -> bool:
    """Tell the type in a file name, or the id of its signal where the person's script is not that of file names."""
    return word in set(TopicType) or (len(word) >= _MIN_ID and any(found.startswith(word) for found in ids))


def _check_index(text: str, case: _Case) -> Iterator[str]:
    """Check the words of new pointers against the topics they lead to, and headings against everything."""
    path, ground = index_path(case.ground), case.ground
    result = find_result(case.operation, ground)
    index = parse_index(path, text, (), (*result, *ground.taken))
    numbers = {added.line for added in case.added if added.path == path}
    everything = (*_all_texts(case.sources), *TopicType, "memory index", ground.draft.get(path, ""))
    # What moves out of a section may be called by its heading.
    lines = ground.draft.get(path, "").split("\n")
    headings = [make_source((line.strip("# "),)) for line in lines if line.startswith("#")]
    for row in index.lines:
        if row.line not in numbers:
            continue
        place = f"{path.name}:{row.line}"
        if not row.pointers:
            yield from (_carried(part, (make_source(everything),), place) for part in split_sentences(row.text))
            yield _turned(row.text, everything, place)
        for pointer in row.pointers:
            topic = parse_topic(pointer.path, result.get(pointer.path, "")) if pointer.path else None
            said = (
                (topic.name.replace("-", " "), topic.description, topic.body, _stem_words(topic.path)) if topic else ()
            )
            source = make_source((*said, *_old_pointers(pointer.target, ground)))
            yield _carried(pointer.title, (source, *headings), place, label=True)
            yield from (_carried(part, (source,), place) for part in split_sentences(pointer.hook))
            yield _turned(pointer.hook, source.texts, place)


def _stem_words(path: PurePosixPath) -> str:
    return re.sub(r"[-_.]", " ", path.stem)


def _old_pointers(target: str, ground: Ground) -> Iterator[str]:
    yield from (line for line in ground.draft.get(index_path(ground), "").split("\n") if f"({target})" in line)


GUARD = Guard("supported", "Every added line says what its evidence says, and nothing else.", check)
