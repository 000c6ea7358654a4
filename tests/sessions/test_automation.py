import datetime as dt

from memci.model.session import Origin, Place, Turn
from memci.sessions.automation import split_automation

NIGHT = dt.datetime(2026, 11, 12, 3, tzinfo=dt.UTC)
LONG = "Look through the open tickets of team {0} and write down which of them are stale. " * 4


def turn(text: str, session: str = "s") -> Turn:
    return Turn(session, f"u-{session}-{len(text)}", NIGHT, Origin.PERSON, Place.PROMPT, text)


def test_people_say_short_things_again_and_long_things_twice() -> None:
    turns = [turn("always squash", name) for name in "abcd"] + [turn(LONG.format(1), name) for name in "ab"]
    assert split_automation(turns, ()) == (tuple(turns), ())


def test_the_same_long_prompt_in_three_sessions_is_a_template() -> None:
    turns = [turn(LONG.format(number), name) for number, name in enumerate("abc")]
    assert split_automation([*turns, turn("always squash")], ()) == ((turn("always squash"),), tuple(turns))


def test_settings_name_the_prompts_of_a_repositorys_own_programs() -> None:
    nightly = turn("Nightly triage:\n  always close what is older than a year")
    assert split_automation([nightly, turn("nightly builds fail")], ("Nightly triage:*",)) == (
        (turn("nightly builds fail"),),
        (nightly,),
    )
