import errno
import os
from pathlib import Path, PurePosixPath

import pytest

from memci.git.safe_open import open_beneath


def _read(root: Path, path: str) -> bytes:
    descriptor = open_beneath(root, PurePosixPath(path), os.O_RDONLY)
    try:
        return os.read(descriptor, 100)
    finally:
        os.close(descriptor)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a directory with a file in it, a secret beside it, and links of every kind to the secret."""
    (tmp_path / "root" / "a" / "b").mkdir(parents=True)
    (tmp_path / "root" / "a" / "b" / "file").write_bytes(b"text")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_bytes(b"secret")
    (tmp_path / "root" / "file-link").symlink_to(tmp_path / "outside" / "secret")
    (tmp_path / "root" / "a" / "dir-link").symlink_to(tmp_path / "outside")
    (tmp_path / "root" / "inner-link").symlink_to("a/b/file")
    (tmp_path / "root" / "loop").symlink_to("loop")
    return tmp_path / "root"


def test_opens_files_and_directories_below_the_root(root: Path) -> None:
    assert _read(root, "a/b/file") == b"text"
    for directory in (".", "a", "a/b"):
        os.close(open_beneath(root, PurePosixPath(directory), os.O_RDONLY | os.O_DIRECTORY))


def test_the_root_itself_may_be_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(root)
    assert _read(tmp_path / "linked", "a/b/file") == b"text"


@pytest.mark.parametrize("path", ["file-link", "a/dir-link", "a/dir-link/secret", "inner-link", "loop", "loop/x"])
def test_links_are_refused_wherever_they_stand(root: Path, path: str) -> None:
    with pytest.raises(OSError) as caught:  # noqa: PT011 -- the number is looked at below
        os.close(open_beneath(root, PurePosixPath(path), os.O_RDONLY))
    assert caught.value.errno in {errno.ELOOP, errno.ENOTDIR}


@pytest.mark.parametrize("path", ["../outside/secret", "a/../../outside/secret", "..", "a/..", "/etc/hosts", "/"])
def test_ways_out_are_refused(root: Path, path: str) -> None:
    with pytest.raises(OSError, match="leads out"):
        os.close(open_beneath(root, PurePosixPath(path), os.O_RDONLY))


def test_no_descriptor_is_left_open(root: Path) -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208 -- counts what is open, not files
    for path in ("a/b/file", "a/b/none", "a/dir-link/secret", "none/none", "../x"):
        try:
            os.close(open_beneath(root, PurePosixPath(path), os.O_RDONLY))
        except OSError:
            continue
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208 -- as above
