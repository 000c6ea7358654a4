import pytest

from memci.model.finding import Severity
from memci.report.check_result import CheckResult, describe_findings, describe_run, unique_fingerprints
from tests.report.results import RULES, finding, fixable, result


def test_findings_are_sorted_by_file_line_column_and_rule() -> None:
    found = result(
        finding(path="b.md"), finding(line=9), finding("secret", line=2), finding("date-relative", line=2)
    ).findings
    assert [(str(each.path), each.line, each.rule) for each in found] == [
        (".claude/memory/MEMORY.md", 2, "date-relative"),
        (".claude/memory/MEMORY.md", 2, "secret"),
        (".claude/memory/MEMORY.md", 9, "index-dangling"),
        ("b.md", 1, "index-dangling"),
    ]


def test_a_finding_of_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="index-dangling"):
        CheckResult(findings=(finding(),), rules={}, scopes=1, topics=1)


def test_counts() -> None:
    run = result(finding(), finding("secret"), finding("date-relative"), fixable("a", "b"))
    assert [run.count(severity) for severity in Severity] == [0, 1, 3]
    assert (run.fixable, run.worst, result().worst) == (1, Severity.ERROR, None)


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (result(), "no problems found"),
        (result(scopes=0), "nothing to check: no memory was found"),
        (result(fixed=(finding(),)), "1 problem fixed, none left"),
        (result(finding()), "1 error in 1 file"),
        (
            result(finding(), finding(), finding("date-relative"), finding("topic-dangling-link", path="b")),
            "2 errors, 1 warning, 1 info in 2 files",
        ),
    ],
)
def test_the_verdict_is_a_phrase(run: CheckResult, words: str) -> None:
    assert describe_findings(run) == words


def test_the_run_is_described_with_everything_that_did_not_become_a_finding() -> None:
    run = CheckResult(
        findings=(fixable("a", "b"),),
        rules=RULES,
        scopes=1,
        topics=1_200,
        suppressed=1,
        baselined=2,
        skipped=(("a", "b"),),
        fixed=(finding(),),
        since="main",
    )
    assert describe_run(run, str.upper) == (
        "1 fixable with --fix; 1 fixed; 1 suppressed; 2 in the baseline; 1 not checked; "
        "checked 1 scope, 1,200 topics, changes since MAIN"
    )


def test_equal_fingerprints_get_an_ordinal() -> None:
    same = finding(line=1), finding(line=2), finding(message="other"), finding(line=3)
    prints = unique_fingerprints(same)
    assert len(set(prints)) == 4
    assert prints[1] == f"{prints[0]}-2"
    assert prints[3] == f"{prints[0]}-3"
