"""Collected sessions on this machine."""

from pathlib import Path

import pytest

from memci.stores.state_directory import make_name, open_log, spool_directory


@pytest.mark.parametrize("session", ["0b5c2f6e-1111-4222-8333-444455556666", "run_12"])
def test_an_id_is_its_own_name(session: str) -> None:
    assert make_name(session) == session


@pytest.mark.parametrize("session", ["", "../../etc/passwd", "a/b", ".hidden", "-rf", "a\0b", "x" * 500, "\ud800"])
def test_anything_else_becomes_a_digest(session: str) -> None:
    assert make_name(session).startswith("session-")
    assert make_name(session) == make_name(session)


def test_a_spool_is_outside_of_the_repository_and_one_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    one = spool_directory(tmp_path / "a" / "shop", None)
    assert one.parent == tmp_path / "state" / "memci" / "spool"
    assert one.name.startswith("shop-")
    assert one != spool_directory(tmp_path / "b" / "shop", None)


def test_a_long_log_begins_anew(tmp_path: Path) -> None:
    import os

    os.close(open_log(tmp_path))
    (tmp_path / "collect.log").write_text("x" * 300_000)
    os.close(open_log(tmp_path))
    assert (tmp_path / "collect.log").stat().st_size == 0
    assert (tmp_path / "collect.log.old").stat().st_size == 300_000
