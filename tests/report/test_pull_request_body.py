"""The text of a pull request: everything that others wrote is shown, nothing of it comes alive, and it always fits."""

import html.parser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import example, given
from markdown_it import MarkdownIt

from memci.model.memory import Scope, TopicType, Trust
from memci.model.plan import (
    Evidence,
    EvidenceKind,
    Fate,
    Ledger,
    LedgerEntry,
    NeedsPerson,
    Operation,
    OperationKind,
    PlanStatus,
    Refused,
    ScopePlan,
)
from memci.model.session import Origin, Signal, SignalKind
from memci.report.escape import visible
from memci.report.pull_request_body import MAX_LENGTH, Story, render_body, render_title
from tests.build import NOW, SCOPE
from tests.report.results import HOSTILE, texts

TAGS = {"p", "strong", "h3", "table", "tr", "th", "td", "br", "code", "details", "summary", "ul", "li"}


def make_plan(text: str, *, rows: int = 1, path: PurePosixPath = SCOPE) -> ScopePlan:
    """Return a plan in which every place that others can write to holds this text."""
    signal = Signal("s", "u", NOW, Origin.PERSON, SignalKind.CORRECTION, TopicType.FEEDBACK, text, text)
    # A path cannot hold everything.
    file = path / (text.replace("\0", "")[:200].strip("/") or "a.md")
    proofs = (
        Evidence(EvidenceKind.SIGNAL, signal.id, text),
        Evidence(EvidenceKind.FINDING, "f", f"found {text}"),
        Evidence(EvidenceKind.MEMORY, str(file), f"old {text}"),
    )
    operation = Operation(OperationKind.UPDATE, file, {file: text}, text, proofs)
    return ScopePlan(
        Scope("agent:reviewer", path, Trust.COMMITTED, Path("/nowhere")),
        PlanStatus.CHANGED,
        operations=(operation,) * rows,
        refused=(Refused(operation, "secret", text),) * rows,
        needs_person=(NeedsPerson(text, None, proofs[:1]), NeedsPerson(text, file, proofs)) * rows,
        signals=(signal,),
        ledger=Ledger(
            (LedgerEntry(file, 1, text, Fate.RETIRED, None, text), LedgerEntry(file, 2, text, Fate.KEPT, file)) * rows
        ),
        before={file: "a"},
        after={file: "b"},
    )


def make_story(*plans: ScopePlan, lost: tuple[str, ...] = ()) -> Story:
    return Story(plans, "local", "2026-11-16", 0.25, lost)


