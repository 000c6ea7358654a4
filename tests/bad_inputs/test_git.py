"""Hostile repositories; the ids are those of the case list."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memci.errors import Exit
from tests.bad_inputs.stage import PWNED, SCOPE, Make, Stage, body, examine, secret
from tests.build import topic_text
from tests.commands.run import check, memci
from tests.commands.test_artifacts import find_sessions, read, upload
from tests.fakes.forge import FakeForge, Seen
from tests.fakes.forge_github import FakeGitHub
from tests.publish.scenes import PNPM, PROJECT, dream_into
from tests.publish.stage import BRANCH, clone_memory, publish, push_as_person
from tests.repository import Repo, make_repository

BARE = (
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ../../..\n\tfsmonitor = "touch {0}; false"\n'
)


def embed_repository(repo: Repo) -> None:
    for directory in ("objects", "refs"):
        repo.write(f"{SCOPE}/{directory}/.k", "x")
    repo.write(f"{SCOPE}/HEAD", "ref: refs/heads/main\n")
    repo.write(f"{SCOPE}/config", BARE.format(repo.root.parent / PWNED))


def configure_filters(repo: Repo) -> None:
    repo.write(f"{SCOPE}/.gitattributes", "*.md filter=x diff=x\n")
    for key in ("filter.x.clean", "filter.x.smudge", "diff.x.textconv", "diff.external", "core.pager"):
        repo.run("config", key, f"touch {repo.root.parent / PWNED}")


def add_hook(repo: Repo) -> None:
    hook = repo.root / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {repo.root.parent / PWNED}\n")
    hook.chmod(0o755)


def nest_repository(repo: Repo) -> None:
    make_repository(repo.root / SCOPE / "sub")


# Case, what is done to the repository, the exit code, and the rules that must be among the findings.
CASES: list[tuple[str, Make, int, set[str]]] = [
    ("M44", embed_repository, 0, set()),
    ("M45", configure_filters, 0, set()),
    ("M46", nest_repository, 1, {"unreadable"}),
    ("S22", lambda repo: repo.run("remote", "add", "origin", f"https://x:{secret()}@github.com/a/b.git"), 0, set()),
    ("G03", body("fixes #1, closes GH-2, resolves acme/app#3"), 0, set()),
    ("G10", body("{{ 7*7 }} {{ cycler.__init__.__globals__ }}"), 0, set()),
    ("G11", body("::add-mask::x\n::error file=a::b\n::stop-commands::t\n##[group]x"), 0, set()),
    ("G14", body("\x1b]0;x\x07\x1b[2J\x1b[31mred"), 1, {"hidden-text"}),
    ("G19", lambda repo: repo.write(".git/index.lock", ""), 0, set()),
    ("G20", lambda repo: repo.run("checkout", "--quiet", "--detach"), 0, set()),
    ("G21", add_hook, 0, set()),
]


@pytest.mark.parametrize(("make", "code", "rules"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_hostile_repository_is_checked_and_nothing_runs(
    repo: Repo, capsys: pytest.CaptureFixture[str], make: Make, code: int, rules: set[str]
) -> None:
    make(repo)
    done = examine(capsys, repo, code, rules)
    assert rules or done.findings == []


@pytest.mark.parametrize("case", ["M44", "M45", "G21"])
def test_a_dream_runs_nothing_either(stage: Stage, case: str) -> None:
    next(make for name, make, _, _ in CASES if name == case)(stage.repo)
    assert stage.dream().code == Exit.DONE
    assert not (stage.place.parent / PWNED).exists()


def test_g16_a_revision_that_is_an_option(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = check(capsys, repo.root, f"--since=--output={repo.root.parent / PWNED}")
    assert done.code == Exit.USAGE
    for arguments in (("review", f"--base=--output={PWNED}"), ("signals", f"--transcripts=git:--output={PWNED}")):
        assert memci(capsys, repo.root, *arguments).code == Exit.USAGE
    assert not (repo.root.parent / PWNED).exists()
    assert not (repo.root / PWNED).exists()


# The case asks for one code whenever a ref has moved. memci tells three situations apart; none loses a commit.
def test_f11_a_commit_made_here_since_the_dream_stops_the_publication(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeForge
) -> None:
    repo = clone_memory(tmp_path / "clone", forge)
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    mine = repo.commit("meanwhile")
    done = publish(capsys, repo, bundle)
    assert done.code == Exit.USAGE
    assert "is not what is checked out" in done.err
    assert (repo.run("rev-parse", "HEAD"), forge.writes(), forge.head(BRANCH)) == (mine, [], "")


def test_f11_memory_changed_on_the_base_since_the_dream_stops_the_publication(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeForge
) -> None:
    repo = clone_memory(tmp_path / "clone", forge)
    bundle = dream_into(tmp_path / "bundle", repo, PNPM, scope=PROJECT)
    other = make_repository(tmp_path / "other")
    other.run("fetch", "--quiet", str(forge.bare), "main")
    other.run("checkout", "--quiet", "FETCH_HEAD")
    other.write(f"{PROJECT}/releases.md", topic_text("Releases go out on Monday.", name="releases"))
    theirs = other.commit("theirs")
    other.run("push", "--quiet", str(forge.bare), "HEAD:refs/heads/main")
    done = publish(capsys, repo, bundle)
    assert done.code == Exit.UNSAFE
    assert f"{PROJECT}/releases.md changed on main since the dream" in done.err
    assert (forge.head("main"), forge.writes(), forge.head(BRANCH)) == (theirs, [], "")


def test_f11_a_branch_that_moves_at_the_last_moment_keeps_the_commit_of_the_other(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeForge
) -> None:
    repo = clone_memory(tmp_path / "clone", forge)
    assert publish(capsys, repo, dream_into(tmp_path / "first", repo)).code == Exit.DONE
    assert publish(capsys, repo, dream_into(tmp_path / "second", repo, PNPM)).code == Exit.DONE
    theirs: list[str] = []

    def intrude(seen: Seen) -> None:
        if seen.query.get("service") == "git-receive-pack" and not theirs:
            theirs.append(push_as_person(forge, tmp_path))

    forge.gate = intrude
    done = publish(capsys, repo, dream_into(tmp_path / "third", repo, PNPM, scope=PROJECT))
    assert done.code == Exit.UNSAFE
    assert [forge.head(BRANCH)] == theirs


# The case wants one refusal. A bundle without a manifest is none (2, as any path that is not there); a damaged one is
# unsafe (5). Nothing is pushed either way.
@pytest.mark.parametrize(
    ("spoil", "code", "said"),
    [
        (lambda target: (target / "manifest.json").unlink(), Exit.USAGE, "bundle"),
        (lambda target: (target / "manifest.json").write_bytes(b""), Exit.UNSAFE, "manifest.json"),
        (
            lambda target: (target / "manifest.json").write_bytes((target / "manifest.json").read_bytes()[:-40]),
            Exit.UNSAFE,
            "manifest.json",
        ),
    ],
    ids=["F15 no manifest", "F15 empty manifest", "F15 cut manifest"],
)
def test_an_upload_that_was_interrupted_is_not_published(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    forge: FakeForge,
    spoil: Callable[[Path], object],
    code: Exit,
    said: str,
) -> None:
    repo = clone_memory(tmp_path / "clone", forge)
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    spoil(bundle)
    for option in ("--validate", "--dry-run", "--draft"):
        done = publish(capsys, repo, bundle, option)
        assert (done.code, said in done.err) == (code, True), done.err
    assert (forge.writes(), forge.head(BRANCH)) == ([], "")


def test_z17_what_the_run_of_a_fork_uploaded_under_the_same_name_is_not_fetched(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, forge: FakeGitHub
) -> None:
    repo = clone_memory(tmp_path / "clone", forge)
    upload(forge, 1, name="claude-session")
    upload(forge, 2, name="claude-session", head_repository=666)
    upload(forge, 3, name="claude-session", branch="feature")
    # The case refuses the run. What is trusted is read, and the rest is told and never asked for.
    for place in ("artifact:claude-*", "artifact:claude-session"):
        done = read(capsys, repo, place)
        assert (done.code, find_sessions(done)) == (Exit.DONE, {"s1"})
        assert "1 from forks" in done.err
    assert not any(f"/{number}/zip" in seen.path for number in (2, 3) for seen in forge.seen)
