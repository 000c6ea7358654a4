"""The JSON of the page: the schema memci/report/1, the same values in the same order."""

from memci.report.escape import fields_of, json_text, name_reasons
from memci.report.page.data import Report


def render_report_json(report: Report) -> str:
    """Return one JSON object with a newline at the end."""
    run = report.run
    return json_text(
        {
            "schema": "memci/report/1",
            "name": report.name,
            "now": report.now,
            "headline": report.headline,
            "scopes": report.scopes,
            "skipped": name_reasons(report.skipped),
            "run": fields_of(run) | {"notes": name_reasons(run.notes)} if run else None,
        }
    )
