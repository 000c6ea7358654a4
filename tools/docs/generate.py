"""Writes the generated pages and parts of the documentation: `python -m tools.docs.generate`.

A part is the text between `<!-- begin NAME -->` and `<!-- end NAME -->`. In a `console` block each line that begins
with `$` is run in a sandbox, and its output follows.
"""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from memci.checks.registry import RULES
from memci.guards.registry import GUARDS
from tools.docs.accuracy import render_accuracy
from tools.docs.action import read_action, read_workflow, render_inputs, render_names
from tools.docs.architecture import render_layers
from tools.docs.commands import render_commands, render_exit_codes, render_global_options, render_overview
from tools.docs.guards import render_guards
from tools.docs.pull_request import render_pull_request
from tools.docs.reading import ROOT, list_pages, read_page
from tools.docs.rules import render_rules
from tools.docs.sandbox import make_sandbox
from tools.docs.settings import render_keys, render_schema

PAGES: dict[str, Callable[[], str]] = {
    "docs/rules.md": lambda: render_rules(RULES),
    "docs/accuracy.md": render_accuracy,
    "docs/guards.md": lambda: render_guards(GUARDS),
    "docs/pull-request.md": render_pull_request,
    "docs/memci.schema.json": render_schema,
}
PARTS: dict[str, Callable[[], str]] = {
    "overview": render_overview,
    "global-options": render_global_options,
    "commands": render_commands,
    "exit-codes": render_exit_codes,
    "keys": render_keys,
    "inputs": lambda: render_inputs(read_action()),
    "outputs": lambda: render_names(read_action(), "outputs"),
    "dream-inputs": lambda: render_inputs(read_workflow("dream")),
    "dream-secrets": lambda: render_names(read_workflow("dream"), "secrets"),
    "dream-outputs": lambda: render_names(read_workflow("dream"), "outputs"),
    "memory-inputs": lambda: render_inputs(read_workflow("memory")),
    "layers": render_layers,
}
_PART = re.compile(r"(<!-- begin ([a-z-]+) -->\n).*?(<!-- end \2 -->\n)", re.DOTALL)
_CONSOLE = re.compile(r"(?m)^```console\n(.*?)^```\n", re.DOTALL)


def render_page(page: str) -> str:
    """Render a page with its generated parts."""
    if page in PAGES:
        return PAGES[page]()
    text = _PART.sub(lambda part: f"{part[1]}{PARTS[part[2]]()}\n{part[3]}", read_page(page))
    return _CONSOLE.sub(lambda block: f"```console\n{_run_console(block[1])}```\n", text)


def _run_console(text: str) -> str:
    lines = [line.removeprefix("$ ") for line in text.split("\n") if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as directory:
        # Resolved, because memci prints resolved paths, and none of this machine may be in the output.
        done = make_sandbox(Path(directory).resolve()).run(lines)
        shown = "".join(f"$ {ran.line}\n{ran.out}" for ran in done)
        assert str(Path(directory).resolve()) not in shown, shown
    return shown


def main() -> None:
    for page in sorted({*list_pages(), *PAGES}):
        (ROOT / page).write_text(render_page(page), encoding="utf-8")


if __name__ == "__main__":
    main()
