"""Whatever the order of keys, the separators and the escapes: no line in which a person speaks is left out."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memci.sources.transcripts import read_transcripts
from memci.sources.transcripts.decode import BrokenRecordError, decode_line, is_exact
from memci.sources.transcripts.filter import find_kind
from memci.text.records import hear
from tests.sources.transcripts.build import REFUSED, Json, assistant, call, dump, enqueue, record, result, user

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
        ]
    )


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
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]))
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), separators=separators)
    return text.encode("utf-8", "surrogatepass")


def speaks(line: bytes) -> bool:
    """Say the slow and simple way whether a person speaks on a line."""
    try:
        values = decode_line(line)
    except BrokenRecordError:
        return False
    return any(isinstance(value, dict) and hear(value).said for value in values)


@settings(max_examples=400)
@given(lines())
def test_no_line_in_which_a_person_speaks_is_left_out(line: bytes) -> None:
    assert find_kind(line + b"\n") is None or not speaks(line)


@settings(max_examples=150)
@given(st.lists(TEXTS.flatmap(records), min_size=2, max_size=2))
def test_two_records_of_a_client_on_one_line_are_both_heard(pair: list[Json]) -> None:
    line = b"".join(dump(item).rstrip(b"\n") for item in pair)
    assert find_kind(line + b"\n") is None or not speaks(line)


@settings(max_examples=60)
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
    spoken = [line for line in pieces if speaks(line) and is_exact(line)]
    assert report.used == sum(
        bool(isinstance(value, dict) and hear(value).said) for line in spoken for value in decode_line(line)
    )
    assert report.used + report.broken + sum(report.skipped.values()) >= sum(bool(line.strip()) for line in pieces)
