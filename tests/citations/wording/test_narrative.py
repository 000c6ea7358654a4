from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.wording.narrative import read_narrative
from memci.model.citation import Exemption

# An open debt names its day, too, but does not begin with it.
DEBT = "### Slow pool\n\n- **Priorità:** bassa\n- **Data:** 2026-03-10\n\n"
DECISION = "### Una sola coda\n\n- **Data:** 2026-03-10\n- **Perché:** più semplice\n\n"
SESSION = "### Rimuovere la barra\n- **Branch:** main · **Quando:** 2026-03-10\n"


def classify(text: str, name: str = "sessions.md") -> Exemption | None:
    """Classify the last line of a text."""
    rows = text.split("\n")
    return read_narrative(PurePosixPath(name), rows).classify(len(rows), 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sessions.md", "Call `open_session()`."),
        ("sessions.md", "Checked on 2026-03-10.\n\nCall `open_session()`."),
        ("sessions.md", "Text.\n\n## Sessions (Mar 2026)\n\nCall `open_session()`."),
        ("sessions_2026_03_10.md", "Call `open_session()`."),
        ("e2e-selectors.md", "# E2E selectors\n\nUse `cardCell`."),
        ("customer-plan-limits.md", "Read `LIMIT`."),
        ("sessions.md", "## Step 2: build\n\nRun `build_all`."),
        ("sessions.md", "Text.\n\n## Story #493\n\n## Sessions\n\nCall `open_session()`."),
        ("sessions.md", "The pool was empty.\nIt calls `open_session()`."),
        ("m5.md", "Call `open_session()`."),
        ("sessions.md", "# Sessions\n\n## Status\n\nDone.\n\n## Context\n\nCall `open_session()`."),
        ("sessions.md", "# Pool\n\n## Decision\n\nOne pool.\n\n# Sessions\n\n## Options\n\nCall `open_session()`."),
        ("e2e-oauth2-i18n.md", "It reads UTF-8 and SHA-256 in `open_session()`."),
        ("sessions.md", "---\nname: a new one\n---\nIt calls `open_session()`."),
        ("sessions.md", "# Sessions\n\n**Last updated:** 2026-03-10\n\nCall `open_session()`."),
        ("debts.md", f"{DEBT}{DEBT}- **Area:** `open_session()`"),
        ("sessions.md", "**Pool (see ADR):** `open_session()` opens it."),
        ("sessions.md", "Confirmed by hand on issue 5 (2026-03-10): it is slow.\n`open_session()` blocks."),
        ("sessions.md", "`open_session()` writes a summary for every discovered pool."),
        ("sessions.md", "# Pool\n\n## Design\n\nCall `open_session()`."),
        ("sessions.md", "# Pool\n\n## Session count + sources\n\nCall `open_session()`."),
    ],
)
def test_describes_the_present(name: str, text: str) -> None:
    assert classify(text, name) is None


@pytest.mark.parametrize(
    ("name", "text", "exemption"),
    [
        ("story-493-sessions.md", "Call `open_session()`.", Exemption.TOPIC),
        ("session-audit.md", "Call `open_session()`.", Exemption.TOPIC),
        ("project_ss42_sessions.md", "Call `open_session()`.", Exemption.TOPIC),
        ("sessions_v2_8_6.md", "Call `open_session()`.", Exemption.TOPIC),
        ("sessions.md", "## Login review (May)\n\nCall `open_session()`.", Exemption.HEADING),
        ("sessions.md", "---\nname: wave 6\n---\nIt calls `open_session()`.", Exemption.TOPIC),
        ("MEMORY.md", "Text.\n\n## Story #493\n\nCall `open_session()`.", Exemption.HEADING),
        ("sessions.md", "Text.\n\n# Phase 2\n\n## Calls\n\nCall `open_session()`.", Exemption.HEADING),
        ("sessions.md", "Text.\n\n## Этап 2\n\nCall `open_session()`.", Exemption.HEADING),
        ("sessions.md", "Text.\n\n## v0.8.5 Sessions\n\nCall `open_session()`.", Exemption.HEADING),
        ("sessions.md", "It calls `open_session()` because the pool was empty.", Exemption.SENTENCE),
        ("sessions.md", "It has a new function `open_session()`.", Exemption.SENTENCE),
        ("sessions.md", "## Sources\n\nCall `open_session()`.", Exemption.HEADING),
        # Several sections that open with their day, in any language.
        ("decisioni.md", f"{DECISION}{DECISION}- **Impatto:** `open_session()`", Exemption.ENTRY),
        ("log.md", f"{SESSION}{SESSION}- **File toccati:** `open_session()`", Exemption.ENTRY),
        # A label with a day.
        ("sessions.md", "**Solución aplicada (2026-03-10):**\n1. `open_session()` espera", Exemption.ENTRY),
        ("sessions.md", "**Optimización (2026-03-10):** menos. `open_session()` espera.", Exemption.ENTRY),
        ("sessions.md", "Decisão do humano (T-7, 2026-03-10): sem limite. `open_session()` segue.", Exemption.ENTRY),
        ("sessions.md", "レビューで `open_session()` を確認した。", Exemption.SENTENCE),
        ("sessions.md", "`open_session()` 로 변경했다.", Exemption.SENTENCE),
        # An arrow shows a flow: of 21 stale citations that were silent only because of one, 20 were right.
        ("sessions.md", "Login → `open_session()`.", None),
    ],
)
def test_may_describe_the_past(name: str, text: str, exemption: Exemption) -> None:
    assert classify(text, name) is exemption


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
    narrative = read_narrative(PurePosixPath("a.md"), text.split("\n"))
    assert narrative.mentions(1, 2, "new/login/form.py", "old/login/form.py") is known
    assert not narrative.mentions(99, 1, "new/login/form.py", "old/login/form.py")


@given(st.text(), st.integers(-1, 9), st.integers(0, 9))
def test_any_place_of_any_text_can_be_asked(text: str, line: int, column: int) -> None:
    exemption = read_narrative(PurePosixPath("a.md"), text.split("\n")).classify(line, column)
    assert exemption is None or exemption in Exemption
