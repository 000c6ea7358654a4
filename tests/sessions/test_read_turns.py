import datetime as dt
import json
import os
import random
import string
from pathlib import Path

import pytest

from memci.errors import UsageError
from memci.model.session import Origin, Place
from memci.sessions.places import find_inputs
from memci.sessions.read_result import FileStatus, ReadLimits
from memci.sessions.read_turns import read_transcripts
from tests.sessions.build import SESSION, Json, assistant, call, dump, enqueue, record, result, user, write


def make_token() -> str:
    source = random.Random(5)
    return "gh" + "p_" + "".join(source.choice(string.ascii_letters + string.digits) for _ in range(36))


def test_files_without_words_of_a_person_are_used_without_complaint(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "blank.jsonl").write_bytes(b"\n\n  \n")
    write(tmp_path, "quiet.jsonl", assistant({"type": "text", "text": "hello"}), result("ok"))
    (tmp_path / "notes.txt").write_text("always squash")
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "agent-1.meta.json").write_text('[{"type": "user"}]')
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert reading.turns == ()
    assert [(Path(report.name).name, report.status) for report in reading.files] == [
        ("blank.jsonl", FileStatus.USED),
        ("empty.jsonl", FileStatus.USED),
        ("quiet.jsonl", FileStatus.USED),
    ]


def test_turns_say_who_when_and_where(tmp_path: Path) -> None:
    prompt = user("always squash", timestamp="2026-11-02T12:00:00+02:00")
    setting: Json = {"type": "agent-setting", "agentSetting": "reviewer", "sessionId": SESSION}
    last = assistant({"type": "text", "text": "Done."}, timestamp="2026-11-02T11:00:00Z")
    write(tmp_path, "a.jsonl", prompt, setting, last, {"type": "last-prompt", "sessionId": SESSION})
    reading = read_transcripts([str(tmp_path)], repository=None)
    (turn,), (session,) = reading.turns, reading.sessions
    assert (turn.session, turn.uuid, turn.origin, turn.place) == (SESSION, prompt["uuid"], Origin.PERSON, Place.PROMPT)
    assert turn.timestamp == dt.datetime(2026, 11, 2, 10, tzinfo=dt.UTC)
    assert turn.agent == session.agent == "reviewer"
    assert (session.cwd, session.branch, session.records) == ("/home/ines/shop", "main", 1)
    assert session.last_uuid == prompt["uuid"]
    assert session.last == dt.datetime(2026, 11, 2, 11, tzinfo=dt.UTC)


def test_turns_stand_in_the_order_of_time_session_and_position(tmp_path: Path) -> None:
    late = "2026-11-03T10:00:00Z"
    write(tmp_path, "a.jsonl", user("three", timestamp=late), user("four", timestamp=late), user("one", timestamp=""))
    write(tmp_path, "b.jsonl", user("two", timestamp="2026-11-02T10:00:00Z"))
    write(tmp_path, "c.jsonl", {"type": "user", "sessionId": "c", "message": {"role": "user", "content": "no time"}})
    reading = read_transcripts([str(tmp_path)], repository=None)
    # Without a time of its own a record has that of the one before.
    assert [turn.text for turn in reading.turns] == ["no time", "two", "three", "four", "one"]
    assert reading.turns[0].session == "c"


def test_a_record_without_a_time_has_that_of_the_one_before_even_if_no_person_spoke_there(tmp_path: Path) -> None:
    model = assistant({"type": "text", "text": "x"}, timestamp="2026-11-05T10:00:00Z")
    bare: Json = {"type": "user", "sessionId": SESSION, "message": {"role": "user", "content": "bare"}}
    write(tmp_path, "a.jsonl", user("first", timestamp="2026-11-01T10:00:00Z"), model, bare)
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert reading.turns[-1].timestamp == dt.datetime(2026, 11, 5, 10, tzinfo=dt.UTC)


def test_records_that_two_files_share_count_once(tmp_path: Path) -> None:
    prompt = user("always squash")
    fork = prompt | {"sessionId": "1-fork", "forkedFrom": {"sessionId": SESSION}}
    write(tmp_path, "a.jsonl", prompt, user("more", uuid=prompt["uuid"]))
    write(tmp_path, "b.jsonl", fork, prompt)
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [(turn.session, turn.text) for turn in reading.turns] == [(SESSION, "always squash"), (SESSION, "more")]
    assert reading.used == 4


