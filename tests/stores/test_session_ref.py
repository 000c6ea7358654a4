"""Sessions on a ref of their own, also when several clones write at once."""

import os
import random
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.repository import Repository, find_repository
from memci.stores.session_ref import add_files, resolve_ref
from tests.repository import Repo, make_repository

REF = "refs/heads/memci/sessions"


def open_repository(repo: Repo) -> Repository:
    found = find_repository(repo.root)
    assert found is not None
    return found


def make_clones(tmp_path: Path, number: int) -> tuple[Repo, list[Repo]]:
    origin = make_repository(tmp_path / "first")
    origin.write("a.txt", "a")
    origin.commit()
    bare = Repo(tmp_path / "bare.git")
    origin.run("clone", "--quiet", "--bare", str(origin.root), str(bare.root))
    clones = []
    for at in range(number):
        origin.run("clone", "--quiet", str(bare.root), str(tmp_path / f"clone{at}"))
        clones.append(Repo(tmp_path / f"clone{at}"))
    return bare, clones


def list_files(repo: Repo) -> list[str]:
    return [path for path in repo.run("ls-tree", "-r", "--name-only", REF).split("\n") if path != "README.md"]


def test_work_tree_index_and_branches_stay_as_they_are(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    repo.write("a.txt", "a")
    repo.commit()
    repo.write("b.txt", "not committed")
    before = (repo.run("status", "--porcelain"), repo.run("rev-parse", "HEAD", "main"))
    commit = add_files(open_repository(repo), REF, {PurePosixPath("2026-11/one.jsonl"): b"{}\n"})
    assert (repo.run("status", "--porcelain"), repo.run("rev-parse", "HEAD", "main")) == before
    assert repo.run("rev-parse", REF) == commit
    assert repo.run("show", f"{REF}:2026-11/one.jsonl") == "{}"
    assert repo.run("fsck", "--strict") == ""


def test_the_same_files_again_make_no_commit(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    files = {PurePosixPath("2026-11/one.jsonl"): b"{}\n"}
    assert add_files(open_repository(repo), REF, files) == add_files(open_repository(repo), REF, files)


def test_a_branch_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    repo.write("a.txt", "a")
    repo.commit()
    repo.run("branch", "work")
    with pytest.raises(UnsafeError, match="something other"):
        add_files(open_repository(repo), "refs/heads/work", {PurePosixPath("x.jsonl"): b""})
    with pytest.raises(UnsafeError, match="checked out"):
        resolve_ref(open_repository(repo), "main")
    with pytest.raises(UsageError, match="not a name that git allows"):
        resolve_ref(open_repository(repo), "a..b")
    repo.run("branch", "memci")
    with pytest.raises(ServiceError):
        add_files(open_repository(repo), REF, {PurePosixPath("x.jsonl"): b""})


def test_what_was_collected_without_a_push_is_pushed_later_together_with_that_of_others(tmp_path: Path) -> None:
    bare, (one, two) = make_clones(tmp_path, 2)
    add_files(open_repository(one), REF, {PurePosixPath("a/offline.jsonl"): b"1\n"})
    add_files(open_repository(two), REF, {PurePosixPath("a/other.jsonl"): b"2\n"}, remote="origin")
    add_files(open_repository(one), REF, {PurePosixPath("b/now.jsonl"): b"3\n"}, remote="origin")
    assert list_files(bare) == ["a/offline.jsonl", "a/other.jsonl", "b/now.jsonl"]
    assert [ref for ref in one.run("for-each-ref", "--format=%(refname)").split("\n") if "refs/memci" in ref] == []


def test_of_a_session_that_two_clones_have_the_longer_text_stays(tmp_path: Path) -> None:
    bare, (one, two) = make_clones(tmp_path, 2)
    path = PurePosixPath("a/same.jsonl")
    add_files(open_repository(one), REF, {path: b"1\n2\n3\n"}, remote="origin")
    add_files(open_repository(two), REF, {path: b"1\n"})
    add_files(open_repository(two), REF, {PurePosixPath("a/else.jsonl"): b"1\n"}, remote="origin")
    assert bare.run("show", f"{REF}:a/same.jsonl") == "1\n2\n3"


def test_many_at_once_in_one_repository_lose_nothing(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    paths = [PurePosixPath(f"2026-11/{at}.jsonl") for at in range(6)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda path: add_files(open_repository(repo), REF, {path: b"{}\n"}), paths))
    assert list_files(repo) == sorted(map(str, paths))


def test_a_push_between_reading_and_pushing_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare, (one, two) = make_clones(tmp_path, 2)
    theirs = add_files(open_repository(two), REF, {PurePosixPath("a/theirs.jsonl"): b"2\n"}, remote="origin")
    bare.run("update-ref", "refs/heads/kept", theirs)
    bare.run("update-ref", "-d", REF)
    # Just before the first push somebody else's arrives.
    real, flag, tools = shutil.which("git"), tmp_path / "flag", tmp_path / "tools"
    tools.mkdir()
    (tools / "git").write_text(
        f"#!/bin/sh\ncase \" $* \" in *' push '*) [ -e '{flag}' ] || {{ touch '{flag}'; "
        f"'{real}' --git-dir='{bare.root}' update-ref {REF} {theirs}; }};; esac\nexec '{real}' \"$@\"\n"
    )
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    add_files(open_repository(one), REF, {PurePosixPath("a/ours.jsonl"): b"1\n"}, remote="origin")
    assert flag.exists()
    assert list_files(bare) == ["a/ours.jsonl", "a/theirs.jsonl"]


def test_nothing_that_the_repository_configures_is_run(tmp_path: Path) -> None:
    _, (repo,) = make_clones(tmp_path, 1)
    trap = tmp_path / "trap.sh"
    sprung = tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{sprung}'\nexec cat\n")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    for name in ("pre-push", "reference-transaction", "pre-commit", "post-commit", "commit-msg", "post-index-change"):
        (repo.root / ".git" / "hooks").mkdir(exist_ok=True)
        (repo.root / ".git" / "hooks" / name).symlink_to(trap)
    for key in (
        "filter.x.clean", "filter.x.process", "core.fsmonitor", "core.sshCommand", "core.askPass", "credential.helper",
        "remote.origin.uploadpack", "remote.origin.receivepack", "gpg.program", "core.alternateRefsCommand",
        "core.pager", "core.editor", "diff.external",
    ):  # fmt: skip
        repo.run("config", key, str(trap))
    repo.run("config", "commit.gpgSign", "true")
    repo.run("config", "push.gpgSign", "if-asked")
    repo.write(".gitattributes", "* filter=x\n")
    sprung.unlink(missing_ok=True)
    add_files(open_repository(repo), REF, {PurePosixPath("a/one.jsonl"): b"{}\n"}, remote="origin")
    assert not sprung.exists()


def test_a_remote_that_runs_a_command_is_refused(tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "here")
    sprung = tmp_path / "sprung"
    repo.run("remote", "add", "origin", f"ext::touch {sprung}")
    files = {PurePosixPath("a/one.jsonl"): b"{}\n"}
    with pytest.raises(ServiceError, match="ls-remote"):
        add_files(open_repository(repo), REF, files, remote="origin")
    repo.run("config", "remote.origin.vcs", "evil")
    with pytest.raises(ServiceError, match="no remote"):
        add_files(open_repository(repo), REF, files, remote="origin")
    with pytest.raises(ServiceError, match="no remote"):
        add_files(open_repository(repo), REF, files, remote="--upload-pack=touch")
    assert not sprung.exists()


def test_no_message_holds_what_an_address_holds(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    word = "".join(random.Random(4).choices("abcdefghjkmnpqrstuvwxyz23456789", k=24))
    address = f"http://ines:{word}@127.0.0.1:1/shop.git"
    repo.run("remote", "add", "origin", address)
    for remote in ("origin", address):
        with pytest.raises(ServiceError) as caught:
            add_files(open_repository(repo), REF, {PurePosixPath("x.jsonl"): b""}, remote=remote)
        assert word not in caught.value.message + caught.value.hint


def test_a_partial_clone_can_add_a_session(tmp_path: Path) -> None:
    bare, (one,) = make_clones(tmp_path, 1)
    bare.run("config", "uploadpack.allowFilter", "true")
    add_files(open_repository(one), REF, {PurePosixPath("a/one.jsonl"): b"1\n"}, remote="origin")
    one.run("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{bare.root}", str(tmp_path / "partial"))
    partial = Repo(tmp_path / "partial")
    add_files(open_repository(partial), REF, {PurePosixPath("a/two.jsonl"): b"2\n"}, remote="origin")
    assert list_files(bare) == ["a/one.jsonl", "a/two.jsonl"]


def test_a_remote_that_takes_no_push_is_an_error_and_the_session_is_kept_here(tmp_path: Path) -> None:
    bare, (repo,) = make_clones(tmp_path, 1)
    hook = bare.root / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(ServiceError, match="git push to origin failed"):
        add_files(open_repository(repo), REF, {PurePosixPath("a/one.jsonl"): b"{}\n"}, remote="origin")
    assert list_files(repo) == ["a/one.jsonl"]
