"""`memci plan`: the same scopes into the same shards, by size, never too many."""

import json
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.git.file_tree import WorkTree
from memci.model.memory import Scope, Trust
from memci.runs.shard import plan_shards
from tests.commands.dreams import NOW, SAID, make_shop, write_session
from tests.commands.run import memci
from tests.repository import Repo, make_repository


def make_agents(root: Path, **sizes: int) -> Repo:
    repo = make_repository(root)
    for agent, size in sizes.items():
        repo.write(f".claude/agent-memory/{agent}/MEMORY.md", "x" * size)
    repo.commit()
    return repo


def test_nothing_to_divide_is_no_shard(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_repository(tmp_path).commit()
    done = memci(capsys, tmp_path, "plan", "--format", "github-matrix")
    assert (done.code, done.json) == (0, {"include": []})
    assert memci(capsys, tmp_path, "plan").out == "0 scopes in 0 shards\n"


def test_a_switched_off_dream_needs_no_jobs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_agents(tmp_path, a=10)
    repo.write(".memci.yml", "dream: false\n")
    assert memci(capsys, tmp_path, "plan", "--format", "json").json["shards"] == []


def test_there_are_no_more_shards_than_scopes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_agents(tmp_path, a=10, b=10)
    assert len(memci(capsys, tmp_path, "plan", "--shards", "256", "--format", "json").json["shards"]) == 2


def test_large_scopes_stand_alone_and_small_ones_share(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_agents(tmp_path, big=90_000, one=20_000, two=25_000, three=30_000)
    shards = memci(capsys, tmp_path, "plan", "--shards", "2", "--format", "json").json["shards"]
    base = ".claude/agent-memory"
    assert shards == [
        {"shard": "1/2", "size": 90_000, "scopes": [f"{base}/big"]},
        {"shard": "2/2", "size": 75_000, "scopes": [f"{base}/one", f"{base}/three", f"{base}/two"]},
    ]
    named = memci(capsys, tmp_path, "plan", f"{base}/one", "--format", "github-matrix").json
    assert named == {"include": [{"shard": "1/1", "number": "1", "scopes": f"{base}/one"}]}


@pytest.mark.parametrize(
    "arguments", [("--shards", "0"), ("--shards", "257"), ("nowhere",), ("--repositories", "nowhere")]
)
def test_what_cannot_be_meant_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    make_agents(tmp_path, a=10)
    assert memci(capsys, tmp_path, "plan", *arguments).code == 2


def test_a_name_with_a_line_break_does_not_become_two(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_agents(tmp_path, a=10)
    repo.write(".claude/agent-memory/b\n.claude/memory/MEMORY.md", "")
    assert memci(capsys, tmp_path, "plan", "--format", "github-matrix").code == 5


SIZES = st.lists(st.integers(0, 60_000), min_size=1, max_size=12)


@given(SIZES, st.integers(1, 14))
def test_every_scope_is_in_one_shard_and_no_shard_is_far_from_the_best(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], most: int
) -> None:
    root = tmp_path_factory.mktemp("plan")
    scopes = []
    for number, size in enumerate(sizes):
        target = root / f"s{number:02}"
        target.mkdir()
        (target / "MEMORY.md").write_bytes(b"x" * size)
        scopes.append(Scope(f"s{number}", PurePosixPath(f"s{number:02}"), Trust.COMMITTED, target))
    tree = WorkTree(root)
    shards = plan_shards(tree, scopes, most)
    assert sorted(scope.id for shard in shards for scope in shard.scopes) == sorted(scope.id for scope in scopes)
    assert len(shards) == min(most, len(scopes))
    assert all(shard.scopes for shard in shards)
    assert shards == plan_shards(tree, scopes[::-1], most) == plan_shards(tree, scopes, len(shards))
    # Whoever gets the next scope had at most the mean until then.
    weights = [max(4_096, size) for size in sizes]
    assert max(shard.size for shard in shards) <= sum(weights) / len(shards) + max(weights)


def test_shards_dream_and_their_bundles_are_judged_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_shop(tmp_path / "shop")
    repo.write(".claude/agent-memory/reviewer/MEMORY.md", "")
    repo.commit()
    write_session(tmp_path / "sessions", "one", SAID)
    plan = tmp_path / "plan.json"
    plan.write_text(memci(capsys, repo.root, "plan", "--format", "json").out)
    for number in (1, 2):
        place = ("--transcripts", str(tmp_path / "sessions"), "--bundle", str(tmp_path / "bundles" / f"b{number}"))
        done = memci(
            capsys, repo.root, "dream", "--shard", f"{number}/2", "--engine", "local", *place, *NOW, "--format", "json"
        )
        assert done.code == 0
        scopes = json.loads(plan.read_text())["shards"][number - 1]["scopes"]
        assert [scope["path"] for scope in done.json["scopes"]] == scopes
        assert done.json["newest_session"] == "2026-11-12T09:01:00+00:00"
    whole = memci(capsys, repo.root, "publish", "--validate", "--format", "json", str(tmp_path / "bundles"))
    assert (whole.code, whole.json["result"], whole.json["lost"]) == (0, "valid", [])
    assert ".claude/memory/MEMORY.md" in whole.json["changed"]

    (tmp_path / "bundles" / "b1" / "manifest.json").rename(tmp_path / "elsewhere.json")
    options = ("--validate", "--format", "json")
    part = memci(capsys, repo.root, "publish", *options, str(tmp_path / "bundles" / "b2"))
    assert (part.code, part.json["lost"]) == (3, ["shard 1/2"])


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "1/257", "a/b", "1/2/3", "-1/2", "²/3"])
def test_a_shard_is_one_of_several(capsys: pytest.CaptureFixture[str], tmp_path: Path, shard: str) -> None:
    make_agents(tmp_path, a=10)
    assert memci(capsys, tmp_path, "dream", "--shard", shard, "--dry-run").code == 2


def test_a_shard_beyond_the_scopes_has_nothing_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_agents(tmp_path, a=10)
    done = memci(capsys, tmp_path, "dream", "--shard", "5/5", "--engine", "local", "--dry-run", "--format", "json")
    assert (done.code, done.json["scopes"]) == (0, [])


def test_repositories_become_jobs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = tmp_path / "repositories.txt"
    names.write_text("# ours\nacme/shop\n\nacme/site.io # the front\nacme/shop\n")
    arguments = ("plan", "--repositories", str(names), "--format")
    found = [{"repository": "acme/shop"}, {"repository": "acme/site.io"}]
    assert memci(capsys, tmp_path, *arguments, "github-matrix").json == {"include": found}
    assert memci(capsys, tmp_path, *arguments, "json").json["repositories"] == ["acme/shop", "acme/site.io"]


@pytest.mark.parametrize("line", ["shop", "acme/../shop", "acme/..", "a b/c", "acme/shop;id", "https://x.example/a/b"])
def test_what_is_no_repository_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str) -> None:
    names = tmp_path / "repositories.txt"
    names.write_text(f"acme/shop\n{line}\n")
    done = memci(capsys, tmp_path, "plan", "--repositories", str(names))
    assert done.code == 2
    assert "repositories.txt:2" in done.err


def test_more_repositories_than_a_matrix_has_jobs_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    names = tmp_path / "repositories.txt"
    names.write_text("".join(f"acme/r{number}\n" for number in range(257)))
    assert memci(capsys, tmp_path, "plan", "--repositories", str(names)).code == 2
