"""Repositories with memory, dreams over them, and the bundles that they make."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from memci.config import Config
from memci.dream import check_memory
from memci.dream.inputs import Sources
from memci.dream.pipeline import plan_scopes
from memci.dream.state import DreamState, render_state
from memci.engines.local import LocalEngine
from memci.git.file_tree import read_commit
from memci.git.workspace import open_workspace
from memci.memory.scopes import find_scopes
from memci.model.plan import ScopePlan
from memci.model.session import Signal
from memci.publish.bundle import Bundle, BundleRun, bundle_of, write_bundle
from tests.build import NOW, topic_text
from tests.dream.scenes import say
from tests.repository import Repo, built_once, make_repository

REVIEWER = ".claude/agent-memory/reviewer"
PROJECT = ".claude/memory"
PNPM = say("Always use pnpm for the front end", why="the lock file is pnpm's", session="s1", uuid="u1")
TABS = say("Never reformat generated files", why="the generator undoes it", session="s2", uuid="u2")


@built_once
def make_memory(root: Path) -> Repo:
    """Return a repository with two clean scopes."""
    repo = make_repository(root)
    repo.write("src/app.py", "def validate_token(t):\n    return bool(t)\n")
    for scope in (REVIEWER, PROJECT):
        repo.write(f"{scope}/MEMORY.md", "- [Releases](releases.md) — on Tuesday\n")
        body = "Releases go out on Tuesday.\n\n**Why:** support is staffed.\n\n**How to apply:** merge before."
        repo.write(f"{scope}/releases.md", topic_text(body, name="releases", description="when releases go out"))
    repo.commit()
    return repo


def dream(repo: Repo, *signals: Signal, scope: str = REVIEWER, now: dt.datetime = NOW) -> tuple[ScopePlan, ...]:
    """Dream over the committed memory; what was said goes to one scope, the others are only looked after."""
    workspace = open_workspace(repo.root)
    assert workspace.repository is not None
    tree = read_commit(workspace.repository, workspace.repository.resolve("HEAD"))
    snapshot = check_memory.read_snapshot(tree, find_scopes(tree, repo.root))
    findings = check_memory.check_snapshot(
        snapshot, Config(), now, check_memory.verify_claims(workspace, snapshot)
    ).findings
    sources = Sources(snapshot, Config(), now, findings)
    paths = [one.scope.path for one in snapshot.scopes]
    given = {path: signals if str(path) == scope else () for path in paths}
    return tuple(plan_scopes(sources, given, LocalEngine()))


def pack(repo: Repo, plans: Sequence[ScopePlan], *, now: dt.datetime = NOW, shard: str = "") -> Bundle:
    """Make a bundle of plans over the commit that is checked out."""
    workspace = open_workspace(repo.root)
    assert workspace.repository is not None
    base = repo.run("rev-parse", "HEAD")
    states = {plan.scope.path: render_state(DreamState(now)) for plan in plans}
    tree = read_commit(workspace.repository, base)
    return bundle_of(plans, states, tree, BundleRun(base, now, "local", {"usd": 0.25}, shard))


def dream_into(target: Path, repo: Repo, *signals: Signal, scope: str = REVIEWER, now: dt.datetime = NOW) -> Path:
    """Dream, and write the bundle."""
    write_bundle(target, pack(repo, dream(repo, *signals, scope=scope, now=now), now=now))
    return target
