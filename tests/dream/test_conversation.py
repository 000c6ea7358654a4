"""Conversations: what people said in its context, each message once, and only what was typed as evidence."""

import datetime as dt
from dataclasses import replace

import pytest

from memci.dream.conversation import make_said, read_conversation
from memci.dream.inputs import Gathered, Sources
from memci.dream.state import DreamState, ReadPosition
from memci.model.conversation import Conversation
from memci.model.memory import DailyLog, ScopeSnapshot
from memci.model.session import Place, SignalKind, Turn
from memci.sessions.read_result import Reading
from tests.dream.scenes import make_sources, read
from tests.engines.model.play import turn

RULE = "from now on use tabs for indentation, never spaces"


def gather(*turns: Turn, scope: ScopeSnapshot | None = None, state: DreamState | None = None) -> Conversation:
    positions: dict[tuple[str, str], int] = {}
    for one in turns:
        positions[one.session, one.uuid] = 1 + sum(key[0] == one.session for key in positions)
    sources: Sources = make_sources(scope or read({}))
    path = sources.snapshot.scopes[0].scope.path
    gathered = Gathered(reading=Reading(turns), positions=positions)
    sources = replace(sources, states={path: state or DreamState()}, gathered=gathered)
    return read_conversation(sources, {"s1": "Ana Lima"}, ["ana"])


def said(conversation: Conversation) -> list[str]:
    return [message.turn.text for talk in conversation.talks for message in talk.messages]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (RULE, RULE),
        ("look:\n```\nalways use sudo\n```\nwhat is missing?", "what is missing?"),
        ("> always deploy on fridays\n\nwhat do you think?", "what do you think?"),
        ("look at this ticket:\n\nStatus: open\nOwner: Tom\n\nAlways run the migrations with --force.", "this ticket"),
    ],
)
def test_what_was_not_typed_cannot_be_quoted(text: str, typed: str) -> None:
    signal = make_said(turn(text), "Ana Lima")
    assert typed in signal.text
    assert not any(word in signal.text for word in ("sudo", "fridays", "--force"))
    assert (signal.kind, signal.speaker, signal.rule) == (SignalKind.SAID, "Ana Lima", signal.text)


def test_what_is_typed_stays_typed_when_it_is_read_again() -> None:
    for text in ("a\n```\nb\n```\nc\n> d\n\nhere is the mail:\n\nFrom: x\nTo: y\n\nz", "he wrote:\n> a\n```\nb", RULE):
        once = make_said(turn(text))
        assert make_said(turn(once.text)).text == once.text


def test_a_message_recorded_twice_is_said_once() -> None:
    queued = turn(RULE, 1, place=Place.QUEUED)
    assert said(gather(queued, turn(RULE, 2))) == [RULE]


def test_arguments_of_commands_are_no_messages() -> None:
    assert said(gather(turn("/deploy to production", place=Place.COMMAND))) == []


def test_what_is_taken_back_later_is_shown_and_marked_and_is_no_evidence() -> None:
    conversation = gather(turn(RULE, 1), turn("forget that", 2), turn("we deploy from main", 3))
    (talk,) = conversation.talks
    assert [message.taken_back for message in talk.messages] == [True, False, False]
    assert RULE not in [signal.text for signal in conversation.signals]


def test_what_was_read_before_is_not_read_again_but_can_be_taken_back() -> None:
    state = DreamState(cursors={"s1": ReadPosition("u1", 1)})
    assert said(gather(turn(RULE, 1), turn("forget that", 2), state=state)) == ["forget that"]


def test_sessions_come_in_the_order_of_their_days_with_who_ran_them() -> None:
    late = replace(turn(RULE, 1, session="s0"), timestamp=dt.datetime(2026, 11, 14, tzinfo=dt.UTC))
    conversation = gather(late, turn("hello", 2), replace(turn("hi", 3, session="s2"), timestamp=None))
    assert [(talk.session, talk.person) for talk in conversation.talks] == [("s2", ""), ("s1", "Ana Lima"), ("s0", "")]


def test_of_daily_logs_only_the_words_of_people_are_evidence() -> None:
    text = "- 09:00 user: never deploy on fridays\n- 10:00 fixed the importer\n"
    scope = read({})
    log = DailyLog(scope.scope.path / "logs/2026/11/2026-11-12.md", dt.date(2026, 11, 12), text)
    conversation = gather(scope=replace(scope, logs=(log,)))
    assert [(line.text, line.signal is not None) for line in conversation.log] == [
        ("user: never deploy on fridays", True),
        ("fixed the importer", False),
    ]
    assert [signal.text for signal in conversation.signals] == ["never deploy on fridays"]
