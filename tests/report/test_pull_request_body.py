"""The text of a pull request: everything that others wrote is shown, nothing of it comes alive, and it always fits."""

import datetime as dt
import html.parser
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import example, given
from markdown_it import MarkdownIt

from memci.model.memory import Scope, TopicType, Trust
from memci.model.plan import (
    Evidence,
    EvidenceKind,
    Fate,
    Flag,
    FlagKind,
    Ledger,
    LedgerEntry,
    LeftOut,
    NeedsPerson,
    Operation,
    OperationKind,
    PlanStatus,
    Refused,
    ScopePlan,
)
from memci.model.session import Origin, Signal, SignalKind
from memci.report.escape import visible
from memci.report.headline import describe_dream
from memci.report.pull_request_body import MAX_LENGTH, Story, render_body, render_title
from memci.report.summary_parts import ForgeLinks, join_quotes
from tests.build import NOW, SCOPE, topic_text
from tests.gate import slow_but
from tests.report.results import HOSTILE, texts

TAGS = {"p", "strong", "h3", "br", "b", "a", "blockquote", "code", "details", "summary", "ul", "li"}
WEB = "https://forge.example/o/r"
LINKS = ForgeLinks("github", WEB, "memci/dream", "0" * 40)


def make_plan(text: str, *, rows: int = 1, path: PurePosixPath = SCOPE) -> ScopePlan:
    """Return a plan in which every place that others can write to holds this text."""
    signal = Signal(
        "s", "u", NOW, Origin.PERSON, SignalKind.CORRECTION, TopicType.FEEDBACK, text, text, speaker=text[:60]
    )
    # A path cannot hold everything.
    name = text.replace("\0", "")[:200].strip("/") or "a.md"
    files = [path / f"{number}-{name}" for number in range(rows)]
    proofs = (
        Evidence(EvidenceKind.SIGNAL, signal.id, text),
        Evidence(EvidenceKind.FINDING, "f", f"found {text}"),
        Evidence(EvidenceKind.LOOKUP, f"lines:{text}:1-2", text),
        Evidence(EvidenceKind.LOOKUP, f"name:{text}", f"{text}:3: {text}"),
        Evidence(EvidenceKind.MEMORY, str(files[0]), f"old {text}"),
    )
    operations = tuple(
        Operation(OperationKind.UPDATE, file, {file: f"New.\n\n{text}\n"}, text, proofs) for file in files
    )
    asked = (NeedsPerson(f"{text} {row}", None, proofs[:1], text) for row in range(rows))
    needs = (NeedsPerson(f"{file.name}:1: {text}", file, proofs[1:2]) for file in files)
    return ScopePlan(
        Scope("agent:reviewer", path, Trust.COMMITTED, Path("/nowhere")),
        PlanStatus.CHANGED,
        operations=operations,
        refused=(Refused(operations[0], "secret", text),) * rows,
        needs_person=(*asked, *needs),
        signals=(signal,),
        ledger=Ledger(
            tuple(
                entry
                for file in files
                for entry in (
                    LedgerEntry(file, 1, text, Fate.RETIRED, None, text),
                    LedgerEntry(file, 2, text, Fate.KEPT, file),
                )
            )
        ),
        before=dict.fromkeys(files, f"Old.\n\nold {text}\n"),
        after={file: text or "" for one in operations for file, text in one.texts.items()},
    )


def make_story(*plans: ScopePlan, lost: tuple[str, ...] = ()) -> Story:
    return Story(plans, "local", "2026-11-16", 0.25, lost, links=LINKS)


