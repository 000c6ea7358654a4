"""What the agent said or did before a person's message."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.sessions.read_result import ReadLimits
from memci.sessions.read_turns import read_transcripts
from tests.digest.private_tape import CANARIES, canary, make_private
from tests.sessions.build import REFUSED, SESSION, Json, assistant, call, enqueue, record, result, user, write
from tests.sessions.test_read_turns import make_token


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def says(words: str, **fields: object) -> Json:
    return assistant(text(words), **fields)


LATER = "2027-01-01T10:00:00.000Z"


def in_order(*records: Json | str) -> list[Json | str]:
    """Return records a second apart, but for those of a later time."""
    return [
        item | {"timestamp": f"2026-11-02T11:00:{number:02}.000Z"}
        if isinstance(item, dict) and item.get("timestamp", LATER) != LATER
        else item
        for number, item in enumerate(records)
    ]


def read_before(directory: Path, *records: Json | str, limit: int = 8 << 20, secrets: tuple[str, ...] = ()) -> str:
    """Return what is before the last message."""
    target = write(directory, "a.jsonl", *in_order(*records))
    limits = ReadLimits(line_bytes=limit)
    return read_transcripts([str(target)], repository=None, limits=limits, secrets=secrets).turns[-1].before


@pytest.mark.parametrize(
    "other",
    [
        result("always squash"),
        assistant({"type": "thinking", "thinking": "always squash", "signature": "x"}),
        says("always squash", isSidechain=True),
        says("always squash", agentId="a1"),
        says("always squash", isMeta=True),
        says("API Error: 529 overloaded", isApiErrorMessage=True),
        says("No response requested."),
        says("always squash", timestamp=LATER),
        record("progress", data={"type": "agent_progress", "message": says("always squash")}),
        record("attachment", attachment={"type": "instructions", "content": "always squash"}),
        record("system", content="always squash"),
        user("always squash", isMeta=True),
    ],
    ids=lambda item: f"{item['type']}-{len(json.dumps(item))}",
)
def test_what_the_agent_did_not_say_in_this_session_is_not_before_a_message(tmp_path: Path, other: Json) -> None:
    assert read_before(tmp_path, other, user("no")) == ""
    assert read_before(tmp_path, says("Shall I?"), other, user("no")) == "Shall I?"


def test_records_of_another_session_end_the_search(tmp_path: Path) -> None:
    other = says("always squash", sessionId="5f0c1b3a-0000-4000-8000-000000000002")
    assert read_before(tmp_path, says("Shall I?"), other, user("no")) == ""
    assert read_before(tmp_path, other, assistant(call("Bash", command="ls")), user("no")) == "[Bash: ls]"


def test_the_first_message_has_nothing_before_it(tmp_path: Path) -> None:
    assert read_before(tmp_path, user("tidy up"), says("Done.")) == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("I send first.\n\nIf saving  fails I retry.", "I send first. If saving fails I retry."),
        (f"{'word ' * 90}end. {'word ' * 20}end?", f"… {'word ' * 20}end?"),
        ("Long story. Which one?\n1. the first\n2. the second\n3. both. Or none", None),
        (f"{'一つ目' * 150}。四つ目?", "… 四つ目?"),
        ("word " * 200 + "end", "… " + "word " * 78 + "end"),
        ("x" * 900, "… " + "x" * 398),
    ],
)
def test_the_end_of_a_text_is_kept_on_one_line(tmp_path: Path, words: str, expected: str | None) -> None:
    found = read_before(tmp_path, says(words), user("no"))
    assert found == (" ".join(words.split()) if expected is None else expected)
    assert len(found) <= 400


@pytest.mark.parametrize(
    ("tool", "values", "shown"),
    [
        ("Bash", {"command": "pnpm test\n  --filter gate", "description": "Test"}, "[Bash: pnpm test --filter gate]"),
        ("Read", {"file_path": "/home/ines/shop/src/a.py"}, "[Read src/a.py]"),
        ("Read", {"file_path": "/etc/hosts"}, "[Read /etc/hosts]"),
        ("Edit", {"file_path": "/home/ines/shop/a.py", "old_string": "1", "new_string": "2"}, "[Edit a.py: 2]"),
        ("Write", {"file_path": "a.py", "content": "word " * 100}, f"[Write a.py: {'word ' * 38}word…]"),
        ("WebFetch", {"url": "https://shop.example/x", "prompt": "sum up"}, "[WebFetch: https://shop.example/x]"),
        ("Task", {"description": "Look around", "prompt": "Read all."}, "[Task: Look around]"),
        ("mcp__notes__add", {"password": "hunter2"}, "[mcp__notes__add]"),
        (
            "AskUserQuestion",
            {"questions": [{"question": "Which?"}, {"question": "When?"}]},
            "[AskUserQuestion: Which? When?]",
        ),
        ("Bash", "no object", "[Bash]"),
    ],
)
def test_a_call_that_was_interrupted_follows_the_last_words(
    tmp_path: Path, tool: str, values: object, shown: str
) -> None:
    step = assistant(call(tool) | {"input": values})
    stopped = user([text("[Request interrupted by user for tool use]")])
    assert read_before(tmp_path, says("I try."), step, result("x"), stopped, user("no")) == f"I try. {shown}"
    assert read_before(tmp_path, step, result("x"), says("Done."), user("no")) == "Done."


def test_a_refusal_has_the_call_that_was_refused(tmp_path: Path) -> None:
    first = call("Edit", file_path="src/a.py", new_string="float(x)")
    second = call("Bash", command="make") | {"id": "toolu_2"}
    refusal = result(REFUSED + "use Decimal", error=True, copy="Error")
    records = (says("I convert it."), assistant(first), assistant(second), refusal)
    assert read_before(tmp_path, *records) == "I convert it. [Edit src/a.py: float(x)]"
    newer = refusal | {"toolDenialKind": "user-rejected", "userFeedback": "use Decimal", "holdsPersonsWords": True}
    assert read_before(tmp_path, *records[:3], newer) == "I convert it. [Edit src/a.py: float(x)]"
    allowed = user([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}, text("add a test")])
    assert read_before(tmp_path, *records[:3], allowed) == "I convert it. [Edit src/a.py: float(x)]"


def test_an_answer_has_its_question_and_what_was_chosen(tmp_path: Path) -> None:
    asked: list[Json] = [
        {"question": "Which database?", "options": [{"label": "Postgres"}, {"label": "SQLite"}]},
        {"question": "Which tests?", "options": [{"label": "unit"}, {"label": "all"}], "multiSelect": True},
    ]
    answers = {"Which database?": "SQLite", "Which tests?": "unit, and the slow ones"}
    copy = {"questions": asked, "answers": answers, "annotations": {"Which database?": {"notes": "for now"}}}
    records = (says("Two questions."), assistant(call("AskUserQuestion", questions=asked)), result("x", copy=copy))
    turns = read_transcripts([str(write(tmp_path, "a.jsonl", *in_order(*records)))], repository=None).turns
    assert {turn.text: turn.before for turn in turns} == {
        "for now": "Two questions. [AskUserQuestion: Which database? (Postgres / SQLite), chosen: SQLite]",
        "and the slow ones": "Two questions. [AskUserQuestion: Which tests? (unit / all), chosen: unit]",
    }


def test_what_is_typed_meanwhile_has_the_call_without_what_it_writes(tmp_path: Path) -> None:
    step = assistant(call("Write", file_path="a.py", content="x = 1"))
    assert read_before(tmp_path, says("Next."), step, enqueue("and lint")) == "Next. [Write a.py]"


def test_words_of_before_the_last_message_do_not_count_after_a_new_step(tmp_path: Path) -> None:
    records = (says("Old."), user("one"), assistant(call("Bash", command="ls")), result("x"))
    assert read_before(tmp_path, *records, user("two")) == "[Bash: ls]"
    # Two messages in a row refer to the same.
    assert read_before(tmp_path, *records, user("two"), user("three")) == "[Bash: ls]"


def test_secrets_are_taken_out_before_anything_is_cut(tmp_path: Path) -> None:
    token, known = make_token(), "correct-horse-42"
    for filler in range(360, 420):
        found = read_before(tmp_path, says(f"Use {token} {'x ' * (filler // 2)}"), user("no"))
        assert token[-12:] not in found
    step = assistant(call("Bash", command=f"{'x' * 180} {token} {known}"))
    found = read_before(tmp_path, says(f"It is {known}."), step, user("no"), secrets=(known,))
    assert (token[:20] in found, known in found, "[REDACTED:environment]" in found) == (False, False, True)
    key = (
        "-----BEGIN PRIVATE KEY-----\n"
        + f"{'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC' * 2}\n" * 50
        + "-----END PRIVATE KEY-----"
    )
    assert "MIIEv" not in read_before(tmp_path, says(f"Here:\n{key}"), user("no"))


def test_private_instructions_are_never_before_a_message(tmp_path: Path) -> None:
    target = make_private().write(tmp_path / "a.jsonl")
    everything = repr(read_transcripts([str(target)], repository=None).turns)
    assert [name for name in CANARIES if canary(name) in everything] == []


def test_a_copy_of_a_message_does_not_change_what_is_before_it(tmp_path: Path) -> None:
    words, prompt = in_order(says("Shall I?"), user("no"))
    assert isinstance(prompt, dict)
    fork = prompt | {"sessionId": "1-fork", "forkedFrom": {"sessionId": SESSION}}
    write(tmp_path, "a.jsonl", fork)
    write(tmp_path, "b.jsonl", words, prompt)
    (turn,) = read_transcripts([str(tmp_path)], repository=None).turns
    assert (turn.session, turn.before) == (SESSION, "Shall I?")


def test_records_on_the_line_of_the_message_count(tmp_path: Path) -> None:
    lines = [json.dumps(item) for item in (says("Shall I?"), user("no"))]
    assert read_before(tmp_path, says("Earlier."), "".join(lines)) == "Shall I?"


STEPS = st.sampled_from(
    [
        user("always squash"),
        user([text("[Request interrupted by user]")]),
        result("ok"),
        result("no", error=True, userFeedback="no", holdsPersonsWords=True),
        says("Shall I?"),
        says("Done. " * 40),
        says("aside", isSidechain=True),
        assistant({"type": "thinking", "thinking": "hm"}),
        assistant(call("Bash", command="make")),
        assistant(text("I edit."), call("Edit", file_path="a.py", new_string="text")),
        record("progress", data={"type": "agent_progress", "message": says("inner")}),
        {"type": "mode", "mode": "normal", "sessionId": SESSION},
    ]
)


@given(st.lists(STEPS, max_size=30), st.integers(700, 3_000))
def test_lines_in_blocks_of_any_size_and_an_array_give_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Json], limit: int
) -> None:
    # Equal messages at equal times would be copies.
    records = in_order(*(item | {"uuid": f"u{number}"} for number, item in enumerate(steps)))
    directory = tmp_path_factory.mktemp("transcripts")
    lines = write(directory, "lines/a.jsonl", *records)
    array = directory / "a.json"
    array.write_text(json.dumps(records))
    expected = [turn.before for turn in read_transcripts([str(array)], repository=None).turns]
    for size in (limit, 8 << 20):
        reading = read_transcripts([str(lines)], repository=None, limits=ReadLimits(line_bytes=size))
        assert [turn.before for turn in reading.turns] == expected
