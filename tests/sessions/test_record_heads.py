"""Whatever the order of keys, the separators and the escapes: no line in which a person speaks is left out."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.sessions.json_lines import BrokenRecordError, decode_exactly, decode_line
from memci.sessions.read_result import ReadLimits
from memci.sessions.read_turns import read_transcripts
from memci.sessions.record_heads import OTHER, RESULT, classify_head, read_head
from memci.sessions.speaker import hear
from tests.sessions.build import REFUSED, Json, assistant, call, dump, enqueue, record, result, user

TEXTS = st.one_of(
    st.sampled_from(
        ["user", "progress", "\u2028 a\x85b\x0b", 'say "role":"user"', "}{", '{"type":"user"}', "a\ud800b"]
    ),
    st.text(max_size=30),
)
ANSWER = "User has answered your questions: x"


def records(text: str) -> st.SearchStrategy[Json]:
    """Return records of every kind with a text somewhere in them."""
    block: Json = {"type": "text", "text": text}
    nested = {"messages": [{"role": "user", "type": "user", "content": text}, {"role": "assistant"}]}
    answers = {"questions": [{"question": text}], "answers": {text: text, "b": text}}
    return st.sampled_from(
        [
            user(text),
            user([block]),
            user([{"type": "image", "source": {"data": "x" * 50}}, block]),
            user(text, isMeta=True),
            user(text, toolUseResult=nested),
            user(text, toolUseResult={"type": "tool_result", "x": "tool_result"}),
            result(text),
            result(text, copy=nested),
            result([block], copy=text),
            user([{"type": "tool_result", "content": text}, block], toolUseResult={"type": "text"}),
            user([block, {"type": "tool_result", "content": text}]),
            result(REFUSED + text, error=True),
            result(ANSWER, copy=answers),
            result(ANSWER, copy=None, tool_use_result=answers),
            enqueue(text),
            record("attachment", attachment={"type": "queued_command", "prompt": text}),
            record("attachment", attachment={"type": "file", "content": nested}),
            record("progress", data={"type": "agent_progress", "message": user(text)}),
            assistant(block),
            assistant(call("Write", file_path="memory/a.md", content=text)),
            record("assistant", message={"id": "user", "role": "assistant", "content": text}),
            spoken(block),
            spoken(call("Bash", command=text) | {"caller": {"type": "direct"}}),
            running({"type": "bash_progress", "output": text}),
            running({"message": user(text), "type": "agent_progress"}),
            returned(text, toolUseResult={"stdout": text}),
            returned(text, block, toolUseResult={"type": "text"}),
            returned([block], block, toolUseResult={"content": [block]}),
            returned("ok", {"type": "tool_result", "content": REFUSED + text, "is_error": True}, toolUseResult=nested),
            returned(ANSWER, toolUseResult=answers),
        ]
    )


def spoken(block: Json, **fields: object) -> Json:
    """Return a record of the model as clients write it, with its type at the end."""
    message = {
        "model": "m",
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [block],
        "usage": {"n": 1},
    }
    first: Json = {"parentUuid": None, "sessionId": "s", "message": message}
    return first | fields | {"type": "assistant", "uuid": "u", "timestamp": "2026-11-02T10:00:00Z"}


def running(data: Json) -> Json:
    return {"parentUuid": None, "type": "progress", "data": data, "toolUseID": "t", "parentToolUseID": "p", "uuid": "u"}


def returned(content: object, *more: Json, **fields: object) -> Json:
    """Return the result of a tool as clients write it, with the copy at the end."""
    block = {"tool_use_id": "toolu_1", "type": "tool_result", "content": content, "is_error": False}
    message = {"role": "user", "content": [block, *more]}
    return {"parentUuid": None, "type": "user", "message": message, "uuid": "u"} | fields


def refused(text: str) -> Json:
    block = {"tool_use_id": "toolu_1", "type": "tool_result", "content": REFUSED + text, "is_error": True}
    return {"parentUuid": None, "type": "user", "message": {"role": "user", "content": [block]}, "uuid": "u"}


def kind_of(line: bytes) -> str | None:
    head = read_head(line)
    return classify_head(head) if head else None


BLOCK: Json = {"type": "text", "text": "always squash"}
LONG = "always squash " * 1_000


@pytest.mark.parametrize(
    ("kind", "item"),
    [
        (OTHER, spoken(BLOCK)),
        (OTHER, spoken({"type": "thinking", "thinking": "x", "signature": "y"})),
        (OTHER, spoken(call("Edit", file_path="src/a.py", new_string="x"))),
        (OTHER, spoken(call("Edit", file_path="src/a.py", new_string='"role":"user"'))),
        (OTHER, spoken(call("Bash", command="ls") | {"caller": {"type": "direct"}})),
        (OTHER, spoken(call("mcp", messages=[{"role": "user", "content": "x"}]))),
        (OTHER, running({"type": "bash_progress", "output": "x"})),
        (OTHER, running({"message": user("always squash"), "type": "agent_progress"})),
        (RESULT, returned("ok", toolUseResult={"stdout": "ok"})),
        (RESULT, returned("ok", toolUseResult={"type": "text", "file": {"content": "ok"}})),
        (RESULT, returned([BLOCK], toolUseResult={"content": [BLOCK, BLOCK, BLOCK]})),
        (RESULT, returned([BLOCK], toolUseResult="ok")),
        (OTHER, {"type": "file-history-snapshot", "snapshot": {}}),
    ],
)
def test_what_clients_write_most_is_not_decoded(kind: str, item: Json) -> None:
    assert kind_of(dump(item)) == kind


@pytest.mark.parametrize(
    "line",
    [
        dump(returned("ok", BLOCK, toolUseResult={"stdout": "ok"})),
        dump(returned([BLOCK], BLOCK, toolUseResult={"content": [BLOCK]})),
        dump(refused("no")),
        dump(returned("ok", {"type": "tool_result", "content": REFUSED + "no", "is_error": True}, toolUseResult="x")),
        dump(refused("no")).replace(b'"The user', b'"\\u0054he user'),
        dump(
            returned("ok", {"type": "tool_result", "content": ANSWER}, toolUseResult={"questions": [], "answers": {}})
        ),
        dump(returned(ANSWER, toolUseResult={"questions": [{"question": "a"}], "answers": {"a": "b"}})),
        dump(spoken(call("Write", file_path="memory/a.md", content="x"))),
        dump(spoken(BLOCK)).strip() + dump(user(LONG)),
        dump(user(LONG)).strip() + dump(spoken(BLOCK)),
        dump(returned("ok", toolUseResult={"type": "text"})).strip() + dump(user(LONG)),
        dump(running({"type": "bash_progress"})).strip() + dump(user(LONG)),
        dump(running({"message": user("x"), "type": "agent_progress"})).strip() + dump(user(LONG)),
        dump({"type": "summary", "summary": "x"}).strip() + dump(user(LONG)),
    ],
)
def test_what_a_person_may_stand_in_is_decoded(line: bytes) -> None:
    assert kind_of(line) is None


def shuffle(value: object, source: random.Random) -> object:
    if isinstance(value, dict):
        items = [(key, shuffle(item, source)) for key, item in value.items()]
        source.shuffle(items)
        return dict(items)
    return [shuffle(item, source) for item in value] if isinstance(value, list) else value


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Return one line as some writer writes it."""
    value: object = draw(TEXTS.flatmap(records))
    if draw(st.booleans()):
        value = shuffle(value, draw(st.randoms(use_true_random=False)))
    marks = draw(st.sampled_from([[",:"], [", : "], [" ,  : "], [",:", ", : "]]))
    text = write(value, draw(st.randoms(use_true_random=False)), marks, ascii_only=draw(st.booleans()))
    return text.encode("utf-8", "surrogatepass")


