import json
import re

from hypothesis import given

from memci.report.check_json import render_gitlab
from memci.report.check_result import CheckResult
from tests.report.results import INDEX, finding, result, results


def test_an_issue_has_the_fields_that_gitlab_requires() -> None:
    assert json.loads(render_gitlab(result(finding(line=7)))) == [
        {
            "description": "leads nowhere",
            "check_name": "index-dangling",
            "fingerprint": finding().fingerprint,
            "severity": "major",
            "location": {"path": INDEX, "lines": {"begin": 7}},
        }
    ]


def test_safety_ranks_higher() -> None:
    rules = "index-dangling", "secret", "date-relative", "hidden-text", "topic-dangling-link"
    issues = json.loads(render_gitlab(result(*(finding(rule, line=line) for line, rule in enumerate(rules, 1)))))
    assert [issue["severity"] for issue in issues] == ["major", "critical", "minor", "major", "info"]


def test_no_findings_are_an_empty_list() -> None:
    assert json.loads(render_gitlab(result())) == []


@given(results)
def test_fingerprints_are_unique_and_descriptions_are_visible(run: CheckResult) -> None:
    issues = json.loads(render_gitlab(run))
    assert len({issue["fingerprint"] for issue in issues}) == len(run.findings)
    assert not [issue for issue in issues if re.search("[\x00-\x1f\u202e]", issue["description"])]
