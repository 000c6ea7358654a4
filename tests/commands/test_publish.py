"""`memci publish` from end to end: real git over HTTP, and a forge that holds the same repository."""

import datetime as dt
import os
import re
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from memci.model.plan import PlanStatus, ScopePlan
from memci.model.session import Signal
from memci.publish.bundle import write_bundle
from tests.build import NOW, topic_text
from tests.commands.run import memci
from tests.fakes.forge import FakeForge, Fault, Pull, Seen
from tests.fakes.forge_github import make_github
from tests.gate import in_gate
from tests.publish.scenes import PNPM, PROJECT, REVIEWER, TABS, dream, dream_into, pack
from tests.publish.stage import BRANCH, KINDS, TOMORROW, make_token, publish, push_as_person
from tests.repository import Repo, make_repository


@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_the_life_of_a_pull_request(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    quiet = publish(capsys, repo, dream_into(tmp_path / "quiet", repo))
    assert (quiet.code, quiet.json["result"], forge.writes()) == (0, "none", [])

    options = ("--label", "memory", "--label", "memci: dream", "--reviewer", "mara")
    first = publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM), *options)
    assert (first.code, first.json["result"]) == (0, "created")
    (pull,) = forge.pulls
    assert first.json["number"] == pull.number
    assert str(pull.number) in first.json["url"]
    assert (pull.head, pull.base, pull.draft, pull.labels) == (BRANCH, "main", False, ["memory", "memci: dream"])
    assert pull.reviewers == ["mara"]
    assert forge.head(BRANCH) == first.json["commit"]
    assert forge.git("rev-list", "--parents", "-1", BRANCH).split(" ")[1:] == [repo.run("rev-parse", "HEAD")]
    files = forge.git("diff", "--name-only", "main", BRANCH).split("\n")
    assert f"{REVIEWER}/MEMORY.md" in files
    assert all(file.startswith(f"{REVIEWER}/") for file in files)

    forge.seen.clear()
    again = publish(capsys, repo, dream_into(tmp_path / "again", repo, PNPM, now=TOMORROW), *options)
    assert (again.code, again.json["result"], again.json["commit"]) == (0, "not-updated", first.json["commit"])
    assert forge.writes() == []

    more = publish(capsys, repo, dream_into(tmp_path / "more", repo, PNPM, TABS, now=TOMORROW), *options)
    assert (more.code, more.json["result"]) == (0, "updated")
    assert forge.head(BRANCH) == more.json["commit"] != first.json["commit"]
    assert len(forge.pulls) == 1
    assert "generated" in pull.body

    over = publish(capsys, repo, dream_into(tmp_path / "over", repo, now=TOMORROW))
    assert (over.code, over.json["result"]) == (0, "closed")
    assert (pull.state, pull.merged, forge.head(BRANCH)) == ("closed", False, "")

    # Memci closed it, so nobody declined anything.
    anew = publish(capsys, repo, dream_into(tmp_path / "anew", repo, PNPM, TABS))
    assert (anew.json["result"], len(forge.pulls)) == ("created", 2)
    forge.pulls[1].state = "closed"
    declined = publish(capsys, repo, dream_into(tmp_path / "declined", repo, PNPM, TABS, now=TOMORROW))
    assert (declined.code, declined.json["result"], len(forge.open_pulls())) == (0, "declined", 0)
    other = publish(capsys, repo, dream_into(tmp_path / "other", repo, TABS))
    assert (other.json["result"], len(forge.open_pulls())) == ("created", 1)

    forge.merge(forge.open_pulls()[0])
    repo.run("pull", "--quiet", str(forge.bare), "main")
    merged = publish(capsys, repo, dream_into(tmp_path / "merged", repo))
    assert (merged.json["result"], forge.head(BRANCH)) == ("none", "")
    after = publish(capsys, repo, dream_into(tmp_path / "after", repo, PNPM))
    assert (after.json["result"], len(forge.open_pulls())) == ("created", 1)


