"""Records that may leave the machine."""

import base64
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.sessions.clean_text import Cleaner
from memci.sessions.record_fields import list_touched
from memci.sessions.redact import redact_record
from memci.sessions.speaker import hear, list_calls
from tests.digest.tape import Tape, make_shift

CLEAN = Cleaner(()).text


def put(value: object) -> dict[str, object]:
    """Make a record with a value that is no person's: the input of a tool call."""
    block = {"type": "tool_use", "id": "toolu_1", "name": "Tool", "input": {"x": value}}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}


def make_canary(seed: int) -> str:
    chance = random.Random(seed)
    return "ghp_" + "".join(chance.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789", k=36))


def make_key(seed: int) -> list[str]:
    body = base64.b64encode(random.Random(seed).randbytes(600)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    return ["-----BEGIN RSA PRIVATE " + "KEY-----", *lines, "-----END RSA PRIVATE " + "KEY-----"]


def test_a_record_without_secrets_and_ballast_stays_as_it_is() -> None:
    for record in make_shift().records:
        cleaned = redact_record(record, CLEAN)
        assert cleaned == {key: value for key, value in record.items() if key != "toolUseResult"}


def test_words_of_the_person_stay_whole_however_long_they_are() -> None:
    tape = Tape()
    tape.say("please read all of this: " + "word " * 5_000)
    tape.refuse("because " + "of this " * 1_000)
    for record in tape.records:
        cleaned = redact_record(record, CLEAN)
        assert cleaned is not None
        assert hear(cleaned) == hear(record)


def test_what_the_session_wrote_into_memory_stays_whole() -> None:
    tape = Tape()
    tape.call("Write", file_path="/home/ines/shop/.claude/memory/long.md", content="A line of memory.\n" * 500)
    cleaned = redact_record(tape.records[0], CLEAN)
    assert cleaned is not None
    assert list(list_touched(cleaned)) == list(list_touched(tape.records[0]))


def test_answers_to_questions_stay() -> None:
    tape = Tape()
    tape.call("AskUserQuestion", "User has answered your questions: …", questions=[])
    details = {"questions": [{"question": "Which?", "options": []}], "answers": {"Which?": "the blue one, always"}}
    record = tape.records[1] | {"toolUseResult": details}
    cleaned = redact_record(record, CLEAN)
    assert cleaned is not None
    tools = dict(list_calls(tape.records[0]))
    assert hear(cleaned, tools=tools) == hear(record, tools=tools)
    assert [said.text for said in hear(cleaned, tools=tools).said] == ["the blue one, always"]


def test_a_large_result_becomes_a_preview_and_a_reference() -> None:
    tape = Tape()
    tape.call("Bash", "line of output\n" * 5_000, command="make")
    text = json.dumps(redact_record(tape.records[1], CLEAN))
    assert len(text) < 3_000
    assert "left out by memci: the rest of 75000 characters, sha256 " in text
    assert text.count("line of output") > 100
    once = redact_record(tape.records[1], CLEAN)
    assert once is not None
    assert redact_record(once, CLEAN) == once
    assert "toolUseResult" not in text


def test_replies_commands_and_reasons_of_a_refusal_stay_whole() -> None:
    tape = Tape()
    tape.reply("a sentence. " * 500)
    tape.run("cat > a.py <<'E'\n" + "x = 1\n" * 1_000 + "E")
    tape.refuse("no")
    long = {"userFeedback": "because of this " * 400}
    for record in (tape.records[0], tape.records[1], tape.records[-1] | long):
        cleaned = redact_record(record, CLEAN)
        assert "left out" not in json.dumps(cleaned)


def test_images_are_left_out_and_the_words_beside_them_stay() -> None:
    data = base64.b64encode(random.Random(1).randbytes(3_000)).decode()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    record = Tape().add("user", message={"role": "user", "content": [{"type": "text", "text": "like this one"}, image]})
    cleaned = redact_record(record, CLEAN)
    assert cleaned is not None
    assert hear(cleaned) == hear(record)
    assert data[:100] not in json.dumps(cleaned)


@pytest.mark.parametrize("kind", ["progress", "stream_event", "file-history-snapshot", "api-request-blob", "later"])
def test_records_of_other_types_are_dropped(kind: str) -> None:
    assert redact_record({"type": kind, "data": "x"}, CLEAN) is None


def test_secrets_are_taken_out_of_every_value_and_key() -> None:
    canaries = [make_canary(seed) for seed in range(6)]
    tape = Tape()
    tape.say(f"use {canaries[0]} for the registry from now on")
    tape.call(
        "Bash", f"ok {canaries[1]}", command=f"curl -H 'Authorization: Bearer {canaries[2]}' x", env={canaries[3]: 1}
    )
    tape.call("Tool", [{"type": "text", "text": canaries[4]}], deep=[["deep", {"er": canaries[5]}]])
    text = json.dumps([redact_record(record, CLEAN) for record in tape.records])
    assert [canary for canary in canaries if canary[4:] in text] == []


def test_a_value_is_a_secret_if_its_name_says_so() -> None:
    value = "".join(random.Random(3).choices("abcdefghjkmnpqrstuvwxyz23456789", k=20))
    cleaned = json.dumps(redact_record(put({"env": {"DB_PASSWORD": value, "DB_HOST": "localhost"}}), CLEAN))
    assert value not in cleaned
    assert "localhost" in cleaned


def test_a_key_in_lines_of_its_own_is_taken_out() -> None:
    lines = make_key(5)
    cleaned = json.dumps(redact_record(put({"lines": ["+before", *lines, "+after"]}), CLEAN))
    assert [line for line in lines[1:-1] if line in cleaned] == []
    assert "+after" in cleaned


def test_no_half_of_a_secret_is_left_where_a_text_is_cut() -> None:
    canary = make_canary(9)
    for offset in range(1_155, 1_205):
        cleaned = json.dumps(redact_record(put("a " * (offset // 2) + f"{canary} " + "b " * 2_000), CLEAN))
        assert canary[:12] not in cleaned


def test_the_last_lines_of_a_large_result_stay_unless_they_may_belong_to_a_secret() -> None:
    key = make_key(6)
    long_key = [key[0], *(line for seed in range(40) for line in make_key(seed)[1:-1]), key[-1]]
    text = "\n".join(["start", *long_key, "3 failed, 12 passed in 4.2s", ""])
    cleaned = json.dumps(redact_record(put(text), CLEAN))
    assert "3 failed, 12 passed" in cleaned
    assert [line for line in long_key[1:-1] if line[:32] in cleaned] == []
    canary = make_canary(8)
    for offset in range(440, 520):
        text = "a " * 3_000 + f"\n{canary} " + "b" * 20 + " c" * (offset // 2)
        assert canary[4:16] not in json.dumps(redact_record(put(text), CLEAN))


def test_values_of_the_environment_are_taken_out_whatever_they_look_like() -> None:
    clean = Cleaner(("correct horse battery",)).text
    cleaned = redact_record(put("it is correct horse battery staple"), clean)
    assert cleaned == put("it is [REDACTED:environment] staple")


def test_what_is_nested_too_deeply_is_left_out() -> None:
    value: object = make_canary(2)
    for _ in range(300):
        value = [value]
    assert "nested too deeply" in json.dumps(redact_record(put(value), CLEAN))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(["type", "message", "content", "uuid", "toolUseResult", "x"]), values, max_size=6)
)
def test_any_record_can_be_cleaned_and_a_second_time_changes_nothing(record: dict[str, object]) -> None:
    once = redact_record(record, CLEAN)
    if once is not None:
        assert redact_record(once, CLEAN) == once
        assert hear(once).said == hear(record).said
        json.dumps(once)