class _Reader(html.parser.HTMLParser):
    """Collects tags, comments, and text by whether it stands inside of code."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.code: list[str] = []
        self.outside = ""
        self.comments: set[str] = set()
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.add(tag)
        if tag == "code":
            self.code.append("")
        self._depth += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "code"

    def handle_comment(self, data: str) -> None:
        self.comments.add(data)

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.code[-1] += data
        else:
            self.outside += data


def read(body: str) -> _Reader:
    reader = _Reader()
    reader.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(body))
    reader.close()
    return reader


def test_it_tells_what_changes_why_and_on_which_evidence() -> None:
    plan = make_plan("Use pnpm")
    body = render_body(make_story(replace(plan, refused=())))
    seen = read(body)
    assert body.startswith(
        "**1 change to 1 file in 1 scope; 1 from what people said, 1 from what the rules and the repository say; "
        "of 2 old lines 1 leaves; 2 questions for a person.**"
    )
    assert {"Use pnpm", str(SCOPE), "local", "memci:rebase"} <= set(seen.code)
    assert "said 2026-11-16" in seen.outside
    assert "1 kept, 1 retired" in seen.outside
    assert "$0.25" in seen.outside
    assert "decline" in seen.outside
    assert "arrive" not in seen.outside
    assert "Refused" not in seen.outside


def test_what_was_lost_is_named_first() -> None:
    failed = ScopePlan(
        Scope("x", PurePosixPath("x"), Trust.COMMITTED, Path("/nowhere")), PlanStatus.FAILED, "no answer"
    )
    seen = read(render_body(make_story(make_plan("a"), failed, lost=("shard 2/3",))))
    assert seen.outside.index("did not arrive") < seen.outside.index("Change")
    assert {"shard 2/3", "x: no answer"} <= set(seen.code)


def test_only_scopes_that_change_are_told_of() -> None:
    body = render_body(make_story(replace(make_plan("a", path=PurePosixPath("quiet")), status=PlanStatus.UNCHANGED)))
    assert "<h3>" not in body.replace("<h3>For a person", "")


@given(texts)
def test_g03_g06_g10_nothing_that_others_wrote_comes_alive(text: str) -> None:
    seen = read(render_body(make_story(make_plan(text))))
    assert seen.tags <= TAGS
    assert seen.comments <= {" "}
    for mark in ("@", "#", "http", "GH-", "::", "{{", "\x1b", "\u202e"):
        assert mark not in seen.outside
    short = visible(text)[:30]
    assert not short or any(short in code for code in seen.code)


@pytest.mark.parametrize("text", ["{{ 7*7 }}", "{% raw %}", "{{ cycler.__init__.__globals__ }}", "{# x #}"])
def test_g10_text_is_never_a_template(text: str) -> None:
    assert text in read(render_body(make_story(make_plan(text)))).code


@given(texts)
# A blank that shows nothing, with a selector behind it.
@example("\u2800\ufe0f")
def test_g06_making_text_visible_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


LONG: dict[str, Callable[[], Story]] = {
    "many changes": lambda: make_story(make_plan("Use pnpm for the front end", rows=3_000)),
    "long texts": lambda: make_story(make_plan("x" * 500_000, rows=10)),
    "what escapes worst": lambda: make_story(make_plan("@" * 5_000, rows=200)),
    "many scopes": lambda: make_story(*(make_plan("a", rows=5, path=PurePosixPath(f"s{n:03}")) for n in range(400))),
    "scopes with bad names": lambda: make_story(*(make_plan("@", path=PurePosixPath("@" * 200)) for _ in range(99))),
    "much was lost": lambda: make_story(make_plan("@" * 999, rows=99), lost=tuple("@" * 200 for _ in range(256))),
    "everything": lambda: replace(
        make_story(
            *(make_plan("@" * 9_999, rows=50, path=PurePosixPath("@" * 255)) for _ in range(50)),
            lost=tuple("@" * 5_000 for _ in range(256)),
        ),
        kept=tuple("@" * 5_000 for _ in range(256)),
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_it_always_fits_and_never_without_its_summary(name: str) -> None:
    story = LONG[name]()
    body = render_body(story)
    assert len(body) <= MAX_LENGTH
    assert body == render_body(story)
    operations = sum(len(plan.operations) for plan in story.plans)
    assert body.startswith(f"**{operations:,} change")
    assert "How to accept, decline or change this" in body
    assert read(body).tags <= TAGS


def test_lists_become_shorter_and_say_so() -> None:
    body = render_body(LONG["many changes"]())
    assert "more changes are not listed here; the diff shows all." in body
    assert "more questions" in body
    assert body.count("<tr>") > 20


def test_secrets_are_taken_out() -> None:
    secret = "ghp_" + "".join("abcdefghijkmnpqrstuvwxyz23456789"[i * 7 % 32] for i in range(36))
    body = render_body(make_story(make_plan(f"use {secret} for the registry")))
    assert secret[4:] not in body


@pytest.mark.parametrize("text", HOSTILE)
def test_g09_the_title_is_one_short_line_of_our_own(text: str) -> None:
    title = render_title([make_plan(text, rows=12_345), make_plan(text)])
    assert title == "Consolidate memory: 12,346 changes in 2 scopes"