@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_a_commit_of_a_person_on_the_branch_stops_memci(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM))
    theirs = push_as_person(forge, tmp_path)
    second = dream_into(tmp_path / "second", repo, PNPM, TABS)
    for _ in range(2):
        done = publish(capsys, repo, second)
        assert (done.code, done.json["result"], forge.head(BRANCH)) == (5, "blocked", theirs)
    (pull,) = forge.pulls
    (comment,) = pull.comments.values()
    assert "memci:rebase" in comment
    nothing = publish(capsys, repo, dream_into(tmp_path / "nothing", repo))
    assert (nothing.code, nothing.json["result"], pull.state) == (5, "blocked", "open")

    pull.labels.append("memci:rebase")
    done = publish(capsys, repo, second)
    assert (done.code, done.json["result"], forge.head(BRANCH)) == (0, "updated", done.json["commit"])
    assert pull.labels == []


def merge_squashed(forge: FakeForge, pull: Pull) -> None:
    """Merge as one new commit, as many teams do: the commits of the branch are then in no history."""
    tree, parent = forge.git("rev-parse", f"{pull.head}^{{tree}}"), forge.head(pull.base)
    made = forge.git("-c", "user.name=m", "-c", "user.email=m@x", "commit-tree", tree, "-p", parent, "-m", "squashed")
    forge.git("update-ref", f"refs/heads/{pull.base}", made)
    pull.state, pull.merged = "closed", True


@pytest.mark.parametrize("squash", in_gate([True, False]))
@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_what_a_person_added_is_in_nobodys_way_once_it_is_merged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, *, squash: bool
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM))
    theirs = push_as_person(forge, tmp_path)
    # Nobody deletes the branch.
    merge = merge_squashed if squash else FakeForge.merge
    merge(forge, forge.pulls[0])
    repo.run("pull", "--quiet", str(forge.bare), "main")
    assert forge.head(BRANCH) == theirs
    done = publish(capsys, repo, dream_into(tmp_path / "second", repo, TABS))
    assert (done.code, done.json["result"], len(forge.open_pulls())) == (0, "created", 1)
    assert forge.git("rev-parse", f"{BRANCH}^") == repo.run("rev-parse", "HEAD")


@pytest.mark.parametrize("change", in_gate(["later", "elsewhere"]))
def test_what_was_pushed_after_the_merge_or_never_merged_stays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, change: str
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM))
    pull = forge.pulls[0]
    if change == "later":
        merge_squashed(forge, pull)
        repo.run("pull", "--quiet", str(forge.bare), "main")
    theirs = push_as_person(forge, tmp_path)
    pull.state = "closed"
    done = memci(capsys, repo.root, "publish", str(dream_into(tmp_path / "second", repo, TABS)))
    assert (done.code, forge.head(BRANCH), forge.open_pulls()) == (5, theirs, [])
    # There is no pull request to merge, close or label.
    assert "not merged; delete it, or use --branch" in done.out
    assert "label" not in done.out


def test_a_commit_that_comes_between_looking_and_pushing_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM))
    theirs: list[str] = []

    def intrude(seen: Seen) -> None:
        # Git asks for the branches once more before it pushes; without a lease it would take this for the old state.
        if seen.query.get("service") == "git-receive-pack" and not theirs:
            theirs.append(push_as_person(forge, tmp_path))

    forge.gate = intrude
    done = publish(capsys, repo, dream_into(tmp_path / "second", repo, PNPM, TABS))
    assert done.code == 5
    assert [forge.head(BRANCH)] == theirs


@pytest.mark.slow
def test_an_amended_commit_is_a_persons_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "first", repo, PNPM))
    clone = make_repository(tmp_path / "clone")
    clone.run("fetch", "--quiet", str(forge.bare), BRANCH)
    clone.run("checkout", "--quiet", "FETCH_HEAD")
    clone.run("commit", "--quiet", "--amend", "--no-edit")
    clone.run("push", "--quiet", "--force", str(forge.bare), f"HEAD:refs/heads/{BRANCH}")
    done = publish(capsys, repo, dream_into(tmp_path / "second", repo, PNPM, TABS))
    assert (done.code, done.json["result"]) == (5, "blocked")


