"""The last step of the action: outputs that are always set, a summary, and whether the job fails."""

import datetime as dt
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from action.inputs import bundle_directory, out_directory, read, sarif_file
from action.stages import annotate, list_ticked, load
from action.summary import MAX_BYTES, render_dream
from memci.errors import Exit

# GitHub shows ten annotations of a kind for a step.
_MAX_ANNOTATIONS = 10
_STAGES = ("publish", "validate", "dream", "plan", "check")
_BLOCKED = "somebody else's commits are on {branch}; merge or close the pull request, or label it memci:rebase"
_LEFT_OVER = "somebody else's commits are on {branch} and not merged; delete that branch, or use the input branch"
_FALLBACK = (
    "memci pushed {branch}, but may not open pull requests. Open it here: {url}\n"
    "To let memci do it: Settings, Actions, General, Workflow permissions: switch on "
    "'Allow GitHub Actions to create and approve pull requests' (the organisation has the same switch), and give the "
    "job `permissions: pull-requests: write`. Or give the token of an app as the input `token`.\n{notes}"
)


@dataclass(frozen=True, slots=True)
class _Results:
    """What the stages left; None for a stage that did not run or did not end."""

    out: Path
    dream: Any = None
    validated: Any = None
    published: Any = None
    checked: Any = None
    matrix: Any = None
    # The exit code of the last stage that ran.
    code: int = Exit.USAGE
    stage: str = ""


def report(environment: Mapping[str, str]) -> int:
    """Report the outcome; return the exit code of the step."""
    results = _read_results(out_directory(environment))
    warnings = _list_warnings(results, environment)
    errors = _list_errors(results)
    # A failed stage has annotated its error itself.
    for text in errors if results.published else ():
        annotate("error", text)
    for text in warnings[:_MAX_ANNOTATIONS]:
        annotate("warning", text)
    _write_outputs(environment, _collect_outputs(results, environment))
    if read(environment, "summary") != "false":
        _write_summary(environment, _summarise(results, warnings, errors))
    if results.published and results.published["result"] == "fallback" and not results.published["dry_run"]:
        return Exit.SERVICE
    strict = read(environment, "fail-on") == "warning" and read(environment, "command") != "check"
    return Exit.DEGRADED if strict and warnings else Exit.DONE


def _read_results(out: Path) -> _Results:
    stage = next((name for name in _STAGES if (out / f"{name}.code").exists()), "")
    code = int((out / f"{stage}.code").read_text(encoding="ascii")) if stage else Exit.USAGE
    return _Results(
        out,
        _read(out / "dream.json", "scopes"),
        _read(out / "validate.json", "result"),
        _read(out / "publish.json", "result"),
        _read(out / "check.json", "findings"),
        _read(out / "matrix.json", "include"),
        code,
        stage,
    )


def _read(target: Path, key: str) -> Any:
    content = load(target)
    return content if isinstance(content, dict) and key in content else None


def _list_lost(results: _Results) -> list[str]:
    last = results.published or results.validated
    return list(last["lost"]) if last else []


def _list_errors(results: _Results) -> list[str]:
    published = results.published
    if published and published["result"] == "fallback":
        notes = "\n".join(published["notes"])
        return [_FALLBACK.format(branch=published["branch"], url=published["url"], notes=notes).strip()]
    if results.stage and results.code not in {Exit.DONE, Exit.DEGRADED, Exit.FINDINGS} and not published:
        content = load(results.out / f"{'matrix' if results.stage == 'plan' else results.stage}.json") or {}
        return [
            f"{results.stage}: {content['error']['message'] if 'error' in content else f'ended with {results.code}'}"
        ]
    return []


