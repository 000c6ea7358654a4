"""`memci check --format sarif`: SARIF 2.1.0 as GitHub code scanning wants it."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import quote

from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, RuleInfo, amount, unique_fingerprints
from memci.report.escape import json_text, shorten, visible

# GitHub rejects a run with more results, and shows the 5,000 most severe (docs: "SARIF results exceed limits").
MAX_RESULTS = 25_000
# Ours: an alert is a paragraph, not a page.
MAX_TEXT = 1_000

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
# GitHub shows 7.0 and above as high, 4.0 and above as medium, the rest as low.
_SECURITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.0", Severity.INFO: "2.0"}


def render_sarif(result: CheckResult, *, version: str, uri_base: str) -> str:
    """Return a SARIF log; `uri_base` is the address of the project's files."""
    rules = sorted(result.rules.values(), key=lambda rule: rule.id)
    index = {rule.id: number for number, rule in enumerate(rules)}
    worst_first = sorted(result.findings, key=lambda finding: -finding.severity.rank)
    findings = result.findings if len(worst_first) <= MAX_RESULTS else tuple(worst_first[:MAX_RESULTS])
    prints = unique_fingerprints(findings)
    run = {
        "tool": {
            "driver": {
                "name": "memci",
                "fullName": f"memci {version}",
                "informationUri": uri_base,
                "version": version,
                "semanticVersion": version,
                "rules": [_rule(rule, uri_base) for rule in rules],
            }
        },
        # GitHub takes everything up to the last slash for the category of the analysis.
        "automationDetails": {"id": "memci/check/"},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": [*_notifications(result)]}],
        "originalUriBaseIds": {
            "SRCROOT": {"description": {"text": "The root of the repository."}},
            "HOME": {"description": {"text": "The home directory of the user."}},
        },
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\n"],
        "results": [
            _result(finding, index[finding.rule], fingerprint)
            for finding, fingerprint in zip(findings, prints, strict=True)
        ],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: RuleInfo, uri_base: str) -> dict[str, object]:
    properties: dict[str, object] = {
        "tags": ["agent-memory", rule.group.lower()],
        "precision": "high",
        "problem.severity": _PROBLEM[rule.severity],
    }
    if rule.is_safety:
        properties["tags"] = ["agent-memory", "safety", "security"]
        properties["security-severity"] = _SECURITY[rule.severity]
    address = f"{uri_base}docs/rules.md#{rule.id}"
    # A name must differ from the id in more than its case (validator rule SARIF1001).
    words = rule.id.split("-") if "-" in rule.id else [rule.id, "in", "memory"]
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in words),
        "shortDescription": {"text": shorten(rule.summary, MAX_TEXT)},
        "fullDescription": {"text": shorten(f"{rule.summary} {rule.remedy}", MAX_TEXT)},
        "help": {
            "text": f"{rule.remedy} See {address}",
            "markdown": f"{rule.remedy}\n\n[More about `{rule.id}`]({address})",
        },
        "helpUri": address,
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": properties,
    }


def _result(finding: Finding, rule_index: int, fingerprint: str) -> dict[str, object]:
    suggestion = f" Suggestion: {_literal(finding.suggestion)}." if finding.suggestion else ""
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{_literal(finding.message)}.{suggestion}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _artifact(finding.path),
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                }
            }
        ],
        # Not primaryLocationLineHash: the upload action computes that and warns about any other value in its place.
        "partialFingerprints": {"memciFingerprint/v1": fingerprint},
    }


def _artifact(path: PurePosixPath) -> dict[str, str]:
    if path.is_absolute():
        return {"uri": f"file://{_encode(path)}"}
    if path.parts[:1] == ("~",):
        return {"uri": _encode(path.relative_to("~")), "uriBaseId": "HOME"}
    return {"uri": _encode(path), "uriBaseId": "SRCROOT"}


def _encode(path: PurePosixPath) -> str:
    return quote(str(path), safe="/", errors="surrogatepass")


def _literal(text: str) -> str:
    shown = shorten(visible(text), MAX_TEXT).rstrip(".")
    # `[text](target)` is a link even in a plain message; a backslash makes the brackets literal (SARIF 3.11.6).
    return shown.replace("[", "\\[").replace("]", "\\]") if "](" in shown else shown


def _notifications(result: CheckResult) -> Iterator[dict[str, object]]:
    left_out = len(result.findings) - MAX_RESULTS
    if left_out > 0:
        reason = f"GitHub accepts {MAX_RESULTS:,} results in a run"
        text = f"{amount(left_out, 'finding')} of the lowest severity left out: {reason}."
        yield {"level": "warning", "message": {"text": text}}
    for what, why in result.skipped:
        yield {"level": "warning", "message": {"text": f"Not checked: {_literal(what)}: {_literal(why)}."}}
