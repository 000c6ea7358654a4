import pytest

from memci.checks.rules.topic_dangling_link import RULE
from memci.model.finding import Severity
from tests.build import BODY_LINE, places, run_rule, topic_text

OTHERS = {
    "feedback_review_style.md": topic_text(name="How we review"),
    "sub/deep.md": topic_text(name="deep-dive"),
}


@pytest.mark.parametrize(
    "body",
    [
        "See [[How we review]] and [[how-we-review]].",
        "See [[feedback_review_style]], [[feedback-review-style.md]] and [[review-style]].",
        "See [[deep]], [[sub/deep]], [[deep-dive|the dive]] and [[deep-dive#part]].",
        "Bash: `if [[ -n $x ]]; then` and\n```\n[[ -f nothing ]]\n```",
        "Empty [[]] and open [[ brackets",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert run_rule(RULE, {**OTHERS, "a.md": topic_text(body)}) == []


def test_reports_as_information() -> None:
    found = run_rule(RULE, {**OTHERS, "a.md": topic_text("Fine.\nSee [[deep]] and [[release-process]].")})
    assert places(found) == [("a.md", BODY_LINE + 1)]
    assert (found[0].column, found[0].severity) == (18, Severity.INFO)
    assert found[0].message == "no topic is called 'release-process'"
