"""The JSON of the page: the schema memci/report/1, the same values in the same order."""

import dataclasses
import datetime as dt
from collections.abc import Mapping

from memci.report.dream_json import render_cost
from memci.report.dream_result import CostReport
from memci.report.escape import json_text
from memci.report.page.data import Report
from memci.report.page.diff import DiffRow
from memci.report.status_result import ScopeStatus, render_scope


def render_report_json(report: Report) -> str:
    """Return one JSON object with a newline at the end."""
    return json_text(
        {
            "schema": "memci/report/1",
            "name": report.name,
            "now": report.now.isoformat(),
            "headline": report.headline,
            "scopes": [_plain(scope) for scope in report.scopes],
            "skipped": _name_reasons(report.skipped),
            "run": {**_fields(report.run), "notes": _name_reasons(report.run.notes)} if report.run else None,
        }
    )


def _name_reasons(pairs: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"what": what, "why": why} for what, why in pairs]


def _plain(value: object) -> object:
    match value:
        case DiffRow():
            texts = ("".join(piece.text for piece in side) for side in (value.left, value.right))
            return dict(zip(("kind", "old_line", "new_line", "old", "new"), (*value[:3], *texts), strict=True))
        case tuple():
            return [_plain(item) for item in value]
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case dt.date():
            return value.isoformat()
        case _ if dataclasses.is_dataclass(value):
            return _fields(value)
        case _:
            return value


def _fields(value: object) -> dict[str, object]:
    if isinstance(value, ScopeStatus):
        return render_scope(value)
    if isinstance(value, CostReport):
        return render_cost(value)
    names = [item.name for item in dataclasses.fields(value)]  # type: ignore[arg-type]  # always a dataclass of this package
    return {name: _plain(getattr(value, name)) for name in names}
