"""Renders text and Markdown from templates; for a forge, lists get shorter before anything is left out.

Autoescaping knows HTML only: whatever comes from memory or from people goes through `report.escape` first.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memci.redaction.secrets import redact
from memci.report.check_result import SEVERITY_ICONS, amount
from memci.report.escape import markdown, shorten, visible, workflow_line

if TYPE_CHECKING:
    import jinja2

_TEMPLATES = Path(__file__).parent / "templates"


class Level(NamedTuple):
    """How much is shown: characters of a quotation and of a name, rows of each list, and details of a row."""

    quote: int
    name: int
    rows: int
    # The proofs of an entry, or the words beside what changed.
    details: int


def render_template(template: str, **values: Any) -> str:
    """Render a template of `templates/`."""
    return _environment().get_template(template).render(values)


def render_fitted(template: str, levels: Sequence[Level], most: int, **values: Any) -> str:
    """Render with the first level that fits; the last one is for the counts alone and always fits."""
    text = ""
    for level in levels:
        text = render_template(template, level=level, **values)
        if len(text) <= most:
            break
    return text


@functools.cache
def _environment() -> "jinja2.Environment":
    import jinja2
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.globals |= {"icons": SEVERITY_ICONS, "tab": "\t"}
    environment.filters |= {"amount": amount, "number": lambda value: f"{value:,}"}
    environment.filters |= {"literal": _show_literally, "redact": redact, "visible": visible, "log_line": workflow_line}
    return environment


# Every level shows the same texts again; the size bounds memory use.
@functools.lru_cache(maxsize=4_096)
def _show_literally(text: str, limit: int) -> str:
    return markdown(shorten(visible(text), limit))
