"""The boundary: every outcome becomes one documented exit code, and nothing but lines is printed."""

import json
import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import click
import pytest

from memci import __version__, cli
from memci.errors import Exit, MemciError
from tests.build import topic_text
from tests.commands.dreams import write_session
from tests.commands.run import memci
from tests.repository import make_repository

# Control-C when one of the topics is opened: not when so much time has passed, which is another moment elsewhere.
INTERRUPTED = """
import os, signal, sys

def look(event, arguments):
    if event == "open" and str(arguments[0]).endswith("t15.md"):
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(look)
from memci.__main__ import run
run()
"""


def run(root: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    """Run memci in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "memci", *arguments],
        cwd=root,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )


def test_help_names_every_command_and_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, tmp_path, "--help")
    assert done.code == 0
    assert all(word in done.out for word in ("check", "status", *(str(int(code)) for code in Exit)))


def test_no_command_shows_the_help_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == Exit.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Usage: memci")


def test_quiet_prints_findings_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repository(tmp_path)
    assert memci(capsys, tmp_path, "-q", "check").out == ""
    repo.write(".claude/memory/MEMORY.md", "# Memory\n")
    assert memci(capsys, tmp_path, "-q", "check").out == ""
    repo.write(".claude/memory/MEMORY.md", "- [G](gone.md)\n")
    assert "index-dangling" in memci(capsys, tmp_path, "-q", "check").out


@pytest.mark.parametrize("switch", ["-q", "--quiet"])
def test_quiet_and_verbose_may_follow_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], switch: str
) -> None:
    make_repository(tmp_path)
    assert memci(capsys, tmp_path, "check").out
    assert memci(capsys, tmp_path, "check", switch).out == ""
    assert memci(capsys, tmp_path, switch, "check", "-v").out


@pytest.mark.parametrize("command", cli._COMMANDS)
def test_help_of_a_command_says_what_the_overview_says(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = memci(capsys, tmp_path, command, "--help")
    assert done.code == 0
    assert cli._COMMANDS[command] in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'.\n"),
        (["chekc"], "No such command 'chekc'. Did you mean 'check'?"),
        (["check", "--explain", "a.md:1", "--format", "sarif"], "--explain has no format sarif"),
        (["publish", "nowhere"], "publishing needs a git repository"),
        (["check", "--fromat", "json"], "No such option '--fromat'"),
        (["check", "--format", "xml"], "'xml' is not one of"),
        (["check", "--now", "yesterday"], "'yesterday' is not an ISO date"),
        (["check", "--config", "x"], "No such option '--config'"),
        (["--config", "nowhere.yml", "check"], "nowhere.yml does not exist"),
        (["check", "--write-baseline"], "--write-baseline needs --baseline FILE"),
    ],
)
def test_wrong_usage_exits_2_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    done = memci(capsys, tmp_path, *arguments)
    assert done.code == Exit.USAGE
    assert message in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "nowhere", "--format", "json"],
        ["check", "--format=json", "--no-such"],
        ["status", "--format", "json", "x"],
    ],
)
def test_json_is_one_object_even_when_everything_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    done = memci(capsys, tmp_path, *arguments)
    assert done.code == Exit.USAGE
    assert done.json["schema"] == f"memci/{arguments[0]}/1"
    assert done.json["error"]["exit_code"] == Exit.USAGE
    assert done.json["error"]["message"]


def add_command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Give memci a command that fails in a certain way."""

    @click.command("boom")
    def command() -> None:
        raise error

    module = types.ModuleType("memci.commands.boom")
    module.command = command  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, "memci.commands.boom", module)
    monkeypatch.setitem(cli._COMMANDS, "boom", "fails")


def all_errors(base: type[MemciError] = MemciError) -> list[type[MemciError]]:
    return [error for child in base.__subclasses__() for error in (child, *all_errors(child))]


