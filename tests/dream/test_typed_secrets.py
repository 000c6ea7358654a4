import datetime as dt
import json
from pathlib import Path

import pytest

from tests.commands.run import memci
from tests.repository import make_repository

SECRET = "the staging password is " + "Quill7!harbor" + "Xx9"


def say(path: Path, text: str) -> None:
    record = {
        "type": "user",
        "uuid": "11111111-0000-4000-8000-000000000001",
        "sessionId": path.stem,
        "timestamp": dt.datetime(2026, 11, 12, 9, tzinfo=dt.UTC).isoformat(),
        "promptSource": "typed",
        "origin": {"kind": "human"},
        "userType": "external",
        "message": {"role": "user", "content": text},
    }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


PASTED = f"what is wrong with this?\n\n```\n{SECRET}\n```"


@pytest.mark.parametrize(
    ("text", "times"),
    [(SECRET, 1), (PASTED, 1), ("the staging password is in the vault", 0)],
    ids=["typed", "pasted", "no"],
)
def test_a_typed_secret_is_told_of_once_and_never_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, times: int
) -> None:
    repo = make_repository(tmp_path / "shop")
    repo.write(".claude/memory/MEMORY.md", "# Memory\n")
    repo.commit()
    session = tmp_path / "sessions" / "aaaaaaaa-0000-4000-8000-000000000000.jsonl"
    say(session, text)
    options = ("--engine", "local", "--force", "--now", "2026-11-16T03:00:00Z", "--transcripts", str(session.parent))
    told = memci(capsys, repo.root, "dream", *options).out
    assert " ".join(told.split()).count("put a secret into a session (aaaaaaaa of 2026-11-12)") == times
    assert "Quill7" not in told
