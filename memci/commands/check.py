"""`memci check`: all rules over all scopes and guides."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from memci.commands.options import Settings, format_option, now_option, user_option
from memci.errors import FAIL_LEVELS, Exit, UsageError
from memci.report.check_result import NOTHING
from memci.report.output import emit, progress, terminal_width, wants_colour, warn

_STYLES = ("text", "json", "sarif", "github", "gitlab", "markdown")


@click.command(
    "check",
    epilog="""\b
Examples:
  memci check                       every scope of this repository
  memci check --since origin/main   only what this branch introduces
  memci check --diff                show the safe fixes
  memci check --fix                 apply the safe fixes
  memci check --statistics          how often each rule fires
  memci check --select truth --ignore path-moved
  memci check --format sarif > memci.sarif
  memci check --baseline known.json --write-baseline
  memci check --explain .claude/memory/deploys.md:12

\b
Exit codes:
  0  no finding at or above the fail level, or no memory
  1  findings at or above the fail level; nothing else exits 1""",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--since", metavar="REV", help="Report only what changed since this revision, under its settings.")
@format_option(*_STYLES)
@click.option("--fix", is_flag=True, help="Apply the safe fixes and report the rest.")
@click.option("--diff", "diff", is_flag=True, help="Show what --fix would write, as a diff, and write nothing.")
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_LEVELS),
    show_default="fail-on of the settings, else error",
    help="Exit 1 at this severity or above.",
)
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Ignore the findings listed in this file."
)
@click.option("--write-baseline", is_flag=True, help="Write all findings to the baseline file instead.")
@click.option("--select", multiple=True, metavar="RULE", help="Only this rule or group of rules; may be repeated.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Not this rule or group of rules; may be repeated.")
@click.option("--statistics", is_flag=True, help="Show only how often each rule fires.")
@click.option("--strict", is_flag=True, help="Fail if there is no memory to check.")
@click.option("--explain", "place", metavar="FILE:LINE", help="Show the evidence for the claims of this line.")
@click.option("--hook", is_flag=True, help="Run as a PostToolUse hook: check the file that it names, answer the agent.")
@user_option
@now_option
@click.pass_obj
def command(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    /,
    style: str,
    fail_on: str | None,
    place: str | None,
    *,
    hook: bool,
    strict: bool,
    statistics: bool,
    diff: bool,
    with_user: bool,
    **options: Any,
) -> int:
    """Check memory and guides against all rules: offline, no token, no model.

    Checks pointers, frontmatter, limits, dates, contradictions, secrets and planted instructions, and verifies every
    citation against the repository and its history. Guides (CLAUDE.md, AGENTS.md, the rules of other clients and what
    they include) are checked for citations, secrets and planted text. Nothing is written without --fix or
    --write-baseline, except that an interrupted dream is rolled back first.

    -q prints only what fails the check, one line for each finding.

    Stale citations in text that may describe the past are counted; -v and the formats json and sarif list them.

    PATHS are scopes, guides, files in scopes, or directories that contain them; everything by default.
    """
    if hook:
        from memci.runs.check_hook import run_check_hook

        emit(run_check_hook(settings.config, options["now"]))
        return Exit.DONE
    _refuse_conflicts(options)
    for name, is_given in (("--explain", place), ("--statistics", statistics), ("--diff", diff)):
        if is_given and style != "text":
            raise UsageError(f"{name} has no format {style}", hint="leave --format out")
    quiet = settings.verbosity < 0
    from memci.runs import check
    from memci.runs.scopes import prepare

    options |= {name: check.name_rules(options[name]) for name in ("select", "ignore")}
    request = check.CheckRequest(**options)
    found = prepare(settings.directory, settings.config, with_user=with_user)
    if place or diff:
        emit(check.explain(found, place) if place else check.preview(found, request))
        return Exit.DONE
    with progress(quiet=quiet) as show:
        result, config = check.check(found, request, show)
    if not result.scopes and not result.guides and not result.findings:
        _say_nothing(style, strict=strict, quiet=quiet)
        if style == "text":
            return Exit.DONE
    level = fail_on or config.fail_on
    colour, width = wants_colour(), terminal_width()
    if quiet and style == "text":
        text = check.render_failing(result, level)
    elif statistics:
        from memci.report.check_text import render_statistics

        text = render_statistics(result, colour=colour, width=width)
    else:
        # Whoever selects rules wants to see all they find.
        everything = settings.verbosity > 0 or bool(request.select)
        text = check.render(result, style, colour=colour, width=width, everything=everything)
    emit(text, commands=style == "github")
    return check.exit_code(result, level)


def _say_nothing(style: str, *, strict: bool, quiet: bool) -> None:
    """Warn that there is no memory, in whatever format the result is."""
    if strict:
        raise UsageError(NOTHING, hint="name further scopes in .memci.yml, or leave --strict out")
    if style != "text":
        warn([("memory", NOTHING)])
    elif not quiet:
        emit(f"warning: {NOTHING}\n")


def _refuse_conflicts(options: Mapping[str, object]) -> None:
    if options["fix"] and options["since"] is not None:
        raise UsageError("--fix and --since cannot be combined", hint="run --fix first, then --since")
    if options["write_baseline"] and options["baseline"] is None:
        raise UsageError("--write-baseline needs --baseline FILE")
