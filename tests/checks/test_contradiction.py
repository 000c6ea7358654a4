from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.checks.rules.contradiction import MAX_QUOTE, RULE
from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import ScopeSnapshot, Topic
from tests.build import SCOPE, findings_in, material, scope_of, topic, topic_text


def _named(name: str, description: str, body: str) -> Topic:
    return parse_topic(SCOPE / f"{name}.md", topic_text(body, name=name, description=description))


@pytest.mark.parametrize(
    "bodies",
    [
        ("Local development always uses SQLite.", "Production never uses SQLite."),
        ("Always rebase feature branches.", "Always rebase feature branches!"),
        ("Until 2025 we used npm for the web app.", "We do not use npm for the web app."),
        ("The retry limit was 3.", "The retry limit is 5."),
        ("The retry limit is 3 since 2024.", "The retry limit is 5 since 2026."),
        ("❌ Use tabs in the SQL files\n\n✅ Do not use tabs in the SQL files",),
        ("Bad: use tabs in the SQL files\n\nGood: do not use tabs in the SQL files",),
        ("## Don't\n- use tabs in SQL files\n\n## Do\n- not use tabs in SQL files",),
        ("Use mocks if the service is slow.", "Do not use mocks unless the service is slow."),
        ("Use mocks if the service is slow.", "Do not use mocks if the service is fast."),
        ("Use mocks only in unit tests.", "Do not use mocks in unit tests."),
        ("- Phase 1 of the migration is done\n- Phase 2 of the migration is done",),
        ("- The migration is done in step 1\n- The migration is done in step 2",),
        ("- PR #12 changed the parser\n- PR #13 changed the parser",),
        ("| retry limit | 3 |\n| retry limit | 5 |",),
        ("- v1.2: faster parser and lexer\n- v1.3: faster parser and lexer",),
        ("- 1.2.0 has the new parser\n- 1.3.0 has the new parser",),
        ("- 10 rows take 1 second\n- 100 rows take 9 seconds",),
        ("\n".join(f"- The batch of {size} rows is slow" for size in (10, 20, 30, 40)),),
        ("## Staging\nThe retry limit is 3.\n\n## Production\nThe retry limit is 5.",),
        ("## Stripe\nThe retry limit is 3.", "## GitHub\nThe retry limit is 5."),
        ("Is the retry limit 3?", "The retry limit is 5."),
        ("> The retry limit is 3.", "The retry limit is 5."),
        ("Never rebase.", "Always rebase."),
        ("The parser is not only fast.", "The parser is fast."),
        ("Internal errors are never logged.", "Interface errors are always logged."),
        ("It works with Docker and Podman.", "It works without Docker and Podman."),
        ("- single run, 0 retries, 26:46 total\n- single run, 0 retries, 24:02 total",),
        ("The owner of the payments API is Ana.", "The owner of the billing API is Ben."),
        ("The start page is cached (confirmed).", "The start page is cached too."),
        ("Always indent with tabs.", "On Windows use the wizard; never indent with tabs."),
        ("Always indent with tabs.", "Run `fmt; never indent with tabs; x` first."),
        ("Call `load_cart` before the tax.", "Never call `load_user` before the tax."),
        ("Never:\n- use tabs in the SQL files", "Do not use tabs in the SQL files."),
        ("使用模拟对象进行单元测试。", "不要使用真实数据库进行单元测试。"),
    ],
)
def test_leaves_alone(bodies: tuple[str, ...]) -> None:
    assert findings_in(RULE.check, *bodies) == []


def test_leaves_alone_what_topics_say_of_their_own_subject() -> None:
    for names in (("stripe-client", "github-client"), ("dev-database", "prod-database")):
        one, other = (_named(name, f"about the {name}", f"The timeout is {len(name)} seconds.") for name in names)
        assert list(RULE.check(material(scope_of(one, other)))) == []
    local = _named("notes", "database in local development", "The tests always use the SQLite file.")
    remote = _named("facts", "database in production", "The tests never use the SQLite file.")
    assert list(RULE.check(material(scope_of(local, remote)))) == []


