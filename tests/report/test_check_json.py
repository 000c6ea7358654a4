import json

from hypothesis import given

from memci.report.check_json import render_json
from memci.report.check_result import CheckResult
from tests.report.results import INDEX, RULES, finding, fixable, result, results


def test_the_shape_is_the_documented_one() -> None:
    run = CheckResult(
        findings=(finding(),),
        rules=RULES,
        scopes=1,
        topics=2,
        suppressed=3,
        baselined=4,
        skipped=(("x.md", "not UTF-8"),),
        fixed=(finding(),),
        claims={"verified": 5},
    )
    assert json.loads(render_json(run)) == {
        "schema": "memci/check/1",
        "summary": {
            "errors": 1,
            "warnings": 0,
            "infos": 0,
            "suppressed": 3,
            "baselined": 4,
            "fixed": 1,
            "scopes": 1,
            "topics": 2,
        },
        "rules": {"index-dangling": 1},
        "findings": [
            {
                "rule": "index-dangling",
                "severity": "error",
                "file": INDEX,
                "line": 1,
                "column": 1,
                "message": "leads nowhere",
                "suggestion": "",
                "fix": None,
                "fingerprint": finding().fingerprint,
            }
        ],
        "claims": {"verified": 5, "moved": 0, "missing": 0, "unverifiable": 0, "reasons": {}},
        "skipped": [{"what": "x.md", "why": "not UTF-8"}],
    }


def test_a_fix_lists_its_edits() -> None:
    [found] = json.loads(render_json(result(fixable("old\n", "new\n", line=3))))["findings"]
    assert found["fix"] == {
        "summary": "rewrite the line",
        "edits": [{"file": INDEX, "line": 3, "old": "old\n", "new": "new\n"}],
    }


def test_secrets_in_edits_are_redacted() -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    rendered = render_json(result(fixable(f"token: {secret}\n", f"- token: {secret}\n")))
    assert secret not in rendered
    assert "token: " in rendered


@given(results)
def test_every_result_parses_back(run: CheckResult) -> None:
    rendered = render_json(run)
    assert rendered.isascii()
    assert len(json.loads(rendered)["findings"]) == len(run.findings)
