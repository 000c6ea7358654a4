import shlex
from pathlib import Path

import pytest

from memci.errors import Exit
from tests.build import topic_text
from tests.commands.dreams import SCOPE, make_shop
from tests.commands.run import memci

Capture = pytest.CaptureFixture[str]
# Git would write a file for the first, and run a program for the second.
NAMES = ("--output=x.md", "--upload-pack=touch y.md", "-rf.md")


@pytest.mark.parametrize(
    "command",
    [
        ("check",),
        ("check", "--since", "HEAD~1"),
        ("check", "--explain", f"{SCOPE}/--output=x.md:7"),
        ("status",),
        ("review", "--base", "HEAD~1"),
        ("report",),
        ("recall", "where is the warehouse"),
        ("dream", "--force", "--engine", "local"),
        ("doctor",),
        ("plan",),
    ],
    ids=" ".join,
)
def test_no_name_of_a_file_is_an_option_of_git(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    root, log = tmp_path / "shop", tmp_path / "log"
    texts = {
        name: topic_text(f"Yesterday `src/{name}` moved to Lyon {name}.", name=f"t{n}") for n, name in enumerate(NAMES)
    }
    repo = make_shop(root, {"MEMORY.md": "".join(f"- [T]({name}) — what it says\n" for name in texts), **texts})
    for name in NAMES:
        repo.write(f"src/{name}", "x\n")
        repo.write(name, "x\n")
    repo.commit()
    for name in NAMES:
        repo.delete(f"src/{name}")
    repo.write(f"{SCOPE}/-rf.md", texts["-rf.md"] + "More.\n")
    repo.commit()
    before = set(root.iterdir())
    monkeypatch.setenv("GIT_TRACE", str(log))
    done = memci(capsys, root, *command)
    monkeypatch.delenv("GIT_TRACE")
    assert done.code in {Exit.DONE, Exit.FINDINGS}, done
    assert set(root.iterdir()) == before
    started = [line.partition("git ")[2] for line in log.read_text().split("\n") if "trace: built-in:" in line]
    assert started
    for line in started:
        options = shlex.split(line)
        options = options[: options.index("--")] if "--" in options else options
        assert not [word for word in options for name in NAMES if word.startswith(name)], line