@pytest.mark.parametrize(
    "bodies",
    [
        (
            "Always rebase feature branches onto main before merging.",
            "Never rebase feature branches onto main before merging.",
        ),
        ("You must sign all the commits.", "You must not sign all the commits."),
        ("Use tabs in the SQL files.", "Don’t use tabs in the SQL files."),
        ("Use tabs in the SQL files.", "Avoid using tabs in the SQL files."),
        ("The response cache is enabled.", "The response cache is disabled."),
        ("Force pushes to main are allowed.", "Force pushes to main are forbidden."),
        ("The staging cluster is shared.", "The staging cluster is not shared."),
        ("The worker retries failed jobs.", "The worker no longer retries failed jobs."),
        ("The retry limit is 3.", "The retry limit is 5."),
        ("The coverage threshold in ci is 80%.", "The coverage threshold in ci is **85%**."),
        ("The job timeout is 30s.", "The job timeout is 60s."),
        ("The default branch of the repository is main.", "The default branch of the repository is develop."),
        ("Use pnpm, not npm.", "Use npm, not pnpm."),
        ("Always indent with tabs.", "Never indent with tabs; use four spaces."),
        ("Indent with four spaces; never indent with tabs.", "Always indent with tabs."),
        ("Install dependencies with npm install, never with pnpm.", "Install dependencies with pnpm, never with npm."),
        ("Verwende immer Tabs in SQL-Dateien.", "Verwende niemals Tabs in SQL-Dateien."),
        ("Der Cache ist auf dem Server aktiviert.", "Der Cache ist auf dem Server deaktiviert."),
        ("Utilise toujours des mocks pour les tests.", "N’utilise pas de mocks pour les tests."),
        ("Usar siempre mocks en las pruebas.", "Nunca usar mocks en las pruebas."),
        ("始终使用模拟对象进行集成测试。", "不要使用模拟对象进行集成测试。"),
        ("重试上限是3次。", "重试上限是5次。"),
        ("統合テストではモックを使用する。", "統合テストではモックを使用しない。"),
    ],
)
def test_reports_the_later_statement(bodies: tuple[str, str]) -> None:
    assert findings_in(RULE.check, *bodies) == [("t1.md", 1)]
    assert findings_in(RULE.check, "\n\n".join(bodies)) == [("t0.md", 3)]


def test_names_both_statements_and_the_place_of_the_first() -> None:
    one, other = topic("\nThe retry limit is 3.", "a.md"), topic("The retry limit is 5.", "b.md")
    (finding,) = RULE.check(material(scope_of(one, other)))
    assert finding.message == '"The retry limit is 5." contradicts "The retry limit is 3." (a.md:8)'


def test_quotes_are_short_and_hold_no_secret() -> None:
    key = "AKIA" + "Z7QF3MWX5KD2RT6B"
    long = f"The limit of retries for `{key}` in the gateway of the payment service in front of the shop is {{}}."
    (finding,) = RULE.check(material(scope_of(topic(long.format(3), "a.md"), topic(long.format(5), "b.md"))))
    assert key not in finding.message
    assert len(finding.message) < 2 * MAX_QUOTE + 40


def test_a_value_said_thrice_is_one_finding_and_three_values_are_two() -> None:
    said = "The retry limit is {}."
    assert findings_in(RULE.check, *(said.format(value) for value in (3, 5, 5, 3))) == [("t1.md", 1)]
    assert findings_in(RULE.check, *(said.format(value) for value in (3, 5, 7))) == [("t1.md", 1), ("t2.md", 1)]


def test_prose_in_the_index_counts() -> None:
    found = topic("The retry limit is 3.")
    index = parse_index(SCOPE / "MEMORY.md", "- [t](topic.md) — limit\n\nThe retry limit is 5.\n", [found])
    scope = ScopeSnapshot(scope_of().scope, index, (found,))
    assert [(finding.path, finding.line) for finding in RULE.check(material(scope))] == [(SCOPE / "topic.md", 7)]


def test_scopes_do_not_contradict_each_other() -> None:
    one, other = scope_of(topic("The retry limit is 3.")), scope_of(topic("The retry limit is 5."))
    assert list(RULE.check(material(one, other))) == []


@given(st.lists(st.text(st.sampled_from("ab .\n-#*`|:不是用1 not"), max_size=40), max_size=5))
def test_never_raises(bodies: list[str]) -> None:
    assert all(line >= 1 for _, line in findings_in(RULE.check, *bodies))


@pytest.mark.parametrize("text", ["not " * 16_000, "不" * 65_536, "1." * 32_768, "a\n\n" * 20_000, "is 3. " * 10_000])
def test_hostile_text_is_read_in_one_pass(text: str) -> None:
    assert findings_in(RULE.check, text, PurePosixPath("x").name) == []