def test_a_copy_belongs_to_the_session_that_goes_on(tmp_path: Path) -> None:
    prompt = user("always squash")
    write(tmp_path, "a.jsonl", prompt | {"sessionId": "0-stopped"})
    write(tmp_path, "b.jsonl", prompt, user("scratch that"))
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [(turn.session, turn.text) for turn in reading.turns] == [
        (SESSION, "always squash"),
        (SESSION, "scratch that"),
    ]


def test_the_queue_of_a_session_that_goes_on_under_another_id_says_nothing_twice(tmp_path: Path) -> None:
    sent = user("round once", uuid="00000000-0000-4000-8000-0000000000aa", timestamp="2026-11-02T10:00:05.000Z")
    write(tmp_path, "a.jsonl", enqueue("round once"), sent)
    other = "5f0c1b3a-0000-4000-8000-000000000002"
    later = user("and test it", sessionId=other, timestamp="2026-11-03T10:00:00.000Z")
    write(tmp_path, "b.jsonl", sent | {"sessionId": other}, later)
    turns = read_transcripts([str(tmp_path)], repository=None).turns
    assert [(turn.text, turn.session) for turn in turns] == [("round once", other), ("and test it", other)]


def test_a_fork_with_a_new_id_and_time_is_still_a_copy(tmp_path: Path) -> None:
    prompt = user("always squash")
    mark = {"sessionId": SESSION, "messageUuid": prompt["uuid"]}
    write(tmp_path, "a.jsonl", prompt)
    write(tmp_path, "b.jsonl", user("always squash", sessionId="0-fork", forkedFrom=mark))
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [(turn.session, turn.uuid) for turn in reading.turns] == [(SESSION, prompt["uuid"])]


def test_what_was_cancelled_in_the_queue_was_not_said(tmp_path: Path) -> None:
    removed = enqueue("drop it", operation="remove", reason="cancelled")
    absorbed = enqueue("keep it", operation="remove", reason="absorbed_mid_turn")
    write(tmp_path, "a.jsonl", enqueue("drop it"), removed, enqueue("keep it"), absorbed)
    assert [turn.text for turn in read_transcripts([str(tmp_path)], repository=None).turns] == ["keep it"]


def test_queued_words_count_once_and_only_if_they_were_not_taken_back(tmp_path: Path) -> None:
    queued = record("attachment", attachment={"type": "queued_command", "prompt": "also  lint"})
    write(
        tmp_path,
        "a.jsonl",
        enqueue("sent later"),
        enqueue("also lint"),
        enqueue("never sent"),
        enqueue("never sent"),
        enqueue("taken back"),
        enqueue("taken back", operation="popAll"),
        user("sent later\nwith others"),
        queued,
    )
    texts = sorted(turn.text for turn in read_transcripts([str(tmp_path)], repository=None).turns)
    assert texts == ["also  lint", "never sent", "sent later\nwith others"]


def test_notes_without_a_session_make_none(tmp_path: Path) -> None:
    write(tmp_path, "full.jsonl", {"type": "file-history-snapshot", "snapshot": {}}, user("always squash"))
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [session.id for session in reading.sessions] == [SESSION]


def test_sub_agents_are_nobody(tmp_path: Path) -> None:
    write(tmp_path, "s/subagents/agent-1.jsonl", user("always squash", isSidechain=None))
    write(tmp_path, "agent-2.jsonl", user("always squash", isSidechain=True))
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert (reading.turns, reading.skipped) == ((), {"subagent": 2})


def test_secrets_are_taken_out_of_texts_names_and_reports(tmp_path: Path) -> None:
    token, known = make_token(), "correct-horse-42"
    prompt = user(f"use {token} and {known}", sessionId=token, uuid=token, cwd=f"/home/{token}")
    write(tmp_path, f"log_{token}.jsonl", prompt, assistant(call("Write", file_path="memory/a.md", content=token)))
    reading = read_transcripts([str(tmp_path)], repository=None, secrets=[known, ""])
    assert token not in repr(reading)
    assert known not in repr(reading)
    assert len(reading.turns) == len(reading.writes) == 1


