from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.dream.ledger import trace_lines
from memci.model.plan import Fate, LedgerEntry, Operation, OperationKind

A, B, C = map(PurePosixPath, ("m/a.md", "m/b.md", "m/c.md"))
RULE = "Never push directly to the main branch."


def trace(before: str, after: str, kind: OperationKind = OperationKind.UPDATE, **more: str) -> list[LedgerEntry]:
    """Return the entries of file A; `more` are other files after the change (`b`), or before and after (`b_old`)."""
    old = {A: before} | ({B: more["b_old"]} if "b_old" in more else {})
    new = ({A: after} if after else {}) | ({B: more["b"]} if "b" in more else {})
    operation = Operation(kind, A, {A: after or None}, "because")
    return [entry for entry in trace_lines(old, new, [operation]).entries if entry.file == A]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RULE, RULE),
        (f"one\n{RULE}\n", f"zero\n{RULE}\n"),
        # Line ends and place in the file do not matter.
        (f"one\n{RULE}\n", f"{RULE}\r\none\r\n"),
    ],
)
def test_a_line_that_stands_in_its_file_is_kept(before: str, after: str) -> None:
    last = trace(before, after)[-1]
    assert (last.text, last.fate, last.to) == (RULE, Fate.KEPT, A)


def test_each_copy_of_a_line_needs_a_copy_to_be_kept() -> None:
    assert [entry.fate for entry in trace("x y\nx y\n", "x y\n")] == [Fate.KEPT, Fate.MERGED]


def test_a_line_that_came_to_another_file_is_moved() -> None:
    (entry,) = trace(RULE, "", b=f"other\n{RULE}\n", b_old="other\n")
    assert (entry.fate, entry.to) == (Fate.MOVED, B)


@pytest.mark.parametrize(
    "after",
    [
        "- never push directly to the main branch",
        "Never push directly to the **main** branch, not even on Fridays.",
        "Please never push directly to the main branch.",
    ],
)
def test_a_line_whose_words_still_stand_is_merged(after: str) -> None:
    (entry,) = trace(RULE, f"{after}\n")
    assert (entry.fate, entry.to) == (Fate.MERGED, A)


def test_a_line_that_stood_in_another_file_all_along_is_merged_into_it() -> None:
    (entry,) = trace(RULE, "", b=f"* {RULE}\n", b_old=f"* {RULE}\n")
    assert (entry.fate, entry.to) == (Fate.MERGED, B)


def test_words_in_a_script_without_blanks_are_found_inside_longer_lines() -> None:
    (entry,) = trace("不要在集成测试里使用模拟数据库", "以后不要在集成测试里使用模拟数据库，迁移挂了也看不出来\n")
    assert entry.fate is Fate.MERGED


def test_a_line_that_a_repair_edits_in_place_is_reworded() -> None:
    before, after = "Queries are built in `lib/search.ex`.", "Queries are built in `lib/query/builder.ex`."
    assert [entry.fate for entry in trace(f"a\n{before}\nb\n", f"a\n{after}\nb\n", OperationKind.REPAIR)] == [
        Fate.KEPT, Fate.REWORDED, Fate.KEPT,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RULE, ""),
        (RULE, "Something else.\n"),
        # The number or the sense changed: the old rule left.
        ("The coverage threshold in ci is 80 percent.", "The coverage threshold in ci is 85 percent.\n"),
        ("Push directly to the main branch.", "Never push directly to the main branch.\n"),
    ],
)
def test_a_line_that_is_gone_is_retired_with_the_reason_of_its_operation(before: str, after: str) -> None:
    (entry,) = trace(before, after)
    assert (entry.fate, entry.to, entry.reason, entry.line) == (Fate.RETIRED, None, "because", 1)


def test_a_repair_does_not_make_another_line_of_it() -> None:
    assert trace(RULE, "Indent with two spaces.\n", OperationKind.REPAIR)[0].fate is Fate.RETIRED


_LINES = st.lists(
    st.sampled_from(("", "  ", "a b c d e", "- a b c d e.", "x", "not x", RULE, "\u2028", "\0", "不要模拟数据库")),
    max_size=6,
)
_TEXTS = st.dictionaries(st.sampled_from((A, B, C)), _LINES.map("\n".join), max_size=3)


@given(_TEXTS, _TEXTS)
def test_every_line_has_exactly_one_fate(before: dict[PurePosixPath, str], after: dict[PurePosixPath, str]) -> None:
    ledger = trace_lines(before, after, [])
    lines = [
        (path, number, line)
        for path, text in before.items()
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    assert [(entry.file, entry.line, entry.text) for entry in ledger.entries] == lines
    assert sum(ledger.count(fate) for fate in Fate) == len(lines)
    for entry in ledger.entries:
        assert (entry.fate is Fate.RETIRED) == (entry.to is None)
        assert entry.to is None or entry.to in after
        if entry.fate is Fate.KEPT:
            assert entry.text in after[entry.file].split("\n")


@given(_TEXTS)
def test_nothing_changed_means_everything_kept(texts: dict[PurePosixPath, str]) -> None:
    ledger = trace_lines(texts, dict(texts), [])
    assert ledger.count(Fate.KEPT) == len(ledger.entries)