class _Reader(html.parser.HTMLParser):
    """Collects tags, comments, and text by whether it stands inside of code, of a link, or outside."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.code: list[str] = []
        self.links: dict[str, str] = {}
        self.outside = ""
        self.text = ""
        self.comments: set[str] = set()
        self._depth = 0
        self._link = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert [name for name, _ in attrs] == (["href"] if tag == "a" else [])
        self.tags.add(tag)
        if tag == "code":
            self.code.append("")
        if tag == "a":
            self._link = attrs[0][1] or ""
        self._depth += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "code"
        self._link = "" if tag == "a" else self._link

    def handle_comment(self, data: str) -> None:
        self.comments.add(data)

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._depth:
            self.code[-1] += data
        elif self._link:
            self.links[self._link] = self.links.get(self._link, "") + data
        else:
            self.outside += data


def read(body: str) -> _Reader:
    reader = _Reader()
    reader.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(body))
    reader.close()
    return reader


def change_topic(new: str, *proofs: Evidence, kind: OperationKind = OperationKind.UPDATE, **more: Any) -> Operation:
    """Return an operation that gives the topic `a.md` this body."""
    texts = {SCOPE / "a.md": topic_text(new)}
    return Operation(kind, SCOPE / "a.md", texts, more.pop("reason", "because"), proofs, **more)


def tell(before: Mapping[str, str], *operations: Operation, **more: Any) -> str:
    """Return the text about a plan with these operations, as people see it."""
    texts = {SCOPE / name: text for name, text in before.items()}
    after: dict[PurePosixPath, str | None] = dict(texts)
    for operation in operations:
        after.update(operation.texts)
    plan = ScopePlan(
        make_plan("a").scope,
        PlanStatus.CHANGED,
        operations=operations,
        before=texts,
        after={path: text for path, text in after.items() if text is not None},
        **more,
    )
    return read(render_body(make_story(plan))).text


SAID = Signal(
    "0123456789abcdef", "u", NOW, Origin.PERSON, SignalKind.SAID, TopicType.FEEDBACK, "b", "b", speaker="Mara Lind"
)
QUOTE = Evidence(EvidenceKind.SIGNAL, SAID.id, "we use pnpm now")
GONE = Evidence(EvidenceKind.FINDING, "f", "npm is gone: removed in 0123456789 on 2026-10-05 (Use pnpm)")


def test_the_headline_adds_up_with_the_entries() -> None:
    plan = make_plan("Use pnpm", rows=3)
    body = render_body(make_story(replace(plan, refused=())))
    seen = read(body)
    assert body.startswith("**3 corrected; 6 questions for you.**")
    assert "Corrected (3)" in seen.outside
    assert body.count("<br>was: ") == 3
    assert body.count("<b>Write this?</b>") == 3
    assert {str(SCOPE), "memci:rebase"} <= set(seen.code)
    assert "6 old lines: 3 kept, 3 retired" in seen.outside
    assert "Engine local, 2026-11-16, $0.25." in seen.outside
    assert "decline" in seen.outside
    assert "arrive" not in seen.outside
    assert "Refused" not in seen.outside


def test_what_a_person_said_is_learned_with_name_date_and_session() -> None:
    new = change_topic("Use pnpm.\n\n**Why:** It is faster.", QUOTE, kind=OperationKind.CREATE)
    seen = tell({}, new, signals=(SAID,))
    assert "1 learned." in seen
    assert "Use pnpm. Why: It is faster. — a.md“we use pnpm now” — Mara Lind, 2026-11-16, session 01234567" in seen


def test_a_correction_says_what_was_there_and_names_the_commit() -> None:
    seen = tell({"a.md": topic_text("Use npm.\n\nKeep.")}, change_topic("Use pnpm.\n\nKeep.", GONE))
    assert "1 corrected." in seen
    assert "Use pnpm. — a.mdwas: Use npm.npm is gone: removed in 0123456789 on 2026-10-05 (Use pnpm)" in seen


def test_only_the_last_of_several_corrections_is_told() -> None:
    steps = (change_topic("Use yarn.", GONE), change_topic("Use pnpm.", QUOTE))
    seen = tell({"a.md": topic_text("Use npm.")}, *steps, signals=(SAID,))
    assert "1 corrected." in seen
    assert "Use pnpm. — a.mdwas: Use npm." in seen
    assert "yarn" not in seen


def test_what_only_leaves_is_removed() -> None:
    seen = tell({"a.md": topic_text("Use npm.\n\nKeep.")}, change_topic("Keep.", GONE))
    assert "1 removed." in seen
    assert "Use npm. — a.mdnpm is gone" in seen


def test_flagged_statements_come_first() -> None:
    plain = Operation(OperationKind.CREATE, SCOPE / "b.md", {SCOPE / "b.md": topic_text("Plain.")}, "", (QUOTE,))
    flagged = change_topic("Use pnpm.", QUOTE, flags=(Flag("Use pnpm.", FlagKind.TRANSLATED),))
    seen = tell({}, plain, flagged, signals=(SAID,))
    assert seen.index("translated: Use pnpm.") < seen.index("Plain.")


def test_pointers_and_descriptions_follow_their_topic() -> None:
    index = SCOPE / "MEMORY.md"
    texts = {index: "- [A](a.md) — new\n- [B](b.md) — b\n"}
    described = Operation(
        OperationKind.UPDATE, SCOPE / "a.md", {SCOPE / "a.md": topic_text("Use pnpm.", description="new")}, "follows"
    )
    pointer = Operation(OperationKind.REINDEX, index, texts, "the pointer follows its topic")
    before = {
        "a.md": topic_text("Use npm."),
        "b.md": topic_text("B."),
        "MEMORY.md": "- [A](a.md) — old\n- [C](c.md) — gone\n",
    }
    seen = tell(before, change_topic("Use pnpm.", GONE), described, pointer)
    assert "1 corrected, 3 tidied." in seen
    for line in ("dead pointer removed — c.md", "missing pointer added — b.md", "1 pointer changed with its topic"):
        assert line in seen


def test_moved_and_merged_statements_are_tidied() -> None:
    moved = Operation(
        OperationKind.CREATE,
        SCOPE / "a.md",
        {SCOPE / "a.md": topic_text("Use pnpm."), SCOPE / "MEMORY.md": "- [A](a.md) — a\n"},
        "moves content of the index into a topic",
    )
    assert "1 tidied." in tell({"MEMORY.md": "Use pnpm.\n"}, moved)
    merged = Operation(OperationKind.MERGE, SCOPE / "b.md", {SCOPE / "a.md": None}, "a.md says only what b.md says")
    seen = tell({"a.md": topic_text("Use pnpm."), "b.md": topic_text("Use pnpm always.")}, merged)
    assert "1 tidied." in seen
    assert "merged: a.md says only what b.md says — a.md" in seen


def test_a_line_leaves_for_the_reason_of_the_operation_that_took_it_out() -> None:
    steps = (change_topic("Keep.\n\nLast.", GONE, reason="over"), change_topic("Keep.", reason="another"))
    entries = (LedgerEntry(SCOPE / "a.md", 7, "Use npm.", Fate.RETIRED, None, "another"),)
    seen = tell({"a.md": topic_text("Use npm.\n\nKeep.\n\nLast.")}, *steps, ledger=Ledger(entries))
    assert "a.md:7: Use npm.over: npm is gone" in seen


def test_each_line_leaves_for_the_finding_about_it() -> None:
    found = [Evidence(EvidenceKind.FINDING, name, f"{name}.md does not exist") for name in ("old", "plan", "gone")]
    rows = [f"- [The {name}]({name}.md) — as it was" for name in ("plan", "gone")]
    new = {SCOPE / "MEMORY.md": "# Memory\n"}
    operation = Operation(OperationKind.REINDEX, SCOPE / "MEMORY.md", new, "leads nowhere", tuple(found))
    entries = (LedgerEntry(SCOPE / "MEMORY.md", 2, row, Fate.RETIRED, None, "leads nowhere") for row in rows)
    seen = tell({"MEMORY.md": "\n".join(["# Memory", *rows, ""])}, operation, ledger=Ledger(tuple(entries)))
    for name in ("plan", "gone"):
        assert f"as it wasleads nowhere: {name}.md does not exist" in seen


def test_a_hook_that_goes_into_its_topic_is_tidied() -> None:
    hook = "what was planned; and all that was said of it"
    texts = {
        SCOPE / "MEMORY.md": "- [A](a.md) — what was planned\n",
        SCOPE / "a.md": f"{topic_text('Fine.')}\n{hook}\n",
    }
    operation = Operation(OperationKind.REPAIR, SCOPE / "MEMORY.md", texts, "shortens pointers to make room")
    seen = tell({"MEMORY.md": f"- [A](a.md) — {hook}\n", "a.md": topic_text("Fine.")}, operation)
    assert "1 tidied." in seen
    assert "shortens pointers to make room — a.md" in seen


def test_a_pointer_that_is_led_to_another_topic_is_no_dead_one() -> None:
    new = {SCOPE / "MEMORY.md": "- [Reprints](reprints.md) — who pays\n"}
    operation = Operation(OperationKind.REINDEX, SCOPE / "MEMORY.md", new, "follows topics that moved")
    before = {"MEMORY.md": "- [Reprints](reprint-rules.md) — who pays\n", "reprints.md": topic_text("Nobody.")}
    seen = tell(before, operation)
    assert "1 tidied." in seen
    assert "pointer led to this topic — reprints.md" in seen


def test_of_a_long_statement_the_part_that_changed_is_shown() -> None:
    long = "What was measured in the first week says little. " * 8
    old, new = (f"{long}Harvest them {day}. {long}" for day in ("tomorrow", "on 2026-07-24"))
    seen = tell({"a.md": topic_text(old)}, change_topic(new, kind=OperationKind.REPAIR))
    assert "more characters" not in seen
    assert "says little. Harvest them on 2026-07-24. What was" in seen
    assert "says little. Harvest them tomorrow. What was" in seen
    assert "was: … " in seen


def test_the_same_question_about_many_scopes_is_asked_once() -> None:
    plans = []
    for number in range(5):
        path = PurePosixPath(f".claude/agent-memory/a{number}")
        proof = Evidence(EvidenceKind.FINDING, f"f{number}", "HTML comment")
        need = NeedsPerson("MEMORY.md:6: HTML comment; say it in visible text", path / "MEMORY.md", (proof,))
        plan = make_plan("x", path=path)
        plans.append(replace(plan, needs_person=(need,)))
    seen = read(render_body(make_story(*plans))).text
    assert seen.count("HTML comment; say it in visible text") == 1
    assert "1 question for you" in seen
    assert "4 more of this kind: a1/MEMORY.md:6, a2/MEMORY.md:6, a3/MEMORY.md:6, a4/MEMORY.md:6" in seen
    assert "1 question" in describe_dream(plans)


def test_the_first_line_of_a_frontmatter_is_not_quoted() -> None:
    need = NeedsPerson("a.md:1: 17,355 bytes; split it", SCOPE / "a.md", (Evidence(EvidenceKind.FINDING, "f", "x"),))
    seen = tell({"a.md": topic_text("Fine.")}, needs_person=(need,))
    assert "17,355 bytes" in seen
    assert "It says" not in seen


def test_a_finding_that_a_draft_is_about_is_not_asked_again() -> None:
    draft = NeedsPerson("not written: nobody said so", SCOPE / "a.md", (GONE, QUOTE), "Use pnpm.")
    finding = NeedsPerson("a.md:1: npm is gone; correct it", SCOPE / "a.md", (GONE,))
    seen = tell({}, change_topic("x", QUOTE), needs_person=(finding, draft, draft), signals=(SAID,))
    assert "1 learned; 1 question for you." in seen
    assert "Not written: nobody said so — a.mdWrite this? Use pnpm.“we use pnpm now” — Mara Lind" in seen


def test_a_finding_is_asked_with_the_line_that_it_is_about() -> None:
    finding = NeedsPerson("a.md:7: npm is gone; correct it", SCOPE / "a.md", (GONE,))
    seen = tell({"a.md": topic_text("Use npm.")}, change_topic("Use npm.\n\nMore."), needs_person=(finding,))
    assert "a.md:7: npm is gone; correct itIt says: Use npm." in seen


def test_the_first_proposal_explains_itself() -> None:
    story = make_story(make_plan("a"))
    assert "first proposal" not in render_body(story)
    assert "first proposal" in render_body(replace(story, first=True))


@pytest.mark.parametrize(
    ("kind", "file", "old", "commit"),
    [
        ("github", "blob/memci/dream/a%20b.md", "blob/c0/a%20b.md#L3-L9", "commit/abc"),
        ("gitea", "src/branch/memci/dream/a%20b.md", "src/commit/c0/a%20b.md#L3-L9", "commit/abc"),
        ("gitlab", "-/blob/memci/dream/a%20b.md", "-/blob/c0/a%20b.md#L3-9", "-/commit/abc"),
    ],
)
def test_links_are_those_of_the_forge(kind: str, file: str, old: str, commit: str) -> None:
    links = ForgeLinks(kind, WEB, "memci/dream", "c0")
    assert links.file(PurePosixPath("a b.md")) == f"{WEB}/{file}"
    assert links.file(PurePosixPath("a b.md"), "3-9", old=True) == f"{WEB}/{old}"
    assert links.commit("abc") == f"{WEB}/{commit}"
    assert not links.file(PurePosixPath("../../x"))


def test_what_was_lost_is_named_first() -> None:
    failed = ScopePlan(
        Scope("x", PurePosixPath("x"), Trust.COMMITTED, Path("/nowhere")), PlanStatus.FAILED, "no answer"
    )
    seen = read(render_body(make_story(make_plan("a"), failed, lost=("shard 2/3",))))
    assert seen.outside.index("did not arrive") < seen.outside.index("Corrected")
    assert {"shard 2/3", "x: no answer"} <= set(seen.code)


def test_only_scopes_that_change_are_told_of() -> None:
    body = render_body(make_story(replace(make_plan("a", path=PurePosixPath("quiet")), status=PlanStatus.UNCHANGED)))
    assert body.startswith("**No changes; 2 questions for you.**")
    assert "<h3>" not in body.replace("<h3>Questions", "")


@given(texts)
# What forges look for outside of code: mentions, references, commits, addresses, emoji, labels, milestones.
@example("ask (@team), see #1, !2, ABC-3, GH4 or o/r#5; :tada: %6 ~bug $7 &8 www.a.example 0123abc a@b.example")
def test_g03_g06_g10_nothing_that_others_wrote_comes_alive(text: str) -> None:
    seen = read(render_body(make_story(make_plan(text))))
    assert seen.tags <= TAGS
    assert seen.comments <= {" "}
    assert all(address.startswith(f"{WEB}/") for address in seen.links)
    for mark in ("@", "#", "://", "www.", "GH-", "GH4", "-3", "!2", "::", ":t", "%6", "~", "$7", "&", "0123abc"):
        assert mark not in seen.outside
    for mark in ("{{", "\x1b", "\u202e"):
        assert mark not in seen.outside
    short = visible(text).replace("`", "")[:30]
    assert short in seen.text.replace("`", "")


@pytest.mark.parametrize("text", ["{{ 7*7 }}", "{% raw %}", "{{ cycler.__init__.__globals__ }}", "{# x #}"])
def test_g10_text_is_never_a_template(text: str) -> None:
    assert text in read(render_body(make_story(make_plan(text)))).text


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


# The others take a second or more each.
@pytest.mark.parametrize("name", slow_but(LONG, {"many scopes", "scopes with bad names", "much was lost"}))
def test_it_always_fits_and_never_without_its_summary(name: str) -> None:
    story = LONG[name]()
    body = render_body(story)
    assert len(body) <= MAX_LENGTH
    assert body == render_body(story)
    changes = sum(len(plan.operations) for plan in story.plans)
    assert body.startswith(f"**{changes:,} corrected; ")
    assert "How to accept, decline or change this" in body
    assert read(body).tags <= TAGS


def test_lists_become_shorter_and_say_so() -> None:
    body = render_body(LONG["many changes"]())
    assert "more are not listed here; the diff shows all." in body
    assert "more questions" in body
    assert body.count("<li>") > 20


def test_secrets_are_taken_out() -> None:
    secret = "ghp_" + "".join("abcdefghijkmnpqrstuvwxyz23456789"[i * 7 % 32] for i in range(36))
    body = render_body(make_story(make_plan(f"use {secret} for the registry")))
    assert secret[4:] not in body


@pytest.mark.parametrize("text", HOSTILE)
def test_g09_the_title_is_one_short_line_of_our_own(text: str) -> None:
    title = render_title([make_plan(text, rows=12), make_plan(text)])
    assert title == "Consolidate memory: 13 corrected"


def test_candidates_are_a_list_to_tick() -> None:
    said = "we should name the queues after the team that reads them"
    signal = Signal(
        "s",
        "u",
        dt.datetime(2026, 11, 12, tzinfo=dt.UTC),
        Origin.PERSON,
        SignalKind.PREFERENCE,
        TopicType.FEEDBACK,
        said,
        said,
    )
    body = render_body(make_story(replace(make_plan("x"), offered=(signal,))))
    mark = f"<!-- memci:candidate {signal.id} -->"
    assert f"\n- [ ] {mark} “{said}” (2026-11-12, `{signal.id}`)\n" in body


def test_what_was_left_out_on_purpose_is_listed_by_reason() -> None:
    left_out = (LeftOut("always two pigeons", "joke", "2026-11-12"), LeftOut("<b>@team</b>", "taken back", ""))
    body = render_body(make_story(replace(make_plan("x"), left_out=left_out)))
    assert "<li>joke: “always two pigeons” (2026-11-12)</li>" in body
    assert "<b>@team" not in body
    assert "left out" not in render_body(make_story(make_plan("x")))


def test_pointers_that_follow_their_topics_are_shown_as_they_are_now() -> None:
    text = (Path(__file__).parents[2] / "docs" / "pull-request.md").read_text(encoding="utf-8")
    assert "<summary>as they are now</summary>Ilya — owns and reviews the front end; Python is new to him<br>" in text


@pytest.mark.parametrize(
    ("quotes", "shown"),
    [
        (["run the down part once", "with every migration. I got burnt", "with every migration"], "whole"),
        (["I got burnt", "run the down part once"], "run the down part once … I got burnt"),
        (["of another message"], "of another message"),
    ],
)
def test_quotations_of_a_message_stand_in_its_order_and_once(quotes: list[str], shown: str) -> None:
    text = "run the down part once with every migration. I got burnt"
    assert join_quotes(text, quotes) == (text if shown == "whole" else shown)
