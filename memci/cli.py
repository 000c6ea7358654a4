"""The command line: which commands there are, and how every outcome becomes one documented exit code."""

import contextlib
import gc
import importlib
import itertools
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from memci import __version__
from memci.commands.options import Settings
from memci.errors import Exit, MemciError, UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Name, and what `memci --help` says of it; a command's module is imported only when it runs.
_COMMANDS = {
    "check": "Check memory and guides against all rules: offline, no token, no model.",
    "review": "Summarize what a change does to memory: facts added, reworded, moved and lost.",
    "dream": "Consolidate memory: repair what moved, keep what people said, fit the index.",
    "adopt": "Take topics of your own memory over into the memory of the project.",
    "signals": "Show what people said that is worth remembering, and what was rejected.",
    "undo": "Restore the memory as it was before the last dream.",
    "digest": "Show the session memory of transcripts: ten sections, without a model.",
    "plan": "Divide the scopes among the jobs of a matrix.",
    "publish": "Validate bundles and propose them as one pull request.",
    "collect": "Redact transcripts and put them where CI can fetch them.",
    "recall": "Show which topics a session would be given for a query, and why.",
    "status": "Show scopes, budgets, ages and problems at a glance.",
    "report": "Show the state of memory on one self-contained page.",
    "init": "Write the workflow and the settings for a nightly dream.",
    "doctor": "Find problems of the setup, and explain how to fix them.",
    "merge-driver": "Merge two versions of a memory file, for git.",
    "rule": "Explain a rule of memci check: what it finds, why that matters, and what to do.",
    "completion": "Print the script that completes commands and options in a shell.",
}
# The headings of `memci --help`; what is in none of them is for every day.
_SECTIONS = {
    "Continuous integration": ("plan", "collect", "publish"),
    "Set-up": ("init", "doctor", "merge-driver", "rule", "completion"),
}
# What each switch makes of the verbosity.
_VERBOSITY = {"quiet": -1, "verbose": 1}
_COMPLETION = "_MEMCI_COMPLETE"
_EXIT_CODES = {
    Exit.DONE: "done, or nothing to do",
    Exit.FINDINGS: "findings at or above the fail level",
    Exit.USAGE: "bad usage or configuration, or a named path that does not exist",
    Exit.DEGRADED: "finished, but part of it failed",
    Exit.SERVICE: "an outside service or the disk failed and nothing was done",
    Exit.UNSAFE: "refused as unsafe",
    Exit.BUG: "a bug in memci",
    Exit.INTERRUPTED: "interrupted",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"memci.commands.{cmd_name.replace('-', '_')}").command
        for option in command.params:
            # Click would name variables after our parameters; people know the options.
            if isinstance(option, click.Option):
                name = max(option.opts, key=len).lstrip("-").replace("-", "_")
                option.envvar = f"MEMCI_{cmd_name}_{name}".upper()
        if not any(option.name in _VERBOSITY for option in command.params):
            command.params += [_make_switch(name, change) for name, change in _VERBOSITY.items()]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            guess = "".join(f" Did you mean {name!r}?" for name in get_close_matches(args[0], _COMMANDS, 1))
            raise click.UsageError(f"No such command {args[0]!r}.{guess}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, names in find_sections().items():
            with formatter.section(title):
                formatter.write_dl([(name, _COMMANDS[name]) for name in names])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), text) for code, text in _EXIT_CODES.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        from click.shell_completion import CompletionItem

        # Click would import every command for its help.
        names = [CompletionItem(name, help=text) for name, text in _COMMANDS.items() if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]


