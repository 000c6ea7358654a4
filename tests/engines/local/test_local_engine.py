"""What the embedded engine makes of a signal, for each way in which a scope can stand to it."""

import datetime as dt
from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from memci.dream.pipeline import plan_scopes
from memci.engines.local import LocalEngine
from memci.memory.topic import parse_topic
from memci.model.memory import Guide, TopicType
from memci.model.plan import OperationKind, PlanStatus, ScopePlan
from memci.model.session import Mention, Signal, SignalKind
from tests.build import SCOPE, topic_text
from tests.dream.scenes import changed_in, dream_over, feedback, make_sources, say, texts_of, with_index
from tests.dream.scenes import read as read_scope

RULE = "Never mock the database in integration tests"
WHY = "mocks hid a broken migration"
DB = feedback(f"{RULE}.", "db", RULE)
PINNED = DB.replace("metadata:", "pinned: true\nmetadata:")
INDEX = f"# Memory\n\n- [Db](db.md) — {RULE}\n"
HEAD = "---\nname: {}\ndescription: {}\nmetadata:\n  type: feedback\n---\n"


def over(text: str, *signals: Signal) -> ScopePlan:
    """Dream over a scope with one topic."""
    plan = dream_over({"MEMORY.md": INDEX, "db.md": text}, *signals)
    assert not plan.refused
    return plan


def body(plan: ScopePlan, file: str = "db.md") -> str:
    return parse_topic(SCOPE / file, texts_of(plan)[file]).body


def kinds(plan: ScopePlan) -> list[tuple[OperationKind, str]]:
    return [(item.kind, item.file.name) for item in plan.operations if item.kind is not OperationKind.REINDEX]


# Nothing is done about what is known.


@pytest.mark.parametrize(
    "rule",
    [
        RULE,
        f"{RULE}!",
        "never mock the **database** in integration tests",
        "In integration tests never mock the database",
        "Don't mock the database in integration tests",
    ],
)
def test_what_is_said_already_changes_nothing(rule: str) -> None:
    assert over(DB, say(rule)).status is PlanStatus.UNCHANGED


@pytest.mark.parametrize("reverses", [False, True])
def test_a_rule_that_stands_in_the_paragraph_of_a_reason_is_known(*, reverses: bool) -> None:
    text = feedback(f"**Why:** it broke once.\n{RULE}.", "db")
    assert over(text, say(RULE, reverses=reverses)).status is PlanStatus.UNCHANGED


def test_a_second_reason_for_a_rule_that_has_one_changes_nothing() -> None:
    assert over(f"{DB}\n**Why:** it happened before.\n", say(RULE, why=WHY)).status is PlanStatus.UNCHANGED


def test_the_reason_of_a_pinned_rule_is_not_written_into_it() -> None:
    assert over(PINNED, say(RULE, why=WHY)).status is PlanStatus.UNCHANGED


# A person is asked where two things could be meant.


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        (DB, say("Mock the database in integration tests")),
        (feedback("Always use npm in the web folder.", "npm"), say("Never use npm in the web folder")),
        (PINNED, say(f"{RULE} of the nightly build")),
        (PINNED, say("Mock the database in integration tests", reverses=True)),
        (DB, say("what we said about the flaky queue worker", kind=SignalKind.FORGET)),
        (DB, say("it", kind=SignalKind.FORGET)),
        (PINNED, say("mocking the database in integration tests", kind=SignalKind.FORGET)),
        (DB, say("!!! ???")),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_left_to_a_person_with_the_words_that_were_said(text: str, signal: Signal) -> None:
    plan = over(text, signal)
    assert changed_in(plan) == {}
    (need,) = [need for need in plan.needs_person if need.evidence and need.evidence[0].source == signal.id]
    assert need.evidence[0].quote == signal.text


def test_what_two_topics_say_is_forgotten_by_nobody() -> None:
    two = with_index(
        {
            "a.md": feedback("Use pnpm in the web folder.", "a"),
            "b.md": feedback("Use pnpm in the web folder of shop.", "b"),
        }
    )
    plan = dream_over(two, say("using pnpm in the web folder", kind=SignalKind.FORGET))
    assert changed_in(plan) == {}
    assert any("not clear" in need.reason for need in plan.needs_person)