@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
@pytest.mark.parametrize("right", in_gate(["may_open", "may_see"]))
def test_g24_without_permission_the_branch_is_there_and_a_link(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, right: str
) -> None:
    setattr(forge, right, False)
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    for _ in range(2):
        done = publish(capsys, repo, bundle)
        assert (done.code, done.json["result"], forge.pulls) == (4, "fallback", [])
        assert forge.head(BRANCH) == done.json["commit"] != ""
        assert done.json["url"].startswith(f"{forge.web}/acme/shop/")
        assert "dream" in done.json["url"]
        assert "403" in done.json["notes"][0]
    assert sum("git-receive-pack" in seen.path and seen.method == "POST" for seen in forge.seen) == 1
    setattr(forge, right, True)
    done = publish(capsys, repo, bundle)
    assert (done.code, done.json["result"], len(forge.pulls)) == (0, "created", 1)


@pytest.mark.parametrize("moved", in_gate([True, False]))
@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_another_base_moves_the_pull_request_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, *, moved: bool
) -> None:
    bundle = dream_into(tmp_path / "one", repo, PNPM)
    publish(capsys, repo, bundle)
    if moved:
        repo.write("new.txt", "more")
        repo.commit()
        bundle = dream_into(tmp_path / "two", repo, PNPM)
    repo.run("push", "--quiet", str(forge.bare), "HEAD:refs/heads/next")
    done = publish(capsys, repo, bundle, "--base", "next")
    (pull,) = forge.pulls
    # Otherwise it would propose to bring all that is new in the one base into the other.
    assert (done.code, done.json["result"], pull.base) == (0, "updated", "next")
    assert publish(capsys, repo, bundle, "--base", "next").json["result"] == "not-updated"


def test_draft_is_asked_for_and_given_up_where_there_is_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    message = "Draft pull requests are not supported in this repository."
    forge.faults.append(Fault("POST", "/pulls$", 422, message=message))
    assert publish(capsys, repo, dream_into(tmp_path / "one", repo, PNPM), "--draft").json["result"] == "created"
    assert [pull.draft for pull in forge.pulls] == [False]
    forge.pulls[0].state = "closed"
    assert publish(capsys, repo, dream_into(tmp_path / "two", repo, TABS), "--draft").json["result"] == "created"
    assert [pull.draft for pull in forge.pulls] == [False, True]


def test_a_fork_cannot_pose_as_the_branch(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "one", repo, PNPM))
    body = forge.pulls[0].body
    forge.merge(forge.pulls[0])
    forge.git("update-ref", "refs/heads/main", repo.run("rev-parse", "HEAD"))
    forge.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    forge.pulls += [
        Pull(2, "x", body, BRANCH, "main", home="evil/shop"),
        Pull(3, "x", body, BRANCH, "main", state="closed", home="acme/other"),
    ]
    done = publish(capsys, repo, dream_into(tmp_path / "two", repo, PNPM))
    assert (done.json["result"], done.json["number"]) == ("created", 4)


def test_g22_a_pull_request_that_looking_did_not_show_is_found_and_updated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "one", repo, PNPM))
    pull = forge.pulls[0]
    pull.body = "somebody wrote this anew"

    def hide(seen: Seen) -> None:
        # It shows up as soon as somebody tries to make a second one.
        pull.state = "open" if seen.method == "POST" and seen.path.endswith("/pulls") else pull.state

    forge.gate = hide
    pull.state = "closed"
    done = publish(capsys, repo, dream_into(tmp_path / "two", repo, PNPM, TABS))
    assert (done.code, done.json["result"], done.json["number"], len(forge.pulls)) == (0, "updated", 1, 1)
    assert "generated" in pull.body


def run_beside(repo: Repo, bundle: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "memci", "publish", "--format", "json", str(bundle)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=repo.root, env=environment, text=True, stdout=pipe, stderr=pipe)