@pytest.mark.parametrize("error", all_errors())
def test_every_declared_error_has_its_exit_code_and_hint(
    error: type[MemciError], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_command(monkeypatch, error("it broke", hint="mend it"))
    done = memci(capsys, tmp_path, "boom")
    assert done.code == error.exit_code
    assert done.err == "memci: it broke\n  hint: mend it\n"


def test_a_bug_exits_70_with_a_short_report_without_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "ghp_" + "Mn7Bv5Cx3Za1Sd9F" * 2 + "gHjK"
    add_command(monkeypatch, ValueError(f"odd text {value} \x1b[2J"))
    done = memci(capsys, tmp_path, "boom")
    assert done.code == Exit.BUG
    assert "this is a bug in memci" in done.err
    assert "test_cli.py" in done.err
    assert value not in done.err
    assert "\x1b" not in done.err
    assert len(done.err.splitlines()) <= 10


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interrupt_exits_130(
    error: BaseException, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_command(monkeypatch, error)
    done = memci(capsys, tmp_path, "boom")
    assert (done.code, done.err) == (Exit.INTERRUPTED, "memci: interrupted\n")


def test_control_c_in_the_middle_of_a_real_run(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    for number in range(30):
        repo.write(
            f".claude/memory/t{number}.md", topic_text(f"Fact number {number} about the service.", name=f"t{number}")
        )
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, "check"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (Exit.INTERRUPTED, b"", b"memci: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_while_memci_loads_shows_no_traceback(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "click.py").write_text(f"import os, time\nos.kill(os.getpid(), {int(number)})\ntime.sleep(9)\n")
    done = run(tmp_path, "check", PYTHONPATH=os.pathsep.join([".", *sys.path]))
    assert (done.returncode, done.stderr) == (Exit.INTERRUPTED, b"memci: interrupted\n")


def test_what_is_ignored_stays_ignored(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGHUP)\nprint('alive')\n")
    line = f"trap '' HUP; exec {sys.executable} -m memci check"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([".", *sys.path])}
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.stdout == b"alive\n"


def test_every_path_is_meant_as_seen_from_the_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repository(tmp_path / "shop")
    repo.write(".claude/memory/MEMORY.md", "- [G](gone.md)\n")
    write_session(repo.root / "sessions", "s1", "Never mock the database.")
    repo.commit()
    before = Path.cwd()
    for arguments in (
        ("dream", "--engine", "local", "--transcripts", "sessions", "--bundle", "bundle"),
        ("signals", "--transcripts", "sessions"),
        ("check", ".claude/memory", "--baseline", "known.json", "--write-baseline"),
        ("check", "--baseline", "known.json"),
        ("collect", "--transcript", "sessions", "--to", "out"),
    ):
        assert memci(capsys, repo.root, *arguments).code == Exit.DONE, arguments
        assert Path.cwd() == before
    assert (repo.root / "bundle").is_dir()
    assert (repo.root / "known.json").is_file()


def test_a_directory_that_is_gone_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    line = f"cd gone && rmdir ../gone && {sys.executable} -m memci check"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == Exit.USAGE
    assert done.stderr.startswith(b"memci: cannot work in .: ")


@pytest.mark.parametrize("amount", ["abc", "-1", "nan", "inf", ""])
def test_an_amount_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], amount: str) -> None:
    done = memci(capsys, tmp_path, "dream", f"--max-cost={amount}")
    assert done.code == Exit.USAGE
    assert f"{amount!r} is not a dollar amount such as 0.50" in done.err


def test_c04_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    repo.write(".claude/memory/MEMORY.md", "".join(f"- [G{n}](gone{n}.md)\n" for n in range(5_000)))
    command = f"{sys.executable} -m memci -v check | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert done.stderr == b""
    assert done.stdout.split(b"\n")[0].startswith(b"5,000  error")
    assert done.stdout.endswith(b"\n1\n")


def test_c04_an_ascii_terminal_gets_escapes_instead_of_a_traceback(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    repo.write(".claude/memory/日本.md", "no head")
    done = run(tmp_path, "check", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == Exit.DONE
    assert done.stderr == b""
    assert b"\\u65e5\\u672c.md" in done.stdout


def test_colour_only_on_a_terminal(tmp_path: Path) -> None:
    make_repository(tmp_path).write(".claude/memory/MEMORY.md", "- [G](gone.md)\n")
    assert b"\x1b" not in run(tmp_path, "check", TERM="xterm-256color").stdout
    script = ["script", "-qec", f"{sys.executable} -m memci check", "/dev/null"]
    environment = os.environ | {"TERM": "xterm-256color"}
    on_terminal = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, check=False).stdout
    plain = subprocess.run(script, cwd=tmp_path, env=environment | {"NO_COLOR": "1"}, capture_output=True, check=False)
    assert b"\x1b[31m" in on_terminal
    assert b"\x1b[31m" not in plain.stdout


def test_check_loads_neither_the_model_client_nor_the_git_library(tmp_path: Path) -> None:
    make_repository(tmp_path).write(".claude/memory/MEMORY.md", "- [G](gone.md)\n")
    code = "import sys; from memci.cli import main; main(['check']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.decode().replace("'", "").strip("[]\n").split(", ")}
    assert b"index-dangling" in done.stdout
    assert not loaded & {"anthropic", "git", "jinja2", "psutil", "httpx", "asyncio", "ssl"}


def test_the_version_is_the_one_of_the_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert memci(capsys, tmp_path, "--version").out == f"memci {__version__}\n"


def test_the_report_of_a_failure_is_json_too(tmp_path: Path) -> None:
    (tmp_path / ".memci.yml").write_text("scopess: x\n")
    done = run(tmp_path, "check", "--format", "json")
    assert done.returncode == Exit.USAGE
    assert json.loads(done.stdout)["error"]["message"] == ".memci.yml:1: unknown key 'scopess'"


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_closed_stream_is_no_bug(tmp_path: Path, closed: str) -> None:
    command = f"{sys.executable} -m memci -C {tmp_path} check {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