def test_characters_that_cannot_be_stored_are_replaced(tmp_path: Path) -> None:
    line = '{"type":"user","sessionId":"a","message":{"role":"user","content":"a\\u0000b\\ud800c"}}'
    write(tmp_path, "a.jsonl", line)
    assert read_transcripts([str(tmp_path)], repository=None).turns[0].text == "a\ufffdb\ufffdc"


def test_broken_lines_are_counted_and_the_others_used(tmp_path: Path) -> None:
    twice = '{"type":"assistant","type":"user","sessionId":"a","message":{"role":"user","content":"always squash"}}'
    digits = '{"type":"user","n":' + "9" * 5_000 + "}"
    whole = dump(user("kept")).decode().strip()
    write(
        tmp_path,
        "a.jsonl",
        "[" * 60_000,
        "\0\0",
        "}{",
        "42",
        twice,
        digits,
        whole + whole[:-1],
        "{}",
        whole[:80],
        whole,
    )
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [turn.text for turn in reading.turns] == ["kept"]
    assert (reading.broken, reading.skipped) == (7, {"model or client": 1, "no record": 1})
    assert reading.files[0].problem == "broken records: 7, the first in line 1"


def test_a_line_that_is_too_long_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", user("before"), user("x" * 5_000), user("after"))
    reading = read_transcripts([str(tmp_path)], repository=None, limits=ReadLimits(line_bytes=1_000))
    assert [turn.text for turn in reading.turns] == ["before", "after"]
    assert reading.broken == 1
    assert "is too long" in reading.files[0].reason


