"""Finds topics that a client wrote as a person's wish although no message in the sessions at hand says so.

Only topics about what a person wants: everything else may come from files and outputs that the session saw.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.memory.topic import parse_topic, split_statements
from memci.model.memory import Guide, ScopeSnapshot, Topic, TopicType
from memci.model.session import Place, Turn
from memci.prose.compare import read_rules
from memci.prose.similar import STOP_WORDS, stem, stem_content, tokenise
from memci.sessions.clean_text import UUID
from memci.sessions.read_result import MemoryTouch, Reading
from memci.use.topic_use import TopicPaths

_OF_PEOPLE = (TopicType.FEEDBACK, TopicType.USER)
# A model words a wish anew, but keeps its subject: with so many of its words somebody said something like it.
_SAID = 1 / 3
# In another session, or in a guide, half of them in one message.
_SAID_AT_ONCE = 1 / 2
# Texts of one language share at least so many function words, and half of those of the shorter one.
_SAME_LANGUAGE = 2
# A message of so few words may agree to what the agent said.
_AGREEMENT = 6
# Messages around it that are shown.
_SHOWN = 2


class UnsaidTopic(NamedTuple):
    """A topic, what wrote it, and the last messages before."""

    topic: Topic
    write: MemoryTouch
    around: tuple[Turn, ...]


def find_unsaid(
    scope: ScopeSnapshot,
    reading: Reading,
    guides: Sequence[Guide],
    written: Mapping[PurePosixPath, dt.datetime] | None,
) -> list[UnsaidTopic]:
    """Return the topics about people that a session at hand created and nobody asked for."""
    # Of a file that was not read as a whole nobody knows what was said; most are named after their session.
    torn = [report.name for report in reading.files if report.truncated or report.broken]
    if any(not UUID.search(name) for name in torn):
        return []
    guided = [statement.text for guide in guides for statement in split_statements(guide.text)]
    whole = {session.id for session in reading.sessions if not session.continued}
    found = []
    for topic, write in _list_created(scope, reading.writes, written):
        before = [turn for turn in reading.turns if _is_before(turn.timestamp, write)]
        own = [turn for turn in before if turn.session == write.session and turn.place is not Place.COMMAND]
        chosen = (text for session, text in reading.chosen if session == write.session)
        here = _SaidWords((*map(_list_words, own), *chosen))
        others = (_list_words(turn) for turn in before if turn.session != write.session)
        texts = (topic.description, *(rule.statement.text for rule in read_rules(topic)))
        if (
            own
            and write.session in whole
            and not any(write.session in name for name in torn)
            and here.share_language(topic.body)
            and not any(here.cover(text, _SAID) for text in texts)
            and not any(_SaidWords([said]).cover(text, _SAID_AT_ONCE) for said in (*others, *guided) for text in texts)
        ):
            found.append(UnsaidTopic(topic, write, tuple(own[-_SHOWN:])))
    return found


def _list_created(
    scope: ScopeSnapshot, writes: Iterable[MemoryTouch], written: Mapping[PurePosixPath, dt.datetime] | None
) -> Iterator[tuple[Topic, MemoryTouch]]:
    """Yield the topics about people with the write that created them, if it is at hand."""
    paths = TopicPaths([scope])
    first: dict[PurePosixPath, MemoryTouch] = {}
    for write in writes:
        if path := paths.match(write.path):
            first.setdefault(path, write)
    for topic in scope.topics:
        one = first.get(topic.path)
        since = written.get(topic.path) if written else None
        if one is None or topic.type not in _OF_PEOPLE or (since and one.timestamp and since < one.timestamp):
            continue
        # An edit of a topic that was there before creates nothing, and people may have changed it since.
        text = one.text or ""
        made = [rule.said.plain for rule in read_rules(parse_topic(topic.path, text))]
        if text.startswith("---") and any(rule.said.plain in made for rule in read_rules(topic)):
            yield topic, one


def _is_before(time: dt.datetime | None, write: MemoryTouch) -> bool:
    return time is None or write.timestamp is None or time <= write.timestamp


def _list_words(turn: Turn) -> str:
    """Return all of a message, pasted parts too; and, of one that only agrees, the agent's words before it."""
    agrees = len(turn.text.split()) <= _AGREEMENT
    return f"{turn.text}\n{turn.before}" if agrees else turn.text


class _SaidWords:
    """The words of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        tokens = {token for text in texts for token in tokenise(text)}
        self._functions = tokens & STOP_WORDS
        self._stems = {stem(token) for token in tokens}

    def cover(self, text: str, share: float) -> bool:
        """Tell whether these words have this share of the words of a text."""
        stems = stem_content(text)
        return bool(stems) and len(stems & self._stems) >= share * len(stems)

    def share_language(self, text: str) -> bool:
        """Tell whether a text is in the language of these words."""
        functions = STOP_WORDS.intersection(tokenise(text))
        shared = len(self._functions & functions)
        return shared >= _SAME_LANGUAGE and 2 * shared >= min(len(self._functions), len(functions))
