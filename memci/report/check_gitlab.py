"""`memci check --format gitlab`: a GitLab Code Quality report."""

from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, unique_fingerprints
from memci.report.escape import json_text, visible

# The first is for every rule, the second for those of safety.
_SEVERITY = {
    Severity.ERROR: ("major", "critical"),
    Severity.WARNING: ("minor", "major"),
    Severity.INFO: ("info", "info"),
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
