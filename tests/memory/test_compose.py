from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.compose import (
    choose_name,
    choose_path,
    describe,
    make_name,
    render_body,
    render_head,
    render_value,
    tidy,
)
from memci.memory.topic import parse_topic
from memci.model.memory import Frontmatter, TopicType

SCOPE = PurePosixPath("memory")
ANY = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Use tabs in Go.",
        "iOS builds are signed!",
        "`make check` runs first.",
        "packages/web uses tabs.",
        "不要使用模拟。",
    ],
)
def test_a_sentence_that_is_tidy_stays(text: str) -> None:
    assert tidy(text) == text


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("use tabs in Go", "Use tabs in Go."),
        ("  use\n\ttabs  ", "Use tabs."),
        ("use tabs,", "Use tabs."),
        ("iOS builds are signed", "iOS builds are signed."),
        ("データベースをモックしない", "データベースをモックしない。"),
        ("не мокай базу", "Не мокай базу."),
        ("run `make check`", "Run `make check`"),
    ],
)
def test_a_sentence_begins_and_ends_like_one(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Never mock the database in integration tests", "never-mock-database"),
        ("We decided to keep the soap endpoint, the bank needs it", "keep-soap-endpoint"),
        ("The freeze ends on 2026-12-01", "freeze-ends"),
        ("Café crème für Zürich", "cafe-creme-fur-zurich"),
        ("Тестовый стенд", "тестовый-сте"),
        ("データベース", "データベース"),
        ("ÀÉÎ õü ç", "aei-c"),
        ("", ""),
        ("!?", ""),
        ("2026", "2026"),
    ],
)
def test_a_name_is_made_of_the_words_that_tell(text: str, name: str) -> None:
    assert make_name(text) == name


@given(ANY)
def test_a_name_is_short_and_of_words_only(text: str) -> None:
    name = make_name(text)
    assert len(name) <= 60
    assert not name or all(part.isalnum() for part in name.split("-"))


def test_a_name_that_is_taken_gets_a_word_more() -> None:
    assert choose_name("tabs", ()) == "tabs"
    assert choose_name("tabs", {"spaces"}) == "tabs"
    assert choose_name("tabs", {"tabs"}) == "tabs-two"
    taken: set[str] = set()
    for _ in range(12):
        taken.add(choose_name("tabs", taken))
    assert len(taken) == 12


@pytest.mark.parametrize(
    ("name", "taken", "file"),
    [
        ("use-tabs", [], "feedback_use_tabs.md"),
        ("feedback-on-tabs", [], "feedback_on_tabs.md"),
        ("use-tabs", ["feedback_use_tabs.md"], "feedback_use_tabs_two.md"),
        ("不要使用", [], "feedback_abc123.md"),
        ("不要使用", ["feedback_abc123.md"], "feedback_abc123_two.md"),
        ("не-мокай", [], "feedback_ne_mokai.md"),
        ("통합-테스트", [], "feedback_tonghab_teseuteu.md"),
        ("データベースと-sql", [], "feedback_de_tabe_su_sql.md"),
    ],
)
def test_a_file_is_named_by_type_and_name(name: str, taken: list[str], file: str) -> None:
    assert choose_path(SCOPE, TopicType.FEEDBACK, name, taken, "abc123") == SCOPE / file


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("Use tabs in Go. Not spaces.", "Use tabs in Go"),
        ("不要使用模拟。因为不好。", "不要使用模拟"),
        ("Use v1.2 of it", "Use v1.2 of it"),
    ],
)
def test_a_description_is_the_first_sentence(text: str, description: str) -> None:
    assert describe(text) == description


@given(ANY)
def test_a_description_fits_into_a_pointer(text: str) -> None:
    assert len(describe(text * 9)) <= 120


@pytest.mark.parametrize("value", ["how tabs work", "Ana's team, and (others)", "Łódź — Köln"])
def test_a_plain_value_needs_no_quotation_marks(value: str) -> None:
    assert render_value(value) == value


@given(st.one_of(ANY, st.sampled_from(["yes", "null", "a: b", "- x", "# y", "'", '"', "{a}", "*x", "1", "a ", "~"])))
def test_whatever_is_written_into_a_head_is_read_back(value: str) -> None:
    line = " ".join(value.split())
    topic = parse_topic(SCOPE / "a.md", render_head("a", line, TopicType.USER))
    assert isinstance(topic.frontmatter, Frontmatter)
    if topic.frontmatter.problem is None:
        assert (topic.description, topic.type) == (line, TopicType.USER)


def test_a_body_has_rule_reason_and_how() -> None:
    assert render_body("use tabs") == "Use tabs.\n"
    assert (
        render_body("use tabs", "so it was", "in Go")
        == "Use tabs.\n\n**Why:** So it was.\n\n**How to apply:** In Go.\n"
    )
    assert render_body("", "so it was") == "**Why:** So it was.\n"


@pytest.mark.parametrize("rule", ["# x", "> x", "- x", "* x", "+ x", "| x", "~~~ x", "``` x", "---", "==="])
def test_a_mark_at_the_start_is_no_markdown(rule: str) -> None:
    assert render_body(rule).startswith("\\")