def write(value: object, source: random.Random, marks: list[str], *, ascii_only: bool) -> str:
    """Write JSON with the blanks of one writer, or of several that put together what others wrote."""
    if not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=ascii_only)
    mark = source.choice(marks)
    comma, colon = mark[: len(mark) // 2], mark[len(mark) // 2 :]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    parts = [
        (json.dumps(key, ensure_ascii=ascii_only), write(item, source, marks, ascii_only=ascii_only))
        for key, item in items
    ]
    if isinstance(value, list):
        return f"[{comma.join(part for _, part in parts)}]"
    return f"{{{comma.join(key + colon + part for key, part in parts)}}}"


def speaks(line: bytes) -> bool:
    """Say the slow and simple way whether a person speaks on a line."""
    try:
        values = decode_line(line)
    except BrokenRecordError:
        return False
    return any(isinstance(value, dict) and hear(value).said for value in values)


@given(lines())
def test_no_line_in_which_a_person_speaks_is_left_out(line: bytes) -> None:
    assert kind_of(line + b"\n") is None or not speaks(line)


@given(st.lists(TEXTS.flatmap(records), min_size=2, max_size=2))
def test_two_records_of_a_client_on_one_line_are_both_heard(pair: list[Json]) -> None:
    line = b"".join(dump(item).rstrip(b"\n") for item in pair)
    assert kind_of(line + b"\n") is None or not speaks(line)


@given(st.lists(lines(), max_size=12), st.integers(300, 3_000))
def test_lines_across_the_borders_of_blocks_are_whole(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], limit: int
) -> None:
    # A block is no longer than the longest line that is allowed.
    directory = tmp_path_factory.mktemp("transcripts")
    (directory / "a.jsonl").write_bytes(b"".join(line + b"\n" for line in pieces))
    (report,) = read_transcripts([str(directory)], repository=None, limits=ReadLimits(line_bytes=limit)).files
    kept = [line for line in pieces if len(line) < limit]
    exact = [line for line in kept if speaks(line) and decode_exactly(line)[1]]
    assert report.used == len(exact)
    assert report.used + report.broken + sum(report.skipped.values()) == len(pieces)
    assert report.broken >= len(pieces) - len(kept)


@given(
    st.lists(lines() | st.binary(max_size=40).filter(lambda line: b"\n" not in line), max_size=8),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_a_file_gives_every_record_that_decoding_each_line_gives(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], end: bytes, start: bytes
) -> None:
    directory = tmp_path_factory.mktemp("transcripts")
    (directory / "a.jsonl").write_bytes(start + end + end.join(pieces))
    reading = read_transcripts([str(directory)], repository=None)
    report = reading.files[0]
    spoken = [line for line in pieces if speaks(line) and decode_exactly(line)[1]]
    assert report.used == sum(
        bool(isinstance(value, dict) and hear(value).said) for line in spoken for value in decode_line(line)
    )
    assert report.used + report.broken + sum(report.skipped.values()) >= sum(bool(line.strip()) for line in pieces)
