"""`memci collect`: redact sessions and put them where CI can fetch them."""

import sys

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit, UsageError
from memci.report.output import emit


@click.command(
    "collect",
    epilog="""\b
Examples:
  memci collect --install                        show the hook and the workflow step
  memci collect --install --write                add the hook to .claude/settings.json
  memci collect --transcript run.json --to memci-sessions
  memci collect --transcript ~/.claude/projects/-home-me-shop --to git:memci/sessions --push
  memci dream --transcripts git:memci/sessions

\b
Exit codes:
  0  collected; always, when run as a hook
  3  a transcript could not be read""",
)
@click.option(
    "--transcript", "transcripts", multiple=True, metavar="PATH", help="Transcript to collect; may be repeated."
)
@click.option("--to", default="spool", show_default=True, metavar="spool|DIR|git:REF", help="Where to put sessions.")
@click.option("--push", is_flag=True, help="Push the ref, merged with what others pushed meanwhile.")
@click.option("--remote", metavar="NAME", default="origin", show_default=True, help="The remote to push to.")
@click.option("--no-name", is_flag=True, help="Do not record git's user.name as the person who ran the sessions.")
@click.option("--install", is_flag=True, help="Print the hook and the workflow step that upload sessions.")
@click.option("--write", is_flag=True, help="With --install: add the hook to .claude/settings.json.")
@format_option("text", "json")
@click.pass_obj
def command(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    /,
    transcripts: tuple[str, ...],
    to: str,
    remote: str,
    style: str,
    *,
    push: bool,
    no_name: bool,
    install: bool,
    write: bool,
) -> Exit:
    """Redact transcripts and put them where CI can fetch them.

    A collected session contains prompts, replies, tool calls with previews of their results, times and directories.
    Instructions, system prompts, listings, recalled memory, hook output, images and unknown record types are dropped.
    git's user.name is recorded as the person who ran it, unless the session ran under another login.

    As a SessionEnd hook it reads the session from standard input and returns; a background process does the rest and
    logs to collect.log in the spool, $XDG_STATE_HOME/memci/spool. A hook never fails, and what cannot be pushed is
    pushed with the next session.
    """
    if write and not install:
        raise UsageError("--write needs --install")
    if style == "json" and install:
        raise UsageError("--format json needs --transcript", hint="leave --format out")
    from memci.runs.collect_hook import Destination, run_hook

    directory = settings.directory.resolve()
    target = Destination(to, remote if push else None, not no_name)
    if install:
        from memci.runs.collect_install import install_hook

        emit(install_hook(directory, target, write=write))
        return Exit.DONE
    if not transcripts:
        if sys.stdin is None or sys.stdin.isatty():
            raise UsageError("no transcript named", hint="memci collect --transcript PATH, or --install for the hook")
        run_hook(target)
        return Exit.DONE
    from memci.runs.collect import collect, render_collected, render_collected_json

    outcome = collect(transcripts, directory, target)
    emit(render_collected_json(outcome) if style == "json" else render_collected(outcome))
    return Exit.DEGRADED if outcome.skipped else Exit.DONE
