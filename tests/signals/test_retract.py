import datetime as dt
from dataclasses import replace

import pytest

from memci.model.session import Origin, Place, Turn
from memci.sessions.typed_parts import split_parts
from memci.signals.find import find_signals

NINE = dt.datetime(2026, 11, 12, 9, tzinfo=dt.UTC)


def say(*texts: str, sessions: str = "") -> list[Turn]:
    """Make one message a minute, of one session or of the sessions named by letters."""
    return [
        Turn(
            sessions[place] if sessions else "s",
            f"u{place}",
            NINE + dt.timedelta(minutes=place),
            Origin.PERSON,
            Place.PROMPT,
            text,
            parts=split_parts(text),
        )
        for place, text in enumerate(texts)
    ]


def left(*texts: str, sessions: str = "") -> list[str]:
    return [signal.text for signal in find_signals(say(*texts, sessions=sessions)).signals]


@pytest.mark.parametrize(
    "later",
    [
        "thanks, looks good",
        "forget it, the test is green again",
        "ignore that error in the log",
        "never mind the warning, go on",
        "forget what i said about the css grid",
    ],
)
def test_what_takes_back_something_else_is_left_alone(later: str) -> None:
    assert left("never use the orm for reports", "ok", "done?", later)[:1] == ["never use the orm for reports"]


@pytest.mark.parametrize(
    "later",
    [
        "scratch that",
        "no, scrap that. the orm is fine",
        "hm, on second thought",
        "i take that back",
        "forget what I said about the orm",
        "hm ok forget what I said about the orm, the controllers need it for the monthly export",
        "please ignore what i told you about the orm and reports",
        "vergiss, was ich zum orm gesagt habe",
        "oublie ce que j'ai dit sur l'orm",
        "olvida lo que dije sobre el orm",
        "esquece o que eu disse sobre o orm",
    ],
)
def test_what_is_taken_back_is_gone_with_its_reason(later: str) -> None:
    found = find_signals(say("never use the orm for reports", later))
    assert [signal for signal in found.signals if "never" in signal.text] == []
    assert ("never use the orm for reports", "taken back later") in {
        (down.text, down.reason) for down in found.turned_down
    }


def test_a_later_session_takes_back_what_it_names_and_nothing_else() -> None:
    rules = ("never use the orm for reports", "always squash commits before a merge")
    assert left(*rules, "forget what i said about the orm", sessions="abc")[:1] == [rules[1]]
    assert left(*rules, "also, what i said on monday about the orm, forget that", sessions="abc")[:1] == [rules[1]]
    assert left(*rules, "scratch that", sessions="abc") == list(rules)


def test_a_pasted_retraction_takes_nothing_back() -> None:
    assert left("never use the orm for reports", "he wrote:\n> scratch that\n\nwhat does he mean?")[:1] == [
        "never use the orm for reports"
    ]


def test_what_others_say_is_no_rule_also_if_the_person_disagrees() -> None:
    assert left("tom says we should always rebase, i don't agree") == []


@pytest.mark.parametrize(
    "later",
    [
        "the retry limit is off the table, we keep the old backoff",
        "hm, about retry and backoff: leo convinced me otherwise",
    ],
)
def test_what_comes_up_again_is_only_offered(later: str) -> None:
    """Whether a rule still holds after its subject came up again only a reader can tell, in whatever words."""
    rule = "always retry uploads with a backoff of ten seconds"
    found = find_signals(say(rule, "thanks", later, sessions="aab"))
    assert found.signals == ()
    assert found.offered[0].text == rule
    assert left(rule, "thanks", "next: the css of the login page", sessions="aab") == [rule]


def test_who_names_what_to_forget_does_not_mean_what_was_said_last() -> None:
    texts = (
        "always log the whole body of every message",
        "never use colour alone on the board",
        "what i said about logging the whole body of messages, forget that",
    )
    assert left(*texts) == [texts[1]]


