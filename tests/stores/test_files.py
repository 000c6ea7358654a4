import os
import stat
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.errors import ServiceError, UnsafeError
from memci.git.file_tree import WorkTree
from memci.stores.files import FileReplacement, write_changes, write_file

A = PurePosixPath("m/a.md")
B = PurePosixPath("m/b.md")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with two files in a directory."""
    root = tmp_path / "root"
    (root / "m").mkdir(parents=True)
    (root / A).write_text("old a")
    (root / B).write_text("old b")
    return root


def _content(root: Path) -> dict[str, bytes]:
    """Return every file, also those that a failed write could leave behind."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


OLD = {"m/a.md": b"old a", "m/b.md": b"old b"}


def test_replaces_and_creates_files_and_leaves_nothing_else(root: Path) -> None:
    write_changes(root, {A: FileReplacement("old a", "new a"), PurePosixPath("m/c.md"): FileReplacement(None, "new c")})
    assert _content(root) == {"m/a.md": b"new a", "m/b.md": b"old b", "m/c.md": b"new c"}


def test_a_file_at_the_root_and_one_with_a_long_name_can_be_written(root: Path) -> None:
    for name in ("top.md", f"m/{'x' * 252}.md", "m/-rf", "m/new\nline.md", "m/" + os.fsdecode(b"\xff.md")):
        write_changes(root, {PurePosixPath(name): FileReplacement(None, "text")})
        assert (root / name).read_text() == "text"


def test_without_changes_nothing_happens(root: Path) -> None:
    write_changes(root, {})
    assert _content(root) == OLD


@pytest.mark.parametrize("text", ["\ufeffbom\r\ncrlf\r", "", "no end", "\n", "nul \0", "\u2028", "日本 🎉"])
def test_every_byte_survives_reading_and_writing(root: Path, text: str) -> None:
    (root / A).write_bytes(text.encode())
    read = WorkTree(root).read(A)
    assert isinstance(read, str)
    write_changes(root, {A: FileReplacement(read, f"{read}more")})
    assert (root / A).read_bytes() == text.encode() + b"more"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=50))
def test_any_text_can_be_written_and_read_again(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.getbasetemp() / "any"
    (root / "m").mkdir(parents=True, exist_ok=True)
    write_file(root, A, text.encode())
    assert (root / A).read_bytes() == text.encode()
    assert os.listdir(root / "m") == ["a.md"]  # noqa: PTH208 -- names are what is compared


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o755, 0o444])
def test_keeps_the_mode_whatever_the_mask(root: Path, mode: int) -> None:
    (root / A).chmod(mode)
    before = os.umask(0o077)
    try:
        write_changes(root, {A: FileReplacement("old a", "new a")})
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / A).stat().st_mode) == mode
    assert (root / A).read_text() == "new a"


def test_a_new_file_follows_the_mask(root: Path) -> None:
    before = os.umask(0o027)
    try:
        write_changes(root, {PurePosixPath("m/c.md"): FileReplacement(None, "x")})
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "m" / "c.md").stat().st_mode) == 0o640