# `test_a_commit_that_comes_between_looking_and_pushing_is_not_overwritten` is the gate's proof of the lease.
@pytest.mark.slow
@pytest.mark.parametrize("same", [False, True])
def test_of_two_runs_at_once_one_wins_and_the_other_says_so(
    tmp_path: Path, repo: Repo, forge: FakeForge, *, same: bool
) -> None:
    bundles = [dream_into(tmp_path / "one", repo, PNPM)]
    bundles.append(dream_into(tmp_path / "two", repo, PNPM if same else TABS, now=TOMORROW))
    both = threading.Barrier(2)
    waited: set[str] = set()

    def meet(seen: Seen) -> None:
        # Both have looked and found nothing; now both want to push.
        if "git-receive-pack" in str(seen.query) and seen.headers["user-agent"] not in waited:
            both.wait()
            waited.add(seen.headers["user-agent"])

    forge.gate = meet
    runs = [run_beside(repo, bundle) for bundle in bundles]
    ends = [run.communicate() for run in runs]
    codes = sorted(run.returncode for run in runs)
    assert len(forge.pulls) == 1, ends
    if same:
        assert codes == [0, 0], ends
        assert sum('"created"' in out for out, _ in ends) >= 1
    else:
        assert codes == [0, 5], ends
        assert any("moved by somebody else" in err for _, err in ends)


def test_the_token_is_nowhere_but_in_the_headers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    # What git is started with, as anybody on the machine can see it.
    shim = tmp_path / "bin" / "git"
    shim.parent.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    shim.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {tmp_path}/argv\nexec {real} "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")
    outputs = []
    for number, fault in enumerate((None, 401, 403, 422, 500)):
        forge.faults[:] = [Fault("POST", "/pulls$", fault, message=f"bad token {make_token()}")] if fault else []
        bundle = dream_into(tmp_path / f"bundle{number}", repo, PNPM, now=NOW + dt.timedelta(days=number))
        for pull in forge.pulls:
            pull.state, pull.body = "closed", ""
        done = memci(capsys, repo.root, "-v", "publish", str(bundle))
        outputs.append(done.out + done.err)
    forge.token = "another"  # noqa: S105 -- the point is that it is another
    outputs.append(memci(capsys, repo.root, "publish", str(tmp_path / "bundle0")).err)
    assert "git push to origin failed" not in outputs[0]
    written = [path for root in (repo.root, tmp_path / "argv", forge.bare) for path in (root, *root.rglob("*"))]
    everything = "".join(outputs) + "".join(path.read_bytes().decode("latin-1") for path in written if path.is_file())
    assert "push" in (tmp_path / "argv").read_text()
    secret = make_token()
    import base64

    for canary in (secret, base64.b64encode(f"x-access-token:{secret}".encode()).decode()):
        assert canary not in everything
    assert "MEMCI_GIT_AUTHORIZATION" not in os.environ


def test_nobody_gets_the_token_by_pointing_elsewhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    with make_github(tmp_path / "thief", make_token()) as thief:
        for path in ("/info/refs", "/pulls"):
            forge.faults.append(Fault("GET", path, 302, {"Location": f"{thief.url}/info/refs"}))
            assert publish(capsys, repo, bundle).code == 4
        assert thief.seen == []
    assert publish(capsys, repo, bundle).json["result"] == "created"