def _list_warnings(results: _Results, environment: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    published, dream = results.published, results.dream
    if published and published["result"] == "blocked":
        found.append((_BLOCKED if published["number"] else _LEFT_OVER).format(branch=published["branch"]))
    if lost := _list_lost(results):
        found.append(f"did not arrive, and is not part of the pull request: {', '.join(lost)}")
    if published and published["result"] != "fallback":
        found += published["notes"]
    if dream:
        found += [f"not read: {note['what']}: {note['why']}" for note in dream["notes"]]
        found += [f"not done: {failure}; the embedded engine did what it could" for failure in dream["failures"]]
        found += dream["cost"]["warnings"]
        found += [
            f"failed: {scope['path']}: {scope['reason']}" for scope in dream["scopes"] if scope["status"] == "failed"
        ]
        found += _describe_starvation(dream, read(environment, "starving-days"))
    return found


def _describe_starvation(dream: Any, given: str) -> list[str]:
    """Say when nothing new comes in: a dream without sessions stays green and learns nothing."""
    days = int(given) if given.isascii() and given.isdigit() else 14
    if not days or dream["skipped"]:
        return []
    if not dream["sessions"]:
        return [
            "no session was read: name them with the input transcripts, or in the settings (starving-days: 0 for none)"
        ]
    newest = dream["newest_session"]
    age = (dt.datetime.fromisoformat(dream["now"]) - dt.datetime.fromisoformat(newest)).days if newest else 0
    return [f"no new session for {age} days: is what collects them still running?"] if age >= days else []


def _collect_outputs(results: _Results, environment: Mapping[str, str]) -> dict[str, str]:
    published = results.published or {}
    findings = results.checked["findings"] if results.checked else []
    changed = published.get("digest") or (results.validated or {}).get("changed")
    scopes = results.dream["scopes"] if results.dream else []
    changed = changed or any(scope["status"] == "changed" for scope in scopes)
    reports = (results.out / f"{name}.json" for name in ("check", "dream", "publish", "validate"))
    sarif = sarif_file(environment)
    return {
        "operation": "none" if published.get("dry_run") else published.get("result", "none"),
        "changed": "true" if changed else "false",
        "pull-request-number": str(published.get("number") or ""),
        "pull-request-url": published.get("url", ""),
        "head-sha": published.get("commit", ""),
        "branch": published.get("branch") or read(environment, "branch"),
        "findings-count": str(len(findings)),
        "errors-count": str(sum(finding["severity"] == "error" for finding in findings)),
        "report-file": next((str(target) for target in reports if target.exists()), ""),
        "sarif-file": str(sarif) if sarif and sarif.exists() else "",
        "bundle-dir": str(bundle_directory(environment)) if results.dream else "",
        "cost-usd": f"{results.dream['cost']['usd']:.4f}" if results.dream else "0",
        "matrix": (results.out / "matrix.json").read_text(encoding="ascii").strip() if results.matrix else "",
        "ticked": list_ticked(results.out),
        "count": str(len(results.matrix["include"]) if results.matrix else 0),
        "lost": "\n".join(_list_lost(results)),
        "exit-code": str(int(results.code)),
    }


def _write_outputs(environment: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    with Path(environment["GITHUB_OUTPUT"]).open("a", encoding="utf-8", errors="backslashreplace") as file:
        for name, value in outputs.items():
            # A value with the end mark could set other outputs, so the mark is random.
            mark = f"memci-{secrets.token_hex(16)}"
            file.write(f"{name}<<{mark}\n{value}\n{mark}\n")


def _summarise(results: _Results, warnings: list[str], errors: list[str]) -> str:
    if results.stage == "check":
        return _read_text(results.out / "check.md") if results.checked else render_dream(None, None, warnings, errors)
    if results.stage == "plan":
        count = len(results.matrix["include"]) if results.matrix else 0
        return f"### memci: {count} shards\n" if results.matrix else render_dream(None, None, warnings, errors)
    if results.stage == "validate" and results.validated and not results.dream:
        return render_dream(
            None, None, warnings, errors, title=f"{len(results.validated['changed'])} files would change"
        )
    return render_dream(results.dream, results.published, warnings, errors)


def _read_text(target: Path) -> str:
    return target.read_text(encoding="utf-8", errors="replace") if target.exists() else ""


def _write_summary(environment: Mapping[str, str], text: str) -> None:
    target = environment.get("GITHUB_STEP_SUMMARY")
    if not target:
        return
    data = text.encode("utf-8", "backslashreplace")
    with Path(target).open("ab") as file:
        # The renderer stays below the limit; this is a safeguard.
        file.write(data[:MAX_BYTES])
