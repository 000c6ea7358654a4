"""The command line: which commands there are, and how every outcome becomes one documented exit code."""

import importlib
import itertools
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from memci import __version__
from memci.commands.options import Settings
from memci.errors import Exit, MemciError

# Name, and what `memci --help` says of it; a command's module is imported only when it runs.
_COMMANDS = {
    "check": "Check memory against all rules: offline, no token, no model.",
    "dream": "Consolidate memory: repair what moved, keep what people said, fit the index.",
    "signals": "Show what people said that is worth remembering, and what was turned down.",
    "undo": "Restore the memory as it was before the last dream.",
    "digest": "Show the session memory of transcripts: ten sections, without a model.",
    "publish": "Validate bundles again and propose them as one pull request.",
    "collect": "Redact transcripts and put them where CI can fetch them.",
    "recall": "Show which topics a session would be given for a query, and why.",
    "status": "Show scopes, budgets, ages and problems at a glance.",
}
_EXIT_CODES = """\b
Exit codes:
  0    done, or nothing to do
  1    findings at or above the fail level
  2    bad usage or configuration, or a named path that does not exist
  3    finished, but part of it failed
  4    an outside service failed and nothing was done
  5    refused as unsafe
  70   a bug in memci
  130  interrupted"""


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"memci.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    epilog=_EXIT_CODES,
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
@click.option("-q", "--quiet", is_flag=True, help="Print findings and nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Say more about what is done.")
@click.version_option(__version__, message="memci %(version)s")
@click.pass_context
def _group(ctx: click.Context, directory: Path, config: Path | None, *, quiet: bool, verbose: bool) -> None:
    """Keep the file memory of coding agents true."""
    ctx.obj = Settings(directory, config, verbose - quiet)


def run() -> NoReturn:
    """Run memci and leave the process with the documented exit code."""
    # Whoever ends the job gets the same clean way out as ^C: old memory, free lock.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    code = main(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has left; the interpreter must not complain about it on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets an escape instead of a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with _group.make_context("memci", list(arguments)) as context:
            return int(_group.invoke(context) or 0)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return Exit.USAGE
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 -- the one boundary: nothing gets past it
        return _fail(arguments, *_explain(error, arguments))


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
    from memci.report.escape import visible

    text = "\n".join(visible(line) for line in message.split("\n"))
    if _wants_json(arguments):
        import json

        command = next((word for word in arguments if word in _COMMANDS), "memci")
        problem = {"message": text, "hint": visible(hint), "exit_code": int(code)}
        click.echo(json.dumps({"schema": f"memci/{command}/1", "error": problem}, indent=2))
    click.echo(f"memci: {text}" + (f"\n  hint: {visible(hint)}" if hint else ""), err=True)
    return code


def _wants_json(arguments: Sequence[str]) -> bool:
    return "--format=json" in arguments or ("--format", "json") in itertools.pairwise(arguments)


def _describe_bug(error: BaseException, arguments: Sequence[str]) -> str:
    """Return a report short enough to paste; texts of memory may be in the message, so secrets are taken out."""
    import platform
    import traceback

    from memci.text.secrets import redact

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
