"""`memci check --format json`, the schema memci/check/1, and `--format gitlab`, a GitLab Code Quality report."""

from memci.model.finding import Finding, Fix, Severity
from memci.report.check_result import CLAIM_VERDICTS, CheckResult, unique_fingerprints
from memci.report.escape import json_text, name_reasons, visible

# The first is for every rule, the second for those of safety.
_SEVERITY = {
    Severity.ERROR: ("major", "critical"),
    Severity.WARNING: ("minor", "major"),
    Severity.INFO: ("info", "info"),
}


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


def render_gitlab(result: CheckResult) -> str:
    """Return the report: a JSON array with one object per finding."""
    # GitLab shows only the first of several findings with one fingerprint.
    prints = unique_fingerprints(result.findings)
    return json_text(
        [
            _issue(finding, fingerprint, is_safety=result.safety(finding))
            for finding, fingerprint in zip(result.findings, prints, strict=True)
        ]
    )


def _issue(finding: Finding, fingerprint: str, *, is_safety: bool) -> dict[str, object]:
    suggestion = f" ({finding.suggestion})" if finding.suggestion else ""
    return {
        "description": visible(finding.message + suggestion),
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITY[finding.severity][is_safety],
        "location": {"path": str(finding.path), "lines": {"begin": finding.line}},
    }