def test_of_a_file_that_is_too_large_the_end_is_read(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", *(user(f"text {number}") for number in range(50)))
    reading = read_transcripts([str(tmp_path)], repository=None, limits=ReadLimits(file_bytes=2_000))
    assert reading.turns[-1].text == "text 49"
    assert reading.broken == 0
    (report,) = reading.files
    assert report.bytes + report.truncated == (tmp_path / "a.jsonl").stat().st_size
    assert report.bytes <= 2_000


def test_other_tools_files_are_named_and_left_out(tmp_path: Path) -> None:
    write(tmp_path, "codex.jsonl", {"type": "response_item", "payload": {"role": "user", "content": "always squash"}})
    (tmp_path / "pretty.jsonl").write_text(json.dumps({"role": "user", "text": "x"}, indent=2))
    (tmp_path / "packed.jsonl").write_bytes(b"\x1f\x8b\x08\x00abc")
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert (reading.turns, reading.sessions) == ((), ())
    assert [report.status for report in reading.files] == [
        FileStatus.FOREIGN,
        FileStatus.QUARANTINED,
        FileStatus.QUARANTINED,
    ]


def test_an_array_of_records_is_read_like_lines(tmp_path: Path) -> None:
    message: Json = {"role": "user", "content": "always squash"}
    prompt: Json = {"type": "user", "session_id": "run-1", "message": message, "origin": {"kind": "human"}}
    inner = prompt | {"parent_tool_use_id": "toolu_1"}
    init: Json = {"type": "system", "subtype": "init", "session_id": "run-1", "cwd": "/w"}
    text = json.dumps([init, prompt, inner, {"type": "result", "n": 1}], indent=2)
    (tmp_path / "execution.json").write_text("\ufeff" + text)
    (tmp_path / "cut.json").write_text(text[:-40])
    (tmp_path / "stream.json").write_bytes(dump(init, prompt | {"uuid": "u-1"}))
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [(turn.session, turn.text) for turn in reading.turns] == [("run-1", "always squash")] * 2
    by_name = {Path(report.name).name: report for report in reading.files}
    assert by_name["execution.json"].skipped == {"subagent": 1, "system": 2}
    assert (by_name["execution.json"].broken, by_name["cut.json"].broken) == (0, 1)


def test_an_array_with_elements_larger_than_what_is_read_at_once(tmp_path: Path) -> None:
    records = [user("x" * 1_500_000), user("small"), user("y" * 3_000_000)]
    (tmp_path / "a.json").write_text(json.dumps(records))
    reading = read_transcripts([str(tmp_path)], repository=None)
    assert [len(turn.text) for turn in reading.turns] == [1_500_000, 5, 3_000_000]


def test_links_and_pipes_are_refused_and_never_opened(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/real.jsonl", user("always squash"))
    place = tmp_path / "place"
    place.mkdir()
    (place / "link.jsonl").symlink_to(outside)
    (place / "zero.jsonl").symlink_to("/dev/zero")
    (place / "directory").symlink_to(outside.parent)
    os.mkfifo(place / "pipe.jsonl")
    reading = read_transcripts([str(place), str(place / "link.jsonl")], repository=None)
    assert reading.turns == ()
    assert {report.status for report in reading.files} == {FileStatus.REFUSED}
    assert len(reading.files) == 5


def test_a_file_that_cannot_be_opened_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", user("kept"))
    write(tmp_path, "b.jsonl", user("lost")).chmod(0)
    reading = read_transcripts([str(tmp_path)], repository=None)
    # The superuser may read everything.
    expected = [FileStatus.USED, FileStatus.USED if os.geteuid() == 0 else FileStatus.NOT_READ]
    assert [report.status for report in reading.files] == expected


def test_what_is_written_meanwhile_is_not_read(tmp_path: Path) -> None:
    target = write(tmp_path, "a.jsonl", user("first"))
    found = list(find_inputs(str(tmp_path), None, ReadLimits()))
    with target.open("ab") as file:
        file.write(dump(user("later")))
    reading = read_transcripts([], repository=None, fetched=found)
    assert [turn.text for turn in reading.turns] == ["first"]


def test_the_newest_are_read_if_not_all_can_be(tmp_path: Path) -> None:
    for number in (3, 1, 4, 2):
        write(tmp_path, f"{5 - number}.jsonl", user(f"day {number}", timestamp=f"2026-11-0{number}T10:00:00Z"))
    reading = read_transcripts([str(tmp_path)], repository=None, limits=ReadLimits(files=2))
    assert [turn.text for turn in reading.turns] == ["day 3", "day 4"]
    assert [report.status for report in reading.files].count(FileStatus.NOT_READ) == 2
    none = read_transcripts([str(tmp_path)], repository=None, limits=ReadLimits(run_bytes=10))
    assert none.turns == ()


def test_many_files_leave_no_descriptor_open(tmp_path: Path) -> None:
    for number in range(200):
        write(tmp_path, f"{number}.jsonl", user("x"))
    descriptors = Path("/proc/self/fd")
    if not descriptors.is_dir():
        pytest.skip("this system does not list open files")
    before = sum(1 for _ in descriptors.iterdir())
    read_transcripts([str(tmp_path)], repository=None)
    assert sum(1 for _ in descriptors.iterdir()) == before


def test_names_that_look_like_options_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "--help.jsonl", user("always squash"))
    monkeypatch.chdir(tmp_path)
    assert len(read_transcripts(["--help.jsonl"], repository=None).turns) == 1


def test_a_place_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such transcript"):
        read_transcripts([str(tmp_path / "gone")], repository=None)


def test_memory_writes_count_unless_they_failed(tmp_path: Path) -> None:
    first = call("Write", file_path="/r/.claude/memory/a.md", content="kept")
    second = call("Write", file_path="/r/.claude/memory/b.md", content="refused") | {"id": "toolu_2"}
    refused = user([{"type": "tool_result", "tool_use_id": "toolu_2", "content": "no", "is_error": True}])
    write(tmp_path, "a.jsonl", assistant(first), result("ok"), assistant(second), refused)
    (written,) = read_transcripts([str(tmp_path)], repository=None).writes
    assert (written.session, written.path, written.text) == (SESSION, "/r/.claude/memory/a.md", "kept")


def test_unknown_types_are_named_wherever_a_record_says_its_type(tmp_path: Path) -> None:
    last = record("assistant", message={"role": "assistant", "content": [{"type": "text", "text": "ok"}]})
    ordered = {key: last[key] for key in ("parentUuid", "message", "type", "uuid", "timestamp")}
    later = {**ordered, "type": "hologram"}
    state: Json = {"type": "later-state", "value": "x"}
    write(tmp_path, "a.jsonl", user("always squash"), ordered, later, state, state, {"type": "cost-state", "cost": 1})
    skipped = read_transcripts([str(tmp_path)], repository=None).skipped
    assert skipped == {"model or client": 2, "unknown type hologram": 1, "unknown type later-state": 2}
