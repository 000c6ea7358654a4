"""Finds pairs of statements that cannot both be true: they differ in a negation, a value or a name."""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.model.memory import Topic
from memci.patterns import LazyPattern
from memci.prose.fold import word_set
from memci.prose.similar import NEGATIONS, STOP_WORDS, is_same_word, stem, stem_words, tokenise
from memci.prose.statements import Statement, StatementKind, is_negated, split_body, stem_titles

# With fewer words the subject is in the name of the topic, not in the statement.
_SELF_CONTAINED = 4
# Longer statements never occur twice with one word changed.
_MAX_WORDS = 60
# One sentence with more values is a template ("Handles 10 rows", "Handles 100 rows", …), not a contradiction.
_MAX_VALUES = 3
# A statement is compared with at most this many earlier ones on the same subject, so that the work stays linear.
_MAX_TWINS = 50
# Cached topics: more than one run creates.
_KEPT = 16_384


# What turns a whole statement around; "without" only denies a part of it.
_FLIPS = NEGATIONS - word_set("nor none neither without ohne sans sin tampoco") | word_set("""
    não niet nooit geen non mai не никогда
""")
# Emphasis and auxiliary verbs: "use", "always use", "you must use" are one action.
_DROPPED = STOP_WORDS | word_set("""
    always ever longer don doing being
    immer stets müssen dürfen darf sollte sollen kann können
    toujours ne doit doivent peut faut
    siempre debe deben puede
""")
_OPPOSITES = {
    "disabled": "enabled", "disable": "enable", "disables": "enables", "disabling": "enabling", "false": "true",
    "forbidden": "allowed", "prohibited": "allowed", "disallowed": "allowed", "banned": "allowed",
    "verboten": "erlaubt", "deaktiviert": "aktiviert", "interdit": "autorisé", "désactivé": "activé",
    "prohibido": "permitido", "desactivado": "activado", "deshabilitado": "habilitado",
}  # fmt: skip
_FORMS = {"using": "use", "uses": "use", "permitted": "allowed", "allow": "allowed", "allows": "allowed"}
_CJK_OPPOSITES = {
    "しないでください": "してください", "わないでください": "ってください", "てはいけません": "てください",
    "てはいけない": "てください", "てはならない": "てください", "しないこと": "すること", "わないこと": "うこと",
    "しません": "します", "ではありません": "です", "ではない": "である", "ていない": "ている", "できない": "できる",
    "しない": "する", "わない": "う", "らない": "る", "かない": "く", "無効": "有効",
    "不允许": "允许", "不使用": "使用", "禁用": "启用", "停用": "启用", "不是": "是", "没有": "有", "不能": "能",
    "不应": "应", "不会": "会", "不可": "可", "不用": "用", "不需要": "需要", "不得": "", "不要": "", "禁止": "",
    "切勿": "", "绝不": "", "从不": "",
}  # fmt: skip
_CJK_EMPHASIS = "始终|总是|一直|必须|务必|应该|应当|必ず|常に|絶対に|決して"
# A number after one of these identifies a thing ("step 3"); it is not a value.
_COUNTED = word_set("""
    phase step round issue pr section line chapter item task wave stage part level case figure table commit milestone
    sprint iteration ticket batch option example tier job rule test run week day version v story epic
    schritt abschnitt zeile seite étape ligne paso línea
""")
_COPULAS = word_set("is are ist sind est sont es son")
_STATING = _COPULAS | word_set(
    "must should shall may can has have needs need takes requires limit default max min darf muss"
)
_EXAMPLE_LABELS = word_set("""
    bad good wrong right incorrect correct do don't dont avoid prefer before after old new actual expected yes no pros
    cons example examples anti-pattern anti-patterns schlecht gut falsch richtig mauvais bon malo bueno
""")
# Opposite rules for two different places do not contradict each other.
_PLACES = frozenset(
    map(
        stem,
        word_set("""
            local locally dev development staging stage prod production ci preview windows linux macos mac android
            ios web mobile desktop frontend backend client server unit integration e2e
        """),
    )
)


_VALUE = LazyPattern(r"\d+(?:[.:]\d+)*([a-z]{0,3})")


def _history() -> str:
    words = """until was were used.to previously formerly originally initially at.first at.the.time back.then earlier
        temporarily switched war waren früher bisher était étaient autrefois era eran anteriormente"""
    return rf"\b(?:(?:19|20)\d\d|{'|'.join(words.split())})\b|以前|之前|曾|旧|でした|だった|ました|かつて"


_HISTORY = LazyPattern(_history)


