import html.parser
import re

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from memci.model.finding import Finding, Severity
from memci.report.check_markdown import MAX_LENGTH, render_markdown
from memci.report.check_result import CheckResult
from memci.report.escape import shorten, visible
from tests.report.results import HOSTILE, finding, fixable, result, results

_OURS = {"h3", "h4", "p", "table", "tbody", "tr", "th", "td", "br", "code", "details", "summary", "ul", "li", "strong"}


class _Reader(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0
        self.links: list[str | None] = []
        self.code: list[str] = []
        self.outside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links += [value for _, value in attrs]
        else:
            assert tag in _OURS
            assert not attrs
        self.rows += tag == "tr"
        if tag == "code":
            self.code.append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "code" in self.open:
            self.code[-1] += data
        else:
            self.outside += data


def _read(rendered: str) -> _Reader:
    reader = _Reader()
    reader.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(rendered))
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize(
    ("run", "headline"),
    [
        (result(), "### ✅ memci check: no problems found\n\nChecked 1 scope, 2 topics.\n"),
        (result(finding()), "### ❌ memci check: 1 error in 1 file\n"),
        (result(finding("date-relative")), "### ⚠️ memci check: 1 warning in 1 file\n"),
        (result(scopes=0), "### ℹ️ memci check: nothing to check: no memory was found\n"),
    ],
)
def test_the_headline_is_the_verdict(run: CheckResult, headline: str) -> None:
    assert render_markdown(run).startswith(headline)


def test_a_row_shows_line_severity_rule_message_and_suggestion() -> None:
    path = finding().path
    reader = _read(render_markdown(result(Finding("secret", Severity.ERROR, path, "a | b", 7, suggestion="revoke"))))
    assert reader.code == ["secret", ".claude/memory/MEMORY.md", "a | b", "revoke"]
    assert "error:7" in reader.outside
    assert "Fixable" in render_markdown(result(fixable("a", "b")))


def test_tables_are_folded_when_there_are_many_findings() -> None:
    few = render_markdown(result(*(finding(line=line) for line in range(1, 21))))
    many = render_markdown(result(*(finding(line=line) for line in range(1, 22))))
    assert ("<details>" in few, "<details>" in many) == (False, True)


def test_what_was_not_checked_is_listed() -> None:
    reader = _read(render_markdown(result(skipped=(("a@b", "<x>"),) * 2, since="@main")))
    assert reader.code == ["@main", "a@b", "<x>", "a@b", "<x>"]
    long = render_markdown(result(skipped=(("@" * 500, "why"),) * 500))
    assert re.search(r"<li>and 4\d\d more</li>", long)
    assert len(long) < 20_000


@given(results)
def test_nothing_untrusted_comes_alive(run: CheckResult) -> None:
    rendered = render_markdown(run)
    rendered.encode()
    assert len(rendered) <= MAX_LENGTH
    reader = _read(rendered)
    assert reader.links == []
    assert not re.search(r"[@#\[\]`|]|GH-|https?:|evil", reader.outside)
    shown = reader.rows - bool(run.findings)
    if shown == len(run.findings):
        messages = {shorten(visible(each.message), 500) for each in run.findings}
        assert messages <= set(reader.code)
    else:
        assert f"{len(run.findings) - shown:,} more finding" in reader.outside


def test_three_thousand_findings_are_cut_between_rows_and_the_worst_are_kept() -> None:
    rest = [
        finding("topic-dangling-link", HOSTILE[number % len(HOSTILE)], f"a{number % 7}.md", number + 1)
        for number in range(3_000)
    ]
    worst = [finding("secret", f"token {number}", "z.md", number + 1) for number in range(50)]
    rendered = render_markdown(result(*rest, *worst))
    assert 50_000 < len(rendered) <= MAX_LENGTH
    reader = _read(rendered)
    left_out = re.search(r"([\d,]+) more findings are not shown here", reader.outside)
    assert left_out
    headings = len(re.findall("<summary>", rendered))
    assert reader.rows - headings + int(left_out[1].replace(",", "")) == 3_050
    assert {f"token {number}" for number in range(50)} <= set(reader.code)


def test_the_longest_finding_still_fits() -> None:
    longest = finding("secret", "@" * 10_000, "@" * 10_000)
    run = result(longest, skipped=(("@" * 9_999, "@" * 9_999),) * 99, since="@" * 999)
    rendered = render_markdown(run)
    assert "not shown" not in rendered
    assert len(rendered) <= MAX_LENGTH