# New things become topics.


def test_a_new_rule_becomes_a_topic_with_its_reason_and_a_pointer() -> None:
    plan = dream_over({"MEMORY.md": "# Memory\n"}, say(RULE, why=WHY, how="use the staging copy"))
    name = "feedback_never_mock_database.md"
    assert changed_in(plan) == {
        "MEMORY.md": f"# Memory\n- [{RULE}]({name}) — {WHY}\n",
        name: (
            HEAD.format("never-mock-database", f"{RULE} — {WHY}")
            + f"\n{RULE}.\n\n**Why:** Mocks hid a broken migration.\n\n**How to apply:** Use the staging copy.\n"
        ),
    }


@pytest.mark.parametrize("kind", list(TopicType))
def test_the_type_is_the_one_of_the_signal(kind: TopicType) -> None:
    plan = dream_over({"MEMORY.md": ""}, say("Grafana has the error board of the shop", type=kind))
    (name,) = (name for name in changed_in(plan) if name != "MEMORY.md")
    assert name.startswith(f"{kind}_")
    assert parse_topic(SCOPE / name, texts_of(plan)[name]).type is kind


def test_a_rule_about_something_else_leaves_known_topics_alone() -> None:
    plan = over(DB, say("Use pnpm in the web folder"))
    assert texts_of(plan)["db.md"] == DB
    assert kinds(plan) == [(OperationKind.CREATE, "feedback_use_pnpm_web_folder.md")]


def test_a_name_that_is_taken_does_not_keep_a_rule_out() -> None:
    taken = topic_text("The staging copy is made on Mondays.", name="never-mock-database")
    plan = dream_over(with_index({"notes.md": taken}), say(RULE))
    assert kinds(plan) == [(OperationKind.CREATE, "feedback_never_mock_database_two.md")]
    assert not plan.refused


def test_how_often_and_when_it_was_said_is_in_the_reason() -> None:
    day = dt.datetime(2026, 11, 2, tzinfo=dt.UTC)
    signal = replace(say(RULE), repeated=(Mention("s0", "u0", day, RULE), Mention("s9", "u9", None, RULE)))
    (create, *_) = dream_over({"MEMORY.md": ""}, signal).operations
    assert create.reason.endswith("(said 3 times: 2026-11-02, 2026-11-12)")


# Known topics grow.


def test_the_reason_of_a_known_rule_is_kept() -> None:
    plan = over(DB, say(RULE, why=WHY))
    assert texts_of(plan)["db.md"] == f"{DB}\n**Why:** Mocks hid a broken migration.\n"


def test_the_reason_of_one_rule_among_others_stands_below_that_rule() -> None:
    plan = over(feedback(f"- {RULE}.\n- Use pnpm in web.", "db"), say(RULE, why=WHY))
    assert body(plan) == f"- {RULE}.\n\n  **Why:** Mocks hid a broken migration.\n\n- Use pnpm in web.\n"


def test_the_reason_that_another_rule_has_does_not_count() -> None:
    text = feedback(f"{RULE}.\n\nUse pnpm in web.\n\n**Why:** the lockfile is its.", "db")
    assert body(over(text, say(RULE, why=WHY))).startswith(
        f"{RULE}.\n\n**Why:** Mocks hid a broken migration.\n\nUse pnpm"
    )


def test_a_wording_that_says_more_takes_the_place_of_the_old_one() -> None:
    plan = over(f"{DB}\n**Why:** it happened.\n", say(f"{RULE}, not even in the nightly build"))
    assert body(plan) == f"{RULE}, not even in the nightly build.\n\n**Why:** it happened.\n"
    assert [item.kind for item in plan.operations] == [OperationKind.UPDATE]


def test_an_item_stays_an_item() -> None:
    text = feedback(f"## Rules\n\n* {RULE}\n* Use pnpm in web", "db")
    plan = over(text, say(f"{RULE}, not even in the nightly build"))
    assert body(plan) == f"## Rules\n\n* {RULE}, not even in the nightly build\n* Use pnpm in web\n"


