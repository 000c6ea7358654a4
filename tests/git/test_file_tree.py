import contextlib
import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.git.file_tree import MAX_DEPTH, MAX_FILE_BYTES, CommitTree, WorkTree, decode, list_work_tree, read_commit
from memci.git.repository import find_repository
from memci.model.memory import Unread, Unreadable
from tests.broken import break_file
from tests.repository import Repo, make_repository

SCOPE = PurePosixPath(".claude/memory")
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 1\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


def _open(repo: Repo) -> WorkTree:
    return list_work_tree(repo.root, find_repository(repo.root))


@contextlib.contextmanager
def _opened_commit(repo: Repo, commit: str) -> Iterator[CommitTree]:
    repository = find_repository(repo.root)
    assert repository is not None
    yield read_commit(repository, commit)


def _names(items: object) -> list[str]:
    assert isinstance(items, list)
    return [str(item) if isinstance(item, PurePosixPath) else f"{item.path}: {item.reason}" for item in items]


def _reason(text: str | Unread) -> Unreadable:
    assert isinstance(text, Unread)
    return text.reason


# What a text is


@given(st.binary(max_size=200))
def test_decoding_and_encoding_again_changes_no_byte(data: bytes) -> None:
    text = decode(PurePosixPath("x"), data)
    assert isinstance(text, Unread) or text.encode("utf-8") == data


@given(st.text(max_size=200))
def test_every_text_in_utf8_is_read(text: str) -> None:
    if not text.startswith("version https://git-lfs"):
        encoded = text.encode("utf-8", "replace")
        assert decode(PurePosixPath("x"), encoded) == encoded.decode()


@pytest.mark.parametrize("data", [b"", b"\0", b"a\0b", b"\xef\xbb\xbfa\r\nb\r", "\u2028\x85\x1c".encode(), b"version "])
def test_leaves_odd_text_as_it_is(data: bytes) -> None:
    assert decode(PurePosixPath("x"), data) == data.decode()


@pytest.mark.parametrize(
    ("data", "reason", "detail"),
    [
        ("text".encode("utf-16"), Unreadable.NOT_UTF8, "line 1: invalid start byte"),
        (b"one\ntwo\nth\xe9ee", Unreadable.NOT_UTF8, "line 3: invalid continuation byte"),
        (b"\xed\xa0\x80", Unreadable.NOT_UTF8, "line 1: invalid continuation byte"),
        (LFS.encode(), Unreadable.LFS_POINTER, ""),
        (b"x" * (MAX_FILE_BYTES + 1), Unreadable.TOO_LARGE, "more than 2,000,000 bytes"),
    ],
)
def test_says_why_bytes_are_no_text(data: bytes, reason: Unreadable, detail: str) -> None:
    path = PurePosixPath("x")
    assert decode(path, data) == Unread(path, reason, detail)


def test_a_file_of_exactly_the_limit_is_read() -> None:
    assert isinstance(decode(PurePosixPath("x"), b"x" * MAX_FILE_BYTES), str)


# The work tree


def test_reads_regular_files_with_odd_names(repo: Repo) -> None:
    names = ["a b.md", "-rf.md", ":(exclude)*.md", "new\nline.md", "ünï/日本.md", os.fsdecode(b"\xff.md"), "%2e%2e.md"]
    for name in names:
        repo.write(f"{SCOPE}/{name}", name.encode("utf-8", "replace"))
    tree = _open(repo)
    below = tree.below(SCOPE)
    assert sorted(map(str, below)) == sorted(f"{SCOPE}/{name}" for name in names)
    assert tree.paths() == sorted(map(str, below))
    assert {tree.read(SCOPE / name) for name in names} == {name.encode("utf-8", "replace").decode() for name in names}


