import pytest

from memci.checks.rule import Material
from memci.checks.rules import topic_dangling_link
from memci.checks.rules.ignore_unused import RULE, parse_directives
from memci.checks.rules.secret import RULE as SECRET
from memci.checks.run import CheckOutcome, run_rules
from memci.config import Config, Ignore
from tests.build import BODY_LINE, NOW, SCOPE, places, run_rule, snapshot_of, topic_text

LINK = "See [[gone]]."
IGNORE = "<!-- memci: ignore topic-dangling-link planned for spring -->"


def run(body: str, *ignores: Ignore) -> CheckOutcome:
    config = Config(ignore=ignores, path=SCOPE / ".memci.yml")
    rules = (topic_dangling_link.RULE, RULE, SECRET)
    return run_rules(Material(snapshot_of({"a.md": topic_text(body)}), NOW), config, rules)


@pytest.mark.parametrize(
    "body",
    [
        "<!-- memci is a tool -->",
        "`<!-- memci: ignore topic-no-name -->` is how it is written",
        "<!-- memci: ignored -->",
        f"<!-- memci: ignore secret {'long ' * 60}-->",
    ],
)
def test_leaves_alone_what_is_no_exception(body: str) -> None:
    assert list(parse_directives(snapshot_of({"a.md": topic_text(body)}))) == []


@pytest.mark.parametrize("body", [f"{LINK} {IGNORE}", f"{IGNORE}\n{LINK}", f"text\n\n{IGNORE}\n{LINK}"])
def test_a_comment_on_the_line_or_alone_above_it_covers_a_finding(body: str) -> None:
    outcome = run(body)
    assert (outcome.findings, len(outcome.suppressed)) == ((), 1)


def test_frontmatter_takes_the_comment_behind_a_hash() -> None:
    text = topic_text().replace("description:", "# memci: ignore topic-no-name kept for links\ndescription:")
    (directive,) = parse_directives(snapshot_of({"a.md": text}))
    assert (directive.rule, directive.reason, directive.covers) == ("topic-no-name", "kept for links", range(3, 5))


def test_an_entry_in_the_settings_covers_paths_by_glob() -> None:
    entry = Ignore("topic-dangling-link", ".claude/*/a.md", "planned", 3)
    outcome = run(LINK, entry)
    assert (outcome.findings, len(outcome.suppressed)) == ((), 1)


def test_an_exception_that_covers_nothing_is_reported() -> None:
    entry = Ignore("topic-dangling-link", "other/*", "planned", 3)
    found = run(f"fine {IGNORE}", entry).findings
    assert places(found) == [(".memci.yml", 3), ("a.md", BODY_LINE)]
    assert {finding.rule for finding in found} == {"ignore-unused"}


def test_an_exception_without_a_reason_covers_nothing() -> None:
    found = run(f"{LINK} <!-- memci: ignore topic-dangling-link -->").findings
    assert sorted(finding.rule for finding in found) == ["ignore-unused", "topic-dangling-link"]
    assert "has no reason" in run_rule(RULE, {"a.md": topic_text("<!-- memci: ignore secret -->")})[0].message


def test_a_comment_cannot_silence_a_safety_rule_but_the_settings_can() -> None:
    line = "token: ghp_" + "a1B2c3D4e5F6" * 3 + " <!-- memci: ignore secret it is fine -->"
    assert sorted(finding.rule for finding in run(line).findings) == ["ignore-unused", "secret"]
    assert "secret" not in {finding.rule for finding in run(line, Ignore("secret", "*", "revoked", 1)).findings}
