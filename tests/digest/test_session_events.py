"""What happened in a session, in order."""

from memci.digest.session_events import Mark, ModelReply, Spoken, ToolCall, read_events
from memci.model.session import Place
from tests.digest.tape import Tape, make_shift


def test_machine_text_is_nobodys_words() -> None:
    tape = Tape()
    tape.say("<task-notification>done</task-notification>")
    tape.say("look at this", isMeta=True)
    tape.say("a summary", isCompactSummary=True)
    tape.say("from a sub-agent", isSidechain=True)
    assert read_events(tape.records, "s", "n").spoken == []


def test_words_calls_and_replies_keep_their_order() -> None:
    session = read_events(make_shift().records, "s", "n")
    kinds = [type(event) for event in session.events]
    assert kinds[0] is Spoken
    assert kinds[-1] is ModelReply
    assert [event.place for event in session.spoken] == [Place.PROMPT, Place.REJECTION]
    assert (session.id, session.cwd, session.branch) == (make_shift().session, "/home/ines/shop", "main")


def test_a_refusal_is_no_failure_of_the_tool() -> None:
    calls = read_events(make_shift().records, "s", "n").calls
    assert [call.text("command") for call in calls if call.failed] == ["pytest -q tests/test_cart.py"]
    assert sum(call.refused for call in calls) == 1


def test_a_repeated_record_counts_once() -> None:
    records = make_shift().records
    assert read_events(records * 2, "s", "n") == read_events(records, "s", "n")


def test_queued_words_that_were_sent_count_once_and_those_taken_back_not_at_all() -> None:
    tape = Tape()
    for text in ("run the linter too", "and the docs please", "forget this one"):
        tape.records.append(
            {"type": "queue-operation", "operation": "enqueue", "content": text, "sessionId": tape.session}
        )
    tape.say("run the linter too")
    tape.records.append({"type": "queue-operation", "operation": "popAll", "content": "forget this one"})
    session = read_events(tape.records, "s", "n")
    assert [item.text for item in session.spoken] == ["and the docs please", "run the linter too"]


def test_what_a_person_says_after_stopping_the_model_is_marked() -> None:
    tape = Tape()
    tape.call("Bash", command="make")
    tape.say("[Request interrupted by user for tool use]")
    tape.say("use the other target, not this one")
    session = read_events(tape.records, "s", "n")
    assert [item.interrupting for item in session.spoken] == [True]
    assert any(isinstance(event, Mark) for event in session.events)


def test_a_call_without_a_result_has_none() -> None:
    tape = Tape()
    tape.call("Bash", command="make")
    tape.records.pop()
    calls = [event for event in read_events(tape.records, "s", "n").events if isinstance(event, ToolCall)]
    assert [call.output for call in calls] == [None]


def test_odd_records_are_survived() -> None:
    odd: list[dict[str, object]] = [
        {},
        {"type": "assistant", "message": "text"},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": 3, "input": []}, None, "x"]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": None, "content": {}}]}},
        {"type": "user", "timestamp": "never", "uuid": 7, "sessionId": 9},
        {"type": ["user"]},
    ]
    assert read_events(odd, "s", "n").spoken == []
