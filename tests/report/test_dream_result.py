import pytest

from memci.report.dream_result import name_session


@pytest.mark.parametrize(
    ("session", "name"),
    [
        ("6f1c2d3e-0000-4000-8000-000000000000", "6f1c2d3e"),
        ("s1", "s1"),
        ("log:.claude/memory/logs/2026/11/2026-11-12.md", "log 2026-11-12.md"),
        ("\x1b[1m", "\\x1b[1m"),
    ],
)
def test_a_session_is_called_by_what_finds_it(session: str, name: str) -> None:
    assert name_session(session) == name
