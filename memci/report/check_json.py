"""`memci check --format json`: the schema memci/check/1."""

from memci.model.finding import Finding, Fix, Severity
from memci.report.check_result import CLAIM_VERDICTS, CheckResult
from memci.report.escape import json_text, name_reasons


def render_json(result: CheckResult) -> str:
    """Return one JSON object with a newline at the end."""
    return json_text(
        {
            "schema": "memci/check/1",
            "summary": {
                "errors": result.count(Severity.ERROR),
                "warnings": result.count(Severity.WARNING),
                "infos": result.count(Severity.INFO),
                "suppressed": result.suppressed,
                "baselined": result.baselined,
                "fixed": len(result.fixed),
                "scopes": result.scopes,
                "topics": result.topics,
            },
            "rules": {rule: len(findings) for rule, findings in result.by_rule.items()},
            "findings": [_finding(finding) for finding in result.findings],
            "claims": {
                **{verdict: result.claims.get(verdict, 0) for verdict in CLAIM_VERDICTS},
                "reasons": dict(result.reasons),
            },
            "skipped": name_reasons(result.skipped),
        }
    )


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "file": str(finding.path),
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "suggestion": finding.suggestion,
        "fix": _fix(finding.fix) if finding.fix else None,
        "fingerprint": finding.fingerprint,
    }


def _fix(fix: Fix) -> dict[str, object]:
    # Whole lines of memory are quoted here and end up in public logs.
    from memci.redaction.secrets import redact

    return {
        "summary": fix.summary,
        "edits": [
            {"file": str(edit.path), "line": edit.line, "old": redact(edit.old), "new": redact(edit.new)}
            for edit in fix.edits
        ],
    }
