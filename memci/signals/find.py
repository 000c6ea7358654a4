"""Which of the things that people said are certainly worth remembering, and which are only offered to a person."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memci.model.memory import TopicType
from memci.model.session import Origin, Place, Signal, SignalKind, Turn, TurnedDown
from memci.patterns import LazyPattern
from memci.prose.fold import plain
from memci.prose.polarity_words import has_change, is_denied
from memci.prose.sentences import TYPED_END
from memci.prose.similar import NEGATIONS, stem_content
from memci.redaction.secrets import REDACTED, tells_password
from memci.signals.clear import OWN_SUBJECT, is_clear, is_reason
from memci.signals.cues import choose_tables
from memci.signals.dating import date_words
from memci.signals.foreign import find_foreign_rules
from memci.signals.retract import drop_taken_back, names_subject, takes_back, wants_forgotten
from memci.signals.sentences import CUED, Cue, TypedSentence, count_words, find_cue, rank_offer, skip_lead, split_typed

# A certain cue that refers to something else is the best candidate.
_MOST = 9
# So many candidates are shown for each signal that is written.
_OFFERED_PER_WRITTEN = 3
# A word of two messages, and so many of them.
_TWICE = 2
# A shorter word that only two messages have may be any.
_TELLING = 3
_SUBJECT = 2
# Of so many messages behind a rule, those of at most so many words may have no subject of their own.
_SOON = 2
_REPLY = 20
# All of such a message is about one thing.
_SHORT = 240
# The kind and type of a signal by the class of its cue, and why it counts.
_CLASSES = {
    "remember": (SignalKind.REMEMBER, TopicType.FEEDBACK, "asks to remember it"),
    "forget": (SignalKind.FORGET, TopicType.FEEDBACK, "asks to forget it"),
    "person": (SignalKind.PERSON, TopicType.USER, "says who the person is"),
    "place": (SignalKind.REFERENCE, TopicType.REFERENCE, "says where something is"),
    "rule": (SignalKind.PREFERENCE, TopicType.FEEDBACK, "states a standing rule"),
    "decision": (SignalKind.DECISION, TopicType.PROJECT, "states a decision"),
}
_ENDS_RULE = LazyPattern("no longer|any ?more|changed my mind|switched|nicht mehr|ya no|больше не|不再")
_STOPS = LazyPattern(r"\b(?:stop|no need|hör auf|arrête|deja de|para de|перестань)\b")
# The agent asked for a text of somebody else.
_ASKS_FOR_PASTE = LazyPattern(r"\b(?:paste|füg\w*|coll(?:e|ez|er)|pega\w*|cola|cole|colar|встав\w+)\b|貼|粘|붙여")
# "Sorry, that was for somebody else."
_BEGINNING = 10
_SENTENCE_WORDS = 12
_FEW = 4
# "Thanks, that is all for today" takes nothing back, if it is all.
_PARTING = 7
_THANKS = LazyPattern(
    r"\b(?:thanks|thank you|thx|danke|merci|gracias|obrigad[oa])\b|спасибо|ありがとう|고마|감사|谢谢|謝謝"
)
# A single word behind a rule says yes or go on, or else something about the rule.
_GOES_ON = LazyPattern(
    r"\W*(?:ok|okay|y|yes|yep|yeah|go|continue|thanks|done|next|ок|да|ja|weiter|oui|si|sí|はい|네|好|/\S+)\W*"
)
_SENTENCE = LazyPattern(r"(?:[^.!?。！？\n]|[.](?=\w))+[.!?。！？]*")
_COURTESY = LazyPattern(r"(?i)[,.]?\s+(?:please|pls|thanks|thx|thank you|ok|bitte|danke|merci|svp|gracias)[.!]*$")
_QUOTES = tuple('"“”„«»‹›「『‘')
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
    cued = (*kept, *(each for rank, each in offered if rank >= CUED))
    open_again = _find_open_again(kept, spoken, cued) | _find_answered(kept, spoken, [signal for _, signal in offered])
    kept = tuple(signal for signal in kept if signal.id not in open_again)
    offered += ((_MOST, signal) for signal in signals if signal.id in open_again)
    candidates, gone = drop_taken_back([signal for _, signal in offered], spoken)
    ranks = {signal.id: rank for rank, signal in offered}
    best = sorted(candidates, key=lambda signal: -ranks[signal.id])
    return FoundSignals(kept, (*down, *back, *(one for one in gone if one.reason == "taken back later")), tuple(best))


def _find_open_again(signals: Sequence[Signal], turns: Sequence[Turn], cued: Sequence[Signal]) -> set[str]:
    """Return the signals whose subject comes up once more, later: only a reader can tell whether they still hold.

    A subject is known by two words that just these two messages have; beside a denial also by half of its words, or by
    a number or a name such as `date-fns`. A message with a cue says a rule of its own, a certain one even
    where it denies something, unless it ends a rule.
    """
    known = {(signal.session, signal.uuid) for signal in cued}
    kept = {(signal.session, signal.uuid) for signal in signals if not _ends_something(signal)}
    said = [(turn, _list_subjects(turn.typed), _list_subjects(turn.told)) for turn in turns]
    counts = Counter(stem for _, stems, _ in said for stem in stems)
    # In doubt something was taken back: what may be a report counts where one name is enough.
    told = Counter(stem for *_, stems in said for stem in stems)
    found: set[str] = set()
    for signal in signals:
        stems = _list_subjects(signal.rule)
        rare = {stem for stem in stems if counts[stem] == _TWICE}
        for turn, typed, others in said:
            if not (turn.timestamp and signal.timestamp and turn.timestamp > signal.timestamp):
                continue
            place = (turn.session, turn.uuid)
            # A name such as `date-fns` is a subject alone.
            named = any(told[stem] == _TWICE and not stem.isalpha() for stem in stems & others)
            alone = {stem for stem in stems & typed if counts[stem] == _TWICE and len(stem) >= _TELLING}
            ended = named or (stems & typed and _is_denied_in(stems, turn.typed, alone))
            # One word is enough to name what to forget, if few messages have it.
            few = {stem for stem in stems & others if told[stem] <= _TWICE + 1}
            forgotten = any(few & _list_subjects(part) and wants_forgotten(part) for part in TYPED_END.split(turn.told))
            again = len(rare & typed) >= _SUBJECT and place not in known
            if again or (ended and place not in kept) or forgotten:
                found.add(signal.id)
    return found


def _list_subjects(text: str) -> frozenset[str]:
    """Return the stems of a text without denials, in the singular: "log lines" are about a log line."""
    stems = stem_content(text) - NEGATIONS
    return frozenset(stem.removesuffix("s") if len(stem) > _TELLING else stem for stem in stems)


def _ends_something(signal: Signal) -> bool:
    return signal.kind is SignalKind.FORGET or _ENDS_RULE.search(plain(signal.text)) is not None


def _find_answered(signals: Sequence[Signal], turns: Sequence[Turn], offered: Sequence[Signal]) -> set[str]:
    """Return the signals behind which the person soon said something short that may be about them.

    A message with a statement of its own is about that, unless it ends or, as a mere candidate, denies something.
    """
    own = (*signals, *(signal for signal in offered if not is_denied(signal.text)))
    clear = {(signal.session, signal.uuid) for signal in own if not _ends_something(signal)}
    places = {(turn.session, turn.uuid): number for number, turn in enumerate(turns)}
    found: set[str] = set()
    for signal in signals:
        place = places.get((signal.session, signal.uuid), len(turns))
        replies = (turn for turn in turns[place + 1 : place + 1 + _SOON] if turn.session == signal.session)
        if any((turn.session, turn.uuid) not in clear and _may_take_back(plain(turn.told)) for turn in replies):
            found.add(signal.id)
    return found


def _may_take_back(reply: str) -> bool:
    """Tell whether a short reply has a sentence that denies something, or begins with what was said before."""
    if count_words(reply) > _REPLY or names_subject(reply):
        return False
    if count_words(reply) <= 1 and not _GOES_ON.fullmatch(reply.strip()):
        return True
    thanks = _THANKS.search(reply) is not None and count_words(reply) <= _PARTING
    sentences = (reply[found.start() : found.end()] for found in _SENTENCE.finditer(reply))
    return any(
        not OWN_SUBJECT.search(each) and (is_denied(each) or wants_forgotten(each) or (_refers(each) and not thanks))
        for each in sentences
    )


def _refers(sentence: str) -> bool:
    """Tell whether a sentence is little more than "that", or begins with it, also behind a word such as "sorry"."""
    words = count_words(sentence)
    found = (table.against["unclear"].search(sentence.strip()) for table in choose_tables(sentence))
    return any(each and (words <= _FEW or (words <= _SENTENCE_WORDS and each.start() <= _BEGINNING)) for each in found)


def _is_denied_in(stems: frozenset[str], typed: str, alone: Collection[str]) -> bool:
    """Tell whether a sentence that denies or ends something has half of these words, or a rare one, number or name."""
    for sentence in TYPED_END.split(typed):
        shared = stems & _list_subjects(sentence)
        near = len(shared) >= max(_SUBJECT, len(stems) / 2) or any(x in alone or not x.isalpha() for x in shared)
        if near and (is_denied(sentence) or has_change(sentence) or _STOPS.search(plain(sentence))):
            return True
    return False


def limit_offered(offered: Sequence[Signal], written: int) -> tuple[Signal, ...]:
    """Return the best candidates: few enough to be read."""
    return tuple(offered[: _OFFERED_PER_WRITTEN * max(1, written)])


def read_message(turn: Turn) -> Iterator[tuple[Signal, int]]:
    """Yield the statements of a message, with 0 if they are certain, else with how much speaks for them."""
    sentences = split_typed(turn.told)
    for number, sentence in enumerate(sentences):
        if not turn.is_typed(sentence.start, sentence.end):
            continue
        cue = find_cue(sentence.folded)
        if cue:
            behind = sentences[number + 1 :]
            reason = next((each for each in behind[:1] if each.line == sentence.line and is_reason(each)), None)
            signal = _read_signal(turn, sentence, reason, cue)
            yield signal, 0 if _is_own(turn, sentence, cue, behind) and is_clear(signal, cue, behind) else _MOST
        elif (rank := rank_offer(sentence.folded)) > 1 and not is_reason(sentence):
            yield _offer(turn, sentence), rank


def _is_own(turn: Turn, sentence: TypedSentence, cue: Cue, behind: Sequence[TypedSentence]) -> bool:
    """Tell whether nothing beside a statement puts it into somebody else's mouth."""
    answers = turn.place is Place.ANSWER and cue.kind != "remember"
    # Two or three words in quotation marks may be a name, but no rule begins with one.
    start = sentence.start + cue.start
    if turn.text[max(0, start - 1) : start] in _QUOTES:
        return False
    reported = any(not turn.is_typed(each.start, each.end) or _is_dashed(turn, each) for each in behind[:1])
    return not (answers or reported or _ASKS_FOR_PASTE.search(plain(turn.before)))


