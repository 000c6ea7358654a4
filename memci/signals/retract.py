"""What people took back: in the same session or a later one, at once or by naming what they mean."""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memci.model.session import Signal, SignalKind, Turn, TurnedDown
from memci.patterns import LazyPattern
from memci.prose.similar import stem_content

# "scrap that" means what was said just before, with at most an answer in between.
_NEAR = 2
# Half of the words that name the subject have to stand in what was said about it.
_NAMED = 0.5
# So many words of a clause have to be in what was said.
_SUBJECT = 3
_SAID_EARLIER = LazyPattern(r"\bi(?:'ve| have)? (?:said|told you|wrote)\b")
_SENTENCE_END = LazyPattern(r"[.!?\n]")
# With fewer words beside it, a wish to forget says nothing else.
_SAYS_MORE = 3
# Of a long message people take something back at the beginning or at the end.
_ENDS = 1_000
_EARLIEST = dt.datetime.min.replace(tzinfo=dt.UTC)


# Taking back what was just said.
_WHOLE = LazyPattern(
    r"\b(?:scratch|strike|scrap|ignore|disregard|forget) (?:that|this|it|what i (?:just )?said|my last message)\b"
    r"(?! (?:rule|thing|about|for|error|test|file|one)| [a-z]+s?\b)"
    r"|\b(?:undo|drop|cancel|forget|ignore|disregard|scrap|scratch|strike|delete|remove|revert|skip)"
    r" (?:that|this|the last|my last) (?:rule|instruction|remark|note)[.!]?\s*$"
    r"|\b(?:don['’]?t|do not|no need to) (?:remember|save|store|record|memori[sz]e) (?:that|this|it)\b"
    r"|\b(?:remove|delete|drop|take) (?:that|this|it) (?:from|out of) (?:the |your )?memory\b"
    r"|^\W{0,3}(?:(?:it|that)['’]?s )?(?:just|only) (?:for )?(?:this|that)"
    r" (?:once|time|commit|task|session|pr)\W{0,3}$"
    r"|^\W{0,3}(?:just kidding|kidding|jk)\b|\b(?:that|this|it) no longer applies\b"
    r"|\bnever ?mind(?: that| what i said)?[.!,]?\s*$|\bi take (?:that|it) back\b|\bon second thought\b"
    r"|\b(?:i don't|i do not|i dont) (?:want|mean) that (?:after all|any ?more)"
    r"|当我没说|刚才.{0,6}(?:作废|不算)|取消刚才|(?:今の|さっきの|やっぱり)は?(?:なし|忘れて|無視)|방금.{0,8}취소"
    r"|\bvergiss (?:das|es)\b(?! mit)|\bdoch nicht\b[.!]?\s*$|\b(?:oublie|annule) ça\b"
    r"|\b(?:olvida|cancela) eso\b|\b(?:esquece|cancela) isso\b|забудь(?: это)?\W{0,3}$",
    re.MULTILINE,
)  # fmt: skip
# Taking back what was said about something, which group 1 or another names.
_ABOUT = LazyPattern(
    r"\b(?:forget|ignore|disregard|scrap|scratch|take back) (?:everything |all )?(?:what|that|whatever)? ?"
    r"(?:i(?:'ve| have)? (?:just |once )?(?:said|told you|wrote)|(?:the|my|that) (?:rule|thing|remark|bit|note)) "
    r"(?:about|on|regarding|with|concerning) ([^.!?,;:\n–—(]{3,120})"
    r"|\bwhat i said (?:\w+ ){0,2}(?:about|on|regarding) ([^.!?;:\n–—(]{3,120}), (?:please )?"
    r"(?:forget|scrap|ignore|scratch) (?:that|it)\b"
    r"|\b(?:vergiss,? was ich|oublie ce que j'ai dit|olvida lo que dije|esquece o que (?:eu )?disse|забудь,? что я \w+)"
    r"(?: \w{2,5}){0,2}? ([^.!?,;:\n–—(]{3,120}?)(?= gesagt| geschrieben|[.!?,;:\n–—(]|$)"
    r"|(?:忘掉|忽略|忘了)我(?:刚才|之前)?说的(?:关于)?([^。！？，、\n]{2,60})"
    r"|(?:さっき|前に)(?:言った|の)([^。！？，、\n]{2,60}?)(?:の件)?は?(?:忘れて|なし|取り消)"
    r"|(?:아까|전에) ?(?:말한|한) ([^.!?\n]{2,60}?)(?:은|는|건)? ?(?:잊어|취소|무시)",
)
# A correction that says what not to do after all, which group 1 names.
_OPPOSITE = LazyPattern(
    r"^\W{0,3}(?:(?:no|nope|wait|actually|sorry|hm+)\b[,.!… ]{0,4}){1,3}(?:please |pls )?"
    r"(?:don['’]?t|do not|never|stop) ([^.!?,;\n]{3,120})",
    re.MULTILINE,
)
# Behind what the agent told, it is that which a person wants ignored.
_IGNORED = LazyPattern(r"\b(?:ignore|disregard) (?:that|this|it)\b")
_FORGET = LazyPattern(
    r"\W*(?:(?:oh|and|ok|okay|so|also|but|please|pls|yeah|yes|no|actually|wait|und|bitte|et|y|e)[,.!]?\s){0,3}(?:forget|scrap|scratch|ignore|disregard|drop|skip|undo|cancel|vergiss|lass|oublie|laisse"
    r"|olvida|deja|esquece|deixa|забудь|отмени)\b"
)
_DENIAL = LazyPattern(r"\b(?:never|don['’]?t|do not|not|no|stop|avoid)\b", re.IGNORECASE)


