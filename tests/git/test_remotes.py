"""Talking to a remote: what it says about a refusal is shown, the token it may quote is not."""

import base64
from pathlib import Path

import pytest

from memci.errors import ServiceError, UnsafeError
from memci.git.remotes import Remote, open_remote
from memci.git.repository import find_repository
from tests.repository import Repo, make_repository

TOKEN = "q3" * 20
LOGIN = f"oauth2:{TOKEN}"
ENCODED = base64.b64encode(LOGIN.encode()).decode()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = make_repository(tmp_path / "repo")
    repo.write("a.txt", "a")
    repo.commit()
    repo.run("init", "--quiet", "--bare", str(tmp_path / "bare"))
    repo.run("remote", "add", "origin", str(tmp_path / "bare"))
    return repo


def refuse(bare: Path, words: str) -> None:
    """Have a remote refuse every push with these words."""
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
    hook.chmod(0o755)


@pytest.mark.parametrize("quoted", [TOKEN, f"Authorization: Basic {ENCODED}", f"Basic {ENCODED} is no login"])
def test_a_remote_that_quotes_the_token_is_not_quoted(repo: Repo, tmp_path: Path, quoted: str) -> None:
    refuse(tmp_path / "bare", f"you may not push here: {quoted}")
    repository = find_repository(repo.root)
    assert repository is not None
    remote = Remote(repository, "origin", str(tmp_path / "bare"), LOGIN)
    with pytest.raises(ServiceError, match="you may not push here") as caught:
        remote.push("memci/dream", repo.run("rev-parse", "HEAD"), "")
    assert TOKEN not in caught.value.message
    assert ENCODED not in caught.value.message


def test_the_default_branch_of_a_remote_is_found(repo: Repo, tmp_path: Path) -> None:
    repository = find_repository(repo.root)
    assert repository is not None
    remote = Remote(repository, "origin", str(tmp_path / "bare"))
    assert remote.read_default() == ""
    repo.run("push", "--quiet", "origin", "HEAD:refs/heads/trunk/one")
    repo.run("--git-dir", str(tmp_path / "bare"), "symbolic-ref", "HEAD", "refs/heads/trunk/one")
    assert remote.read_default() == "trunk/one"


@pytest.mark.parametrize(
    "name", ["http.cookieFile", "http.https://a.example/.proxy", "http.sslVerify", "remote.x.proxy"]
)
def test_settings_of_the_repository_that_divert_a_login_are_refused(repo: Repo, name: str) -> None:
    repo.run("remote", "set-url", "origin", "https://a.example/b.git")
    repo.run("config", name, "x")
    found = find_repository(repo.root)
    assert found is not None
    with pytest.raises(UnsafeError, match=r"git settings"):
        open_remote(found, "origin").read_head("main")