def _partial() -> str:
    # "Not only", "not always" and similar phrases negate the limit, not the statement.
    limits = "only just always all every yet necessarily nur immer alle seulement toujours solo sólo siempre todos"
    return rf"\b(?:not|nicht|pas|no) (?:{'|'.join(limits.split())})\b|不仅|不只|だけで|[❌✅✗✓✘✔👍👎🚫⛔🔴🟢]"


_PARTIAL = LazyPattern(_partial)
_CJK_DENIALS = LazyPattern(lambda: "|".join(sorted(_CJK_OPPOSITES, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class StatementSource:
    """Where statements come from: a topic or the index."""

    path: PurePosixPath
    name: frozenset[str]
    places: frozenset[str]


@dataclass(frozen=True, slots=True)
class OpinionReading:
    """A statement, parsed for the search for contradictions."""

    source: StatementSource
    statement: Statement
    # The content words, in order.
    content: tuple[str, ...]
    # The same with "#" for every number that is a value, and those numbers.
    shape: tuple[str, ...]
    values: tuple[str, ...]
    flips: int
    # Where in `content` the part after the last negation begins.
    turn: int
    # Whether it has a verb that assigns a value; a line of figures has none.
    stated: bool
    # Whether the last word is the value of the rest ("The default branch is main").
    named: bool


# The subject of a statement, the opinion on it, and the statement.
About = tuple[tuple[object, ...], object, OpinionReading]


def find_opposed(topic: Topic, others: Iterable[Topic]) -> Iterator[tuple[Statement, PurePosixPath, Statement]]:
    """Yield the statements of `topic` that `others` contradict, with the file and the statement that does."""
    said = {other.path: _keep_apart(*split_topic(other)) for other in others}
    said[topic.path] = take_apart(*split_topic(topic))
    # Only statements on the same subject can clash.
    wanted = {key for key, _, _ in said[topic.path]}
    found = (each for path in sorted(said) for each in said[path] if each[0] in wanted)
    for pair in find_clashes(found):
        for one, other in (pair, pair[::-1]):
            if one.source.path == topic.path != other.source.path:
                yield one.statement, other.source.path, other.statement


def find_clashes(found: Iterable[About]) -> list[tuple[OpinionReading, OpinionReading]]:
    """Return the pairs of statements that cannot both be true, in order."""
    buckets: dict[tuple[object, ...], list[tuple[object, OpinionReading]]] = {}
    for key, said, reading in found:
        buckets.setdefault(key, []).append((said, reading))
    pairs = {pair for bucket in buckets.values() for pair in _pair_opposed(bucket)}
    return sorted(pairs, key=lambda pair: [(side.source.path, side.statement.line) for side in pair[::-1]])


def split_topic(topic: Topic) -> tuple[StatementSource, str, int]:
    """Return the source of a topic's statements, its body, and the line on which the body starts."""
    return _read_source(topic.path, topic.name, topic.description), topic.body, topic.body_line


@functools.lru_cache(maxsize=_KEPT)
def _read_source(path: PurePosixPath, title: str, description: str) -> StatementSource:
    name = stem_titles((title or path.stem).replace("_", " ").replace("-", " "))
    return StatementSource(path, name, name.union(stem_words(description)) & _PLACES)


def take_apart(source: StatementSource, body: str, line: int) -> tuple[About, ...]:
    """Return subject and opinion of each statement of a body; history, examples and questions are skipped."""
    found = (part for statement in split_body(body, line) for part in _split_clauses(statement))
    readings = (_read(source, part) for part in found)
    return tuple((key, said, reading) for reading in readings if reading for key, said in _say(reading))


# Many additions to one scope are compared with the same old topics.
_keep_apart = functools.lru_cache(maxsize=_KEPT)(take_apart)


def _split_clauses(statement: Statement) -> Iterator[Statement]:
    """Yield a statement and the clauses between its semicolons, unless they are about one place or have code."""
    yield statement
    clauses = statement.text.split("; ")
    if len(clauses) > 1 and "`" not in statement.text and _PLACES.isdisjoint(stem_words(statement.text)):
        yield from (replace(statement, text=clause) for clause in clauses)


def _read(source: StatementSource, statement: Statement) -> OpinionReading | None:
    """Parse a statement; None if it is history, an example, a question, or too long."""
    if _is_no_claim(statement):
        return None
    text, flips = _turn_cjk(re.sub(r"#(?=\d)", "no_", statement.text))
    words = tokenise(text)
    if len(words) > _MAX_WORDS:
        return None
    content: list[str] = []
    shape: list[str] = []
    values: list[str] = []
    turn = 0
    for place, word in enumerate(words):
        if word in _FLIPS or word in _OPPOSITES:
            flips += 1
            turn = len(content)
        plain = _FORMS.get(word, _OPPOSITES.get(word, word))
        if word in _FLIPS or plain in _DROPPED:
            continue
        value = _VALUE.fullmatch(word) if content and words[place - 1] not in _COUNTED else None
        if value:
            values.append(word)
        content.append(plain)
        shape.append(f"#{value[1]}" if value else plain)
    stated = not _STATING.isdisjoint(words) or re.search("[是为為はが]", text) is not None
    # At most an article is between the verb and the word.
    verb = words[-3:-1] if words[-2:-1] and words[-2] in STOP_WORDS else words[-2:-1]
    named = len(content) > 2 and words[-1] == content[-1] and not _COPULAS.isdisjoint(verb)
    if len(content) < 2 or ("no" in words and len(content) < 3):
        return None
    return OpinionReading(source, statement, tuple(content), tuple(shape), tuple(values), flips, turn, stated, named)


def _is_no_claim(statement: Statement) -> bool:
    text = statement.text.lower()
    return (
        statement.kind in {StatementKind.ROW, StatementKind.QUOTE}
        or text.endswith(("?", "？", ":", "："))
        or is_negated(statement)
        or _HISTORY.search(text) is not None
        or _PARTIAL.search(text) is not None
        or _are_examples(statement.label, *statement.section)
    )


# The statements of one section share their titles.
@functools.lru_cache(maxsize=_KEPT)
def _are_examples(*titles: str) -> bool:
    """Whether one of the titles above a statement limits it, or says that examples follow."""
    plain = [title.lower().strip("*_:： ") for title in titles]
    return any(_PARTIAL.search(title) for title in plain) or any(
        len(title.split()) <= 3 and _EXAMPLE_LABELS.intersection(title.split()) for title in plain
    )


def _turn_cjk(text: str) -> tuple[str, int]:
    """Rewrite denials as affirmations, and count them."""
    if text.isascii():
        return text, 0
    return _CJK_DENIALS.subn(lambda found: _CJK_OPPOSITES[found[0]], re.sub(_CJK_EMPHASIS, "", text))


def _say(reading: OpinionReading) -> Iterator[tuple[tuple[object, ...], object]]:
    """Yield subject and opinion of the statement for each way in which it can be contradicted."""
    stems = tuple(map(stem, reading.content))
    negated = reading.flips % 2 == 1
    if reading.flips < 2:
        yield ("polarity", stems), negated
    if reading.values and len(reading.shape) - len(reading.values) >= 2:
        yield ("value", tuple(map(stem, reading.shape)), negated), reading.values
    if reading.named and not reading.values and not reading.flips:
        yield ("name", stems[:-1]), stems[-1]
    behind, before = frozenset(stems[reading.turn :]), frozenset(stems[: reading.turn])
    if reading.flips == 1 and reading.turn and len(behind) <= 3 and not behind & before:
        yield ("exchange", behind | before), behind


def _pair_opposed(bucket: Sequence[tuple[object, OpinionReading]]) -> Iterator[tuple[OpinionReading, OpinionReading]]:
    """Yield, for each further opinion on one subject, the first statement that differs and the statement itself."""
    opinions = {said for said, _ in bucket}
    if not 1 < len(opinions) <= _MAX_VALUES:
        return
    reported = {bucket[0][0]}
    for place, (said, reading) in enumerate(bucket):
        if said in reported:
            continue
        # A sentence that occurs more often than this, each time on another subject, is a template.
        for other_said, other in bucket[: min(place, _MAX_TWINS)]:
            if other_said != said and _differ(other_said, said) and _can_clash(other, reading):
                reported.add(said)
                yield other, reading
                break


def _differ(one: object, other: object) -> bool:
    match one, other:
        case frozenset(), frozenset():
            return one.isdisjoint(other)
        case tuple(), tuple():
            return [a == b for a, b in zip(one, other, strict=True)].count(False) == 1
        case _:
            return True


def _can_clash(one: OpinionReading, other: OpinionReading) -> bool:
    """Tell whether two statements are about one thing in one place."""
    if any(stem(a) == stem(b) and not is_same_word(a, b) for a, b in zip(one.shape, other.shape, strict=False)):
        return False
    sections = [stem_titles(*side.statement.section) for side in (one, other)]
    places = [side.source.places | (section & _PLACES) for side, section in zip((one, other), sections, strict=True)]
    if sections[0] & _PLACES != sections[1] & _PLACES or (all(places) and places[0] != places[1]):
        return False
    said = frozenset(map(stem, one.content))
    if one.source == other.source:
        return sections[0] - said == sections[1] - said and (one.stated or one.values == other.values)
    if one.values or len(said) < _SELF_CONTAINED:
        sections = [section | side.source.name for side, section in zip((one, other), sections, strict=True)]
    return not (sections[0] - sections[1] - said and sections[1] - sections[0] - said)
