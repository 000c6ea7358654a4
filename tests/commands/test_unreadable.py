import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memci.errors import Exit
from memci.git.file_tree import MAX_DEPTH
from tests.broken import break_file
from tests.commands.dreams import INDEX, SCOPE, TOPIC, make_shop, read_tree
from tests.commands.run import check, memci
from tests.gate import in_gate

Capture = pytest.CaptureFixture[str]
NOW = ("--now", "2026-11-16")
# What reads memory, and what it exits with when it could not read all of it.
READERS = {
    ("check", *NOW): Exit.FINDINGS,
    ("status", *NOW): Exit.DONE,
    ("report", *NOW): Exit.DONE,
    ("recall", "warehouse", *NOW): Exit.DEGRADED,
    ("dream", "--force", "--engine", "local", *NOW): Exit.DONE,
    ("signals",): Exit.DONE,
    ("plan",): Exit.DONE,
}


@pytest.mark.parametrize(("command", "code"), READERS.items(), ids=[command[0] for command in READERS])
def test_a_broken_topic_stops_nothing_and_is_named(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], code: Exit
) -> None:
    repo = make_shop(tmp_path, {"MEMORY.md": INDEX, "warehouse.md": TOPIC, "other.md": TOPIC})
    before = read_tree(repo.root)
    with monkeypatch.context() as patch:
        break_file(patch, "warehouse.md")
        done = memci(capsys, repo.root, *command)
    after = read_tree(repo.root)
    assert (done.code, {path: after[path] for path in before if "MEMORY" not in path}) == (
        code,
        {path: version for path, version in before.items() if "MEMORY" not in path},
    )
    assert b"(warehouse.md)" in after[f"{SCOPE}/MEMORY.md"][0]
    assert "unreadable" in done.out or "the system cannot read it" in done.out or command[0] in {"signals", "plan"}


@pytest.mark.parametrize("in_git", [True, False])
@pytest.mark.parametrize(("command", "code"), in_gate(READERS.items()), ids=[command[0] for command in READERS])
def test_a_thousand_directories_in_each_other_stop_nothing_and_are_named(
    tmp_path: Path, capsys: Capture, command: tuple[str, ...], code: Exit, *, in_git: bool
) -> None:
    root = tmp_path / "shop"
    deep = "/".join(["d"] * (MAX_DEPTH + 5))
    pointer = f"- [Deep]({deep}/topic.md) — far down\n"
    make_shop(root, {"MEMORY.md": INDEX + pointer, "warehouse.md": TOPIC, f"{deep}/topic.md": TOPIC})
    if not in_git:
        shutil.rmtree(root / ".git")
    with contextlib.chdir(root / SCOPE / deep):
        for _ in range(1_000):
            Path("d").mkdir()
            os.chdir("d")
        Path("deepest.md").write_text(TOPIC)
    try:
        done = memci(capsys, root, *command)
    finally:
        # Python's own walk recurses.
        subprocess.run(["rm", "-r", str(root / SCOPE / "d")], check=True)
    # Recall is asked about topics, and a directory is none.
    assert done.code == (Exit.DONE if command[0] == "recall" else code), done
    assert pointer in (root / SCOPE / "MEMORY.md").read_text()
    assert "unreadable" in done.out or "nested too deep" in done.out or command[0] in {"recall", "signals", "plan"}


def test_a_pointer_below_a_directory_that_was_not_read_is_not_dangling(tmp_path: Path, capsys: Capture) -> None:
    deep = "/".join(["d"] * (MAX_DEPTH + 5))
    make_shop(tmp_path, {"MEMORY.md": f"- [Deep]({deep}/topic.md) — far down\n", f"{deep}/topic.md": TOPIC})
    top = "/".join(["d"] * (MAX_DEPTH + 1))
    assert check(capsys, tmp_path).findings == [("unreadable", f"{SCOPE}/{top}", 1)]