def test_replaces_the_file_instead_of_writing_into_it(root: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").hardlink_to(root / A)
    with (root / A).open() as reader:
        write_changes(root, {A: FileReplacement("old a", "new a")})
        assert reader.read() == "old a"
    assert (tmp_path / "victim").read_text() == "old a"


# Refusals: nothing at all is written


@pytest.mark.parametrize("old", ["something else", "old b\n", "", None])
def test_an_edit_made_meanwhile_stops_everything(root: Path, old: str | None) -> None:
    with pytest.raises(UnsafeError, match=r"m/b\.md was edited meanwhile"):
        write_changes(root, {A: FileReplacement("old a", "new a"), B: FileReplacement(old, "new b")})
    assert _content(root) == OLD


def test_a_file_removed_meanwhile_stops_everything(root: Path) -> None:
    (root / B).unlink()
    with pytest.raises(UnsafeError, match="edited meanwhile"):
        write_changes(root, {A: FileReplacement("old a", "new a"), B: FileReplacement("old b", "new b")})
    assert _content(root) == {"m/a.md": b"old a"}


def test_an_edit_is_seen_even_if_it_is_no_text(root: Path) -> None:
    (root / B).write_bytes(b"\xff")
    with pytest.raises(UnsafeError):
        write_changes(root, {A: FileReplacement("old a", "new a"), B: FileReplacement("old b", "new b")})
    assert (root / A).read_text() == "old a"


def test_a_link_swapped_in_for_a_file_is_refused(root: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("old b")
    (root / B).unlink()
    (root / B).symlink_to(victim)
    with pytest.raises(UnsafeError, match=r"cannot write m/b\.md"):
        write_changes(root, {A: FileReplacement("old a", "new a"), B: FileReplacement("old b", "new b")})
    assert (victim.read_text(), (root / A).read_text()) == ("old b", "old a")


def test_a_link_swapped_in_for_a_directory_is_refused(root: Path, tmp_path: Path) -> None:
    (root / "m").rename(tmp_path / "outside")
    (root / "m").symlink_to(tmp_path / "outside")
    for path, change in {
        A: FileReplacement("old a", "new a"),
        PurePosixPath("m/c.md"): FileReplacement(None, "x"),
    }.items():
        with pytest.raises(UnsafeError):
            write_changes(root, {path: change})
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        write_file(root, A, b"new a")
    assert _content(tmp_path / "outside") == {"a.md": b"old a", "b.md": b"old b"}


def test_a_link_at_the_last_moment_is_replaced_and_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("victim")
    (root / A).unlink()
    (root / A).symlink_to(tmp_path / "victim")
    write_file(root, A, b"new a")
    assert (tmp_path / "victim").read_text() == "victim"
    assert not (root / A).is_symlink()
    assert (root / A).read_text() == "new a"


@pytest.mark.parametrize("path", ["../outside.md", "m/../../outside.md", "/etc/outside.md"])
def test_a_path_that_leads_out_is_refused(root: Path, tmp_path: Path, path: str) -> None:
    with pytest.raises(UnsafeError, match="leads out"):
        write_changes(root, {A: FileReplacement("old a", "new a"), PurePosixPath(path): FileReplacement(None, "x")})
    assert not (tmp_path / "outside.md").exists()
    assert _content(root) == OLD


def test_a_pipe_and_a_directory_are_refused_without_hanging(root: Path) -> None:
    os.mkfifo(root / "m" / "pipe.md")
    (root / "m" / "dir.md").mkdir()
    for name in ("pipe.md", "dir.md"):
        with pytest.raises(UnsafeError, match="not a regular file"):
            write_changes(
                root, {A: FileReplacement("old a", "new a"), PurePosixPath("m", name): FileReplacement("", "x")}
            )
    assert _content(root) == OLD


def test_a_text_that_cannot_be_encoded_is_refused_before_anything_is_written(root: Path) -> None:
    with pytest.raises(UnsafeError, match="not Unicode"):
        write_changes(root, {A: FileReplacement("old a", "new a"), B: FileReplacement("old b", "\ud800")})
    assert _content(root) == OLD


# Failures: no temporary file stays


def test_a_file_in_place_of_the_directory_is_an_error(root: Path) -> None:
    with pytest.raises(UnsafeError, match=r"cannot write m/a\.md/x\.md: Not a directory"):
        write_changes(root, {PurePosixPath("m/a.md/x.md"): FileReplacement(None, "x")})
    assert _content(root) == OLD


def test_a_missing_directory_is_an_error(root: Path) -> None:
    with pytest.raises(ServiceError, match=r"cannot write none/x\.md: No such file or directory"):
        write_changes(root, {PurePosixPath("none/x.md"): FileReplacement(None, "x")})
    assert _content(root) == OLD


def test_a_name_that_the_disk_does_not_take_leaves_no_temporary_file(root: Path) -> None:
    with pytest.raises(OSError, match="too long"):
        write_file(root, PurePosixPath("m", "x" * 300), b"x")
    assert _content(root) == OLD


def test_a_failed_rename_leaves_no_temporary_file(root: Path) -> None:
    (root / "m" / "dir.md").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_file(root, PurePosixPath("m/dir.md"), b"x")
    assert _content(root) == OLD


def test_what_a_killed_run_left_behind_does_not_stop_the_next(root: Path) -> None:
    for name in (f".a.md.memci-{os.getpid()}", f".memci-{os.getpid()}"):
        (root / "m" / name).touch()
    write_changes(root, {A: FileReplacement("old a", "new a")})
    assert (root / A).read_text() == "new a"


def test_the_index_is_written_after_the_topics_whatever_comes_first(root: Path) -> None:
    index = PurePosixPath("MEMORY.md")
    (root / index).write_text("- [A](m/a.md) — a rule\n")
    nowhere = PurePosixPath("gone/b.md")
    changes = {
        index: FileReplacement("- [A](m/a.md) — a rule\n", ""),
        nowhere: FileReplacement(None, "a rule\n"),
    }
    with pytest.raises(ServiceError):
        write_changes(root, changes)
    assert (root / index).read_text() == "- [A](m/a.md) — a rule\n"