def test_what_a_checkout_left_in_the_settings_does_not_come_twice(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    for key in (f"http.{forge.web}/.extraheader", f"http.{forge.url}.extraheader", "http.extraheader"):
        repo.run("config", key, "AUTHORIZATION: basic b2xkOm9sZA==")
    assert publish(capsys, repo, dream_into(tmp_path / "bundle", repo, PNPM)).json["result"] == "created"
    assert len(forge.pulls) == 1


def test_the_base_may_have_moved_but_not_the_memory(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    newer = push_as_person(forge, tmp_path, "main")
    done = publish(capsys, repo, bundle)
    assert done.json["result"] == "created"
    assert forge.git("rev-parse", f"{BRANCH}^") == newer
    assert "note.txt" not in forge.git("diff", "--name-only", "main", BRANCH)
    assert repo.run("status", "--porcelain") == ""
    newest = push_as_person(forge, tmp_path, "main")
    done = publish(capsys, repo, bundle)
    assert (done.json["result"], forge.git("rev-parse", f"{BRANCH}^")) == ("updated", newest)

    clone = make_repository(tmp_path / "editor")
    clone.run("fetch", "--quiet", str(forge.bare), "main")
    clone.run("checkout", "--quiet", "FETCH_HEAD")
    clone.write(f"{REVIEWER}/releases.md", topic_text("Edited."))
    clone.commit()
    clone.run("push", "--quiet", str(forge.bare), "HEAD:refs/heads/main")
    before = forge.head(BRANCH)
    done = publish(capsys, repo, bundle)
    assert (done.code, forge.head(BRANCH)) == (5, before)
    assert "changed on main since the dream" in done.err


def test_shards_become_one_pull_request_and_a_lost_one_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    agents = [plan for plan in dream(repo, PNPM) if str(plan.scope.path) == REVIEWER]
    project = [plan for plan in dream(repo, TABS, scope=PROJECT) if str(plan.scope.path) == PROJECT]
    write_bundle(tmp_path / "all" / "memci-1", pack(repo, agents, shard="1/3"))
    write_bundle(tmp_path / "all" / "memci-2", pack(repo, project, now=TOMORROW, shard="2/3"))
    done = publish(capsys, repo, tmp_path / "all")
    assert (done.code, done.json["result"], done.json["lost"]) == (3, "created", ["shard 3/3"])
    (pull,) = forge.pulls
    assert "shard 3" in pull.body
    files = forge.git("diff", "--name-only", "main", BRANCH)
    assert f"{REVIEWER}/MEMORY.md" in files
    assert f"{PROJECT}/MEMORY.md" in files
    # What is missing may be what the pull request is about.
    write_bundle(tmp_path / "rest" / "memci-1", pack(repo, dream(repo), shard="1/2"))
    done = publish(capsys, repo, tmp_path / "rest")
    assert (done.code, done.json["result"], pull.state) == (3, "none", "open")


def test_what_was_proposed_for_a_scope_stays_until_somebody_looks_at_it_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    def part(*plans: ScopePlan, shard: str) -> Path:
        target = tmp_path / f"bundle-{len(list(tmp_path.iterdir()))}"
        write_bundle(target, pack(repo, plans, shard=shard))
        return target

    def files() -> set[str]:
        return set(forge.git("diff", "--name-only", "main", BRANCH).split("\n"))

    def told(signal: Signal, scope: str) -> ScopePlan:
        return next(plan for plan in dream(repo, signal, scope=scope) if str(plan.scope.path) == scope)

    agents, project = told(PNPM, REVIEWER), told(TABS, PROJECT)
    publish(capsys, repo, part(agents, shard="1/2"), part(project, shard="2/2"))
    both = files()
    push_as_person(forge, tmp_path, "main")
    skipped = ScopePlan(project.scope, PlanStatus.SKIPPED, "not due")
    for rest in ([part(agents, shard="1/2")], [part(agents, skipped, shard="")]):
        done = publish(capsys, repo, *rest)
        assert done.json["result"] in {"updated", "not-updated"}
        assert files() == both
    assert "still proposed as before" in forge.pulls[0].body
    # Not due is no answer, so nothing is closed either.
    done = publish(capsys, repo, part(skipped, replace(skipped, scope=agents.scope), shard=""))
    assert (done.json["result"], files(), forge.pulls[0].state) == ("none", both, "open")
    # Nothing left to say about it is one.
    (quiet,) = (plan for plan in dream(repo) if str(plan.scope.path) == PROJECT)
    assert publish(capsys, repo, part(agents, quiet, shard="")).json["result"] == "updated"
    assert files() == {file for file in both if file.startswith(REVIEWER)}
    # What no longer fits is not carried along.
    publish(capsys, repo, part(agents, project, shard=""))
    clone = make_repository(tmp_path / "editor")
    clone.run("fetch", "--quiet", str(forge.bare), "main")
    clone.run("checkout", "--quiet", "FETCH_HEAD")
    clone.write(f"{PROJECT}/MEMORY.md", "- [Releases](releases.md) — edited\n")
    clone.commit()
    clone.run("push", "--quiet", str(forge.bare), "HEAD:refs/heads/main")
    assert publish(capsys, repo, part(agents, shard="1/2")).json["result"] == "updated"
    assert files() == {file for file in both if file.startswith(REVIEWER)}


def test_without_a_forge_there_is_a_branch(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    repo.run("remote", "set-url", "origin", str(forge.bare))
    monkeypatch.delenv("MEMCI_TOKEN")
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    done = publish(capsys, repo, bundle)
    assert (done.code, done.json["result"], done.json["url"]) == (0, "created", "")
    assert publish(capsys, repo, bundle).json["result"] == "not-updated"
    assert publish(capsys, repo, dream_into(tmp_path / "b2", repo, PNPM, TABS)).json["result"] == "updated"
    push_as_person(forge, tmp_path)
    assert publish(capsys, repo, bundle).code == 5
    assert forge.seen == []


def test_scopes_come_from_the_committed_settings_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    repo.write(".memci.yml", f"scopes: ['!{REVIEWER}']\n")
    assert publish(capsys, repo, bundle).json["result"] == "created"
    repo.commit()
    repo.run("push", "--quiet", str(forge.bare), "main")
    content = (bundle / "manifest.json").read_text()
    old = repo.run("rev-parse", "HEAD^")
    (bundle / "manifest.json").write_text(content.replace(old, repo.run("rev-parse", "HEAD")))
    done = publish(capsys, repo, bundle)
    assert (done.code, "no scope of" in done.err) == (5, True)
    done = memci(capsys, repo.root, "--config", "pyproject.toml", "publish", str(bundle))
    assert (done.code, "does not exist" in done.err) == (2, True)


def test_a_dry_run_touches_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    done = publish(capsys, repo, bundle, "--dry-run")
    assert (done.code, done.json["result"], done.json["dry_run"]) == (0, "created", True)
    done = memci(capsys, repo.root, "publish", str(bundle), "--dry-run")
    assert "| +" in done.out
    assert "would be created" in done.out
    assert (forge.writes(), forge.head(BRANCH)) == ([], "")
    monkeypatch.delenv("MEMCI_TOKEN")
    repo.run("remote", "set-url", "origin", str(forge.bare))
    assert publish(capsys, repo, bundle, "--dry-run").code == 0


def test_g16_options_in_place_of_names_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    scratch = tmp_path / "pwn"
    for option in ("--base", "--branch", "--remote"):
        for value in (f"--output={scratch}", f"--upload-pack=touch {scratch}", "a..b", "", "-", "ext::sh -c id"):
            if (option, value) == ("--base", ""):
                # An action passes what was not given.
                continue
            assert publish(capsys, repo, bundle, f"{option}={value}").code == 2
    assert publish(capsys, repo, bundle, "--branch", "main").code == 2
    assert publish(capsys, repo, bundle, "--base", "nowhere").code == 2
    assert not scratch.exists()
    assert forge.writes() == []


def test_g18_what_a_person_edits_is_neither_published_nor_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    # Elsewhere, or beside the memory, anybody may work.
    repo.write("src/app.py", "edited\n")
    repo.write("draft.md", "new\n")
    assert publish(capsys, repo, bundle, "--dry-run").code == 0
    edited = repo.write(f"{REVIEWER}/releases.md", "local edit\n")
    for place in ("work tree", "index"):
        done = publish(capsys, repo, bundle)
        assert (done.code, "not committed" in done.err) == (5, True), place
        repo.run("add", str(edited))
    assert edited.read_text() == "local edit\n"
    assert (forge.writes(), forge.head(BRANCH)) == ([], "")


def test_memory_that_git_writes_with_other_line_ends_is_published_without_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    repo.write(".gitattributes", "*.md text eol=crlf\n")
    repo.commit()
    repo.run("push", "--quiet", str(forge.bare), "main")
    clone = Repo(tmp_path / "clone")
    repo.run("clone", "--quiet", str(forge.bare), str(clone.root))
    clone.run("remote", "set-url", "origin", forge.url)
    assert b"\r\n" in (clone.root / REVIEWER / "releases.md").read_bytes()
    done = publish(capsys, clone, dream_into(tmp_path / "bundle", clone, PNPM))
    assert (done.code, done.json["result"]) == (0, "created"), done.err
    assert "\r" not in forge.git("show", f"{BRANCH}:{REVIEWER}/MEMORY.md")


def test_why_a_push_failed_is_said_in_the_words_of_the_server(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    hook = forge.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    words = ("error: GH013: Repository rule violations found", "", "- Commits must have verified signatures.")
    hook.write_text("#!/bin/sh\n" + "".join(f"echo '{line}' >&2\n" for line in words) + "exit 1\n")
    hook.chmod(0o755)
    done = publish(capsys, repo, bundle)
    assert (done.code, "verified signatures" in done.err, "rules for branches" in done.err) == (4, True, True), done.err
    hook.unlink()
    forge.faults.append(Fault("POST", "git-receive-pack$", 403, times=3))
    done = publish(capsys, repo, bundle)
    assert (done.code, "403" in done.err, "write contents" in done.err) == (4, True, True), done.err
    forge.token = "another"  # noqa: S105 -- the point is that it is another
    done = publish(capsys, repo, bundle)
    assert (done.code, "does not accept the token" in done.err) == (4, True), done.err


def test_a_server_that_is_not_there_is_no_matter_of_the_token(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repo: Repo
) -> None:
    # Nobody listens at this port.
    monkeypatch.setenv("GITHUB_SERVER_URL", "http://127.0.0.1:9")
    repo.run("remote", "set-url", "origin", "http://127.0.0.1:9/acme/shop.git")
    done = publish(capsys, repo, dream_into(tmp_path / "bundle", repo, PNPM))
    assert (done.code, "write contents" in done.err, "cannot be reached" in done.err) == (4, False, True), done.err
    assert "git ls-remote to origin failed: fatal: unable to access" in done.err


def test_g19_a_locked_index_is_in_nobodys_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    lock = repo.write(".git/index.lock", "")
    assert publish(capsys, repo, bundle).json["result"] == "created"
    assert lock.exists()
    assert len(forge.pulls) == 1


def test_g20_publish_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    repo.run("checkout", "--quiet", "--detach")
    done = publish(capsys, repo, bundle)
    assert (done.code, "--base main" in done.err) == (2, True)
    repo.run("checkout", "--quiet", "main")
    monkeypatch.delenv("MEMCI_TOKEN")
    done = publish(capsys, repo, bundle)
    assert (done.code, "GITHUB_TOKEN" in done.err) == (2, True)
    monkeypatch.delenv("GITHUB_SERVER_URL")
    done = publish(capsys, repo, bundle)
    assert (done.code, "--forge" in done.err) == (2, True)
    repo.run("remote", "remove", "origin")
    done = publish(capsys, repo, bundle)
    assert (done.code, "no remote" in done.err) == (2, True)
    assert publish(capsys, make_repository(tmp_path / "empty"), bundle, "--base", "main").code == 2
    (tmp_path / "plain").mkdir()
    assert memci(capsys, tmp_path / "plain", "publish", str(bundle)).code == 2
    assert forge.writes() == []


def test_a_shallow_clone_can_publish(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    repo.write("src/more.py", "")
    repo.commit()
    repo.run("push", "--quiet", str(forge.bare), "main")
    shallow = Repo(tmp_path / "shallow")
    repo.run("clone", "--quiet", "--depth=1", f"file://{forge.bare}", str(shallow.root))
    shallow.run("remote", "set-url", "origin", forge.url)
    assert publish(capsys, shallow, dream_into(tmp_path / "bundle", shallow, PNPM)).json["result"] == "created"


def test_g21_no_hook_and_no_filter_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    pwned = tmp_path / "pwned"
    for name in ("pre-commit", "commit-msg", "pre-push", "post-commit", "reference-transaction"):
        repo.write(f"hooks/{name}", f"#!/bin/sh\ntouch {pwned}\n").chmod(0o755)
        repo.write(f".git/hooks/{name}", f"#!/bin/sh\ntouch {pwned}\n").chmod(0o755)
    repo.write(".gitattributes", "*.md filter=evil text eol=crlf\n")
    repo.run("-c", "core.hooksPath=/dev/null", "add", "--all")
    repo.run("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "attributes")
    repo.run("-c", "core.hooksPath=/dev/null", "push", "--quiet", str(forge.bare), "main")
    repo.run("config", "core.hooksPath", str(repo.root / "hooks"))
    repo.run("config", "filter.evil.clean", f"touch {pwned}; cat")
    repo.run("config", "filter.evil.smudge", f"touch {pwned}; cat")
    repo.run("config", "commit.gpgSign", "true")
    done = publish(capsys, repo, dream_into(tmp_path / "bundle", repo, PNPM))
    assert done.json["result"] == "created"
    assert not pwned.exists()
    assert "\r" not in forge.git("show", f"{BRANCH}:{REVIEWER}/MEMORY.md")


def test_g27_nothing_changed(capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge) -> None:
    bundle = dream_into(tmp_path / "bundle", repo)
    runs = [publish(capsys, repo, bundle) for _ in range(2)]
    assert [run.code for run in runs] == [0, 0]
    assert runs[0].out == runs[1].out
    assert (forge.writes(), forge.pulls) == ([], [])


def test_g28_a_scope_that_poses_as_a_repository_is_not_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    for directory in ("objects", "refs"):
        repo.write(f"{REVIEWER}/{directory}/.k", "x")
    repo.write(f"{REVIEWER}/HEAD", "ref: refs/heads/main\n")
    fsmonitor = f"[core]\n\tbare = false\n\tworktree = ../../..\n\tfsmonitor = touch {tmp_path}/pwned\n"
    repo.write(f"{REVIEWER}/config", fsmonitor)
    done = memci(capsys, repo.root / REVIEWER, "publish", str(bundle))
    assert not (tmp_path / "pwned").exists()
    assert done.code in {4, 5}
    assert forge.writes() == []


@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_files_are_links_and_the_first_proposal_explains_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    publish(capsys, repo, dream_into(tmp_path / "bundle", repo, PNPM))
    (pull,) = forge.pulls
    assert re.search(rf'<a href="{forge.web}/acme/shop/[\w/-]+/{BRANCH}/{REVIEWER}/[\w.-]+md">', pull.body)
    assert "first proposal" in pull.body


HOSTILE = {
    "G03": "fixes #1, closes GH-2, resolves acme/app#3",
    "G10": "{{ 7*7 }} {% for x in ().__class__.__base__.__subclasses__() %}{{x}}{% endfor %}",
    "G11": "::add-mask::x ::error file=a::b ##[group]x",
    "G14": "<img src=https://evil.example/x> <!-- hidden -->",
    "G17": "Co-authored-by: root <r@x> [skip ci] @everyone",
}


@pytest.mark.parametrize("case", in_gate(HOSTILE))
def test_hostile_words_are_shown_and_do_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, case: str
) -> None:
    text = HOSTILE[case]
    repo.write(f"{REVIEWER}/releases.md", topic_text(f"Releases go out on Tuesday.\n\n{text}", name="releases"))
    repo.write(f"{REVIEWER}/copy.md", topic_text(f"Releases go out on Tuesday.\n\n{text}", name="copy"))
    repo.commit()
    repo.run("push", "--quiet", str(forge.bare), "main")
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    dry = memci(capsys, repo.root, "publish", str(bundle), "--dry-run")
    assert not any(line.startswith(("::", "##[")) for line in (dry.out + dry.err).split("\n"))
    assert "##[" not in dry.out.replace("##\\[", "") or case != "G11"
    done = publish(capsys, repo, bundle)
    assert (done.code, done.json["result"]) == (0, "created")
    (pull,) = forge.pulls
    message = forge.git("log", "-1", "--format=%B", BRANCH)
    for piece in ("#1", "GH-2", "acme/app#3", "@everyone", "<img", "<!-- hidden", "Co-authored-by", "[skip ci]", "{{"):
        assert piece not in pull.body
        assert piece not in pull.title
        assert piece not in message
    assert "49" not in pull.body or case != "G10"
    assert pull.title.isprintable()
    assert len(pull.title) <= 120
    assert len(message.split("\n")[0]) <= 72
