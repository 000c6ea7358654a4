"""The HTML of the page. Everything that others wrote is text: escaped by the template engine, made visible before.

There is no markup in any value: templates place values, and the policy in the page lets nothing else run.
"""

import base64
import datetime as dt
import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memci import __version__
from memci.redaction.secrets import redact
from memci.report.check_result import CLAIM_VERDICTS, amount
from memci.report.escape import shorten, visible
from memci.report.page.charts import ScopeHealth, draw_ledger, draw_scope
from memci.report.page.run import Shown
from memci.report.status_result import FULL

if TYPE_CHECKING:
    import jinja2

_TEMPLATES = Path(__file__).parent / "templates"
# More are folded when the page opens: what is looked at first is what is decided first.
_MAX_OPEN = 20
# The maximum length of a shown text; the texts of a run are shorter already.
_MAX_TEXT = 2_100


@dataclass(frozen=True, slots=True)
class Report:
    """The content of the page."""

    name: str
    now: dt.datetime
    # The one sentence on top.
    headline: str
    scopes: tuple[ScopeHealth, ...]
    # What could not be looked at, and why.
    skipped: tuple[tuple[str, str], ...] = ()
    # The dream, if there was one.
    run: Shown | None = None


def render_page(report: Report) -> str:
    """Return the page; equal reports give equal bytes."""
    from markupsafe import Markup

    style, script = ((_TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    run = report.run
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            report=report,
            run=run,
            version=__version__,
            # Ours, from the files beside the template.
            style=Markup(style),  # noqa: S704 -- no value of the report is in it
            script=Markup(script),  # noqa: S704 -- nor in this
            policy=_content_policy(style, script),
            charts=[draw_scope(scope, report.now.date()) for scope in report.scopes],
            ledger=draw_ledger(run["fates"]) if run and run["fates"] else None,
            max_open=_MAX_OPEN,
        )
    )


def _content_policy(style: str, script: str) -> str:
    """Allow this style and this script, and nothing else at all."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    hashes = "; ".join(
        f"{kind}-src 'sha256-{digest}'" for kind, digest in zip(("style", "script"), digests, strict=True)
    )
    return f"default-src 'none'; {hashes}; base-uri 'none'; form-action 'none'"


@functools.cache
def _environment() -> "jinja2.Environment":
    import jinja2
    from markupsafe import Markup

    def show(value: object) -> object:
        if isinstance(value, Markup) or not isinstance(value, str):
            # The result of a macro is escaped already.
            return value
        # Tabs are harmless here.
        return visible(shorten(value, _MAX_TEXT), keep="\t")

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        finalize=show,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(verdicts=CLAIM_VERDICTS, full=FULL)
    environment.filters["amount"] = amount
    environment.filters["redact"] = redact
    environment.filters["sum_values"] = lambda counts: sum(counts.values())
    environment.filters["number"] = lambda value: f"{value:,}"
    return environment