@pytest.mark.parametrize(
    "later",
    [
        "hold on, that was only meant for the demo",
        "no, wrong window",
        "нет, не так",
        "не нужно больше",
        "tout ça, c'était pour rire, oublie le reste",
        "that wasn't me, the mic picked up somebody else. what about the export?",
        "아 미안, 방금 건 없던 걸로 해줘. 다른 프로젝트 얘기였어",
    ],
)
def test_a_short_reply_that_may_be_about_a_rule_leaves_it_to_a_reader(later: str) -> None:
    rule = "always retry uploads with a backoff of ten seconds"
    found = find_signals(say(rule, later))
    assert [signal.text for signal in found.signals] == []


@pytest.mark.parametrize(
    "later",
    ["thanks", "please merge now", "is that in the readme?", "rename that in cart.py", "never use tabs in yaml"],
)
def test_a_short_reply_with_another_subject_leaves_a_rule_alone(later: str) -> None:
    rule = "always retry uploads with a backoff of ten seconds"
    assert rule in left(rule, later)


@pytest.mark.parametrize(
    "later",
    ["you don't need the date-fns wrapper any more", "plus besoin de date-fns", "date-fns 규칙은 취소해줘"],
)
def test_a_name_that_comes_up_beside_an_end_leaves_its_rule_to_a_reader(later: str) -> None:
    rule = "always format dates with date-fns in the reports"
    assert rule not in left(rule, "thanks a lot, looks good", later)


@pytest.mark.parametrize(
    "said",
    [
        "always retry uploads before the sync. yeah right",
        "always retry uploads before the sync, that's what the vendor says",
        "always retry uploads before the sync or never, what do you think",
        "always retry uploads before the sync - quote from the wiki",
        "always retry uploads before the sync <- from the old readme",
        "always retry uploads before the sync /s",
    ],
)
def test_what_a_person_adds_behind_a_rule_can_unsay_it(said: str) -> None:
    assert left(said) == []
    assert left("always retry uploads before the sync, the server drops the first one") != []
    assert left("no retries in the sync worker, ever. use the queue") != []


@pytest.mark.parametrize(
    "said",
    [
        "always retry uploads before the sync. – so it says on the wiki of the other team",
        "always retry uploads before the sync. the vendor says so in his mail, is that about us?",
        "always retry uploads before the sync. i mean it. lol",
        "always retry uploads before the sync. because it went so well last time 🙄 so what now",
        "always retry uploads before the sync. and what else, a pony?",
    ],
)
def test_a_rule_with_an_attribution_behind_it_is_left_to_a_reader(said: str) -> None:
    assert left(said) == []


def test_what_the_agent_asked_to_paste_is_left_to_a_reader() -> None:
    (turn,) = say("always retry uploads before the sync")
    for before, found in (("Please paste the answer of the vendor here.", 0), ("The tests pass.", 1)):
        assert len(find_signals([replace(turn, before=before)]).signals) == found


@pytest.mark.parametrize("later", ["undo", "cancel", "nonsense", "please unlearn that", "ignore the previous message"])
def test_a_rule_is_left_to_a_reader_if_little_follows_that_may_be_about_it(later: str) -> None:
    rule = "always retry uploads before the sync"
    assert rule not in left(rule, later)


@pytest.mark.parametrize("later", ["ok", "ок", "weiter", "/clear", "please merge"])
def test_a_word_to_go_on_leaves_a_rule_alone(later: str) -> None:
    rule = "always retry uploads before the sync"
    assert rule in left(rule, later)


@pytest.mark.parametrize(
    "later",
    [
        "hm, about those log lines, better take it out again and lets not do it at all, people hear them on the phone",
        "yes. oh and you can stop grepping every time, it was my terminal",
    ],
)
def test_one_word_that_only_two_messages_have_tells_what_ends(later: str) -> None:
    rule = "from now on put the supplier's name into every log line so we can grep"
    between = ("add the export for the accountant", "ok", "show me the list of open orders", "ok")
    assert rule not in left(rule, *between, later)
    assert rule in left(rule, *between, "not the blue one, take the green button")
