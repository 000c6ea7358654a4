"""The help of each command is worth a page of a manual."""

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from memci.cli import _COMMANDS, _SECTIONS, _group, find_sections
from tools.docs.commands import list_commands, list_options, read_epilog
from tools.docs.reading import read_page
from tools.docs.sandbox import make_sandbox

COMMANDS = list_commands()
IDS = [str(context.info_name) for _, context in COMMANDS]
SECTIONS = [section for command, _ in COMMANDS for section in read_epilog(command)]
EXAMPLES = [line for section in SECTIONS if section.title == "Examples" for line, _ in section.lines]


def test_every_command_is_below_one_heading() -> None:
    assert sorted(itertools.chain(*find_sections().values())) == sorted(_COMMANDS)
    assert not set(itertools.chain(*_SECTIONS.values())) - set(_COMMANDS)


@pytest.mark.parametrize(("command", "context"), COMMANDS, ids=IDS)
def test_a_command_has_a_summary_a_paragraph_and_examples(command: click.Command, context: click.Context) -> None:
    summary, *paragraphs = (command.help or "").split("\n\n")
    assert summary.strip().endswith(".")
    assert paragraphs
    assert "Examples" in [section.title for section in read_epilog(command)]
    assert all(line.strip() for line in command.collect_usage_pieces(context))


@pytest.mark.parametrize(("command", "context"), COMMANDS, ids=IDS)
def test_every_option_says_what_it_does_what_it_takes_and_its_default(
    command: click.Command, context: click.Context
) -> None:
    for option in list_options(command, context):
        assert re.search(r"\.(\s+\[default: .+\])?$", option.help or ""), option.opts
        if not option.is_flag:
            # What click says if nobody said it better.
            assert option.make_metavar(context) not in {"TEXT", "INTEGER", "INTEGER RANGE", "FLOAT RANGE"}, option.opts
            declared = option.to_info_dict()["default"]
            assert declared in {None, ()} or "default" in option.get_help_extra(context), option.opts


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_can_be_typed(example: str) -> None:
    # Without what the shell does: variables before, pipes, and files behind.
    words = shlex.split(re.sub(r"^(\w+=\S+ |.* \| )+| >>? \S+$", "", example))
    assert words[0] == "memci"
    context = _group.make_context("memci", words[1:])
    name, command, arguments = _group.resolve_command(context, [*context._protected_args, *context.args])
    assert command is not None
    with command.make_context(name, arguments, parent=context):
        pass


def complete(shell: str, words: str, number: int) -> "subprocess.CompletedProcess[str]":
    """Ask as a shell does when somebody presses the tab key, and name what was loaded."""
    code = "import sys; from memci.cli import main; main([]); print(*sys.modules, file=sys.stderr)"
    asked = {"_MEMCI_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=os.environ | asked, capture_output=True, encoding="utf-8", check=True)


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete -o"), ("zsh", "#compdef memci"), ("fish", "--command memci")]
)
def test_each_shell_gets_its_script(shell: str, sign: str) -> None:
    environment = os.environ | {"_MEMCI_COMPLETE": f"{shell}_source"}
    command = [sys.executable, "-m", "memci"]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert sign in done.stdout
    assert done.stderr == ""


def test_an_unknown_shell_is_bad_usage() -> None:
    environment = os.environ | {"_MEMCI_COMPLETE": "tcsh_source"}
    done = subprocess.run([sys.executable, "-m", "memci"], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"hint: bash_source, zsh_source or fish_source" in done.stderr


def test_the_tab_key_completes_commands_and_loads_none_of_them() -> None:
    done = complete("bash", "memci st", 1)
    assert done.stdout == "plain,status\n"
    assert not [name for name in done.stderr.split() if name in {"memci.commands.status", "anthropic", "git", "jinja2"}]


def test_the_tab_key_completes_options_and_values_and_loads_no_model() -> None:
    options, values = complete("bash", "memci dream --eng", 2), complete("bash", "memci dream --engine c", 3)
    assert (options.stdout, values.stdout) == ("plain,--engine\n", "plain,claude\n")
    assert not {"anthropic", "git", "jinja2"} & set(values.stderr.split())


# What each shell does when somebody presses the tab key.
_PRESSED = {
    "bash": ("--norc", 'COMP_WORDS=(memci check --fo) COMP_CWORD=2; _memci_completion memci; echo "${COMPREPLY[@]}"'),
    "zsh": (
        "-f",
        (
            "_describe() { print -rl -- ${completions_with_descriptions%%:*} }; compadd() { : }; "
            "words=(memci check --fo) CURRENT=3; _memci_completion"
        ),
    ),
    "fish": ("--no-config", 'complete --do-complete "memci check --fo"'),
}


@pytest.mark.parametrize("shell", _PRESSED)
def test_the_script_works_in_a_real_shell(tmp_path: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    option, pressed = _PRESSED[shell]
    script = tmp_path / "script"
    before = "compdef() { :; }; " if shell == "zsh" else ""
    line = (
        f"memci completion {shell} > {script}; {shell} {option} -c {shlex.quote(f'{before}source {script}; {pressed}')}"
    )
    assert "--format" in make_sandbox(tmp_path.resolve()).run([line])[0].out.split()
    assert f"memci completion {shell} >" in read_page("docs/commands.md")
