"""Which of the things that people said are certainly worth remembering, and which are only offered to a person."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memci.model.memory import TopicType
from memci.model.session import Origin, Place, Signal, SignalKind, Turn, TurnedDown
from memci.patterns import LazyPattern
from memci.prose.fold import plain
from memci.prose.polarity_words import has_change, is_denied
from memci.prose.sentences import TYPED_END
from memci.prose.similar import stem_content
from memci.redaction.secrets import REDACTED
from memci.signals.cues import choose_tables
from memci.signals.dating import date_words
from memci.signals.foreign import find_foreign_rules
from memci.signals.retract import drop_taken_back, takes_back, wants_forgotten
from memci.signals.sentences import Cue, TypedSentence, begins_inside, count_words, find_cue, rank_offer, split_typed

# A certain cue that refers to something else is the best candidate.
_MOST = 9
# So many candidates are shown for each signal that is written.
_OFFERED_PER_WRITTEN = 3
# A sentence of so many words goes on with the one before it.
_FEW = 5
# A word of two messages, and so many of them.
_TWICE = 2
_SUBJECT = 2
_CLAUSE = LazyPattern(r"[,;，；、]\s*|\s[-–—]\s")
# A first clause of fewer words says nothing on its own: "sqlite, one file, wal".
_CLEAR = 3
# All of such a message is about one thing.
_SHORT = 240
_KINDS = {
    "remember": SignalKind.REMEMBER,
    "forget": SignalKind.FORGET,
    "person": SignalKind.PERSON,
    "place": SignalKind.REFERENCE,
    "rule": SignalKind.PREFERENCE,
    "decision": SignalKind.DECISION,
}
_TYPES = {"person": TopicType.USER, "place": TopicType.REFERENCE, "decision": TopicType.PROJECT}
# "The password of the box is purple-lamp": a value of plain words has no form of its own.
_CREDENTIAL = LazyPattern(
    r"(?i)(?:pass(?:word|phrase|code|wort)|kennwort|mot de passe|contraseña|senha|\bpin\b|парол"
    r"|パスワード|密码|비밀번호)"
    r"[^.!?\n]{0,60}?(?:\b(?:is|was|ist|lautet|est|es|é)\b|[=:：は是은는])\s*"
    r"[\"'`]?(?:\S*[-\d_!@#$%&*]\S*|\w+)[\"'`.!]*$"
)
_ENDS_RULE = LazyPattern("no longer|any ?more|changed my mind|switched|nicht mehr|ya no|больше не|不再")
_REASONS = {
    "remember": "asks to remember it",
    "forget": "asks to forget it",
    "person": "says who the person is",
    "place": "says where something is",
    "rule": "states a standing rule",
    "decision": "states a decision",
}
_OFFERED = "may be worth remembering; not certain"


@dataclass(frozen=True, slots=True)
class FoundSignals:
    """What is certain, what a person may accept, best first, and what was turned down although it looked like it."""

    signals: tuple[Signal, ...] = ()
    turned_down: tuple[TurnedDown, ...] = ()
    offered: tuple[Signal, ...] = ()


def find_signals(turns: Iterable[Turn]) -> FoundSignals:
    """Find the signals in what people typed; turns of other origins say nothing."""
    signals: list[Signal] = []
    offered: list[tuple[int, Signal]] = []
    down: list[TurnedDown] = []
    spoken = say_once(turns)
    for turn in spoken:
        down += (_refuse(turn, words, why) for words, why in find_foreign_rules(turn))
        for signal, rank in read_message(turn):
            objection = _find_objection(turn, signal)
            if objection:
                down += () if rank else (_refuse(turn, signal.text, objection),)
            elif rank:
                offered.append((rank, signal))
            else:
                signals.append(signal)
    kept, back = drop_taken_back(signals, spoken)
    open_again = _find_open_again(kept, spoken)
    kept = tuple(signal for signal in kept if signal.id not in open_again)
    offered += ((_MOST, signal) for signal in signals if signal.id in open_again)
    candidates, gone = drop_taken_back([signal for _, signal in offered], spoken)
    ranks = {signal.id: rank for rank, signal in offered}
    best = sorted(candidates, key=lambda signal: -ranks[signal.id])
    return FoundSignals(kept, (*down, *back, *(one for one in gone if one.reason == "taken back later")), tuple(best))


def _find_open_again(signals: Sequence[Signal], turns: Sequence[Turn]) -> set[str]:
    """Return the signals whose subject comes up once more, later: only a reader can tell whether they still hold.

    A subject is known by two words that just these two messages have; beside a denial also by half of its words, or by
    a number or a name such as `date-fns`.
    """
    said = [(turn, stem_content(turn.typed)) for turn in turns]
    counts = Counter(stem for _, stems in said for stem in stems)
    own = {(signal.session, signal.uuid): stem_content(signal.rule) for signal in signals}
    found: set[str] = set()
    for signal in signals:
        stems = own[signal.session, signal.uuid]
        rare = {stem for stem in stems if counts[stem] == _TWICE}
        for turn, others in said:
            later = turn.timestamp and signal.timestamp and turn.timestamp > signal.timestamp
            same = len(rare & others) >= _SUBJECT or (stems & others and _is_denied_in(stems, turn.typed))
            known = (turn.session, turn.uuid) in own
            # One word is enough to name what to forget, if few messages have it.
            few = {stem for stem in stems & others if counts[stem] <= _TWICE + 1}
            forgotten = any(few & stem_content(part) and wants_forgotten(part) for part in TYPED_END.split(turn.typed))
            if later and ((same and not known) or (few and forgotten)):
                found.add(signal.id)
    return found


def _is_denied_in(stems: frozenset[str], typed: str) -> bool:
    """Tell whether a sentence that denies or ends something has half of these words, or a number or a name of them."""
    for sentence in TYPED_END.split(typed):
        shared = stems & stem_content(sentence)
        near = len(shared) >= max(_SUBJECT, len(stems) / 2) or not all(map(str.isalpha, shared))
        if near and (is_denied(sentence) or has_change(sentence)):
            return True
    return False


def limit_offered(offered: Sequence[Signal], written: int) -> tuple[Signal, ...]:
    """Return the best candidates: few enough to be read."""
    return tuple(offered[: _OFFERED_PER_WRITTEN * max(1, written)])


def read_message(turn: Turn) -> Iterator[tuple[Signal, int]]:
    """Yield the statements of a message, with 0 if they are certain, else with how much speaks for them."""
    sentences = [sentence for sentence in split_typed(turn.typed) if turn.is_typed(sentence.start, sentence.end)]
    cues = [find_cue(sentence.folded) for sentence in sentences]
    number = 0
    while number < len(sentences):
        sentence, cue = sentences[number], cues[number]
        if cue:
            last = _reach_on(turn, sentences, cues, number)
            signal = _make_signal(turn, sentences[number : last + 1], cue)
            yield signal, _MOST if _is_unclear(signal, cue, turn) else 0
            number = last + 1
            continue
        rank = rank_offer(sentence.folded)
        if rank > 1:
            yield _offer(turn, sentence), rank
        number += 1


def _is_unclear(signal: Signal, cue: Cue, turn: Turn) -> bool:
    """Tell whether a topic would not say what is meant: it needs the words before it, or an aside taken out."""
    if cue.kind in {"rule", "remember"} and cue.table.against["unclear"].search(plain(signal.rule)):
        return True
    first, *rest = _CLAUSE.split(plain(signal.rule)) if cue.kind in {"rule", "decision"} else [""]
    # "Whenever X, Y" needs both.
    if rest and "," not in cue.words and (count_words(first) < _CLEAR or _speaks_of_self(" ".join(rest), cue)):
        return True
    return turn.place is Place.ANSWER and cue.kind in {"rule", "decision"} and not signal.why


def _speaks_of_self(folded: str, cue: Cue) -> bool:
    """Tell whether the person is in it: behind a rule that is what they think of it."""
    return any(f" {word} " in f" {folded} " for word in cue.table.self_words)


def _reach_on(turn: Turn, sentences: Sequence[TypedSentence], cues: Sequence[Cue | None], number: int) -> int:
    """Return the last sentence of a statement: reasons said as such, and more about the same belong to it."""
    last = number
    while last + 1 < len(sentences) and sentences[last + 1].line == sentences[number].line and last - number < 3:
        following = sentences[last + 1]
        more = cues[last + 1] and (count_words(following.folded) <= _FEW or _shares(turn, sentences[last], following))
        if not _is_reason(following) and not more:
            break
        last += 1
    return last


def _is_reason(sentence: TypedSentence) -> bool:
    return any(table.reason_sentence.search(sentence.folded) for table in choose_tables(sentence.folded))


def _shares(turn: Turn, one: TypedSentence, other: TypedSentence) -> bool:
    words = [stem_content(turn.text[sentence.start : sentence.end]) for sentence in (one, other)]
    return bool(words[0] & words[1])


def _make_signal(turn: Turn, sentences: Sequence[TypedSentence], cue: Cue) -> Signal:
    first = sentences[0]
    start = first.start + begins_inside(first.folded, cue)
    if turn.text[first.end - 1] == "?":
        # A polite question says its rule behind the opening, which ends with the cue.
        first = replace(first, end=first.end - 1)
        sentences = [first]
        start += cue.words.rfind(" ") + 1
    reasons = [sentence for sentence in sentences[1:] if _is_reason(sentence)]
    end = (sentences[-len(reasons) - 1] if reasons else sentences[-1]).end
    rule = turn.text[start:end]
    last = sentences[-1]
    behind = start - first.start + 1 if last is first else 0
    reason = None if reasons else cue.table.reason.search(last.folded, behind)
    why = ""
    if reason and reason.start() >= behind:
        rule, why = turn.text[start : last.start + reason.start()], turn.text[last.start + reason.end() : last.end]
    elif reasons:
        why = turn.text[reasons[0].start : sentences[-1].end]
    head, colon, rest = rule.partition(": ")
    if cue.kind in {"remember", "forget"}:
        rule = _strip_request(rule, cue)
    # The words before the colon only announce it.
    elif colon and cue.table.against["unclear"].search(plain(head)):
        rule = rest
    signal = _signal(turn, turn.text[start : sentences[-1].end], cue.kind)
    topic = _choose_type(rule, cue)
    corrects = turn.place is Place.REJECTION or _corrects(turn, first)
    kind = SignalKind.CORRECTION if corrects and cue.kind == "rule" else signal.kind
    return _date(
        replace(
            signal, rule=rule.strip(), why=why.strip(" ,;:"), kind=kind, type=topic, reverses=_reverses(turn, first)
        ),
        turn,
    )


def _strip_request(rule: str, cue: Cue) -> str:
    """Return what to remember without the request."""
    rest = rule[len(cue.words) :].lstrip(" :,") if rule.lower().startswith(cue.words) else rule
    return rest if len(rest) > 3 else rule


def _choose_type(rule: str, cue: Cue) -> TopicType:
    if cue.kind in _TYPES:
        return _TYPES[cue.kind]
    if cue.kind == "rule":
        return TopicType.FEEDBACK
    inner = find_cue(rule.lower())
    if inner and inner.kind != "remember":
        return _TYPES.get(inner.kind, TopicType.FEEDBACK)
    return TopicType.FEEDBACK if cue.words.endswith(" to") or cue.kind == "forget" else TopicType.PROJECT


def _corrects(turn: Turn, first: TypedSentence) -> bool:
    opening = turn.text[: first.end].lstrip().lower()
    return opening.startswith(("no", "stop", "nein", "non", "нет", "不", "いや", "아니"))


def _reverses(turn: Turn, sentence: TypedSentence) -> bool:
    """Tell whether an older rule ends; people say so in the sentence or in one beside it."""
    folded = plain(turn.typed) if len(turn.typed) <= _SHORT else sentence.folded
    return _ENDS_RULE.search(folded) is not None


def _offer(turn: Turn, sentence: TypedSentence) -> Signal:
    lead = max((table.lead.match(sentence.folded).end() for table in choose_tables(sentence.folded)), default=0)  # type: ignore[union-attr]
    text = turn.text[sentence.start + min(lead, len(sentence.folded) - 1) : sentence.end].strip()
    signal = _signal(turn, text or turn.text[sentence.start : sentence.end], "rule")
    return _date(replace(signal, rule=signal.text, reason=_OFFERED), turn)


def _signal(turn: Turn, text: str, kind: str) -> Signal:
    return Signal(
        turn.session, turn.uuid, turn.timestamp, turn.origin, _KINDS[kind], _TYPES.get(kind, TopicType.FEEDBACK), text,
        text, reason=_REASONS[kind], agent=turn.agent,
    )  # fmt: skip


def _date(signal: Signal, turn: Turn) -> Signal:
    day = turn.timestamp.astimezone(dt.UTC).date() if turn.timestamp else None
    event = signal.type is TopicType.PROJECT
    return replace(signal, rule=date_words(signal.rule, day, event=event), why=date_words(signal.why, day, event=event))


def _find_objection(turn: Turn, signal: Signal) -> str:
    """Return why a statement is no source of a memory; a secret may be in another part of its sentence."""
    if turn.place is Place.COMMAND:
        return "the argument of a command"
    if _CREDENTIAL.search(signal.text):
        return "may hold a secret"
    start = turn.text.find(signal.text)
    end = start + len(signal.text)
    if takes_back(turn.typed[end:]):
        return "taken back in the same message"
    first = max((found.end() for found in TYPED_END.finditer(turn.text, 0, start)), default=0)
    last = TYPED_END.search(turn.text, max(start, end - 1))
    return "held a secret" if REDACTED in turn.text[first : last.end() if last else len(turn.text)] else ""


def say_once(turns: Iterable[Turn]) -> list[Turn]:
    """Return what people said, by session and time; the same words queued and sent count once."""
    earliest = dt.datetime.min.replace(tzinfo=dt.UTC)
    spoken = [turn for turn in turns if turn.origin in {Origin.PERSON, Origin.LOG}]
    # Without a time, the order in which they come is all there is.
    spoken.sort(key=lambda turn: (turn.session, turn.timestamp or earliest, turn.uuid if turn.timestamp else ""))
    kept: list[Turn] = []
    places: dict[tuple[str, str], Place] = {}
    for turn in spoken:
        before = places.setdefault((turn.session, " ".join(turn.text.split())), turn.place)
        if before is turn.place or Place.QUEUED not in {before, turn.place}:
            kept.append(turn)
    return kept


def _refuse(turn: Turn, text: str, reason: str) -> TurnedDown:
    return TurnedDown(turn.session, turn.uuid, turn.timestamp, turn.origin, text, reason)