def test_what_is_about_the_same_subject_is_added_to_its_topic() -> None:
    text = feedback("Releases go out on Monday mornings.", "release-days", "release days of the shop")
    plan = over(text, say("The release days of the shop end when Ana says so"))
    assert kinds(plan) == [(OperationKind.UPDATE, "db.md")]
    assert body(plan) == "Releases go out on Monday mornings.\n\nThe release days of the shop end when Ana says so.\n"


def test_line_ends_of_the_topic_are_kept() -> None:
    plan = over(DB.replace("\n", "\r\n"), say(RULE, why=WHY))
    text = texts_of(plan)["db.md"]
    assert text.count("\n") == text.count("\r\n")


# A person takes something back.


def test_a_reversal_replaces_rule_reason_description_and_hook() -> None:
    plan = over(
        f"{DB}\n**Why:** the staging copy was enough.\n",
        say("Mock the database in integration tests", why="staging is gone", reverses=True),
    )
    after = texts_of(plan)
    assert after["db.md"] == (
        "---\nname: db\ndescription: Mock the database in integration tests\nmetadata:\n  type: feedback\n---\n"
        "Mock the database in integration tests.\n\n**Why:** Staging is gone.\n"
    )
    assert after["MEMORY.md"] == "# Memory\n\n- [Db](db.md) — Mock the database in integration tests\n"
    assert all(entry.reason for entry in plan.ledger.retired)
    assert f"{RULE}." in [entry.text for entry in plan.ledger.retired]


def test_a_reversal_leaves_other_rules_and_their_reasons_alone() -> None:
    rest = "Use pnpm in the web folder.\n\n**Why:** the lockfile is its own.\n"
    text = feedback(
        f"Never mock the database in\nintegration tests.\n\n**Why:** it hid things.\n\n{rest}".strip(), "db"
    )
    plan = over(text, say("Mock the database in integration tests", why="staging is gone", reverses=True))
    assert body(plan) == f"Mock the database in integration tests.\n\n**Why:** Staging is gone.\n\n{rest}"


def test_a_reversal_of_nothing_that_is_known_is_a_new_rule() -> None:
    plan = over(DB, say("From now on the changelog is written by hand", reverses=True))
    assert texts_of(plan)["db.md"] == DB
    assert [kind for kind, _ in kinds(plan)] == [OperationKind.CREATE]


def test_a_topic_that_a_person_wants_forgotten_leaves_with_its_pointer() -> None:
    plan = over(DB, say("the rule about mocking the database in integration tests", kind=SignalKind.FORGET))
    assert changed_in(plan) == {"MEMORY.md": "# Memory\n\n", "db.md": None}
    assert kinds(plan) == [(OperationKind.RETIRE, "db.md")]


def test_of_several_rules_only_the_one_that_is_meant_is_forgotten() -> None:
    text = feedback(f"- {RULE}.\n- Use pnpm in the web folder.", "db")
    plan = over(text, say("using pnpm in the web folder", kind=SignalKind.FORGET))
    assert body(plan) == f"- {RULE}.\n"


# Several signals in one dream.


def test_a_later_signal_builds_on_the_topic_that_an_earlier_one_made() -> None:
    later = say(f"{RULE}, not even in the nightly build", uuid="u2")
    plan = dream_over({"MEMORY.md": ""}, say(RULE, why=WHY), later)
    names = [name for name in texts_of(plan) if name != "MEMORY.md"]
    assert names == ["feedback_never_mock_database.md"]
    assert body(plan, names[0]) == f"\n{later.rule}.\n\n**Why:** Mocks hid a broken migration.\n"


def test_two_signals_about_one_topic_both_arrive() -> None:
    text = feedback(f"- {RULE}.\n- Use pnpm in the web folder.", "db")
    plan = over(text, say(RULE, why=WHY), say("Use pnpm in the web folder and commit its lockfile", uuid="u2"))
    assert "Mocks hid a broken migration." in body(plan)
    assert "- Use pnpm in the web folder and commit its lockfile." in body(plan)


def test_a_rule_that_is_forgotten_in_the_same_dream_is_gone() -> None:
    gone = say("using pnpm in the web folder", kind=SignalKind.FORGET, uuid="u2")
    plan = dream_over({"MEMORY.md": INDEX, "db.md": DB}, say("Use pnpm in the web folder"), gone)
    assert "pnpm" not in "".join(texts_of(plan).values())


