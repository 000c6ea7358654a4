"""Builders and hostile texts for the tests of the output formats."""

from pathlib import PurePosixPath

from hypothesis import strategies as st

from memci.model.finding import Edit, Finding, Fix, Severity
from memci.report.check_result import CheckResult, RuleInfo

INDEX = ".claude/memory/MEMORY.md"

RULES = {
    rule.id: rule
    for rule in (
        RuleInfo("index-dangling", Severity.ERROR, "A pointer leads nowhere.", "Remove it.", "Index"),
        RuleInfo("date-relative", Severity.WARNING, "A date is relative.", "Write the date.", "Time"),
        RuleInfo("topic-dangling-link", Severity.INFO, "A link leads nowhere.", "Write it.", "Topic"),
        RuleInfo("secret", Severity.ERROR, "A secret was committed.", "Revoke it.", "Safety"),
        RuleInfo("hidden-text", Severity.WARNING, "Text is hidden.", "Remove it.", "Safety"),
    )
}

HOSTILE = (
    "line one\nline two\r\n::error::owned",
    "  ::add-mask::x",
    "text ##[set-env name=A]b",
    "100%0A::error::x",
    "a | b || c \\| d",
    "`code` ``` fence\n```",
    "</code></td></table></details><img src=x onerror=alert(1)><!--",
    "\x1b[31mred\x1b]8;;http://evil\x07",
    "\u202eabc\u2066\u200b\U000e0041\ufe0f\u3164",
    "half \udc80 a \ud800 pair",
    "@team @org/team #1 GH-2 org/repo#3 fixes #4 closes https://github.com/o/r/issues/5",
    "[link](http://evil) ![image](http://evil/x.png) <http://evil> www.evil.com a@b.example",
    "&lt;b&gt; &#64;x &amp;",
    "\x00\x85\u2028\u2029",
    "/close",
    "",
    " ",
    "x" * 10_000,
    "@" * 10_000,
)
texts = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=()), max_size=60))


def finding(rule: str = "index-dangling", message: str = "leads nowhere", path: str = INDEX, line: int = 1) -> Finding:
    """Return a finding of one of the rules above."""
    return Finding(rule, RULES[rule].severity, PurePosixPath(path), message, line)


def fixable(old: str, new: str, line: int = 1, path: str = INDEX) -> Finding:
    """Return a finding with a fix of one edit."""
    fix = Fix("rewrite the line", (Edit(PurePosixPath(path), line, old, new),))
    return Finding("index-dangling", Severity.ERROR, PurePosixPath(path), "leads nowhere", line, fix=fix)


def result(
    *findings: Finding,
    scopes: int = 1,
    topics: int = 2,
    skipped: tuple[tuple[str, str], ...] = (),
    fixed: tuple[Finding, ...] = (),
    since: str | None = None,
) -> CheckResult:
    """Return the result of a run with these findings."""
    return CheckResult(
        findings=findings, rules=RULES, scopes=scopes, topics=topics, skipped=skipped, fixed=fixed, since=since
    )


findings = st.builds(
    lambda rule, message, suggestion, path, line, column: Finding(
        rule, RULES[rule].severity, PurePosixPath(path), message, line, column, suggestion
    ),
    st.sampled_from(sorted(RULES)),
    texts,
    texts,
    texts,
    st.integers(1, 10**6),
    st.integers(1, 10**6),
)
results = st.builds(
    lambda found, skipped, since: result(*found, skipped=tuple(skipped), since=since),
    st.lists(findings, max_size=30),
    st.lists(st.tuples(texts, texts), max_size=15),
    st.none() | texts,
)
