import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memci.citations.code.code_files import iter_worktree
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import Completeness, History, HistoryLimits, LineOrigin
from memci.citations.history.renamed_files import Fate, Removed, Renamed, Split
from memci.citations.history.tree_diffs import TreePlace, Trees, choose_stand_ins
from memci.git.repository import find_repository
from memci.model.memory import Unreadable
from tests.git.test_history import ODD, clone_partial
from tests.repository import Repo, make_repository

LINES = [f"    value_{number} = compute(number={number})\n" for number in range(40)]
TEXT = "".join(LINES)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


@contextlib.contextmanager
def past(root: Path, limits: HistoryLimits | None = None) -> Iterator[History]:
    repository = find_repository(root)
    assert repository is not None
    yield History(repository, limits)


def day(number: int) -> str:
    return f"2026-10-{number:02}T00:00:00Z"


def fates(root: Path, *cited: str) -> dict[str, Fate]:
    with past(root) as history:
        return Removals(history).find_fates(cited)


def list_places(trees: Trees, commit: str, *paths: str) -> list[TreePlace]:
    return [place for path in paths if (place := trees.place(commit, path))]


def fate(root: Path, path: str) -> Fate:
    return fates(root, path)[path]


# What must be left alone


def test_files_that_exist_or_never_existed_have_no_fate(repo: Repo) -> None:
    repo.write("src/a.py", TEXT)
    repo.commit()
    repo.write("src/a.py", TEXT + "more\n")
    repo.commit()
    assert fates(repo.root, "src/a.py", "a.py", "src/", "never.py", "never/", "", "/", "-x", "--all", "../a.py") == {}


