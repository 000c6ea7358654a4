"""`memci collect`: redact sessions and put them where CI can fetch them."""

import sys
from pathlib import Path

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit, MemciError, UsageError
from memci.report.console import emit


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
  0  collected; as a hook always
  3  a transcript could not be read, or a waiting session not collected""",
)
@click.option("--transcript", "transcripts", multiple=True, metavar="PATH", help="Collect this; may be given again.")
@click.option("--to", default="spool", show_default=True, metavar="spool|DIR|git:REF", help="Where to put sessions.")
@click.option("--push", is_flag=True, help="Push the ref, together with what others pushed meanwhile.")
@click.option("--remote", metavar="NAME", default="origin", show_default=True, help="Where to push to.")
@click.option("--pending", is_flag=True, help="Collect what the hook could not finish.")
@click.option("--wait", is_flag=True, help="As a hook: do it now, not in the background.")
@click.option("--install", is_flag=True, help="Print the hook and the step that uploads sessions of a workflow.")
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
    pending: bool,
    wait: bool,
    install: bool,
    write: bool,
) -> Exit:
    """Redact transcripts and put them where CI can fetch them.

    A collected session has what people said, replies, tool calls with previews of their results, times and places.
    Instructions, system prompts, listings, recalled memory, hook output, images and unknown record types are left out.

    As a SessionEnd hook it reads on standard input which session has ended, notes it and returns; a process in the
    background does the rest and writes to collect.log in the spool, $XDG_STATE_HOME/memci/spool. A hook never fails.
    """
    if write and not install:
        raise UsageError("--write needs --install")
    if style == "json" and (install or pending):
        raise UsageError("--format json needs --transcript", hint="leave --format out")
    if install:
        _check_branch(to)
        return _install(settings.directory, to, remote if push else None, write=write)
    if pending:
        from memci.git.repository import find_repository
        from memci.runs.collect import drain
        from memci.runs.collect_hook import find_spool_around

        directory = settings.directory.resolve()
        spool = find_spool_around(directory, find_repository(directory))
        return Exit.DONE if drain(spool, retry=True) else Exit.DEGRADED
    if not transcripts:
        return _run_hook(to, remote if push else None, wait=wait)
    from memci.report.collect_result import render_collected, render_collected_json
    from memci.runs.collect import collect

    outcome = collect(transcripts, settings.directory.resolve(), to, remote if push else None)
    emit(render_collected_json(outcome) if style == "json" else render_collected(outcome))
    return Exit.DEGRADED if outcome.skipped else Exit.DONE


def _install(directory: Path, to: str, remote: str | None, *, write: bool) -> Exit:
    from memci.git.repository import find_repository
    from memci.runs.collect_install import SETTINGS, add_hook, describe

    if not write:
        emit(describe(to, remote))
        return Exit.DONE
    repository = find_repository(directory.resolve())
    added = add_hook(repository.root if repository else directory.resolve(), to, remote)
    emit(f"added the hook to {SETTINGS}\n" if added else f"{SETTINGS} has such a hook already\n")
    return Exit.DONE


def _check_branch(to: str) -> None:
    """Refuse a branch that sessions could never be put on, before a hook is told of it."""
    if to.startswith("git:"):
        from memci.stores.session_ref import check_name

        check_name(to.removeprefix("git:"))


def _run_hook(to: str, remote: str | None, *, wait: bool) -> Exit:
    """Note the session that has ended; whatever goes wrong, the session must end well."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no transcript named", hint="memci collect --transcript PATH, or --install for the hook")
    from memci.runs.collect_hook import parse_hook, queue_session, work_in_background

    try:
        _check_branch(to)
        spool = queue_session(parse_hook(sys.stdin.read()), to, remote)
        if wait:
            from memci.runs.collect import drain

            drain(spool)
        else:
            work_in_background(spool)
    except MemciError as error:
        from memci.redaction.secrets import redact
        from memci.report.escape import visible

        hint = f"\n  hint: {error.hint}" if error.hint else ""
        click.echo(f"memci: session not collected: {visible(redact(error.message))}{hint}", err=True)
    except Exception as error:  # noqa: BLE001 -- a bug here must not disturb the session, and its text may be anything
        click.echo(f"memci: session not collected: {type(error).__name__}", err=True)
    return Exit.DONE
