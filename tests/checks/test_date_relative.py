import dataclasses
import datetime as dt

import pytest

from memci.checks.rules.date_relative import RULE
from memci.memory.topic import parse_topic
from memci.model.memory import DailyLog, Index
from memci.prose.dates.relative import find_stated
from tests.build import SCOPE, findings_in, material, scope_of, topic, topic_text


@pytest.mark.parametrize(
    "body",
    [
        # Not dates.
        "`today()` returns the business day.",
        "today() and paging",
        "```\ndeploy tomorrow\n```",
        "[plan](next week.md)",
        "The last line is a checksum; the next page token is in the header.",
        "We moved to Next.js 15 on 2026-05-04. Backups from the last 30 runs are kept.",
        "This may break; is this an error?",
        "The This Month filter is on by default.",
        # Recurring.
        "Deploys happen every Friday.",
        "Standup is on Mondays.",
        "A cellar without network. Open on Saturday from 9 to 13.",
        "The weekly sync is on Friday.",
        "Invoices run on the last day of each month.",
        "Never deploy on Friday.",
        "Nightly job reads yesterday's orders.",
        "每周五发布",
        "毎週月曜日に実行する",
        # About dates.
        "Convert 'tomorrow' to a date.",
        "Convert relative dates such as next week to absolute ones.",
        'When the user says "ship it tomorrow", ask for the date.',
        "Das Wort „morgen“ wird ersetzt.",
        # Durations.
        "There were 40 failures in 2 weeks of data.",
        "A full reindex takes 3 days.",
        "Tokens expire in 30 days after login.",
        "The team grew from 3 to 30 in 5 years.",
        "删除30天前的日志",
        "登录30天后过期",
        # Nowadays.
        "Only the engine imports it today.",
        "This field is never rendered today.",
        "Keeps working with today's flat format.",
        "No publish path exists today.",
        "Heute nutzen wir pnpm.",
        "Hoy en día usamos pnpm.",
        # Any day.
        "The day usually happened yesterday.",
        "If the build broke yesterday, look at the cache.",
        "A client ID that works today may be invalid tomorrow.",
        "- **Who starts today?** (opponent, recent performance, health)",
        "ADDED: `is_overdue: boolean` (expected_date < today check)",
        "When `remaining == dts`, next Sunday is at the end of the interval.",
        # A limit, a case of a test, what a function returns.
        "The date may be in the past, but not more than 10 years ago.",
        "| Date = exactly 10 years ago | Accepted |",
        "| R4 | Past limit | POST with date = 11 years ago | HTTP 422 |",
        "| Date = 31 days from today | Rejected (HTTP 422) |",
        "`endOfMonth` returns the first day of NEXT month, `endOfWeek` returns Monday of next week.",
        "Within 30 days after the end of the quarter in which a contract is amended, it is published.",
        "- Borrow = two linked rows (`+amt` this month, `-amt` next month) with one id.",
        "Interpretation B: next month's total will be $237 more than this month's total.",
        # Names, and what anybody may ask on any day.
        "- **Cash Flow panel** (this month): income, expenses.",
        "- **Top panel**: the first 5 categories this month. Each row has a name.",
        "**Trigger**: a user wants to see how the spending compares to the budget this month.",
        "### Immediate (next sprint)",
        # Nowadays, with a verb of another clause.
        "Two resolvers that agree today are a pair that will diverge.",
        "A system that passes today but will fail after a reboot is missed.",
        "An axis with consumers (both ship today) gets built now.",
        # The date is there.
        "The freeze starts next Thursday (2026-03-05).",
        "The freeze starts next Thursday, 2026-03-05.",
        "The freeze starts on 2026-03-05 (tomorrow).",
        "Last week (March 2-8) the queue was switched.",
        "- 2026-03-05: the freeze starts tomorrow",
        "## Session of 2026-03-05\n\n### Plan\n\nShip it tomorrow.",
        # Words of other languages.
        "Der Schalter ist hier.",
        "Guten Morgen ist der Betreff.",
        "El job corre por la mañana.",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert findings_in(RULE.check, body) == []


@pytest.mark.parametrize(
    "body",
    [
        "Yesterday we switched the queue from RabbitMQ to NATS.",
        "The merge freeze starts tomorrow.",
        "The deadline is this friday.",
        "The old cluster gets shut down in two weeks.",
        "As of today only 3.12 and up are supported.",
        "The freeze starts today.",
        "Two sessions ran today.",
        "She offered to call today.",
        "Release by Friday.",
        "Ship before the end of the month.",
        "We met on Monday.",
        "Planned for next sprint.",
        "We moved last March.",
        "Fixed 3 days ago.",
        "Finish by EOW.",
        "Last\nweek the queue was switched.",
        "Das Release kommt nächsten Freitag.",
        "Ab heute nur noch pnpm.",
        "Die Umstellung beginnt morgen.",
        "Morgen beginnt die Umstellung.",
        "La migration commence demain.",
        "Nous avons migré la base hier.",
        "À livrer d'ici vendredi.",
        "Lanzamos mañana.",
        "Hay que terminar antes del viernes.",
        "El mes que viene migramos.",
        "下周五发布新版本",
        "我们昨天切换到了 NATS",
        "周五前完成",
        "前年迁移到 Postgres",
        "## Next Week",
        "从今天开始用 pnpm",
        "来週の金曜日にリリースする",
        "月曜日までに終わらせる",
        "## Session of 2026-03-05\n\n## Now\n\nShip it tomorrow.",
    ],
)
def test_reports(body: str) -> None:
    lines = body.split("\n")
    expected = next(
        number for number, line in enumerate(lines, 1) if line and not line.startswith("## S") and line != "## Now"
    )
    assert findings_in(RULE.check, body) == [("t0.md", expected)]


def test_says_where_and_what() -> None:
    (found,) = RULE.check(material(scope_of(topic("Fine.\n\nShip  by   Friday."))))
    assert (found.line, found.column) == (9, 7)
    assert '"by Friday"' in found.message
    assert found.suggestion == "write the absolute date"


def test_reads_the_description() -> None:
    text = topic_text("body", description='"merge freeze starts tomorrow"')
    (found,) = RULE.check(material(scope_of(parse_topic(SCOPE / "a.md", text))))
    assert (found.line, found.column) == (3, 35)


def test_a_folded_description_is_reported_at_its_key() -> None:
    text = "---\nname: a\ndescription: >\n  the freeze starts next\n  week for mobile\ntype: project\n---\nbody\n"
    (found,) = RULE.check(material(scope_of(parse_topic(SCOPE / "a.md", text))))
    assert found.line == 3


def test_a_topic_named_after_a_day_has_its_date() -> None:
    assert list(RULE.check(material(scope_of(topic("Ship it tomorrow.", "session_2026-03-05.md"))))) == []


def test_reads_the_index_and_not_the_logs() -> None:
    text = "# Memory\n- [Freeze](freeze.md) — starts tomorrow\n- [Reports](reports.md) — today() and paging\n"
    scope = dataclasses.replace(
        scope_of(),
        index=Index(SCOPE / "MEMORY.md", text, ()),
        logs=(DailyLog(SCOPE / "logs/2026-03-05.md", dt.date(2026, 3, 5), "the freeze starts tomorrow"),),
    )
    (found,) = RULE.check(material(scope))
    assert (found.path.name, found.line) == ("MEMORY.md", 2)


@pytest.mark.parametrize(
    "piece", ["tomorrow ", "on Friday ", '"tomorrow\n', "'", "# 2026-03-05 tomorrow\n", "today until ", "\0"]
)
def test_hostile_texts_come_to_an_end(piece: str) -> None:
    text = piece * (65536 // len(piece))
    assert all(text.startswith(claim.text, claim.start) for claim in find_stated(text))