def test_a_file_that_was_removed_and_came_back_is_not_removed(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit()
    repo.delete("a.py")
    repo.commit()
    repo.write("a.py", "again\n")
    repo.commit()
    assert fates(repo.root, "a.py") == {}


def test_a_directory_that_lost_files_is_not_removed(repo: Repo) -> None:
    repo.write("d/a.py", TEXT)
    repo.write("d/b.py", TEXT)
    repo.commit()
    repo.delete("d/a.py")
    repo.commit()
    assert fates(repo.root, "d/") == {}


def test_unrelated_new_files_are_no_parts_of_a_removed_one(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit()
    repo.delete("a.py")
    repo.write("b.py", LINES[0] + "".join(f"something else entirely, {number}\n" for number in range(40)))
    commit = repo.commit("out with it", day(3))
    assert fate(repo.root, "a.py") == Removed("a.py", commit, 1790985600, "out with it")


def test_an_empty_file_is_not_renamed_to_another_empty_file(repo: Repo) -> None:
    repo.write("a/__init__.py", "")
    repo.commit()
    repo.delete("a/__init__.py")
    repo.write("b/__init__.py", "")
    repo.commit()
    assert isinstance(fate(repo.root, "a/__init__.py"), Removed)


# Renames


def test_a_rename_with_edits_is_followed(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit()
    repo.rename("a.py", "lib/b.py")
    repo.write("lib/b.py", TEXT + "more = 1\n" * 6)
    commit = repo.commit()
    found = fate(repo.root, "a.py")
    assert isinstance(found, Renamed)
    assert (found.target, found.commit) == ("lib/b.py", commit)
    assert 50 < found.similarity < 100


def test_a_rename_without_edits_is_wholly_alike(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit()
    repo.rename("a.py", "b.py")
    commit = repo.commit()
    assert fate(repo.root, "a.py") == Renamed("b.py", commit, 100)


def test_chains_of_renames_are_followed_to_the_end(repo: Repo) -> None:
    repo.write("a0.py", TEXT)
    repo.commit("start", day(1))
    for number in range(4):
        repo.rename(f"a{number}.py", f"a{number + 1}.py")
        repo.commit("on", day(2 + number))
    found = fates(repo.root, "a0.py", "a2.py")
    assert [one.target for one in found.values() if isinstance(one, Renamed)] == ["a4.py", "a4.py"]


def test_a_name_that_was_used_twice_means_its_last_file(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit("1", day(1))
    repo.rename("a.py", "b.py")
    repo.commit("2", day(2))
    repo.rename("b.py", "a.py")
    repo.commit("3", day(3))
    repo.rename("a.py", "c.py")
    repo.commit("4", day(4))
    found = fates(repo.root, "a.py", "b.py")
    assert [one.target for one in found.values() if isinstance(one, Renamed)] == ["c.py", "c.py"]


def test_a_renamed_file_that_was_removed_is_removed_under_its_last_name(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit("1", day(1))
    repo.rename("a.py", "b.py")
    repo.commit("2", day(2))
    repo.delete("b.py")
    commit = repo.commit("gone", day(3))
    assert fate(repo.root, "a.py") == Removed("b.py", commit, 1790985600, "gone")


def test_a_removal_on_a_merged_branch_is_found(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit("1", day(1))
    repo.run("switch", "--quiet", "--create", "side")
    repo.delete("a.py")
    side = repo.commit("on the side", day(2))
    repo.run("switch", "--quiet", "main")
    repo.write("b.py", "b\n")
    repo.commit("2", day(3))
    repo.run("merge", "--quiet", "--no-ff", "--message=merge", "side")
    found = fate(repo.root, "a.py")
    assert isinstance(found, Removed)
    assert (found.commit, found.subject) == (side, "on the side")


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_followed(repo: Repo, name: str) -> None:
    repo.write(f"d/{name}", TEXT)
    repo.commit()
    repo.rename(f"d/{name}", f"e/{name}")
    commit = repo.commit()
    assert fates(repo.root, f"d/{name}") == {f"d/{name}": Renamed(f"e/{name}", commit, 100)}


# Splits, packages, directories


def test_a_split_names_its_parts_the_largest_first(repo: Repo) -> None:
    repo.write("a.py", TEXT)
    repo.commit()
    repo.delete("a.py")
    padding = [f"# padding of part {{}} number {number}\n" for number in range(40)]
    repo.write("one.py", "".join(LINES[:12]) + "".join(line.format(1) for line in padding))
    repo.write("two.py", "".join(LINES[12:28]) + "".join(line.format(2) for line in padding))
    repo.write("other.py", "".join(line.format(3) for line in padding))
    commit = repo.commit()
    assert fate(repo.root, "a.py") == Split(("two.py", "one.py"), commit)
    repo.rename("one.py", "moved/one.py")
    repo.commit()
    assert fate(repo.root, "a.py") == Split(("two.py", "moved/one.py"), commit)
    repo.delete("two.py")
    repo.delete("moved/one.py")
    repo.commit()
    assert isinstance(fate(repo.root, "a.py"), Removed)


def test_a_file_that_became_a_package_is_followed(repo: Repo) -> None:
    repo.write("lib/x.py", TEXT)
    repo.write("lib/y.py", "y = 1\n")
    repo.commit()
    repo.rename("lib/x.py", "lib/x/__init__.py")
    repo.delete("lib/y.py")
    repo.write("lib/y/__init__.py", "from lib.y.core import everything\n")
    repo.write("lib/y/core.py", "everything = 'rewritten'\n")
    commit = repo.commit()
    assert fate(repo.root, "lib/x.py") == Renamed("lib/x/__init__.py", commit, 100)
    found = fate(repo.root, "lib/y.py")
    assert isinstance(found, Split)
    assert sorted(found.candidates) == ["lib/y/__init__.py", "lib/y/core.py"]


def test_a_moved_directory_is_where_most_of_its_files_are(repo: Repo) -> None:
    for number in range(5):
        repo.write(f"core/old/sub/f{number}.py", TEXT + f"number = {number}\n")
    repo.write("core/old/__init__.py", "")
    repo.write("core/old/gone.py", "nothing like the others\n")
    repo.commit()
    for number in range(5):
        repo.rename(f"core/old/sub/f{number}.py", f"lib/new/sub/f{number}.py")
    repo.delete("core/old/gone.py")
    repo.delete("core/old/__init__.py")
    commit = repo.commit("move")
    expected = Renamed("lib/new/", commit, 100)
    assert fates(repo.root, "core/old/", "old/", "ld/") == {"core/old/": expected}


def test_a_removed_directory_is_removed(repo: Repo) -> None:
    repo.write("d/a.py", TEXT)
    repo.write("d/b.py", TEXT + "b\n")
    repo.write("d/c.py", TEXT + "c\n")
    repo.commit()
    repo.delete("d/a.py")
    repo.delete("d/b.py")
    repo.rename("d/c.py", "e/c.py")
    commit = repo.commit("away", day(3))
    assert fates(repo.root, "d/") == {"d/": Removed("d/", commit, 1790985600, "away")}


# Lines and trees


def test_lines_are_told_by_commit_and_new_ones_by_nobody(repo: Repo) -> None:
    repo.write("m.md", "see `a.py`\nsee `b.py`\n")
    first = repo.commit("1", day(1))
    repo.write("m.md", "see `a.py`\nsee `b.py`\nsee `c.py`\n")
    second = repo.commit("2", day(2))
    repo.write("m.md", "new `d.py`\nsee `a.py`\nsee `b.py`\n  see `c.py`\n")
    wanted = {"m.md": {1: "new `d.py`", 2: "see `a.py`", 4: "  see `c.py`"}, "absent.md": {1: "x"}}
    with past(repo.root) as history:
        found = history.find_written(wanted)
        assert history.completeness == Completeness()
    assert found == {
        ("m.md", 1): None,
        ("m.md", 2): LineOrigin(first, 1790812800),
        ("m.md", 4): LineOrigin(second, 1790899200),
        ("absent.md", 1): None,
    }


def test_lines_copied_from_another_file_of_the_commit_keep_their_origin(repo: Repo) -> None:
    text = "the session cache lives in src/session/cache.py and nowhere else"
    new = "# written anew, and only here, in this file and in no other one"
    repo.write("m/one.md", "\n".join((*LINES, text, "")))
    first = repo.commit("one")
    repo.write("m/one.md", "\n".join((*LINES, "")))
    # Git does not see the indent.
    repo.write("m/two.md", f"{new}\n  {text}\n")
    repo.write("m/three.md", f"{new} either\n")
    second = repo.commit("move to another file")
    wanted = {"m/two.md": {1: new, 2: f"  {text}"}, "m/three.md": {1: f"{new} either"}}
    with past(repo.root) as history:
        found = history.find_written(wanted)
        assert history.completeness == Completeness()
    told = {place: who.commit for place, who in found.items() if who}
    assert told == {("m/two.md", 1): second, ("m/two.md", 2): first, ("m/three.md", 1): second}


def test_more_files_than_may_be_blamed_are_told_by_their_last_change(repo: Repo) -> None:
    for name in "ab":
        repo.write(f"{name}.md", "one\n")
    repo.commit("1", day(1))
    for name in "ab":
        repo.write(f"{name}.md", "one\ntwo\n")
    second = repo.commit("2", day(2))
    with past(repo.root, HistoryLimits(blamed_files=1)) as history:
        found = history.find_written({"a.md": {1: "one"}, "b.md": {1: "one"}})
        assert history.completeness.truncated
    assert found["b.md", 1] == LineOrigin(second, 1790899200, exact=False)
    assert found["a.md", 1] != found["b.md", 1]


def test_trees_of_writing_commits_are_exact(repo: Repo) -> None:
    states = [{"a": "1", "b\n": "1"}, {"a": "1", "b\n": "3", "c": "1"}, {"a": "1", "d": "1", "c": "2"}]
    written = []
    for number, state in enumerate(states, 1):
        for target in [target for target in repo.root.iterdir() if target.name != ".git"]:
            target.unlink()
        for path, content in state.items():
            repo.write(path, content)
        written.append(LineOrigin(repo.commit(str(number), day(number)), number))
    repo.link("link", "a")
    repo.commit("last", day(9))
    with past(repo.root) as history:
        trees = history.read_trees(written)
        for one, state in zip(written, states, strict=True):
            places = list_places(trees, one.commit, "a", "b\n", "c", "d", "link")
            assert {place.path for place in places} == state.keys()
            read = {place.path: blob.data for blob in history.iter_blobs(places) for place in blob.places}
            assert read == {path: content.encode() for path, content in state.items()}
        assert set(trees.vanished(written[0].commit)) == {"b\n"}
        # Contents that HEAD still has need not be searched for what HEAD has not.
        lost = [place for one in written for place in trees.lost_places(one.commit)]
        assert {(place.commit, place.path) for place in lost} == {(written[1].commit, "b\n")}


def test_an_unknown_commit_is_not_known(repo: Repo) -> None:
    repo.commit()
    with past(repo.root) as history:
        assert not history.read_trees([LineOrigin("1" * 40, 1)]).knows("1" * 40)


@pytest.mark.parametrize(("count", "limit"), [(3, 4), (64, 64), (65, 64), (1000, 64), (10, 1), (10, 2)])
def test_few_commits_stand_for_many_and_none_for_an_older_one(count: int, limit: int) -> None:
    times = {f"c{number:04}": number for number in range(count)}
    chosen = choose_stand_ins(times, limit)
    assert chosen.keys() == times.keys()
    assert len(set(chosen.values())) <= limit
    assert all(times[stand_in] <= times[commit] for commit, stand_in in chosen.items())
    if count > limit > 3:
        assert sum(commit == stand_in for commit, stand_in in chosen.items()) == limit
        assert chosen[f"c{count - 1:04}"] == f"c{count - 1:04}"
    if count <= limit:
        assert all(commit == stand_in for commit, stand_in in chosen.items())


def test_grouped_commits_are_said(repo: Repo) -> None:
    written = []
    for number in range(1, 6):
        repo.write(f"f{number}", "x")
        written.append(LineOrigin(repo.commit(str(number), day(number)), number))
    with past(repo.root, HistoryLimits(trees=2)) as history:
        trees = history.read_trees(written)
        assert len(trees.differences) == 2
        files = ("f1", "f2", "f3", "f4", "f5")
        assert len(list_places(trees, written[4].commit, *files)) == 5
        assert [place.path for place in list_places(trees, written[3].commit, *files)] == ["f1"]
        assert "5 commits" in history.completeness.sentences[0]


def test_a_path_on_another_branch_only_is_found_there(repo: Repo) -> None:
    repo.write("a.py", "a")
    repo.commit("base")
    repo.run("switch", "--quiet", "--create", "feature/x")
    repo.write("src/new.py", "n")
    repo.commit("new")
    repo.run("switch", "--quiet", "main")
    with past(repo.root) as history:
        assert history.find_elsewhere(["new.py", "a.py", "never.py"]) == {"new.py": ("feature/x", "src/new.py")}


# What cannot be known


def _make_history(repo: Repo) -> tuple[str, str]:
    repo.write("m.md", "see `a.py`\n")
    repo.write("a.py", TEXT)
    repo.write("b.py", TEXT.upper())
    first = repo.commit("1", day(1))
    repo.rename("a.py", "new/a.py")
    repo.rename("b.py", "new/b.py")
    repo.write("new/b.py", TEXT.upper() + "edited = 1\n")
    return first, repo.commit("2", day(2))


def test_a_shallow_clone_knows_nothing_and_says_so(repo: Repo, tmp_path: Path) -> None:
    _, head = _make_history(repo)
    repo.run("clone", "--quiet", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    with past(tmp_path / "shallow") as history:
        assert history.find_written({"m.md": {1: "see `a.py`"}}) == {
            ("m.md", 1): LineOrigin(head, 1790899200, exact=False)
        }
        assert Removals(history).find_fates(["a.py"]) == {}
        assert history.completeness == Completeness(shallow=True)
        assert "fetch-depth: 0" in history.completeness.sentences[0]


def test_a_partial_clone_knows_paths_and_exact_renames(repo: Repo, tmp_path: Path) -> None:
    first, head = _make_history(repo)
    with past(clone_partial(repo, tmp_path / "partial")) as history:
        assert history.find_written({"m.md": {1: "see `a.py`"}}) == {
            ("m.md", 1): LineOrigin(first, 1790812800, exact=False)
        }
        trees = history.read_trees([LineOrigin(first, 0)])
        places = list_places(trees, first, "m.md", "a.py", "b.py")
        assert len(places) == 3
        assert {blob.data for blob in history.iter_blobs(places)} == {Unreadable.ABSENT}
        found = Removals(history).find_fates(["a.py", "b.py"])
        assert found["a.py"] == Renamed("new/a.py", head, 100)
        assert isinstance(found["b.py"], Removed)
        assert history.completeness == Completeness(missing=True)
        assert "--filter" in history.completeness.sentences[0]


def test_one_lost_object_costs_only_what_needs_it(repo: Repo) -> None:
    first, head = _make_history(repo)
    oid = repo.run("rev-parse", f"{first}:b.py")
    (repo.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with past(repo.root) as history:
        found = Removals(history).find_fates(["a.py", "b.py"])
        assert found["a.py"] == Renamed("new/a.py", head, 100)
        trees = history.read_trees([LineOrigin(first, 0)])
        places = list_places(trees, first, "a.py", "b.py")
        blobs = {blob.places[0].path: blob.data for blob in history.iter_blobs(places)}
        assert (blobs["a.py"], blobs["b.py"]) == (TEXT.encode(), Unreadable.ABSENT)
        assert history.completeness.missing


def test_an_empty_repository_has_no_past(repo: Repo) -> None:
    repo.write("m.md", "see `a.py`\n")
    with past(repo.root) as history:
        assert history.find_written({"m.md": {1: "see `a.py`"}}) == {("m.md", 1): None}
        assert Removals(history).find_fates(["a.py", "d/"]) == {}
        assert history.find_elsewhere(["a.py"]) == {}
        assert history.read_trees([]).head == {}
        assert history.completeness == Completeness(commits=False)
        assert "nothing is committed" in history.completeness.sentences[0]


def test_a_detached_head_and_a_worktree_have_their_own_past(repo: Repo, tmp_path: Path) -> None:
    first, _ = _make_history(repo)
    repo.run("worktree", "add", "--quiet", "--detach", str(tmp_path / "other"), first)
    assert fates(tmp_path / "other", "a.py") == {}
    repo.run("switch", "--quiet", "--detach", "HEAD")
    assert isinstance(fate(repo.root, "a.py"), Renamed)


def _import_history(repo: Repo, count: int) -> None:
    """Commit `count` times; commit number n removes the file that the one before it added."""
    feed = "".join(
        f"commit refs/heads/main\nmark :{number + 1}\ncommitter A <a@b.c> {1_700_000_000 + number} +0000\ndata 1\nx\n"
        + (f"D f{number - 1}\n" if number else "")
        + f"M 644 inline f{number}\ndata 1\nx\n"
        for number in range(count)
    ).encode()
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.root, input=feed, check=True)


def test_reading_stops_when_every_exact_path_is_found(repo: Repo) -> None:
    _import_history(repo, 2000)
    with past(repo.root) as history:
        removals = Removals(history)
        assert len(removals._read_deletions(frozenset({"f1990"}))) < 20
        assert set(removals.find_fates(["f1990"])) == {"f1990"}
        assert removals._deletions is None
        assert len(removals._read_deletions(frozenset())) == 1999


def test_reading_stops_at_the_commit_limit_and_says_so(repo: Repo) -> None:
    _import_history(repo, 200)
    with past(repo.root, HistoryLimits(commits=50)) as history:
        removals = Removals(history)
        assert len(removals._read_deletions(frozenset())) == 50
        assert removals.find_fates(["f10"]) == {}
        assert "longer than was allowed" in history.completeness.sentences[0]


def test_reading_stops_at_the_time_limit_and_says_so(repo: Repo) -> None:
    repo.write("m.md", "one\n")
    repo.commit()
    with past(repo.root, HistoryLimits(seconds=0)) as history:
        history.find_written({"m.md": {1: "one"}})
        assert history.completeness.truncated


# The work tree


def test_the_work_tree_is_read_without_following_anything(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.txt", "a")
    repo.write("d/b\n.txt", b"\xff\0")
    repo.write("d/large", "x" * 100)
    outside = tmp_path / "secret"
    outside.write_text("secret")
    repo.link("link", outside)
    repo.link("up", tmp_path)
    os.mkfifo(repo.root / "fifo")
    paths = [
        "a.txt",
        "d/b\n.txt",
        "d/large",
        "link",
        "up/secret",
        "fifo",
        "d",
        "never",
        "../secret",
        str(outside),
        "\0",
    ]
    found = dict(iter_worktree(repo.root, paths, 10))
    assert found.pop("a.txt") == b"a"
    assert found.pop("d/b\n.txt") == b"\xff\0"
    assert found.pop("d/large") is Unreadable.TOO_LARGE
    assert {found.pop("fifo"), found.pop("d")} == {Unreadable.SPECIAL}
    assert set(found.values()) == {Unreadable.ABSENT}
