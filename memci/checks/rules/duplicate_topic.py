"""duplicate-topic: two topics of one scope say the same."""

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import ScopeSnapshot, Topic
from memci.prose.similar import (
    NEAR,
    Phrase,
    Profile,
    find_alike,
    find_similar_pairs,
    is_near_equal,
    profile,
    read_phrases,
    tokenise,
)
from memci.prose.statements import (
    Statement,
    group_statements,
    is_negated,
    is_reason,
    list_fenced_lines,
    make_key,
    match_said,
    split_body,
    stem_titles,
)

# "TODO" in two files is no duplicate; "Use tabs" is.
_MIN_EQUAL = 2
# A statement of three words or fewer occurs in texts about other things, too.
_MIN_CONTAINED = 4


class _Likeness(enum.Enum):
    EQUAL = "says the same as"
    INSIDE = "says only what is already said in"
    AROUND = "repeats all of"
    NEAR = "says nearly the same as"


class _Said(NamedTuple):
    """A topic as the rule compares it; statements that give reasons are left out."""

    topic: Topic
    key: tuple[str, ...]
    statements: tuple[Statement, ...]
    phrases: Mapping[str, Phrase]
    stems: frozenset[str]
    fenced: frozenset[str]


def check(material: Material) -> Findings:
    """Find topics whose statements are all in another topic of the same scope."""
    for scope in material.snapshot.scopes:
        yield from _check_scope(scope)


def _check_scope(scope: ScopeSnapshot) -> Findings:
    said = [found for topic in sorted(scope.topics, key=lambda topic: topic.path) if (found := _read(topic))]
    # A pair within a group that is already connected would only repeat what was reported.
    groups = list(range(len(said)))
    for first, second, likeness in sorted(_match_pairs(said), key=lambda pair: (pair[1], pair[0], pair[2].value)):
        if _root(groups, first) == _root(groups, second):
            continue
        groups[_root(groups, second)] = _root(groups, first)
        other = said[first].topic.path.relative_to(scope.scope.path)
        yield RULE.finding(
            path=said[second].topic.path,
            line=said[second].statements[0].line,
            message=f"{likeness.value} `{other}`",
            suggestion="keep one of the two, move into it what only the other says, and drop the other's index line",
            key=str(other),
        )


def _root(groups: list[int], place: int) -> int:
    while groups[place] != place:
        groups[place] = groups[groups[place]]
        place = groups[place]
    return place


def _read(topic: Topic) -> _Said | None:
    statements = split_body(topic.body, topic.body_line)
    main = tuple(found for found in statements if not is_reason(found)) or tuple(statements)
    phrases = read_phrases(found.text for found in main)
    if sum(len(tokenise(phrase.text)) for phrase in phrases.values()) < _MIN_EQUAL:
        return None
    stems = frozenset(stem for phrase in phrases.values() for stem in phrase.stems)
    return _Said(topic, make_key(topic.body, statements), main, phrases, stems, list_fenced_lines(topic.body))


def _match_pairs(said: Sequence[_Said]) -> Iterator[tuple[int, int, _Likeness]]:
    """Yield pairs of positions, the smaller first; of equal topics only the first meets the others."""
    first: dict[tuple[str, ...], int] = {}
    for place, one in enumerate(said):
        if first.setdefault(one.key, place) != place:
            yield first[one.key], place, _Likeness.EQUAL
    places = [place for place in first.values() if len(said[place].stems) >= _MIN_CONTAINED]
    contained = set(_match_contained([said[place] for place in places]))
    for inner, outer in contained:
        if (outer, inner) in contained:
            yield places[min(inner, outer)], places[max(inner, outer)], _Likeness.NEAR
        elif places[inner] < places[outer]:
            yield places[inner], places[outer], _Likeness.AROUND
        else:
            yield places[outer], places[inner], _Likeness.INSIDE
    for first_at, second_at in find_similar_pairs([said[place].stems for place in places], NEAR):
        low, high = said[places[first_at]], said[places[second_at]]
        near = is_near_equal(_profile(low), _profile(high))
        if near and low.fenced == high.fenced and _is_one_subject(low, high):
            yield places[first_at], places[second_at], _Likeness.NEAR


def _profile(said: _Said) -> Profile:
    return profile(" ".join(found.text for found in said.statements))


def _is_one_subject(one: _Said, other: _Said) -> bool:
    sections = [stem_titles(*(title for found in side.statements for title in found.section)) for side in (one, other)]
    negated = [[is_negated(found) for found in side.statements] for side in (one, other)]
    return sections[0] == sections[1] and any(negated[0]) == any(negated[1])


def _match_contained(said: Sequence[_Said]) -> Iterator[tuple[int, int]]:
    """Yield (inner, outer) where the outer topic has every statement of the inner one."""
    alike = find_alike({key: phrase for one in said for key, phrase in one.phrases.items()})
    holders: dict[str, list[int]] = {}
    for place, one in enumerate(said):
        for text in one.phrases:
            holders.setdefault(text, []).append(place)
    for inner, one in enumerate(said):
        # Only a topic with the rarest statement can have them all.
        rarest = min(one.phrases, key=lambda text: sum(len(holders[near]) for near in alike[text]))
        for outer in sorted({place for near in alike[rarest] for place in holders[near]} - {inner}):
            groups = group_statements(said[outer].statements)
            code = one.fenced <= said[outer].fenced
            if code and all(match_said(found, groups, alike) for found in one.statements):
                yield inner, outer


RULE = Rule(
    id="duplicate-topic",
    group=Group.CONTENT,
    severity=Severity.WARNING,
    summary="Two topics of one scope say the same.",
    why="The agent pays for both, and when one of them is corrected the other goes on saying the old thing.",
    example="`test-database.md`: Integration tests use a real Postgres, never mocks.\n"
    "`db-in-tests.md`: Integration tests use a real Postgres, never mocks!",
    remedy="Keep one of the two, move into it what only the other says, and drop the other's index line.",
    check=check,
)
