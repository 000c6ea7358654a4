"""The writing side of git: nothing that a repository or the environment says makes it run or write elsewhere."""

import contextlib
import datetime as dt
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

from memci.errors import ServiceError, UnsafeError
from memci.git.remotes import open_remote
from memci.git.repository import Repository, TreeEntry, find_repository
from memci.git.writing import (
    Way,
    fetch,
    list_remote,
    move_ref,
    push,
    write_blob,
    write_commit,
    write_tree,
)
from tests.build import NOW
from tests.repository import Repo, make_repository

REF = "refs/heads/topic"
WHO = "memci <memci@example.org>"
TOKEN = "q3" * 20


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = make_repository(tmp_path / "repo")
    repo.write("a.md", "a\n")
    repo.commit()
    repo.run("init", "--quiet", "--bare", str(tmp_path / "bare"))
    repo.run("remote", "add", "origin", str(tmp_path / "bare"))
    return repo


def open_repository(repo: Repo) -> Repository:
    found = find_repository(repo.root)
    assert found is not None
    return found


def write_program(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def write_all(repository: Repository, when: dt.datetime = NOW) -> str:
    """Write a commit with one file on a new ref, and return it."""
    blob = TreeEntry("b.md", "100644", write_blob(repository, b"b\r\n"))
    parent = repository.resolve("HEAD")
    tree = write_tree(repository, {"m/b.md": blob, "a.md": None}, f"{parent}^{{tree}}")
    commit = write_commit(repository, tree, [parent], WHO, when, "Subject: \u00e4\n")
    move_ref(repository, REF, commit, "", "a reason")
    return commit


def test_a_commit_is_the_one_that_git_makes(repo: Repo) -> None:
    commit = write_all(open_repository(repo), dt.datetime(2026, 11, 16, 5, tzinfo=dt.timezone(dt.timedelta(hours=2))))
    who = {"NAME": "memci", "EMAIL": "memci@example.org", "DATE": "1794798000 +0200"}
    named = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    again = ("commit-tree", f"{commit}^{{tree}}", "-p", "HEAD", "-m", "Subject: \u00e4")
    assert repo.run(*again, **named) == commit
    assert repo.run("ls-tree", "-r", "--name-only", commit) == "m/b.md"
    assert repo.run("fsck", "--strict", "--no-dangling", commit) == ""


def test_the_encoding_that_somebody_configured_changes_no_commit(repo: Repo) -> None:
    repo.run("config", "i18n.commitEncoding", "ISO-8859-1")
    assert "encoding" not in repo.run("cat-file", "commit", write_all(open_repository(repo)))


def test_a_ref_moves_only_from_where_it_was_seen(repo: Repo) -> None:
    repository = open_repository(repo)
    commit = write_all(repository)
    head = repo.run("rev-parse", "HEAD")
    for old in ("", head):
        with pytest.raises(ServiceError, match="git update-ref failed: fatal: "):
            move_ref(repository, REF, head, old, "a reason")
    assert repo.run("rev-parse", REF) == commit
    assert "a reason" in repo.run("reflog", "show", REF)


def test_a_file_is_not_taken_for_a_directory(repo: Repo) -> None:
    entry = TreeEntry("x", "100644", "0" * 40)
    with pytest.raises(UnsafeError, match=r"a\.md is not a directory"):
        write_tree(open_repository(repo), {"a.md/x": entry}, "HEAD^{tree}")


def test_a_push_over_what_somebody_else_pushed_is_refused(repo: Repo, tmp_path: Path) -> None:
    repository = open_repository(repo)
    bare, way = Repo(tmp_path / "bare"), Way(repository, "origin")
    commit, head = write_all(repository), repo.run("rev-parse", "HEAD")
    assert push(way, REF, head, "").failure == ""
    for expected in ("", commit):
        answer = push(way, REF, commit, expected)
        assert "stale info" in "".join(answer.lines)
        assert answer.failure.startswith("error: ")
    assert bare.run("rev-parse", REF) == head
    assert push(way, REF, commit, head).failure == ""
    assert list_remote(way, REF).lines[0] == f"{commit}\t{REF}"
    assert push(way, REF, "", commit).failure == ""
    assert bare.run("for-each-ref") == ""


COMMANDS = (
    "alias.push", "alias.hash-object", "alias.update-ref", "core.fsmonitor", "core.sshCommand", "core.askPass",
    "core.pager", "core.editor", "core.alternateRefsCommand", "credential.helper", "diff.external", "filter.x.clean",
    "filter.x.process", "filter.x.smudge", "gpg.program", "remote.origin.receivepack", "remote.origin.uploadpack",
    "uploadpack.packObjectsHook",
)  # fmt: skip
HOOKS = ("pre-push", "reference-transaction", "post-index-change", "post-commit", "pre-auto-gc")


def arm(repo: Repo, tmp_path: Path, *, included: bool) -> Path:
    """Have everything that git can be told to run leave a mark, and return where."""
    sprung = tmp_path / "sprung"
    trap = write_program(tmp_path / "trap" / "trap.sh", f"echo \"$0 $*\" >> '{sprung}'\nexit 1")
    place = tmp_path / "more.conf" if included else repo.root / ".git" / "config"
    for key in COMMANDS:
        repo.run("config", "--file", str(place), key, f"!{trap}" if key.startswith("alias") else str(trap))
    for key in ("commit.gpgSign", "push.gpgSign", "core.logAllRefUpdates"):
        repo.run("config", "--file", str(place), key, "true")
    for name in HOOKS:
        (tmp_path / "trap" / name).symlink_to(trap)
    repo.run("config", "--file", str(place), "core.hooksPath", str(tmp_path / "trap"))
    if included:
        repo.run("config", "include.path", str(place))
    (repo.root / ".gitattributes").write_text("* filter=x\n")
    sprung.unlink(missing_ok=True)
    return sprung


@pytest.mark.parametrize("included", [False, True])
def test_nothing_that_the_repository_configures_is_run(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, included: bool
) -> None:
    sprung = arm(repo, tmp_path, included=included)
    repository = open_repository(repo)
    way, commit = Way(repository, "origin"), write_all(repository)
    assert push(way, REF, commit, "").failure == ""
    assert fetch(way, f"+{REF}:refs/memci/copy").failure == ""
    # Over ssh it is the person's own program.
    own = tmp_path / "own"
    write_program(tmp_path / "tools" / "ssh", f"touch '{own}'; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    repo.run("remote", "set-url", "origin", "ssh://git.invalid/a.git")
    assert list_remote(way, "HEAD").failure.startswith("fatal: ")
    assert (own.exists(), sprung.exists()) == (True, False)


def test_the_person_chooses_the_program_for_ssh(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.run("remote", "set-url", "origin", "ssh://git.invalid/a.git")
    way = Way(open_repository(repo), "origin")
    said = []
    for name in ("configured", "chosen"):
        program = write_program(tmp_path / name, f"echo '{name}' >&2; exit 1")
        if name == "configured":
            repo.run("config", "--file", str(tmp_path / "own.conf"), "core.sshCommand", str(program))
            monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own.conf"))
        else:
            monkeypatch.setenv("GIT_SSH_COMMAND", str(program))
        said.append(list_remote(way, "HEAD").failure.split("\n")[0])
    assert said == ["configured", "chosen"]


def test_publish_uses_the_key_that_a_checkout_step_left(repo: Repo, tmp_path: Path) -> None:
    repo.run("remote", "set-url", "origin", "ssh://git.invalid/a.git")
    program = write_program(tmp_path / "key", "echo 'fatal: with the key' >&2; exit 1")
    repo.run("config", "core.sshCommand", str(program))
    with pytest.raises(ServiceError, match="with the key"):
        open_remote(open_repository(repo), "origin").read_head("main")


def test_a_protocol_that_is_a_command_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.run("config", "protocol.ext.allow", "always")
    repo.run("config", f"url.ext::touch {tmp_path}/sprung ;.insteadOf", str(tmp_path / "bare"))
    assert push(Way(open_repository(repo), "origin"), REF, "HEAD", "").failure == "fatal: transport 'ext' not allowed"
    assert not (tmp_path / "sprung").exists()


SCRIPT = """
import sys
from pathlib import Path
from memci.git.repository import find_repository
from memci.git.writing import move_ref, write_blob
assert "git" not in sys.modules
repository = find_repository(Path.cwd())
print(write_blob(repository, b"text"))
move_ref(repository, "refs/heads/topic", repository.resolve("HEAD"), "", "a reason")
"""


def test_the_environment_leads_nowhere_else(repo: Repo, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    trap = write_program(tmp_path / "trap", f"touch '{tmp_path}/sprung'; exec git \"$@\"")
    places = {
        "GIT_DIR": ".git", "GIT_WORK_TREE": "", "GIT_INDEX_FILE": ".git/index", "GIT_OBJECT_DIRECTORY": ".git/objects",
        "GIT_COMMON_DIR": ".git", "GIT_NAMESPACE": "x",
    }  # fmt: skip
    wrong = {name: str(other.root / place) for name, place in places.items()}
    wrong |= {"GIT_PYTHON_GIT_EXECUTABLE": str(trap), "GIT_PYTHON_REFRESH": "nonsense", "GIT_PYTHON_TRACE": "full"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=repo.root,
        env=os.environ | wrong,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert repo.run("cat-file", "blob", done.stdout.strip()) == "text"
    assert repo.run("rev-parse", REF) == repo.run("rev-parse", "HEAD")
    assert other.run("count-objects") == "0 objects, 0 kilobytes"
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("name", ["$HOME", "~", "-C", "a b\udcff"])
def test_a_directory_is_the_one_of_this_name(tmp_path: Path, name: str) -> None:
    repo = make_repository(tmp_path / name)
    repo.write("a.md")
    repo.commit()
    commit = write_all(open_repository(repo))
    assert repo.run("rev-parse", REF) == commit


@pytest.mark.parametrize("kind", ["sha256", "worktree", "shallow"])
def test_every_kind_of_repository_is_written_to(repo: Repo, tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "sha256":
        repo.run("init", "--quiet", "--object-format=sha256", str(place))
        repo.run("init", "--quiet", "--object-format=sha256", "--bare", str(tmp_path / "remote"))
        Repo(place).write("a.md")
        Repo(place).commit()
    else:
        repo.commit("another")
        repo.run("init", "--quiet", "--bare", str(tmp_path / "remote"))
        way = ("worktree", "add", "--detach") if kind == "worktree" else ("clone", "--depth=1", f"file://{repo.root}")
        repo.run(*way, str(place))
    opened = open_repository(Repo(place))
    commit = write_all(opened)
    assert len(commit) == (64 if kind == "sha256" else 40)
    assert opened.shallow == (kind == "shallow")
    assert Repo(place).run("rev-parse", REF) == commit
    assert Repo(place).run("fsck", "--no-dangling") == ""
    Repo(place).run("remote", "add", "target", str(tmp_path / "remote"))
    # A remote takes no commit whose past is not there.
    assert bool(push(Way(opened, "target"), REF, commit, "").failure) == (kind == "shallow")


def list_processes(word: str) -> list[list[str]]:
    """Return the command lines of running programs that have a word in them."""
    lines = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    return [line for line in lines if any(word in part for part in line)]


def test_a_server_that_does_not_answer_is_left_with_all_that_waits_for_it(repo: Repo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a.git"
        repo.run("remote", "set-url", "origin", url)
        seen: list[list[str]] = []

        def listen() -> None:
            connection, _ = server.accept()
            seen.extend(list_processes(url))
            with connection:
                released.wait()

        released = threading.Event()
        thread = threading.Thread(target=listen)
        thread.start()
        answer = push(Way(open_repository(repo), "origin", seconds=5), REF, "HEAD", "")
        left = list_processes(url)
        released.set()
        thread.join()
    assert answer.failure == "error: no answer within 5 s"
    assert ([line[0] for line in seen if "remote-http" in "".join(line)] != [], left) == (True, [])


def test_a_helper_that_outlives_git_is_not_waited_for(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = tmp_path / "door"
    os.mkfifo(door)
    monkeypatch.setenv(
        "GIT_SSH_COMMAND", str(write_program(tmp_path / "ssh", f"(read x < '{door}') > /dev/null & exit 1"))
    )
    repo.run("remote", "set-url", "origin", "ssh://git.invalid/a.git")
    try:
        assert push(Way(open_repository(repo), "origin"), REF, "HEAD", "").failure.startswith("fatal: ")
    finally:
        # It waits for somebody who writes, and ends then.
        os.close(os.open(door, os.O_WRONLY))


@contextlib.contextmanager
def serve() -> Iterator[tuple[str, list[str]]]:
    """Refuse every request, and note how it logs in."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization", ""))
            self.send_error(403)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/a.git", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_token_reaches_the_server_and_no_list_of_processes(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = tmp_path / "listed"
    write_program(tmp_path / "tools" / "git", f"ps -A -o args= >> '{listed}'\nexec {shutil.which('git')} \"$@\"")
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    with serve() as (url, seen):
        repo.run("remote", "set-url", "origin", url)
        way = Way(open_repository(repo), "origin", secret=(f"http.{url}.extraHeader", f"Authorization: {TOKEN}"))
        answer = push(way, REF, "HEAD", "")
    assert set(seen) == {TOKEN}
    assert "403" in answer.failure
    assert "MEMCI_GIT_AUTHORIZATION" in listed.read_text()
    assert TOKEN not in listed.read_text() + answer.failure + repr(way)


def test_a_missing_git_is_said(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = open_repository(repo)
    write_blob(repository, b"")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "env").symlink_to(str(shutil.which("env")))
    monkeypatch.setenv("PATH", str(tmp_path / "tools"))
    with pytest.raises(ServiceError, match="git is not installed"):
        write_blob(repository, b"")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServiceError, match="git hash-object cannot be started"):
        write_blob(repository, b"")


def test_a_name_that_no_program_can_be_given_is_an_error_of_ours(repo: Repo) -> None:
    with pytest.raises(ServiceError, match="git update-ref cannot be started"):
        move_ref(open_repository(repo), "refs/heads/a\0b", "HEAD", "", "a reason")
