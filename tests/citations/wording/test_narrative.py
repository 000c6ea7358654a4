from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.wording.narrative import Account, read_accounts


def weigh(text: str, name: str = "sessions.md") -> Account:
    """Weigh the last line of a text."""
    rows = text.split("\n")
    return read_accounts(PurePosixPath(name), rows).find(len(rows), 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sessions.md", "Call `open_session()`."),
        ("MEMORY.md", "- [Login](login.md) — since 2026-03-10\n\n## Sessions\n\nCall `open_session()`."),
        ("sessions.md", "Last updated: 2026-03-10\n\nCall `open_session()`."),
        ("sessions.md", "Was moved on 2026-03-10 (verified).\n\nCall `open_session()`."),
        ("e2e-selectors.md", "# E2E selectors\n\nUse `cardCell`."),
        ("customer-plan-limits.md", "Read `LIMIT`."),
        ("sessions.md", "## Step 2: build\n\nRun `build_all`."),
        ("sessions.md", "The border is `#333` and `deadbeef` is a word."),
        ("sessions.md", "Text.\n\n## Story #493\n\n## Sessions\n\nCall `open_session()`."),
        ("sessions.md", "It is done when `open_session()` returns; no widths."),
        ("sessions.md", "A session is created by `open_session()`, which gets removed when closed."),
        ("sessions.md", "The pool was empty.\nIt calls `open_session()`."),
        ("m5.md", "Call `open_session()`."),
        ("e2e-oauth2-i18n.md", "It reads UTF-8 and SHA-256 in `open_session()`."),
        ("sessions.md", "---\nname: a new one\n---\nIt calls `open_session()`."),
        ("sessions.md", "**Why:** it is fast.\n\n**How to apply:** call `open_session()`."),
    ],
)
def test_is_no_account(name: str, text: str) -> None:
    assert weigh(text, name) is Account.NONE


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sessions.md", "Checked on 2026-03-10.\n\nCall `open_session()`."),
        ("sessions.md", "---\nname: Sessions (2026-03-10)\n---\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n## Sessions (Mar 2026)\n\nCall `open_session()`."),
        ("MEMORY.md", "Text.\n\n- Since 2026-03-10 it calls `open_session()`."),
        ("sessions.md", "Login → `open_session()`."),
        ("sessions_2026_03_10.md", "Call `open_session()`."),
    ],
)
def test_is_dated(name: str, text: str) -> None:
    assert weigh(text, name) is Account.DATED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sessions.md", "Text.\n\n## Story #493\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n# Phase 2\n\n## Calls\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n## Этап 2\n\nCall `open_session()`."),
        ("story-493-sessions.md", "Call `open_session()`."),
        ("session-audit.md", "Call `open_session()`."),
        ("progress.md", "Call `open_session()`."),
        ("session-analysis.md", "Call `open_session()`."),
        ("sessions.md", "Text.\n\n## v0.8.5 Sessions\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n## Round 7\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n## FINDING-C5-005 Sessions\n\nCall `open_session()`."),
        ("project_ss42_sessions.md", "Call `open_session()`."),
        ("sessions_v2_8_6.md", "Call `open_session()`."),
        ("sessions.md", "Text.\n\n## Sessions (3f9c2ab)\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n## Review notes (Mar 2026)\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n- ABC-12: it calls `open_session()`."),
        ("sessions.md", "Text.\n\n**Why:** it calls `open_session()`."),
        ("sessions.md", "Text.\n\n**Background:**\n- it calls `open_session()`."),
        ("sessions.md", "It calls `open_session()` because the pool was empty."),
        ("sessions.md", "It has a new function `open_session()`."),
        ("sessions.md", "Login and logout changed, it calls `open_session()`."),
        ("sessions.md", "`login()` and `open_session()` are dropped."),
        ("sessions.md", "レビューで `open_session()` を確認した。"),
        ("sessions.md", "`open_session()` 로 변경했다."),
        ("sessions.md", "It calls `open_session()` (PR #12)."),
        ("sessions.md", "It calls `open_session()` since `3f9c2ab`."),
        ("sessions.md", "DONE: it calls `open_session()`."),
        ("sessions.md", "✅ it calls `open_session()`."),
    ],
)
def test_is_an_account_of_work(name: str, text: str) -> None:
    assert weigh(text, name) is Account.OF_WORK


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("`old/login/form.py` draws it.", False),
        ("`old/login/form.py` draws it.\n\nSee `new/login/form.py`.", False),
        ("`new/login/form.py` replaces `old/login/form.py`.", True),
        ("`login/form.py` replaces `old/login/form.py`.", True),
    ],
)
def test_knows_whether_a_block_names_a_path_besides_what_it_cites(text: str, *, known: bool) -> None:
    accounts = read_accounts(PurePosixPath("a.md"), text.split("\n"))
    assert accounts.mentions(1, 2, "new/login/form.py", "old/login/form.py") is known
    assert not accounts.mentions(99, 1, "new/login/form.py", "old/login/form.py")


@given(st.text(), st.integers(-1, 9), st.integers(0, 9))
def test_any_place_of_any_text_can_be_asked(text: str, line: int, column: int) -> None:
    assert read_accounts(PurePosixPath("a.md"), text.split("\n")).find(line, column) in Account
