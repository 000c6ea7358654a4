"""The digest within its limits, and harmless wherever it is shown."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memci.model.digest import (
    MAX_SECTION_TOKENS,
    MAX_TOKENS,
    Digest,
    DigestEntry,
    DigestSection,
    SectionKind,
    count_tokens,
)
from memci.model.session import Origin
from memci.report.digest_text import code_span, fit_digest, render_digest, render_digests_json

NOW = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)


def make(entries: list[DigestEntry]) -> Digest:
    return Digest("s", "n", NOW, NOW, tuple(DigestSection(kind, tuple(entries)) for kind in SectionKind))


def test_a_small_digest_is_printed_whole() -> None:
    digest = make([DigestEntry("commit", "1234abc Round half up", time=NOW)])
    fitted = fit_digest(digest)
    assert fitted == digest
    assert render_digest(fitted).count("- 2026-11-02 09:00 commit: `1234abc Round half up`") == 10


def test_an_empty_section_says_so() -> None:
    assert render_digest(make([])).count("Nothing of this in the transcript.") == 10


def test_what_weighs_least_is_left_out_and_counted() -> None:
    entries = [DigestEntry(subject=f"{at} " + "word " * 60, weight=at % 3) for at in range(100)]
    section = fit_digest(make(entries)).sections[4]
    assert 0 < len(section.entries) < 100
    assert section.left_out == 100 - len(section.entries)
    assert all(entry.weight == 2 for entry in section.entries)
    assert f"{section.left_out} more left out" in render_digest(fit_digest(make(entries)))


def test_a_single_entry_that_is_too_long_is_left_out() -> None:
    section = fit_digest(make([DigestEntry(quote="x" * 50_000, by=Origin.MODEL), DigestEntry("kept")])).sections[0]
    assert [entry.label for entry in section.entries] == ["kept"]


@given(st.lists(st.tuples(st.text(max_size=400), st.integers(0, 9)), max_size=60), st.integers(1, 40))
def test_no_section_and_no_digest_is_ever_too_long(texts: list[tuple[str, int]], times: int) -> None:
    entries = [DigestEntry("note", text, quote=text * times, by=Origin.PERSON, weight=weight) for text, weight in texts]
    fitted = fit_digest(make(entries))
    printed = render_digest(fitted)
    assert count_tokens(printed) <= MAX_TOKENS
    assert all(count_tokens(part) <= MAX_SECTION_TOKENS for part in printed.split("\n## ")[1:])
    assert fit_digest(fitted).sections[0].entries == fitted.sections[0].entries


@given(st.text())
def test_tokens_are_never_fewer_than_a_third_of_the_letters(text: str) -> None:
    assert count_tokens(text) * 3 >= len(text)
    assert count_tokens(text + text) <= 2 * count_tokens(text)


@given(st.one_of(st.text(), st.text(alphabet="`<>![]()*_#@-&\\\n \t|~=:x")))
def test_nothing_gets_out_of_a_code_span(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"- before {code_span(text)} after")
    inline = [token for token in tokens if token.type == "inline"]
    assert len(inline) == 1
    children = inline[0].children or []
    assert [child.type for child in children] == ["text", "code_inline", "text"]
    assert (children[0].content, children[2].content) == ("before ", " after")


@given(st.text(alphabet="`<>![]()*_#@-&\\\n \t|~=:x1.", max_size=80))
def test_no_text_becomes_markup(text: str) -> None:
    entry = DigestEntry("label", text, "note", (text, text), text, Origin.TOOL, NOW)
    tokens = MarkdownIt("commonmark").parse(render_digest(make([entry])))
    allowed = {
        "heading_open", "heading_close", "inline", "paragraph_open", "paragraph_close", "bullet_list_open",
        "bullet_list_close", "list_item_open", "list_item_close", "blockquote_open", "blockquote_close",
    }  # fmt: skip
    assert {token.type for token in tokens} <= allowed
    inner = {child.type for token in tokens for child in token.children or []}
    assert inner <= {"text", "code_inline", "softbreak", "hardbreak"}
    assert sum(token.type == "heading_open" for token in tokens) == 11


def test_the_json_holds_the_same_entries() -> None:
    import json

    digest = fit_digest(make([DigestEntry("commit", "1234abc", time=NOW, by=Origin.TOOL, uuid="u")]))
    value = json.loads(render_digests_json([digest], [("x", "broken")]))
    assert value["schema"] == "memci/digest/1"
    assert [section["title"] for section in value["sessions"][0]["sections"]] == [kind.value for kind in SectionKind]
    assert value["sessions"][0]["sections"][0]["entries"] == [
        {"time": NOW.isoformat(), "label": "commit", "subject": "1234abc", "origin": "tool", "uuid": "u"}
    ]
    assert value["skipped"] == [{"name": "x", "reason": "broken"}]
