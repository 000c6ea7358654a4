"""Tables and progress on a real terminal, and the same plain bytes as ever without one."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import make_repository

# Markup of rich.
ODD = "[red]team"
SCENE = f"""
import sys, time
from memci.report import output
output.QUIET_SECONDS = 0
with output.progress(quiet=False) as show:
    show("orient: reading {ODD}")
    time.sleep(0.2)
    show("orient: asking \\x1b[31m")
    time.sleep(0.2)
    show("write: all scopes")
    time.sleep(0.2)
print("result", "rich" in sys.modules)
"""


def run(command: list[str], **environment: str) -> str:
    """Run a command on a terminal and return what arrives there."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        data = b""
        while True:
            try:
                data += (read := os.read(ours, 65536))
            # Linux says so when the last writer has left.
            except OSError:
                break
            if not read:
                break
        assert process.wait() == 0, data
    os.close(ours)
    return data.decode()


def strip(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    repo = make_repository(tmp_path / "repo")
    repo.write(f".claude/agent-memory/{ODD}/MEMORY.md", "# Memory\n")
    repo.commit("memory")
    return repo.root


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_the_current_step_is_shown_and_nothing_but_the_result_is_left(environment: dict[str, str]) -> None:
    text = run([sys.executable, "-c", SCENE], **environment)
    assert f"orient: reading {ODD}" in text
    assert "orient: asking \\x1b[31m" in text
    assert "\r\x1b[Kwrite: all scopes …" in text
    assert text.endswith("\r\x1b[Kresult False\r\n")


def test_without_a_terminal_only_the_result_is_printed() -> None:
    done = subprocess.run([sys.executable, "-c", SCENE], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("result False\n", "")


@pytest.mark.parametrize("command", ["status", "doctor"])
def test_a_terminal_gets_a_table_in_which_nothing_is_markup(root: Path, command: str) -> None:
    line = [sys.executable, "-c", "import sys; from memci.__main__ import run; sys.exit(run() and 0)", "-C", str(root)]
    text = run([*line, command])
    assert "╭" in text
    assert ODD in strip(text) or command == "doctor"
    plain = run([*line, command], NO_COLOR="1")
    assert "╭" not in plain
    assert "\x1b[" not in plain


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_check_loads_none_of_the_libraries_for_longer_commands(root: Path, environment: dict[str, str]) -> None:
    code = (
        "import sys; from memci.__main__ import run\n"
        "try: run()\n"
        "finally: print({'rich', 'msgspec', 'platformdirs'} & {*sys.modules})"
    )
    text = run(
        [sys.executable, "-c", f"{code}\nsys.exit(0)", "-C", str(root), "check", "--fail-on", "never"], **environment
    )
    assert "set()" in text
