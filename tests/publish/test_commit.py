"""Commits from plumbing: only the named files change, and only memci's own commits are taken for its own."""

from pathlib import Path, PurePosixPath

import pytest

from memci.errors import UnsafeError
from memci.git.repository import Repository, find_repository
from memci.publish.commit import Proposal, build_proposal, digest_changes, read_proposal, render_patch
from tests.build import NOW
from tests.repository import Repo, make_repository

Files = dict[PurePosixPath, bytes | None]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = make_repository(tmp_path / "repo")
    repo.write("a/b/one.md", "1\n")
    repo.write("a/b/two.md", "2\n").chmod(0o755)
    repo.write("c.md", "c\n")
    repo.link("link", "c.md")
    repo.commit()
    return repo


def open_repository(repo: Repo) -> Repository:
    repository = find_repository(repo.root)
    assert repository is not None
    return repository


def build(repo: Repo, files: dict[str, bytes | None], subject: str = "Subject") -> Proposal:
    named: Files = {PurePosixPath(path): data for path, data in files.items()}
    return build_proposal(open_repository(repo), repo.run("rev-parse", "HEAD"), named, subject, NOW)


def test_only_the_named_files_change_and_modes_stay(repo: Repo) -> None:
    made = build(repo, {"a/b/two.md": b"zwei\r\n", "a/new/x.md": b"x", "a/b/one.md": None})
    changes = repo.run("diff-tree", "-r", "--no-renames", made.parent, made.commit).split("\n")
    assert [(line.split()[0], line.split()[1], line.split()[4], line.split("\t")[1]) for line in changes] == [
        (":100644", "000000", "D", "a/b/one.md"),
        (":100755", "100755", "M", "a/b/two.md"),
        (":000000", "100644", "A", "a/new/x.md"),
    ]
    assert repo.run("show", f"{made.commit}:a/b/two.md") == "zwei"
    assert repo.run("fsck", "--strict", "--no-dangling", made.commit) == ""
    assert repo.run("status", "--porcelain") == ""
    assert repo.run("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_a_directory_that_becomes_empty_is_gone(repo: Repo) -> None:
    made = build(repo, {"a/b/one.md": None, "a/b/two.md": None})
    assert repo.run("ls-tree", "--name-only", made.commit) == "c.md\nlink"


def test_the_same_input_makes_the_same_commit(repo: Repo) -> None:
    assert build(repo, {"c.md": b"d"}) == build(repo, {"c.md": b"d"})


@pytest.mark.parametrize("path", ["link", "link/x.md", "c.md/x.md"])
def test_what_is_no_file_is_not_replaced(repo: Repo, path: str) -> None:
    with pytest.raises(UnsafeError):
        build(repo, {path: b"x"})


def test_g17_the_message_is_a_template_and_hexadecimal(repo: Repo) -> None:
    made = build(repo, {"c.md": b"d"}, "Consolidate memory: 1 change in 1 scope")
    lines = repo.run("log", "-1", "--format=%B", made.commit).split("\n")
    assert lines == [
        "Consolidate memory: 1 change in 1 scope",
        "",
        f"Memci-Digest: {made.digest}",
        f"Memci-Tree: {made.tree}",
    ]


def test_memci_knows_its_own_commit_and_no_other(repo: Repo) -> None:
    repository = open_repository(repo)
    made = build(repo, {"c.md": b"d"})
    assert read_proposal(repository, made.commit) == made
    assert read_proposal(repository, made.parent) is None
    repo.run("checkout", "--quiet", "--detach", made.commit)
    repo.run("commit", "--quiet", "--amend", "--no-edit")
    assert read_proposal(repository, repo.run("rev-parse", "HEAD")) is None
    # Even under memci's name another tree is not memci's.
    repo.write("c.md", "e")
    who = {"NAME": "memci", "EMAIL": "memci@users.noreply.github.com"}
    names = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    repo.run("commit", "--quiet", "--amend", "--all", "--no-edit", "--reset-author", **names)
    assert read_proposal(repository, repo.run("rev-parse", "HEAD")) is None


def test_the_digest_does_not_know_the_state_file_nor_what_lies_around() -> None:
    one = digest_changes({"m/a.md": ("1", "2")})
    assert one == digest_changes({"m/a.md": ("1", "2"), "m/.memci.json": ("3", "4")})
    assert (
        len({one, digest_changes({"m/a.md": ("1", "3")}), digest_changes({"n/a.md": ("1", "2")}), digest_changes({})})
        == 4
    )


def test_the_patch_can_be_applied(repo: Repo) -> None:
    made = build(repo, {"c.md": b"\0binary\xff", "a/b/one.md": None, "a/b/x.md": b"x"})
    (repo.root / ".git" / "p").write_bytes(render_patch(open_repository(repo), made))
    repo.run("apply", "--index", ".git/p")
    assert repo.run("write-tree") == made.tree