def _is_dashed(turn: Turn, sentence: TypedSentence) -> bool:
    """Tell whether a sentence goes on with the one before it behind a dash, as an attribution does."""
    return turn.text[: sentence.start].rstrip(" ").endswith(("–", "—", "-"))


def _read_signal(turn: Turn, sentence: TypedSentence, reason: TypedSentence | None, cue: Cue) -> Signal:
    start = sentence.start + cue.start
    rule, why = turn.text[start : sentence.end], ""
    inside = cue.table.reason.search(sentence.folded, cue.start + 1)
    if reason:
        why = turn.text[reason.start : reason.end]
    elif inside:
        rule = turn.text[start : sentence.start + inside.start()]
        why = turn.text[sentence.start + inside.end() : sentence.end]
    if cue.kind in {"remember", "forget"} or cue.words.endswith(":"):
        rule = _strip_request(rule, cue)
    rule = _COURTESY.sub("", rule)
    signal = make_signal(turn, turn.text[start : (reason or sentence).end], cue.kind)
    corrects = turn.place is Place.REJECTION or _corrects(turn, sentence)
    kind = SignalKind.CORRECTION if corrects and cue.kind == "rule" else signal.kind
    topic, reverses = _choose_type(rule, cue), _reverses(turn, sentence)
    why = why.strip(" ,;:")
    return _date(replace(signal, rule=rule.strip(), why=why, kind=kind, type=topic, reverses=reverses), turn)


