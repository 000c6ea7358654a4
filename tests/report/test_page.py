"""The page as it is written: everything that others wrote is text, and nothing but its own style and script can run."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import given

from memci.model.plan import OperationKind
from memci.report.change_entries import list_changes
from memci.report.escape import visible
from memci.report.open_questions import list_questions
from memci.report.page.render import Report, render_page
from memci.report.page.run import tell_run
from tests.build import NOW, SCOPE
from tests.dream.scenes import make_key_id
from tests.report.pages import TAGS, WEB, Parsed, make_plan, make_report, make_result, make_scope
from tests.report.results import HOSTILE, texts

MORE = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<svg onload=alert(1)>",
    "]]><b>",
    "{{ 7 * 7 }} {% raw %} ${7}",
    "javascript:alert(1) [x](javascript:alert(1)) <a href='javascript:alert(1)'>x</a>",
    '" onmouseover="alert(1)" x="',
    "' autofocus onfocus='alert(1)",
    "<!-- --> <![CDATA[ x ]]> <?php ?>",
    "</title></style><base href=//evil.example>",
)


def check(page: str) -> Parsed:
    """Check what holds for every page, whatever is told on it."""
    parsed = Parsed(page)
    assert {tag for tag, _ in parsed.elements} <= TAGS
    assert not parsed.broken
    for tag in ("script", "style", "html", "head", "body", "main", "h1", "title"):
        # A chart has a title, too.
        assert parsed.count(tag) == 1 or tag == "title"
    names = {name for _, attributes in parsed.elements for name in attributes}
    assert not {name for name in names if name.startswith("on")} | (names & {"src", "style", "action", "formaction"})
    assert [link for link in parsed.values("href") if not link.startswith(WEB)] == ["#main"]
    ids = parsed.values("id")
    assert len(ids) == len(set(ids))
    for reference in [*parsed.values("aria-labelledby"), *parsed.values("for")]:
        assert set(reference.split()) <= set(ids)
    return parsed


def test_what_was_said_and_not_written_is_on_the_page() -> None:
    text = check(render_page(make_report("Tuesdays only"))).text
    assert "Said, and not written 1" in " ".join(text.split())
    assert "left out on purpose: a joke" in text


# Nothing comes alive.


@pytest.mark.parametrize("text", [*HOSTILE, *MORE])
def test_hostile_text_stays_text(text: str) -> None:
    parsed = check(render_page(make_report(text)))
    if text.strip():
        assert visible(text[:40], keep="\t") in parsed.text


@given(texts)
def test_no_text_makes_an_element(text: str) -> None:
    assert check(render_page(make_report(text, operations=1))).count("main") == 1


def test_nothing_invisible_is_left() -> None:
    page = render_page(make_report("a\u202eb\u2066c\u200bd\U000e0041e\x00f\x1b[31m"))
    assert not set("\u202e\u2066\u200b\U000e0041\x00\x1b") & set(page)
    assert "\\u202e" in page
    page.encode()


def test_only_the_style_and_the_script_of_the_page_may_run() -> None:
    parsed = Parsed(render_page(make_report()))
    (policy,) = [a["content"] or "" for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert (rules["default-src"], rules["base-uri"], rules["form-action"]) == ("'none'", "'none'", "'none'")
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(parsed.raw[tag].encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"
    assert set(rules) == {"default-src", "base-uri", "form-action", "style-src", "script-src"}
    # Neither may name another place.
    assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch\(|innerHTML|eval\(", "".join(parsed.raw.values()))


def test_a_line_of_a_megabyte_is_shortened_and_says_so() -> None:
    page = render_page(make_report("x" * 1_000_000, operations=1))
    assert "more characters]" in page
    assert len(page) < 200_000


def test_secrets_are_taken_out() -> None:
    key = make_key_id()
    plan = make_plan(f"the key is {key}", operations=2)
    report = Report("shop", NOW, "x", (), (), tell_run(make_result(plan)))
    assert key not in render_page(report)
    assert "REDACTED" in render_page(report)


# What is told.


def test_equal_reports_give_equal_bytes() -> None:
    assert render_page(make_report()) == render_page(make_report())


def test_every_chart_is_named_described_and_has_its_numbers() -> None:
    page = render_page(make_report())
    charts = page.split('<figure class="chart')[1:]
    assert len(charts) == 6
    for chart in charts:
        figure = Parsed(chart.split("</figure>")[0])
        drawings = [attributes for tag, attributes in figure.elements if tag == "svg"]
        assert drawings
        assert all(one["role"] == "img" and one["aria-labelledby"] for one in drawings)
        assert figure.count("desc") == len(drawings)
        assert (figure.count("table"), figure.count("details")) == (1, 1)
        assert figure.count("td") >= 1


def test_a_change_is_told_with_its_evidence_and_its_words() -> None:
    page = render_page(make_report("plain text", operations=2))
    text = Parsed(page).text
    assert "“plain text” — a person, 2026-11-16, session splain t" in text
    assert "found plain text" in text
    assert "was: The old line." in text
    assert "plain text (supported)" in text
    # The second one replaces a text: word by word.
    assert '<del data-n="7">The <b>old </b>line.</del>\n<ins data-n="7">The <b>new </b>line.</ins>' in page


def test_everything_that_can_be_filtered_says_what_it_is() -> None:
    parsed = Parsed(render_page(make_report()))
    items = [attributes for _, attributes in parsed.elements if "item" in (attributes.get("class") or "").split()]
    assert {one["data-kind"] for one in items} == {
        "question", "learned", "corrected", "tidied", "refused", "warning", "error", "topic",
    }  # fmt: skip
    assert all({"data-scope", "data-rule", "data-type"} <= set(one) for one in items)
    rules = {name for one in items for name in (one["data-rule"] or "").split()}
    assert {"supported", "path-moved"} <= rules
    assert {"feedback"} <= {one["data-type"] for one in items}
    assert {"agent:reviewer"} <= {one["data-scope"] for one in items}


def test_the_page_is_whole_without_its_script() -> None:
    page = render_page(make_report("word", operations=30, topics=30))
    parsed = Parsed(page)
    # What only works with the script is shown by the script.
    (tools,) = [attributes for _, attributes in parsed.elements if attributes.get("id") == "tools"]
    assert "hidden" in tools
    assert parsed.text.count("word-29.md") >= 2


def test_a_page_without_memory_says_so() -> None:
    parsed = check(render_page(Report("shop", NOW, "no memory here", ())))
    assert "No memory here." in parsed.text


def test_the_page_says_what_the_pull_request_says() -> None:
    plan = make_plan("word", operations=4)
    result = make_result(plan)
    page = Parsed(render_page(Report("x", NOW, "x", (), (), tell_run(result))))
    shown = " ".join(page.text.split())
    for entry in list_changes(plan):
        assert " ".join(entry.said.split()) in shown
        assert " ".join(entry.was.split()) in shown
    asked = [question.asks for question in list_questions(plan)]
    assert asked
    assert all(one in shown for one in asked)


def test_every_changed_file_is_shown_once() -> None:
    plan = make_plan("x", operations=3)
    index = SCOPE / "MEMORY.md"
    before, after = ({**texts, index: f"# Memory\n{new}"} for texts, new in ((plan.before, ""), (plan.after, "- x\n")))
    run = tell_run(make_result(replace(plan, before=before, after=after)))
    paths = [file["path"] for change in run["changes"] for file in change["diffs"]]
    assert sorted(paths) == sorted(["MEMORY.md", *(one.file.name for one in plan.operations)])


def test_a_scope_without_anything_is_drawn() -> None:
    scope = make_scope("x")
    empty = type(scope)(status=scope.status, topics=(), problems=())
    assert "shop" in check(render_page(Report("shop", NOW, "x", (empty,)))).text


def test_an_index_that_is_rewritten_twice_is_one_index() -> None:
    plan = make_plan("x", operations=3)
    twice = [replace(one, kind=OperationKind.REINDEX) for one in plan.operations[:2]]
    result = make_result(replace(plan, operations=(*twice, plan.operations[2])))
    page = render_page(Report("x", NOW, "x", (), (), tell_run(result)))
    assert "1 index rewritten" in page
    assert "2 operations proposed, 1 refused by a guard" in page


def test_a_scope_without_topics_has_no_oldest_one() -> None:
    scope = make_scope("x")
    bare = replace(scope, topics=(), status=replace(scope.status, types={}, oldest=None))
    shown = " ".join(Parsed(render_page(Report("shop", NOW, "x", (bare,)))).text.split())
    assert "Last change 2026-11-01. 1 file not committed." in shown
