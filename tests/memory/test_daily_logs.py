import datetime as dt
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.snapshot import parse_day


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "logs/MEMORY.md",
        "logs/notes.md",
        "2026-11-14.txt",
        "logs/2026-11-14",
        "2026-11-14.md.bak",
        "2026-13-01.md",
        "2026-02-30.md",
        "0000-01-01.md",
        "20261114.md",
        "2026-W46-6.md",
        "2026-1-4.md",
        "2026-11-14-retro.md",
        "2026-11.md",
        "２０２６-11-14.md",
        "topics/2026-11-14.md",
        "2026/11/2026-11-14.md",
        "Logs/2026-11-14.md",
        ".md",
    ],
)
def test_leaves_alone_what_is_no_daily_log(path: str) -> None:
    assert parse_day(PurePosixPath(path)) is None


@pytest.mark.parametrize(
    "path", ["logs/2026/11/2026-11-14.md", "logs/2026-11-14.md", "2026-11-14.md", "logs/team/2026-11-14.md"]
)
def test_finds_the_day(path: str) -> None:
    assert parse_day(PurePosixPath(path)) == dt.date(2026, 11, 14)


@given(st.dates(dt.date(1970, 1, 1), dt.date(8999, 12, 31)))
def test_every_day_has_a_log(day: dt.date) -> None:
    assert parse_day(PurePosixPath("logs", f"{day}.md")) == day


@given(st.text(min_size=1))
def test_any_name_is_judged(name: str) -> None:
    assert parse_day(PurePosixPath(f"x{name}.md")) is None