def _strip_request(rule: str, cue: Cue) -> str:
    """Return what to remember without the request."""
    rest = rule[len(cue.words) :].lstrip(" :,") if rule.lower().startswith(cue.words) else rule
    return rest if len(rest) > 3 else rule


def _choose_type(rule: str, cue: Cue) -> TopicType:
    """Return the type of what is said; of what to remember, that of the cue in it."""
    if cue.kind != "remember":
        return _CLASSES[cue.kind][1]
    inner = find_cue(rule.lower())
    if inner and inner.kind != "remember":
        return _CLASSES[inner.kind][1]
    return TopicType.FEEDBACK if cue.words.endswith(" to") else TopicType.PROJECT


def _corrects(turn: Turn, first: TypedSentence) -> bool:
    opening = turn.text[: first.end].lstrip().lower()
    return opening.startswith(("no", "stop", "nein", "non", "нет", "不", "いや", "아니"))


def _reverses(turn: Turn, sentence: TypedSentence) -> bool:
    """Tell whether an older rule ends; people say so in the sentence or in one beside it."""
    folded = plain(turn.typed) if len(turn.typed) <= _SHORT else sentence.folded
    return _ENDS_RULE.search(folded) is not None


def _offer(turn: Turn, sentence: TypedSentence) -> Signal:
    lead = max((skip_lead(sentence.folded, table) for table in choose_tables(sentence.folded)), default=0)
    text = turn.text[sentence.start + min(lead, len(sentence.folded) - 1) : sentence.end].strip()
    signal = make_signal(turn, text or turn.text[sentence.start : sentence.end], "rule")
    return _date(replace(signal, rule=signal.text, reason=_OFFERED), turn)


def make_signal(turn: Turn, text: str, cue: str) -> Signal:
    """Return a signal with these words of a turn, as the class of its cue has it."""
    kind, topic, reason = _CLASSES[cue]
    return Signal(
        turn.session, turn.uuid, turn.timestamp, turn.origin, kind, topic, text, text, reason=reason, agent=turn.agent
    )


def _date(signal: Signal, turn: Turn) -> Signal:
    day = turn.timestamp.astimezone(dt.UTC).date() if turn.timestamp else None
    event = signal.type is TopicType.PROJECT
    return replace(signal, rule=date_words(signal.rule, day, event=event), why=date_words(signal.why, day, event=event))


def _find_objection(turn: Turn, signal: Signal) -> str:
    """Return why a statement is no source of a memory; a secret may be in another part of its sentence."""
    if turn.place is Place.COMMAND:
        return "the argument of a command"
    if tells_password(signal.text):
        return "may hold a secret"
    start = turn.text.find(signal.text)
    end = start + len(signal.text)
    if takes_back(turn.told[end:]):
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
