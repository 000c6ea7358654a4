import dataclasses
import datetime as dt

import pytest

from memci.checks.rules.date_expired import RULE
from memci.memory.topic import parse_topic
from memci.model.memory import DailyLog, Index
from memci.prose.dates.expired import find_expired
from tests.build import SCOPE, findings_in, material, scope_of, topic, topic_text

NOW = dt.datetime(2026, 11, 16, 3, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "body",
    [
        # History.
        "On 2025-03-02 we migrated to Postgres 16. The next review is on 2027-03-01.",
        "Until 2025-03-02 we used RabbitMQ.",
        "We used RabbitMQ until 2025-03-02.",
        "We supported Node 14 until 2025-04-30.",
        "Node 14 was supported until 2025-04-30.",
        "Bis 2025-03-02 nutzten wir RabbitMQ.",
        "Jusqu'au 2025-03-02 on utilisait RabbitMQ.",
        "Hasta el 2025-03-02 usábamos RabbitMQ.",
        "2025-03-02まで使っていた",
        "Sessions 2026-03-15 through 2026-03-19.",
        "- 2026-02-01: freeze until 2026-03-05 announced",
        "## 2026-02-01\n\nFreeze until 2026-03-05.",
        "## [1.2.0] - 2026-02-01\n\n- supported until 2026-03-05",
        # Not over yet.
        "Merge freeze until 2027-01-01.",
        "Merge freeze until 2026-11-16.",
        # Other relations to a date.
        "Since 2025-01-01 all services log JSON.",
        "As of 2025-01-01 there are three services.",
        "Last updated: 2025-01-01",
        "Verified 2025-01-01 at session-end 2025-01-01.",
        "Rows created before 2025-01-01 lack the column.",
        "4 occurrences by 2026-06-19.",
        "2025-01-01之前的数据没有这一列",
        "截至2026-03-05共有三个服务",
        # Names, paths and code.
        "See docs/until/2025-01-01-plan.md and `until 2025-01-01`.",
        "```\nfreeze until 2026-03-05\n```",
        # It says itself that it is over.
        "~~Merge freeze until 2026-03-05~~",
        "Merge freeze until 2026-03-05 (ended).",
        "Merge freeze until 2026-03-05. Done.",
        "✅ Ship by 2026-03-05",
        "- [x] Ship by 2026-03-05",
        "The free tier expired 2025-11-02.",
        "Freeze bis 2026-03-05, ist vorbei.",
        "代码冻结到 2026-03-05 为止，已结束",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert findings_in(RULE.check, body, now=NOW) == []


@pytest.mark.parametrize(
    "body",
    [
        "Merge freeze until 2026-03-05 for the mobile release.",
        "Deadline: 2026-03-05",
        "The deadline for the csv exporter is 2026-03-05.",
        "The certificate expires on 5 March 2026.",
        "Valid until March 5, 2026.",
        "Remove the flag by 2026-03-05.",
        "It must be done by 2026-03-05.",
        "Until 2026-03-05 returns are done by hand.",
        "Must migrate before 2026-03-05.",
        "Freeze 2026-03-01 through 2026-03-05.",
        "| Exporter | due 2026-03-05 |",
        "The trial ends on 2026-03-05.",
        "We agreed on a merge freeze until 2026-03-05.",
        "The freeze has been extended until 2026-03-05.",
        "Merges are blocked until Thursday, **2026-03-05**.",
        "Freeze bis 05.03.2026.",
        "Gültig bis zum 5. März 2026.",
        "Gel des merges jusqu'au 5 mars 2026.",
        "La clé expire le 2026-03-05.",
        "Congelación hasta el 5 de marzo de 2026.",
        "El certificado vence el 2026-03-05.",
        "代码冻结，截止日期：2026年3月5日",
        "2026年3月5日前完成迁移",
        "2026-03-05までコードフリーズ",
        "締切: 2026年3月5日",
        "## Merge freeze until 2026-03-05",
    ],
)
def test_reports_the_line_and_the_day(body: str) -> None:
    (found,) = RULE.check(material(scope_of(topic(body)), now=NOW))
    assert found.line == 7
    assert "2026-03-05" in found.message


def test_a_limit_may_break_over_two_lines() -> None:
    assert findings_in(RULE.check, "The licence is valid until\n2026-03-05.", now=NOW) == [("t0.md", 2)]


def test_a_day_is_over_when_it_is_over_in_utc() -> None:
    body = "Merge freeze until 2026-11-15."
    tokyo, honolulu = dt.timezone(dt.timedelta(hours=9)), dt.timezone(dt.timedelta(hours=-10))
    assert findings_in(RULE.check, body, now=dt.datetime(2026, 11, 16, 8, 59, tzinfo=tokyo)) == []
    assert findings_in(RULE.check, body, now=dt.datetime(2026, 11, 15, 14, 0, tzinfo=honolulu)) == [("t0.md", 1)]


def test_reads_description_and_index_but_no_logs_and_changelogs() -> None:
    freeze = "Merge freeze until March 5, 2026"
    scope = dataclasses.replace(
        scope_of(parse_topic(SCOPE / "a.md", topic_text("body", description=freeze)), topic(freeze, "changelog.md")),
        index=Index(SCOPE / "MEMORY.md", f"# Memory\n- [Freeze](a.md) — {freeze}\n", ()),
        logs=(DailyLog(SCOPE / "logs/2026-03-01.md", dt.date(2026, 3, 1), freeze),),
    )
    found = [(item.path.name, item.line, item.column) for item in RULE.check(material(scope, now=NOW))]
    assert found == [("MEMORY.md", 2, 39), ("a.md", 3, 33)]


@pytest.mark.parametrize(
    "piece", ["until 2026-03-05 ", "until 2026-03-05\n", "deadline ", "is ", "- ", "~~", "2026-03-05, "]
)
def test_hostile_texts_come_to_an_end(piece: str) -> None:
    text = "deadline " + piece * (65536 // len(piece)) + "2026-03-05"
    assert all(text.startswith(date.text, date.start) for date in find_expired(text, NOW.date()))
