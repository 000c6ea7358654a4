"""`memci merge-driver`: what git runs to merge a memory file."""

from pathlib import Path

import click

from memci.commands.options import Settings
from memci.errors import Exit, ServiceError

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    "merge-driver",
    epilog="""\b
Examples:
  memci init --merge-driver    the lines for .gitattributes, and the command that sets the driver

\b
Exit codes:
  1  conflict markers are left for what both sides changed""",
)
@click.argument("base", type=_FILE)
@click.argument("ours", type=_FILE)
@click.argument("theirs", type=_FILE)
@click.argument("path")
@click.pass_obj
def command(settings: Settings, /, base: Path, ours: Path, theirs: Path, path: str) -> Exit:
    """Merge two versions of a memory file, for git.

    Pointers, list items, paragraphs, headings and frontmatter keys are merged one by one: what either side added stays,
    what one side deleted and the other left alone goes, the later `modified` stays. What both changed, what one changed
    and the other deleted, and a pointer that both added get conflict markers. The result is written to OURS.

    BASE, OURS, THEIRS and PATH are the %O, %A, %B and %P of git.
    """
    from memci.memory.merge_versions import merge_versions
    from memci.report.escape import visible
    from memci.stores.files import write_output

    try:
        texts = [file.read_bytes().decode("utf-8", "surrogateescape") for file in (base, ours, theirs)]
    except OSError as error:
        raise ServiceError(f"cannot read {error.filename}: {error.strerror}") from error
    merged = merge_versions(*texts)
    write_output(ours, merged.text.encode("utf-8", "surrogateescape"))
    if merged.clashes and settings.verbosity >= 0:
        click.echo(f"memci: both sides changed the same part of {visible(path)}", err=True)
    return Exit.FINDINGS if merged.clashes else Exit.DONE