def test_links_are_named_and_never_read(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    repo.write("docs/real.md", "text")
    links = {
        "absolute.md": str(tmp_path / "secret.md"),
        "relative.md": "../../docs/real.md",
        "dangling.md": "nowhere",
        "loop.md": "loop.md",
        "directory": str(tmp_path),
    }
    for name, target in links.items():
        repo.link(f"{SCOPE}/{name}", target)
    tree = _open(repo)
    expected = [Unread(SCOPE / name, Unreadable.SYMLINK, target) for name, target in sorted(links.items())]
    assert tree.below(SCOPE) == expected
    assert [tree.read(item.path) for item in expected] == expected


def test_nothing_is_read_through_a_linked_directory(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    repo.link(".claude", tmp_path / "outside")
    repo.write("plain.md")
    tree = _open(repo)
    link = str(tmp_path / "outside")
    for path in (PurePosixPath(".claude/secret.md"), PurePosixPath(".claude/none/deep.md")):
        assert tree.read(path) == Unread(path, Unreadable.SYMLINK, link)
    assert tree.below(SCOPE) == [Unread(SCOPE, Unreadable.SYMLINK, link)]
    assert tree.below(PurePosixPath(".claude")) == [Unread(PurePosixPath(".claude"), Unreadable.SYMLINK, link)]


def test_a_pipe_does_not_hang(repo: Repo) -> None:
    repo.write(f"{SCOPE}/a.md", "text")
    os.mkfifo(repo.root / SCOPE / "pipe.md")
    tree = _open(repo)
    assert _names(tree.below(SCOPE)) == [f"{SCOPE}/a.md", f"{SCOPE}/pipe.md: not a regular file"]
    assert _reason(tree.read(SCOPE / "pipe.md")) is Unreadable.SPECIAL


def test_a_directory_in_place_of_the_index_is_named(repo: Repo) -> None:
    repo.write(f"{SCOPE}/MEMORY.md/inside.md", "text")
    tree = _open(repo)
    assert tree.below(SCOPE) == [Unread(SCOPE / "MEMORY.md", Unreadable.DIRECTORY)]
    assert _reason(tree.read(SCOPE / "MEMORY.md")) is Unreadable.DIRECTORY


def test_a_repository_in_the_scope_is_named_and_not_entered(repo: Repo) -> None:
    repo.write(f"{SCOPE}/a.md", "text")
    inner = make_repository(repo.root / SCOPE / "inner")
    inner.write("b.md", "text")
    assert _names(_open(repo).below(SCOPE)) == [f"{SCOPE}/a.md", f"{SCOPE}/inner: nested repository"]


def test_a_scope_that_is_its_own_repository_is_read_without_its_git_directory(repo: Repo) -> None:
    make_repository(repo.root / SCOPE).write("b.md", "text")
    assert _names(_open(repo).below(SCOPE)) == [f"{SCOPE}/b.md"]


def test_a_file_over_the_limit_is_not_read(repo: Repo) -> None:
    repo.write(f"{SCOPE}/large.md", b"x" * (MAX_FILE_BYTES + 1))
    # Sparse: reading all of it would take all memory.
    with (repo.root / SCOPE / "huge.md").open("wb") as file:
        file.truncate(1 << 40)
    tree = _open(repo)
    assert _reason(tree.read(SCOPE / "large.md")) is Unreadable.TOO_LARGE
    assert _reason(tree.read(SCOPE / "huge.md")) is Unreadable.TOO_LARGE


def test_absent_files_and_directories_are_absent(repo: Repo) -> None:
    repo.write("file.md", "text")
    tree = _open(repo)
    for path in ("none.md", "none/none.md", "file.md/below.md"):
        assert tree.read(PurePosixPath(path)) == Unread(PurePosixPath(path), Unreadable.ABSENT)
    assert tree.below(PurePosixPath("none")) == []
    assert tree.below(PurePosixPath("file.md")) == []


@pytest.mark.parametrize("path", ["../secret.md", "a/../../secret.md"])
def test_a_path_that_leads_out_is_not_read(repo: Repo, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.md").write_text("secret")
    repo.write("a/x.md")
    assert isinstance(_open(repo).read(PurePosixPath(path)), Unread)


@contextlib.contextmanager
def _without_privileges() -> Iterator[None]:
    """Give up root for a while, because root may read everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_what_may_not_be_read_is_named() -> None:
    # Not in tmp_path, whose parents are closed to everybody but their owner.
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "open.md").write_text("text")
        (root / "shut.md").write_text("text")
        (root / "shut").mkdir()
        (root / "shut" / "inside.md").write_text("text")
        (root / "shut.md").chmod(0)
        (root / "shut").chmod(0)
        tree = WorkTree(root)
        with _without_privileges():
            below = tree.below(PurePosixPath())
            texts = [tree.read(PurePosixPath(path)) for path in ("open.md", "shut.md", "shut/inside.md")]
        (root / "shut").chmod(0o755)
    assert _names(below) == ["open.md", "shut: no permission", "shut.md"]
    assert texts[0] == "text"
    assert [_reason(text) for text in texts[1:]] == [Unreadable.NO_PERMISSION] * 2


def test_paths_can_be_shown_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_text("text")
    (tmp_path / "link.md").symlink_to("/etc/hosts")
    shown = PurePosixPath("~/notes")
    tree = WorkTree(tmp_path, shown=shown)
    assert tree.below(shown) == [Unread(shown / "link.md", Unreadable.SYMLINK, "/etc/hosts"), shown / "sub" / "a.md"]
    assert tree.read(shown / "sub" / "a.md") == "text"


def test_a_plain_directory_is_walked_without_what_programs_put_there(tmp_path: Path) -> None:
    for path in ("b.md", "a/c.md", "node_modules/x/d.md", ".git/e.md", ".claude/memory/f.md", "a/.venv/g.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    assert list_work_tree(tmp_path, None).paths() == [".claude/memory/f.md", "a/c.md", "b.md"]


# A commit


def test_a_commit_names_links_and_submodules(repo: Repo, tmp_path: Path) -> None:
    repo.link(f"{SCOPE}/link.md", "/etc/hosts")
    repo.write(f"{SCOPE}/a.md", "text")
    other = make_repository(tmp_path / "other")
    other.commit()
    repo.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), f"{SCOPE}/module")
    with _opened_commit(repo, repo.commit()) as tree:
        assert _names(tree.below(SCOPE)) == [
            f"{SCOPE}/a.md",
            f"{SCOPE}/link.md: symbolic link",
            f"{SCOPE}/module: nested repository",
        ]
        assert _reason(tree.read(SCOPE / "link.md")) is Unreadable.SYMLINK
        assert _reason(tree.read(SCOPE / "module")) is Unreadable.NESTED_REPOSITORY
        assert _reason(tree.read(SCOPE / "none.md")) is Unreadable.ABSENT
        assert _reason(tree.read(SCOPE)) is Unreadable.ABSENT
        assert tree.below(SCOPE / "a.md") == []


def test_a_link_in_place_of_a_directory_is_named_in_a_commit_too(repo: Repo) -> None:
    repo.link(str(SCOPE), "/etc")
    with _opened_commit(repo, repo.commit()) as tree:
        assert _names(tree.below(SCOPE)) == [f"{SCOPE}: symbolic link"]


def test_a_commit_reads_the_same_as_its_clean_checkout(repo: Repo) -> None:
    files: dict[str, bytes] = {
        "MEMORY.md": b"# Index\n",
        "a-b/x.md": b"",
        "a/x.md": b"crlf\r\n",
        "a b.md": b"\xef\xbb\xbfbom",
        "-rf.md": b"\0",
        ":(exclude)*.md": b"magic",
        "new\nline.md": "日本".encode(),
        "bad.md": b"\xff",
        "lfs.md": LFS.encode(),
        "large.md": b"x" * (MAX_FILE_BYTES + 1),
        ".hidden/x.md": b"x",
        "data.json": b"{}",
    }
    for name, content in files.items():
        repo.write(f"{SCOPE}/{name}", content)
    repo.write("top.md", "text")
    repo.link("link.md", "top.md")
    commit = repo.commit()
    disk = _open(repo)
    with _opened_commit(repo, commit) as stored:
        assert list(stored.paths()) == list(disk.paths())
        for directory in (PurePosixPath(), PurePosixPath(".claude"), SCOPE, SCOPE / "a", PurePosixPath("none")):
            assert _names(stored.below(directory)) == _names(disk.below(directory))
        for path in map(PurePosixPath, disk.paths()):
            one, other = stored.read(path), disk.read(path)
            assert one == other or _reason(one) is _reason(other) is Unreadable.SYMLINK


def test_a_commit_is_read_as_it_was(repo: Repo) -> None:
    repo.write("a.md", "old")
    commit = repo.commit()
    repo.write("a.md", "new")
    repo.write("b.md", "new")
    with _opened_commit(repo, commit) as tree:
        assert list(tree.paths()) == ["a.md"]
        assert tree.read(PurePosixPath("a.md")) == "old"


def test_a_file_that_the_disk_does_not_give_back_is_named_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bad.md", "good.md"):
        (tmp_path / name).write_text("text")
    break_file(monkeypatch, "bad.md")
    tree = WorkTree(tmp_path)
    assert _names(tree.below(PurePosixPath())) == ["bad.md", "good.md"]
    assert tree.read(PurePosixPath("bad.md")) == Unread(
        PurePosixPath("bad.md"), Unreadable.FAILED, os.strerror(errno.EIO)
    )
    assert tree.read(PurePosixPath("good.md")) == "text"


def test_what_is_nested_too_deep_is_named_and_not_entered(repo: Repo) -> None:
    deepest = PurePosixPath("memory", *["d"] * MAX_DEPTH)
    repo.write(str(deepest / "here.md"), "text")
    repo.write(str(deepest / "d" / "d" / "not-here.md"), "text")
    expected = [f"{deepest}/d: nested too deep", f"{deepest}/here.md"]
    assert _names(_open(repo).below(PurePosixPath("memory"))) == expected
    with _opened_commit(repo, repo.commit()) as tree:
        assert _names(tree.below(PurePosixPath("memory"))) == expected


def test_a_directory_that_is_no_repository_may_be_nested_a_thousand_deep(tmp_path: Path) -> None:
    with contextlib.chdir(tmp_path):
        for _ in range(1_000):
            Path("d").mkdir()
            os.chdir("d")
        Path("x.md").touch()
    (tmp_path / "a.md").touch()
    try:
        assert list_work_tree(tmp_path, None).paths() == ["a.md"]
    finally:
        # Python's own walk recurses.
        subprocess.run(["rm", "-r", str(tmp_path / "d")], check=True)
