"""Names that are no branches are bad usage, wherever they come from, and nothing is asked or touched."""

from pathlib import Path

import pytest

from tests.commands.dreams import NOW as AT
from tests.commands.dreams import write_session
from tests.commands.run import memci
from tests.fakes.forge import FakeForge
from tests.gate import in_gate
from tests.publish.scenes import PNPM, dream_into, make_memory
from tests.publish.stage import publish
from tests.repository import Repo

NO_BRANCHES = [
    "HEAD",
    "head",
    "FETCH_HEAD",
    "@",
    "-f",
    "--delete",
    "refs/heads/memci/dream",
    "refs/tags/v1",
    "refs/heads/refs/heads/x",
    "Refs/heads/x",
    "0" * 40,
    "memci/\u202emaerd",
    "memci/dre\u200bam",
    "memci/\u2066dream\u2069",
    "memci/dream\u3164",
    "memci/dream\u00a0",
    "memci/dream\u2800",
    "memci/dream\ufe0f",
    "memci/dream.lock",
    "memci//dream",
    "/memci",
    "memci/",
    ".memci",
    "a..b",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a\\b",
    "a@{1}",
    "a\x07",
    "",
]


@pytest.fixture
def bundle(tmp_path: Path, repo: Repo) -> Path:
    return dream_into(tmp_path / "bundle", repo, PNPM)


@pytest.mark.parametrize("name", NO_BRANCHES)
def test_a_branch_that_is_none_is_bad_usage_and_nothing_is_asked(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, name: str
) -> None:
    # Were the bundle read first, it would be missing.
    done = publish(capsys, repo, "nowhere", f"--branch={name}")
    assert (done.code, forge.seen) == (2, [])
    assert "the branch" in done.err
    assert done.err.isascii()


@pytest.mark.parametrize("name", ["HEAD", "@", "refs/tags/v1", "memci/dre\u200bam"])
def test_names_are_refused_wherever_they_come_from(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    repo: Repo,
    forge: FakeForge,
    name: str,
) -> None:
    sessions = write_session(tmp_path / "sessions", "s1", "always use pnpm for the front end").parent
    common = ("--engine", "local", "--force", *AT, "--transcripts", str(sessions))
    told = memci(capsys, repo.root, "dream", "--pr", *common, f"--branch={name}")
    monkeypatch.setenv("MEMCI_DREAM_BRANCH", name)
    dreamt = memci(capsys, repo.root, "dream", "--pr", *common)
    monkeypatch.setenv("MEMCI_PUBLISH_BRANCH", name)
    published = publish(capsys, repo, "nowhere")
    assert [done.code for done in (told, dreamt, published)] == [2, 2, 2]
    assert all("the branch" in done.err for done in (told, dreamt, published))
    assert forge.seen == []


@pytest.mark.parametrize(
    "name", in_gate(["memci/dream", "bücher", "x/HEAD/y", "メモリ", "a-b_c.d", "head/x", "user@work", "v1"], 3)
)
def test_ordinary_names_stay_allowed(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, bundle: Path, name: str
) -> None:
    done = publish(capsys, repo, bundle, "--branch", name)
    assert (done.code, done.json["result"]) == (0, "created"), done.err
    assert forge.head(name)


def test_the_base_may_be_named_as_ci_does(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, bundle: Path
) -> None:
    assert publish(capsys, repo, bundle, "--base", "HEAD").code == 2
    assert forge.writes() == []
    assert publish(capsys, repo, bundle, "--base", "refs/heads/main").json["base"] == "main"


def test_the_default_branch_is_not_moved_though_another_is_the_base(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, bundle: Path
) -> None:
    forge.git("branch", "next", "main")
    before = forge.head("main")
    # The clone does not know which branch is the default one.
    done = publish(capsys, repo, bundle, "--base", "next", "--branch", "main")
    assert (done.code, forge.writes(), forge.head("main")) == (2, [], before)
    assert "main is the default branch" in done.err
    # This one does, and asks nobody.
    repo.run("fetch", "--quiet", str(forge.bare), "+refs/heads/*:refs/remotes/origin/*")
    repo.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    forge.seen.clear()
    done = publish(capsys, repo, "nowhere", "--base", "next", "--branch", "main")
    assert (done.code, forge.seen) == (2, [])
    assert "main is the default branch" in done.err


@pytest.mark.parametrize("name", [*NO_BRANCHES, "refs/replace/x", "refs/memci/x", "trunk"])
def test_sessions_go_to_branches_only(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    repo = make_memory(tmp_path / "repo")
    repo.run("update-ref", "refs/remotes/origin/trunk", "HEAD")
    repo.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    transcript = write_session(tmp_path / "sessions", "s1", "always use pnpm")
    before = repo.run("for-each-ref")
    done = memci(capsys, repo.root, "collect", "--transcript", str(transcript), "--to", f"git:{name}")
    assert (done.code, repo.run("for-each-ref")) == (2, before), done.err
    assert done.err.isascii()
    if name != "trunk":
        install = memci(capsys, repo.root, "collect", "--install", "--write", "--to", f"git:{name}")
        assert (install.code, (repo.root / ".claude/settings.json").exists()) == (2, False)