def _make_switch(name: str, change: int) -> click.Option:
    """Return an option of all commands that is also accepted behind their names."""

    def set_verbosity(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 -- click's
        if value and isinstance(context.obj, Settings):
            context.obj = context.obj._replace(verbosity=change)

    return click.Option(
        [f"-{name[0]}", f"--{name}"], is_flag=True, hidden=True, expose_value=False, callback=set_verbosity
    )


def find_sections() -> dict[str, list[str]]:
    """Return the commands below the headings of the overview."""
    elsewhere = {name for names in _SECTIONS.values() for name in names}
    every_day = [name for name in _COMMANDS if name not in elsewhere]
    return {"Every day": every_day} | {title: list(names) for title, names in _SECTIONS.items()}


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "MEMCI", "max_content_width": 100},
)
@click.option(
    "-C",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Run as if started in this directory.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Read settings from this file instead of .memci.yml or pyproject.toml.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print findings and nothing else; may also follow the command.")
@click.option("-v", "--verbose", is_flag=True, help="Say more about what is done; may also follow the command.")
@click.version_option(__version__, message="memci %(version)s")
@click.pass_context
def _group(ctx: click.Context, directory: Path, config: Path | None, *, quiet: bool, verbose: bool) -> None:
    """Keep the file memory of coding agents true."""
    try:
        # As with git: every path that a person names is meant as seen from there.
        ctx.with_resource(contextlib.chdir(directory))
        ctx.obj = Settings(Path.cwd(), config, verbose - quiet)
    except OSError as error:
        raise UsageError(f"cannot work in {directory}: {error.strerror}", hint="is it still there?") from error


def run() -> NoReturn:
    """Run memci and leave the process with the documented exit code."""
    code: int = Exit.INTERRUPTED
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Closed by whoever started memci; no file that is opened later may get its number.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 -- until the end
    try:
        # Whoever ends the job gets the same clean way out as ^C: old memory, free lock.
        _handle_signals(signal.default_int_handler)
        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("memci: interrupted\n")
    # All is said and done: from here on an interrupt would only show a traceback.
    _handle_signals(signal.SIG_IGN)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has left; the interpreter must not complain about it on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # The process ends; a last search for garbage would free nothing that its end does not free.
    gc.disable()
    sys.exit(code)


def _handle_signals(handler: "signal._HANDLER") -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # What is ignored was meant to be, as after `nohup`.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets an escape instead of a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        if instruction := os.environ.get(_COMPLETION):
            return _complete(instruction)
        with _group.make_context("memci", list(arguments)) as context:
            return int(_group.invoke(context) or 0)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return Exit.USAGE
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 -- the one boundary: nothing gets past it
        return _fail(arguments, *_explain(error, arguments))


def _complete(instruction: str) -> Exit:
    """Do what a shell asks for when somebody presses the tab key."""
    from click.shell_completion import shell_complete

    if shell_complete(_group, {}, "memci", _COMPLETION, instruction):
        raise UsageError(f"{_COMPLETION} is {instruction!r}", hint="bash_source, zsh_source or fish_source")
    return Exit.DONE


def _explain(error: BaseException, arguments: Sequence[str]) -> tuple[str, str, Exit]:
    """Return what to say, what to do next, and the exit code."""
    match error:
        case MemciError():
            return error.message, error.hint, error.exit_code
        case click.ClickException():
            context = getattr(error, "ctx", None)
            return error.format_message(), f"{context.command_path if context else 'memci'} --help", Exit.USAGE
        case KeyboardInterrupt() | click.Abort():
            return "interrupted", "", Exit.INTERRUPTED
        case _:
            return _describe_bug(error, arguments), "", Exit.BUG


def _fail(arguments: Sequence[str], message: str, hint: str, code: Exit) -> int:
    from memci.report.escape import json_text, quiet_lines, visible

    text = "\n".join(visible(line) for line in message.split("\n"))
    if _wants_json(arguments):
        command = next((word for word in arguments if word in _COMMANDS), "memci")
        problem = {"message": text, "hint": visible(hint), "exit_code": int(code)}
        click.echo(json_text({"schema": f"memci/{command}/1", "error": problem}), nl=False)
    click.echo(quiet_lines(f"memci: {text}" + (f"\n  hint: {visible(hint)}" if hint else "")), err=True)
    return code


def _wants_json(arguments: Sequence[str]) -> bool:
    return "--format=json" in arguments or ("--format", "json") in itertools.pairwise(arguments)


def _describe_bug(error: BaseException, arguments: Sequence[str]) -> str:
    """Return a report short enough to paste; texts of memory may be in the message, so secrets are taken out."""
    import platform
    import traceback

    from memci.redaction.secrets import redact

    frames = traceback.extract_tb(error.__traceback__)[-4:]
    where = [f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}" for frame in frames]
    what = redact(str(error))[:300]
    return "\n".join(
        [
            "this is a bug in memci; please report it with these lines:",
            f"  memci {__version__}, Python {platform.python_version()}, {platform.system()}",
            f"  memci {redact(' '.join(arguments))}",
            *where,
            f"  {type(error).__name__}: {what}",
        ]
    )
