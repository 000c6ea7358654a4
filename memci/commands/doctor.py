"""`memci doctor`: what is wrong with the set-up, and what to do about it."""

import datetime as dt
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memci.commands.options import Settings, format_option, now_option
from memci.errors import Exit
from memci.report.console import emit, progress

if TYPE_CHECKING:
    from memci.runs.doctor.result import Diagnosis

_MARKS = {"ok": "ok      ", "problem": "PROBLEM ", "unknown": "unknown "}


@click.command(
    "doctor",
    epilog="""\b
Examples:
  memci doctor                            what can be seen from here
  GITHUB_TOKEN=… memci doctor --online    also ask the forge; nothing is changed there

\b
Exit codes:
  0  no problem
  1  problems were found""",
)
@click.option("--online", is_flag=True, help="Also ask the forge what the token may do there.")
@format_option("text", "json")
@now_option
@click.pass_obj
def command(settings: Settings, /, style: str, *, online: bool, now: dt.datetime) -> Exit:
    """Explain what is wrong with the set-up, and what to do about it.

    Looks at git, the clone, memory, settings, transcripts, workflows, credentials and locks. Secrets are never shown.
    """
    from memci.runs.doctor.local import examine
    from memci.runs.doctor.result import CheckState

    with progress(quiet=settings.verbosity < 0) as show:
        show("looking around")
        found, here = examine(settings.directory, settings.config, os.environ, now)
        if online and here is not None:
            from memci.runs.doctor.forge import visit

            show("asking the forge")
            found += visit(here)
    problems = sum(one.state is CheckState.PROBLEM for one in found)
    emit(_render_json(found, problems) if style == "json" else _render_text(found, quiet=settings.verbosity < 0))
    return Exit.FINDINGS if problems else Exit.DONE


def _render_json(found: "Sequence[Diagnosis]", problems: int) -> str:
    from memci.redaction.secrets import redact
    from memci.report.escape import json_text

    checks = [
        {"name": one.name, "state": one.state.value, "message": redact(one.message), "hint": redact(one.hint)}
        for one in found
    ]
    return json_text({"schema": "memci/doctor/1", "problems": problems, "checks": checks})


def _render_text(found: "Sequence[Diagnosis]", *, quiet: bool) -> str:
    from memci.redaction.secrets import redact
    from memci.report.escape import workflow_line
    from memci.runs.doctor.result import CheckState

    shown = [one for one in found if one.state is CheckState.PROBLEM or not quiet]
    lines = []
    for one in shown:
        lines.append(f"{_MARKS[one.state]} {one.name}: {workflow_line(redact(one.message))}")
        if one.hint:
            lines.append(f"          -> {workflow_line(redact(one.hint))}")
    counts = {state: sum(one.state is state for one in found) for state in CheckState}
    if not quiet:
        total = (
            f"{counts[CheckState.PROBLEM]} problems, {counts[CheckState.UNKNOWN]} unknown, {counts[CheckState.OK]} fine"
        )
        lines += ["", total.replace("1 problems,", "1 problem,") if counts[CheckState.PROBLEM] == 1 else total]
    return "".join(f"{line}\n" for line in lines)
