"""Merges duplicate topics: only if one contains all statements of the other, word for word except for markup."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.engines.protocol import Proposals
from memci.memory.topic import fold_name, list_names
from memci.model.memory import Absence, ScopeSnapshot, Topic
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.prose.similar import normalise, stem_content, tokenise
from memci.prose.statements import list_fenced_lines, split_body, stem_titles

# "TODO" in two files is not a duplicate; "Use tabs" is.
_MIN_WORDS = 2
# A description with more words that the other topic lacks adds information.
_LABEL_WORDS = 2
# A guard accepts this many quotations, with some to spare.
_MAX_QUOTES = 12


@dataclass(frozen=True, slots=True)
class _TopicText:
    topic: Topic
    statements: frozenset[str]
    fenced: frozenset[str]
    subject: frozenset[str]


def merge_duplicates(scope: ScopeSnapshot, is_spared: Callable[[Topic], bool] = lambda _: False) -> Proposals:
    """Propose to remove each topic that another topic of the same type contains."""
    for inner, outers in _find_contained([said for topic in scope.topics if (said := _read(topic))]):
        outer = next((topic for topic in outers if topic.path in scope.files), None)
        if outer is None or inner.pinned or _is_linked(inner, scope) or _says_more(inner, outer, scope):
            continue
        if is_spared(inner) or is_spared(outer):
            continue
        texts: dict[PurePosixPath, str | None] = {inner.path: None}
        if scope.index and any(pointer.path == inner.path for pointer in scope.index.pointers):
            kept = [line for line in scope.index.lines if not (line.plain and line.pointers[0].path == inner.path)]
            texts[scope.index.path] = "".join(line.whole for line in kept)
        reason = f"{inner.path.name} says only what {outer.path.name} says"
        quotes = [line for line in outer.body.split("\n") if line.strip()][:_MAX_QUOTES]
        evidence = tuple(Evidence(EvidenceKind.MEMORY, str(outer.path), line) for line in quotes)
        scope = yield Operation(OperationKind.MERGE, outer.path, texts, reason, evidence)


def _read(topic: Topic) -> _TopicText | None:
    if topic.type is None or isinstance(topic.frontmatter, Absence):
        return None
    statements = split_body(topic.body)
    said = frozenset(normalise(found.text) for found in statements)
    if sum(len(tokenise(text)) for text in said) < _MIN_WORDS:
        return None
    subject = stem_titles(*(title for found in statements for title in found.section))
    return _TopicText(topic, said, list_fenced_lines(topic.body), subject)


def _find_contained(said: Sequence[_TopicText]) -> Iterator[tuple[Topic, list[Topic]]]:
    """Yield each topic with those that contain it; of two equal topics the first by path is kept."""
    holders: dict[str, list[_TopicText]] = {}
    for one in said:
        for statement in one.statements:
            holders.setdefault(statement, []).append(one)
    for inner in said:
        rarest = min(inner.statements, key=lambda statement: (len(holders[statement]), statement))
        outers = [outer.topic for outer in holders[rarest] if outer is not inner and _contains(outer, inner)]
        if outers:
            yield inner.topic, outers


def _contains(outer: _TopicText, inner: _TopicText) -> bool:
    if outer.topic.type is not inner.topic.type or not inner.statements <= outer.statements:
        return False
    if not inner.fenced <= outer.fenced or not inner.subject <= outer.subject:
        return False
    equal = inner.statements == outer.statements and inner.fenced == outer.fenced
    odd = _is_odd(outer.topic), _is_odd(inner.topic)
    if odd[0] != odd[1]:
        return odd[1]
    return not equal or outer.topic.path < inner.topic.path


def _is_odd(topic: Topic) -> bool:
    """Tell whether programs may read the path as an option; such a topic does not replace another."""
    return any(part.startswith("-") for part in topic.path.parts)


def _says_more(inner: Topic, outer: Topic, scope: ScopeSnapshot) -> bool:
    """Tell whether the description or pointer of the inner topic has information that would be lost."""
    pointers = scope.index.pointers if scope.index else ()
    hooks = {topic.path: [p.hook for p in pointers if p.path == topic.path] for topic in (inner, outer)}
    held = stem_content(" ".join((_name(outer), outer.description, outer.body, *hooks[outer.path])))
    told = (inner.description, *hooks[inner.path])
    return any(len(stem_content(text) - held) > _LABEL_WORDS for text in told)


def _name(topic: Topic) -> str:
    return topic.name.replace("-", " ")


def _is_linked(topic: Topic, scope: ScopeSnapshot) -> bool:
    """Tell whether another text refers to the topic or its file; then it must be kept."""
    names = list_names(topic)
    texts = [other.text for other in scope.topics if other is not topic]
    texts += [line.text for line in scope.index.lines if not line.plain] if scope.index else []
    file = str(topic.path.relative_to(scope.scope.path))
    if any(file in text for text in texts):
        return True
    return any(fold_name(link.partition("]]")[0]) in names for text in texts for link in text.split("[[")[1:])
