"""Look-ups that a bundle cites are asked again of the commit it was made from."""

from dataclasses import replace
from pathlib import Path

import pytest

from memci.errors import UnsafeError
from memci.git.workspace import open_workspace
from memci.model.plan import Evidence, EvidenceKind, PlanStatus
from memci.publish.bundle import write_bundle
from memci.runs import validate
from tests.publish.scenes import PNPM, PROJECT, REVIEWER, dream, make_memory, pack
from tests.repository import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_memory(tmp_path / "repo")


def judge(repo: Repo, *cited: tuple[str, str]) -> list[str]:
    """Dream, cite look-ups for what was learned, and validate the bundle; return the files that would change."""
    proof = tuple(Evidence(EvidenceKind.LOOKUP, source, quote) for source, quote in cited)
    plans = []
    for plan in dream(repo, PNPM):
        first = [replace(one, evidence=(*one.evidence, *proof)) for one in plan.operations[:1]]
        plans.append(replace(plan, operations=(*first, *plan.operations[1:])))
    assert [plan.status for plan in plans].count(PlanStatus.CHANGED) == 1
    target = repo.root.parent / "bundle"
    write_bundle(target, pack(repo, plans))
    workspace = open_workspace(repo.root)
    assert workspace.repository is not None
    bundles, lost = validate.read_bundles([target])
    return sorted(map(str, validate.join_bundles(bundles, lost, workspace, workspace.repository).files))


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("lines:src/app.py:1-2", "def reject_token(t):"),
        ("lines:src/app.py:9-12", "def validate_token(t):"),
        ("lines:../app.py:1-2", "def validate_token(t):"),
        ("where:validate_token", "def validate_token(t):"),
        ("name:validate_token\n", "def validate_token(t):"),
        ("", "def validate_token(t):"),
        (f"lines:{PROJECT}/releases.md:1-9", "not"),
        (f"lines:{REVIEWER}/releases.md:1-9", "Releases go out on Tuesday."),
        (f"log:{REVIEWER}/releases.md", "A Tester"),
        ("name:staffed", "Releases"),
        ("commit:HEAD", "A Tester"),
        ("lines:uncommitted.py:1-2", "secret = 1"),
    ],
)
def test_what_the_commit_does_not_say_is_refused(repo: Repo, source: str, quote: str) -> None:
    repo.write("uncommitted.py", "secret = 1\n")

    with pytest.raises(UnsafeError, match=r"refused by the guard evidence: the repository does not say"):
        judge(repo, (source, quote))


def test_what_the_commit_says_is_accepted(repo: Repo) -> None:
    head = repo.run("rev-parse", "HEAD")
    cited = (
        ("name:validate_token", "src/app.py:1: def validate_token(t):"),
        ("lines:src/app.py:1-2", "return bool(t)"),
        ("log:src/app.py", "A Tester"),
        (f"commit:{head[:7]}", "+def validate_token(t):"),
        ("name:reject_token", f"not in the repository at {head[:10]}"),
    )

    assert f"{REVIEWER}/MEMORY.md" in judge(repo, *cited)


def test_more_look_ups_than_a_dream_asks_stay_unanswered(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memci.publish.replay._MAX_LOOKUPS", 1)

    with pytest.raises(UnsafeError, match=r"does not say what it quotes for 'name:bool'"):
        judge(repo, ("name:validate_token", "def"), ("name:bool", "return"))
