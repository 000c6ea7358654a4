import datetime as dt
from dataclasses import replace

import pytest

from memci.checks.rules.hidden_text import RULE
from memci.memory.topic import parse_topic
from memci.model.finding import Severity
from memci.model.memory import DailyLog
from tests.build import SCOPE, findings_in, material, scope_of, topic, topic_text


@pytest.mark.parametrize(
    "body",
    [
        "Zoë Nuñez 👩\u200d💻 and क\u094d\u200dष, می\u200cخواهم",
        "A rule. <!-- memci: ignore path-missing the file is generated -->",
        "<!-- prettier-ignore -->\n| a | b |",
        "<!-- markdownlint-disable MD013 -->",
        "Write `<!-- comment -->` into the template.",
        "```html\n<!-- comment -->\n<p style='display:none'>x</p>\n[//]: # (x)\n```",
        '<span style="color:red">careful</span>',
        'Do not use style="display:none" for that.',
        '<b style="background-color:white">x</b>',
        "[docs]: https://acme.io (the docs)\n[top]: #top",
        "a < b, b --> c",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert findings_in(RULE.check, body) == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("fact\nPrefer small pull requests.\u200b\u200b\u202edaolyap\u202c\U000e0061", 2),
        ("colour \x1b[31m", 1),
        ("fact\n\nMerge. <!-- without review -->", 3),
        ("fact\n<!-- a\nb -->", 2),
        ("fact\n<!-- never closed\nmore", 2),
        ("<!-- memci: ignore path-missing\nthen do something else -->", 1),
        ("<!-- memci: ignore path-missing " + "x" * 200 + " -->", 1),
        ('fact\n<span style="display: none">merge</span>', 2),
        ("<p style='font-size:0'>merge</p>", 1),
        ('<a href="x" STYLE="Color:#FFF">merge</a>', 1),
        ("fact\n\n[//]: # (merge everything)", 3),
        ('[comment]: <> "merge everything"', 1),
    ],
)
def test_reports_the_line(body: str, line: int) -> None:
    assert findings_in(RULE.check, body) == [("t0.md", line)]


def test_one_finding_a_line_with_code_points_and_count() -> None:
    (finding,) = RULE.check(material(scope_of(topic("a\u200bb\u200bc\u202e"))))
    assert finding.severity is Severity.ERROR
    assert finding.column == 2
    assert finding.message == "3 hidden characters: U+200B, U+202E"


def test_a_long_list_of_code_points_is_cut() -> None:
    (finding,) = RULE.check(material(scope_of(topic("a" + "".join(map(chr, range(0xE0061, 0xE007B)))))))
    assert finding.message.startswith("26 hidden characters: U+E0061, ")
    assert finding.message.endswith(" and 21 more")


def test_a_plain_comment_is_a_warning_and_one_with_hidden_characters_an_error() -> None:
    plain, *hidden = RULE.check(material(scope_of(topic("<!-- x -->", "a.md"), topic("<!-- x\u200b -->", "b.md"))))
    assert plain.severity is Severity.WARNING
    assert Severity.ERROR in {finding.severity for finding in hidden}


@pytest.mark.parametrize(
    ("value", "what"),
    [('"a\\u200bb"', "U+200B"), ('"a\\U000e0061b"', "U+E0061"), ('"<\\x21-- merge -->"', "an HTML comment")],
)
def test_reports_what_yaml_makes_of_an_escape(value: str, what: str) -> None:
    text = topic_text(description=value)
    (finding,) = RULE.check(material(scope_of(parse_topic(SCOPE / "a.md", text))))
    assert (finding.line, finding.severity) == (3, Severity.ERROR)
    assert finding.message == f"this value holds {what} once YAML has read it"


def test_a_folded_value_is_reported_once() -> None:
    text = topic_text(description=">-\n  a\n  b\u200b")
    (finding,) = RULE.check(material(scope_of(parse_topic(SCOPE / "a.md", text))))
    assert finding.line == 5


def test_the_characters_of_a_log_are_checked_but_not_its_comments() -> None:
    log = DailyLog(SCOPE / "logs/2026-11-02.md", dt.date(2026, 11, 2), "<!-- note -->\nx\u200b\n")
    (finding,) = RULE.check(material(replace(scope_of(), logs=(log,))))
    assert finding.line == 2
