import os
from pathlib import Path

import pytest

from memci.stores.state_directory import read_cached, write_cached


def test_what_was_never_kept_is_nothing(tmp_path: Path) -> None:
    assert read_cached(tmp_path, "names", 100) == b""


def test_what_was_kept_comes_back_whole_or_not_at_all(tmp_path: Path) -> None:
    write_cached(tmp_path, "names", b"old")
    write_cached(tmp_path, "names", b"new one")
    assert (read_cached(tmp_path, "names", 7), read_cached(tmp_path, "names", 6)) == (b"new one", b"")
    assert [path.name for path in (tmp_path / "memci").iterdir()] == ["names"]


def test_what_is_no_file_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    (tmp_path / "memci").mkdir()
    os.mkfifo(tmp_path / "memci" / "fifo")
    (tmp_path / "memci" / "folder").mkdir()
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    (tmp_path / "memci" / "link").symlink_to(outside)
    for name in ("fifo", "folder", "link"):
        assert read_cached(tmp_path, name, 100) == b""
    write_cached(tmp_path, "folder", b"x")
    write_cached(tmp_path, "link", b"x")
    assert outside.read_bytes() == b"theirs"


@pytest.mark.parametrize("lead", ["file", "link"])
def test_a_directory_that_is_none_is_left_alone(tmp_path: Path, lead: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if lead == "link":
        (tmp_path / "memci").symlink_to(elsewhere)
    else:
        (tmp_path / "memci").write_bytes(b"")
    write_cached(tmp_path, "names", b"x")
    assert not list(elsewhere.iterdir())
    assert read_cached(tmp_path, "names", 100) == b""


def test_where_nothing_may_be_written_nothing_is_said(tmp_path: Path) -> None:
    # A directory that is not there cannot be written to either, not even by root.
    write_cached(tmp_path / "gone", "names", b"x")
    assert not (tmp_path / "gone").exists()
