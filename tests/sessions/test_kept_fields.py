"""Which fields of a record may leave the machine."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.sessions.kept_fields import PRIVATE_READ, drop_reminders, keep_fields, name_unknown
from memci.sessions.speaker import hear
from tests.digest.private_tape import CANARIES, canary, make_private
from tests.digest.tape import Tape

FLAGS = {
    "isSidechain": True,
    "isMeta": True,
    "isCompactSummary": True,
    "isVisibleInTranscriptOnly": True,
    "isSynthetic": True,
    "isApiErrorMessage": True,
    "parent_tool_use_id": "toolu_1",
    "agentId": "a1",
    "agentName": "reviewer",
    "agentSetting": "reviewer",
    "promptSource": "typed",
    "turnOrigin": "human",
    "turnCompanion": True,
    "promptId": "p1",
    "userFeedback": "no",
    "holdsPersonsWords": True,
    "toolDenialKind": "user-rejected",
    "logicalParentUuid": "u1",
    "session_id": "s1",
    "version": "2.1.325",
    "userType": "external",
    "entrypoint": "cli",
}


def test_every_canary_is_in_the_session_and_none_is_kept() -> None:
    records = make_private().records
    before = json.dumps(records)
    kept = json.dumps([keep_fields(record) for record in records])
    assert [name for name in CANARIES if canary(name) not in before] == []
    assert [name for name in CANARIES if canary(name) in kept] == []


def test_what_people_say_and_withdraw_is_kept() -> None:
    for record in make_private().records:
        kept = keep_fields(record)
        after = hear(kept) if kept else hear({})
        assert after.said == hear(record).said
    taken_back = {"type": "queue-operation", "operation": "popAll", "content": "never mind\nthe tests"}
    assert keep_fields(taken_back) == taken_back


def test_flags_and_the_order_of_fields_are_kept() -> None:
    record = Tape().add("user", **FLAGS)
    kept = keep_fields(record)
    assert kept == record
    assert list(kept) == list(record)


@pytest.mark.parametrize("field", ["cwd", "version", "isMeta", "userFeedback"])
def test_a_field_that_should_be_plain_keeps_nothing_nested(field: str) -> None:
    assert keep_fields({"type": "user", field: {"text": "x"}}) == {"type": "user"}


@pytest.mark.parametrize("field", ["promptSource", "turnOrigin", "entrypoint", "session_id"])
def test_no_record_becomes_a_persons_because_a_field_is_left_out(field: str) -> None:
    record = {"type": "user", "message": {"role": "user", "content": "always squash"}, field: ["sdk"]}
    kept = keep_fields(record)
    assert kept is not None
    assert (kept[field], hear(record).said, hear(kept).said) == ("unknown", (), ())


def test_of_origins_decisions_and_forks_only_known_parts_are_kept() -> None:
    record = {
        "type": "user",
        "origin": {"kind": "human", "x": 1},
        "permissionDecision": {"decision": "reject", "source": "user_reject", "x": "text"},
        "forkedFrom": {"sessionId": "s", "messageUuid": "m", "x": 1},
        "planContent": "# Plan",
    }
    assert keep_fields(record) == {
        "type": "user",
        "origin": {"kind": "human"},
        "permissionDecision": {"decision": "reject", "source": "user_reject"},
        "forkedFrom": {"sessionId": "s", "messageUuid": "m"},
        "planContent": True,
    }


def test_a_record_of_another_type_is_not_kept() -> None:
    assert keep_fields({"type": "some-later-kind", "uuid": "u"}) is None
    assert keep_fields({"uuid": "u"}) is None
    assert keep_fields({"type": ["user"]}) is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("user", None),
        ("api-request-blob", None),
        ("some-later-kind", "some-later-kind"),
        ("my private notes", "(not a name)"),
        ("x" * 41, "(not a name)"),
        (7, "(no type)"),
    ],
)
def test_only_types_that_no_client_writes_are_named(kind: object, name: str | None) -> None:
    assert name_unknown({"type": kind}) == name


@pytest.mark.parametrize(
    ("path", "private"),
    [
        ("/home/ines/shop/src/cart.py", False),
        ("/home/ines/shop/.claude/agent-memory/reviewer/MEMORY.md", False),
        ("/home/ines/shop/CLAUDE.local.md", True),
        ("/home/ines/shop/../.claude/CLAUDE.md", True),
        ("/home/ines/shop-secrets/a.txt", True),
        ("/home/ines/.claude/CLAUDE.md", True),
    ],
)
def test_files_outside_the_session_directory_and_local_ones_are_left_out(path: str, private: bool) -> None:  # noqa: FBT001
    tape = Tape()
    tape.call("Read", "1\ttext", file_path=path)
    record = tape.records[-1] | {"toolUseResult": {"type": "text", "file": {"filePath": path, "content": "text"}}}
    kept = json.dumps(keep_fields(record))
    assert (PRIVATE_READ in kept, "text" in kept.replace('"type": "text"', "")) == (private, not private)


def test_reminders_in_the_output_of_a_tool_are_dropped() -> None:
    assert drop_reminders("a\n<system-reminder>x\ny</system-reminder>\nb<system-reminder>z") == "a\n\nb"
    # What the client quotes may hold the end tag.
    quoted = "a<system-reminder>x</system-reminder>private</system-reminder>b"
    assert drop_reminders(quoted) == "ab"
    # A run of blanks before every place where one could begin must not take long.
    assert drop_reminders(" " * 200_000 + "<system-reminder>") == " " * 200_000


PIECES = (
    "always squash", "/ship", " ", "\n", "<system-reminder>", "</system-reminder>", "<command-name>/x</command-name>",
    "<command-args>", "</command-args>", "<user-memory-input>", "</user-memory-input>", "<bash-stdout>", "<b>",
    "[Request interrupted by user]", "[Image #1]", "Implement the following plan:",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=6), st.booleans())
def test_whatever_wraps_the_words_they_are_read_as_before(parts: list[str], block: bool) -> None:  # noqa: FBT001
    text = "".join(parts)
    content = [{"type": "text", "text": text}] if block else text
    record = {"type": "user", "message": {"role": "user", "content": content}}
    kept = keep_fields(record)
    assert kept is not None
    assert hear(kept).said == hear(record).said
    assert keep_fields(kept) == kept


def test_of_recall_only_the_paths_in_the_repository_are_kept() -> None:
    inside, own = "/home/ines/shop/.claude/memory/a.md", "/home/ines/.claude/projects/-home-ines-shop/memory/b.md"
    shown = [{"path": path, "content": "private", "mtimeMs": 1} for path in (inside, own)]
    attachment = {"type": "relevant_memories", "memories": shown, "rendered": "private"}
    kept = keep_fields({"type": "attachment", "cwd": "/home/ines/shop", "attachment": attachment})
    assert kept is not None
    assert kept["attachment"] == {"type": "relevant_memories", "memories": [{"path": inside}]}
