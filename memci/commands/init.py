"""`memci init`: the workflow, the settings, and what people do next."""

import os
from typing import TYPE_CHECKING

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit
from memci.report.console import emit

if TYPE_CHECKING:
    from memci.runs.init import Start


@click.command(
    "init",
    epilog="""\b
Examples:
  memci init --dry-run    show the files and write nothing
  memci init
  memci init --collect    also collect sessions: a hook pushes them, redacted, to the branch memci/sessions
  memci doctor --online   look whether all of it works""",
)
@click.option("--gitlab/--github", "gitlab", default=None, help="For this forge.  [default: as the remote says]")
@click.option("--collect", is_flag=True, help="Add the hook that pushes sessions, redacted, to memci/sessions.")
@click.option("--dry-run", is_flag=True, help="Print the files and write nothing.")
@format_option("text", "json")
@click.pass_obj
def command(settings: Settings, /, style: str, *, gitlab: bool | None, collect: bool, dry_run: bool) -> Exit:
    """Write the workflow and the settings for a nightly dream.

    A file that is there already is kept as it is.
    """
    from memci.runs import init

    done = init.start(settings.directory, init.SetupOptions(gitlab, collect, dry_run), os.environ)
    emit(_render_json(done) if style == "json" else _render_text(done, quiet=settings.verbosity < 0))
    return Exit.DONE


def _render_json(done: "Start") -> str:
    from memci.report.escape import json_text

    files = [
        {"path": str(piece.path), "written": bool(piece.text) and not done.dry_run, "kept": piece.kept}
        | ({"text": piece.text} if done.dry_run and piece.text else {})
        for piece in done.pieces
    ]
    return json_text(
        {
            "schema": "memci/init/1",
            "dry_run": done.dry_run,
            "forge": done.forge,
            "schedule": done.cron,
            "scopes": done.scopes,
            "files": files,
            "next": list(done.steps),
        }
    )


def _render_text(done: "Start", *, quiet: bool) -> str:
    from memci.report.escape import visible

    lines: list[str] = []
    for piece in done.pieces:
        verb = "kept " if piece.kept else "would write" if done.dry_run else "wrote"
        lines.append(f"{verb}  {visible(str(piece.path))}" + (f": it {piece.kept}" if piece.kept else ""))
        if done.dry_run and piece.text:
            lines += [f"| {line}" for line in piece.text.rstrip("\n").split("\n")]
    if quiet:
        return "\n".join(lines) + "\n"
    if not done.scopes:
        lines += ["", "There is no memory here yet. Agents with `memory: project` make it in .claude/agent-memory."]
    minute, hour = map(int, done.cron.split(" ")[:2])
    fresh = done.forge != "gitlab" and not done.pieces[0].kept
    when = f"The dream runs every night at {hour:02}:{minute:02} UTC. " if fresh else ""
    lines += ["", f"{when}What is left to do:"]
    lines += [f"  {number}. {visible(step)}" for number, step in enumerate(done.steps, 1)]
    return "\n".join(lines) + "\n"