# Languages, and words that look like Markdown.


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("Für Integrationstests nie Mocks verwenden", "fur-integrationstests-nie-mocks"),
        ("Никогда не мокай базу данных в тестовой среде", "никогда-не-мокай-базу"),
        ("データベースをモックしないでください", "データベースをモックしな"),
        ("不要在集成测试里使用模拟数据库", "不要在集成测试里使用模拟"),
        ("통합 테스트에서 데이터베이스를 목으로 대체하지 마세요", "통합-테스트에서-데이터베이스를-목으로"),
    ],
)
def test_a_rule_in_any_script_becomes_a_topic_that_is_found_again(rule: str, name: str) -> None:
    plan = dream_over({"MEMORY.md": "# Memory\n"}, say(rule))
    assert not plan.refused
    (file,) = (file for file in changed_in(plan) if file != "MEMORY.md")
    topic = parse_topic(SCOPE / file, texts_of(plan)[file])
    assert (file.isascii(), topic.name, topic.description) == (True, name, rule)
    assert f"- [{rule}]({file})\n" in texts_of(plan)["MEMORY.md"]
    again = dream_over(texts_of(plan), say(rule, session="s2"))
    assert changed_in(again) == {}


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("# comments in YAML stay out of the chart", "\\# comments in YAML stay out of the chart."),
        ("- dashes are no lists in commit messages", "\\- dashes are no lists in commit messages."),
        ("> quotations are kept out of the changelog", "\\> quotations are kept out of the changelog."),
        ("--no-verify is forbidden on release branches", "--no-verify is forbidden on release branches."),
        ("**Never** push to the main branch directly", "**Never** push to the main branch directly."),
        ("`make check` runs before every push", "`make check` runs before every push."),
        ("packages/web uses tabs for everything", "packages/web uses tabs for everything."),
    ],
)
def test_words_that_look_like_markdown_stay_words(rule: str, line: str) -> None:
    plan = dream_over({"MEMORY.md": "# Memory\n"}, say(rule))
    assert not plan.refused
    (file,) = (file for file in changed_in(plan) if file != "MEMORY.md")
    assert body(plan, file) == f"\n{line}\n"
    assert parse_topic(SCOPE / file, texts_of(plan)[file]).description == rule


def test_what_people_say_of_themselves_has_their_name() -> None:
    told = replace(say("I'm the only backend developer, I know Python well"), type=TopicType.USER, speaker="Mara Lind")
    plan = over(DB, told)
    assert kinds(plan) == [(OperationKind.CREATE, "user_mara_lind.md")]
    assert body(plan, "user_mara_lind.md").strip() == "Mara Lind is the only backend developer, Mara knows Python well."


@pytest.mark.parametrize(
    "guide", ["- PDFs of customers are never committed, not even as fixtures.\n", "Commit the PDFs of customers.\n"]
)
def test_what_a_guide_speaks_of_is_left_out(guide: str) -> None:
    signal = say("Never commit customer pdfs")
    scope = read_scope({"MEMORY.md": INDEX, "db.md": DB})
    sources = make_sources(scope)
    guides = (Guide(PurePosixPath("CLAUDE.md"), guide),)
    sources = replace(sources, snapshot=replace(sources.snapshot, guides=guides))
    (plan,) = plan_scopes(sources, {SCOPE: (signal,)}, LocalEngine())
    assert (changed_in(plan), [each.words for each in plan.left_out]) == ({}, [signal.text])


LOOK = "look there first when somebody says that the shop is slow and nobody knows why"


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("The runbook is at https://wiki.example.org/x", "- [The runbook](%s) — at https://wiki.example.org/x"),
        (
            f"Slow checkouts are tracked on https://grafana.example.org/x, {LOOK}",
            "- [Slow checkouts](%s) — tracked on https://grafana.example.org/x",
        ),
    ],
)
def test_what_is_somewhere_is_the_title_and_where_it_is_the_hook(rule: str, line: str) -> None:
    plan = dream_over({"MEMORY.md": "# Memory\n"}, say(rule, type=TopicType.REFERENCE))
    (file,) = (file for file in changed_in(plan) if file != "MEMORY.md")
    assert texts_of(plan)["MEMORY.md"] == f"# Memory\n{line % file}\n"