class _Event(NamedTuple):
    turn: Turn
    place: int
    # The subject that was named; "" for what was said just before.
    about: str
    # The subject is what not to do: only a rule that asks for all of it is taken back.
    opposite: bool = False
    # The subject is a whole clause: what was said has to share more of its words.
    told: bool = False


def drop_taken_back(
    signals: Sequence[Signal], turns: Iterable[Turn]
) -> tuple[tuple[Signal, ...], tuple[TurnedDown, ...]]:
    """Leave out the signals that a later message takes back."""
    ordered = sorted(turns, key=lambda turn: (turn.timestamp or _EARLIEST, turn.session))
    places: dict[tuple[str, str], int] = {}
    counts: dict[str, int] = {}
    events: list[_Event] = []
    for turn in ordered:
        # In doubt something was taken back: people say a rule again.
        typed = _cut_middle(turn.told.lower())
        typed = _IGNORED.sub("", typed) if turn.before else typed
        counts[turn.session] = place = counts.get(turn.session, 0) + 1
        places[turn.session, turn.uuid] = place
        events += (_Event(turn, place, *found) for found in _find_subjects(typed))
        events += (_Event(turn, place, found[1], opposite=True) for found in _OPPOSITE.finditer(typed))
    gone = {signal.id: "only takes something back" for signal in signals if _only_takes_back(signal)}
    for event in events:
        gone |= {signal.id: "taken back later" for signal in _find_victims(event, signals, places)}
    # Asking to forget something also ends what was said about it before.
    for wish in (signal for signal in signals if signal.kind is SignalKind.FORGET):
        earlier = [signal for signal in signals if _is_before(signal, wish) and signal.kind is not SignalKind.FORGET]
        gone |= {signal.id: "taken back later" for signal in earlier if _names(wish.rule, signal)}
    down = tuple(
        TurnedDown(signal.session, signal.uuid, signal.timestamp, signal.origin, signal.text, gone[signal.id])
        for signal in signals
        if signal.id in gone
    )
    return tuple(signal for signal in signals if signal.id not in gone), down


def _cut_middle(text: str) -> str:
    return text if len(text) <= 2 * _ENDS else f"{text[:_ENDS].rstrip()}\n{text[-_ENDS:].lstrip()}"


def takes_back(text: str) -> bool:
    """Tell whether a text takes back what was said just before."""
    return _WHOLE.search(text.lower()) is not None


def names_subject(text: str) -> bool:
    """Tell whether a text takes something back that it names."""
    return any(about for about, *_ in _find_subjects(text.lower()))


def wants_forgotten(sentence: str) -> bool:
    """Tell whether a sentence begins with a wish to forget or to leave something, whatever it is."""
    return _FORGET.match(sentence.lower()) is not None


def _find_subjects(text: str) -> list[tuple[str, bool, bool]]:
    """Return the fields of an event for what a message takes back; "" stands for what was said just before it."""
    named = [next(group for group in found.groups() if group) for found in _ABOUT.finditer(text)]
    if named:
        return [(about, False, False) for about in named]
    # "What I said about logging whole bodies, forget that" names it itself.
    before = (_SENTENCE_END.split(text[: found.start()])[-1] for found in _WHOLE.finditer(text))
    return [(about if _SAID_EARLIER.search(about) else "", False, True) for about in before]


def _find_victims(event: _Event, signals: Sequence[Signal], places: dict[tuple[str, str], int]) -> list[Signal]:
    turn = event.turn
    if event.opposite:
        named = stem_content(event.about)
        return [
            signal
            for signal in signals
            if signal.session == turn.session
            and places.get((signal.session, signal.uuid), event.place) < event.place
            and named <= stem_content(signal.rule)
            and not _DENIAL.search(signal.rule)
        ]
    if event.about:
        when = turn.timestamp or _EARLIEST
        return [
            signal
            for signal in signals
            if (signal.session, signal.uuid) != (turn.session, turn.uuid)
            and (signal.timestamp or _EARLIEST) <= when
            and signal.kind is not SignalKind.FORGET
            and _names(event.about, signal, _SUBJECT if event.told else 1)
        ]
    own = {places.get((signal.session, signal.uuid), 0): signal for signal in signals if signal.session == turn.session}
    near = max((place for place in own if event.place - _NEAR <= place < event.place), default=0)
    return [
        signal
        for signal in signals
        if near and signal.session == turn.session and places.get((signal.session, signal.uuid)) == near
    ]


def _only_takes_back(signal: Signal) -> bool:
    """Tell whether a model took a wish to forget for a rule."""
    said = signal.text.lower()
    rest = _ABOUT.sub("", said)
    return signal.kind is not SignalKind.FORGET and rest != said and len(rest.split()) < _SAYS_MORE


def _is_before(signal: Signal, wish: Signal) -> bool:
    keys = [(side.timestamp or _EARLIEST, side.session, side.uuid) for side in (signal, wish)]
    return keys[0] < keys[1]


def _names(subject: str, signal: Signal, least: int = 1) -> bool:
    stems = stem_content(subject)
    said = stem_content(signal.rule)
    return bool(stems) and len(stems & said) >= max(least, _NAMED * len(stems))
