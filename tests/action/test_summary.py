"""The summary of a job: bounded, literal, and never without its head."""

import html
import json
from pathlib import Path
from typing import Any

import pytest

from action.report import report
from action.summary import MAX_BYTES, render_dream

COST = {"usd": 0.0, "unseen_usd": 0.0, "calls": 0, "phases": [], "warnings": []}


def make_dream(**given: Any) -> dict[str, Any]:
    scope = {"path": ".claude/memory", "status": "changed", "reason": "", "operations": [], "rejected": []}
    dream = {
        "now": "2026-11-16T03:00:00+00:00",
        "engine": "local",
        "engine_reason": "",
        "skipped": "",
        "scopes": [{**scope, "needs_person": [], **given.pop("scope", {})}],
        "sessions": 3,
        "newest_session": "2026-11-15T03:00:00+00:00",
        "notes": [],
        "failures": [],
        "cost": COST,
        "text": "",
    }
    return dream | given


def run_report(tmp_path: Path, dream: dict[str, Any], **inputs: str) -> tuple[int, str, str]:
    out = tmp_path / "out"
    out.mkdir(exist_ok=True)
    (out / "dream.json").write_text(json.dumps(dream))
    (out / "dream.code").write_text("0")
    targets = {"GITHUB_OUTPUT": tmp_path / "output", "GITHUB_STEP_SUMMARY": tmp_path / "summary"}
    for target in targets.values():
        target.write_bytes(b"")
    names = {f"GHA_MEMCI_{name.upper()}": value for name, value in {"command": "dream", **inputs}.items()}
    environment = {**{name: str(target) for name, target in targets.items()}, **names, "GHA_MEMCI_OUT": str(out)}
    code = report(environment | {"GITHUB_WORKSPACE": str(tmp_path)})
    return code, targets["GITHUB_STEP_SUMMARY"].read_text(), targets["GITHUB_OUTPUT"].read_text()


def test_g13_a_summary_is_short_whatever_the_number_of_scopes(tmp_path: Path) -> None:
    still = {"path": "ä" * 500, "status": "skipped", "reason": "ä " * 500, "operations": [], "rejected": []}
    code, summary, _ = run_report(tmp_path, make_dream(scopes=[still] * 5_000, text="**3 learned.**\n"))
    assert code == 0
    assert len(summary.encode()) <= MAX_BYTES
    assert "- 4,980 more scopes\n\n**3 learned.**\n" in summary


def test_texts_are_shown_and_never_obeyed() -> None:
    hostile = '</code></table><img src="https://evil.example/x">@everyone #1 [a](https://evil.example) `x` | y'
    dream = make_dream(scope={"reason": hostile, "path": hostile})
    text = render_dream(dream, None, [hostile], [f"one\n{hostile}"])
    for mark in ("<img", "](http", "https://evil.example", "@everyone", "#1 ", "`x`"):
        assert mark not in text


@pytest.mark.parametrize(
    ("days", "given", "warned"),
    [
        ("14", {}, False),
        ("14", {"newest_session": "2026-11-02T03:00:01+00:00"}, False),
        ("0", {"sessions": 0, "newest_session": None}, False),
        ("14", {"sessions": 0, "newest_session": None, "skipped": "switched off in the settings", "scopes": []}, False),
        ("14", {"newest_session": None}, False),
        ("14", {"newest_session": "2026-11-02T03:00:00+00:00"}, True),
        ("", {"newest_session": "2026-10-02T03:00:00+00:00"}, True),
        ("3", {"newest_session": "2026-11-13T03:00:00+00:00"}, True),
        ("14", {"sessions": 0, "newest_session": None}, True),
    ],
)
def test_a_dream_that_gets_nothing_new_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], days: str, given: dict[str, Any], *, warned: bool
) -> None:
    code, summary, _ = run_report(tmp_path, make_dream(**given), starving_days=days)
    assert (code, "[!WARNING]" in summary, "::warning" in capsys.readouterr().out) == (0, warned, warned)


def test_there_are_never_more_annotations_than_github_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = [{"what": f"session-{number}", "why": "::error::planted\n::error::planted"} for number in range(40)]
    code, summary, _ = run_report(tmp_path, make_dream(notes=notes))
    lines = capsys.readouterr().out.split("\n")
    assert (code, sum(line.startswith("::") for line in lines)) == (0, 10)
    assert not any(line.startswith("::error") for line in lines)
    assert "session-39" in summary


def test_part_of_the_work_fails_the_job_only_if_asked(tmp_path: Path) -> None:
    dream = make_dream(failures=["the model did not answer"])
    assert run_report(tmp_path, dream)[0] == 0
    assert run_report(tmp_path, dream, fail_on="warning")[0] == 3


@pytest.mark.parametrize(("number", "said"), [(7, "label it memci:rebase"), (None, "delete that branch")])
def test_only_a_pull_request_can_be_labelled(tmp_path: Path, number: int | None, said: str) -> None:
    (tmp_path / "out").mkdir()
    published = {"result": "blocked", "dry_run": False, "url": "", "number": number, "branch": "memci/dream"}
    content = {**published, "commit": "", "digest": "", "lost": [], "notes": []}
    (tmp_path / "out" / "publish.json").write_text(json.dumps(content))
    code, summary, _ = run_report(tmp_path, make_dream())
    assert (code, said in html.unescape(summary)) == (0, True)


def test_an_output_cannot_set_another_one(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    hostile = "x\nmemci-0\noperation=created\noperation<<A\ncreated\nA"
    published = {"result": "none", "dry_run": False, "url": hostile, "number": None, "branch": hostile, "commit": ""}
    content = {**published, "digest": "", "lost": [hostile], "notes": []}
    (tmp_path / "out" / "publish.json").write_text(json.dumps(content))
    _, _, outputs = run_report(tmp_path, make_dream())
    assert read_outputs(outputs)["operation"] == "none"
    assert read_outputs(outputs)["lost"] == hostile


def read_outputs(text: str) -> dict[str, str]:
    """Read outputs as the runner does: everything up to the mark belongs to the value."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        name, marked, mark = line.partition("<<")
        if not marked:
            name, _, found[name] = line.partition("=")
            continue
        value = []
        for inner in lines:
            if inner == mark:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found
