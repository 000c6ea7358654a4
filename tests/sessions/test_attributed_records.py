from pathlib import Path

import pytest

from memci.errors import UsageError
from memci.model.session import Origin, Place
from memci.sessions.attributed_records import read_records
from tests.sessions.build import REFUSED, assistant, call, record, result, user, write


def test_every_piece_has_its_origin(tmp_path: Path) -> None:
    target = write(
        tmp_path,
        "a.jsonl",
        user("always squash"),
        user("a reminder", isMeta=True),
        user("what was said before", isCompactSummary=True),
        assistant(
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I will"}, call("Bash", command="ls")
        ),
        result("a.py\nb.py"),
        result(REFUSED + "not like this", error=True),
        result("<persisted-output>\nOutput too large"),
        result("[Old tool result content cleared]"),
        record("progress", data={"type": "agent_progress", "message": user("look at b.py")}),
        user("look at a.py", isSidechain=True),
        record("summary", summary="A title"),
        "broken",
    )
    found = [(item.origin, item.kind, item.text[:20], item.tool) for item in read_records(str(target), repository=None)]
    assert found == [
        (Origin.PERSON, "prompt", "always squash", None),
        (Origin.META, "text", "a reminder", None),
        (Origin.SUMMARY, "text", "what was said before", None),
        (Origin.MODEL, "thinking", "hm", None),
        (Origin.MODEL, "text", "I will", None),
        (Origin.MODEL, "call", '{"command": "ls"}', "Bash"),
        (Origin.TOOL, "result", "a.py\nb.py", "Bash"),
        (Origin.PERSON, "rejection", "not like this", None),
        (Origin.TOOL, "result", "The user doesn't wan", "Bash"),
        (Origin.TOOL, "persisted result", "<persisted-output>\nO", "Bash"),
        (Origin.TOOL, "cleared result", "[Old tool result con", "Bash"),
        (Origin.SUBAGENT, "text", "look at b.py", None),
        (Origin.SUBAGENT, "text", "look at a.py", None),
        (Origin.SUMMARY, "summary", "A title", None),
    ]


def test_results_are_cut_and_failures_marked(tmp_path: Path) -> None:
    target = write(tmp_path, "a.jsonl", result("x" * 9_000, error=True))
    (found,) = read_records(str(target), repository=None)
    assert (len(found.text), found.failed, found.place) == (2_000, True, None)


def test_a_persons_words_carry_their_place(tmp_path: Path) -> None:
    target = write(tmp_path, "a.jsonl", user("always squash"))
    assert [item.place for item in read_records(str(target), repository=None)] == [Place.PROMPT]


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "gone.jsonl")
    (tmp_path / "bad.zip").write_bytes(b"x")
    for name in ("link.jsonl", "bad.zip"):
        with pytest.raises(UsageError, match="cannot read"):
            list(read_records(str(tmp_path / name), repository=None))
