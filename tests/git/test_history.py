import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memci.errors import ServiceError
from memci.git import history
from memci.git.repository import Repository, TimeLimitError, find_repository
from memci.model.memory import Unreadable
from tests.repository import Repo, make_repository

LINES = "".join(f"this is line number {number}\n" for number in range(40))
ODD = ("new\nline.txt", "with space.txt", "ünïcode.txt", "-dash", "--output=x", ":(top)magic", '"quoted"', "D", "*.py")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


@contextlib.contextmanager
def opened(root: Path) -> Iterator[Repository]:
    repository = find_repository(root)
    assert repository is not None
    yield repository


def clone_partial(repo: Repo, target: Path) -> Path:
    repo.run("config", "uploadpack.allowFilter", "true")
    repo.run("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{repo.root}", str(target))
    return target


# Streams


def test_a_stream_that_takes_too_long_is_stopped_and_said(repo: Repo) -> None:
    repo.commit()
    # Git waits for somebody to write into it.
    os.mkfifo(repo.root / "fifo")
    with opened(repo.root) as repository, pytest.raises(TimeLimitError, match="more than 0 s"):
        list(repository.stream("config", "--file", "fifo", "--list", seconds=0.2))


def test_a_stream_that_fails_raises_and_does_not_yield_half_a_piece(repo: Repo) -> None:
    repo.commit()
    with opened(repo.root) as repository, pytest.raises(ServiceError, match="git log failed"):
        list(repository.stream("log", "0" * 40))


def test_a_large_input_does_not_block(repo: Repo) -> None:
    repo.write("a", "x" * 1000)
    commit = repo.commit()
    with opened(repo.root) as repository:
        (entry,) = repository.list_tree(commit)
        # 4 MB of questions and 20 MB of answers, more than any pipe holds.
        assert sum(len(data) for _, data in repository.read_blobs([entry.oid] * 20_000, 2000)) == 20_000_000


def test_many_blobs_are_read_in_order_and_each_gap_has_a_reason(repo: Repo) -> None:
    repo.write("large", "x" * 100)
    repo.write("small", "x")
    commit = repo.commit()
    with opened(repo.root) as repository:
        large, small = (entry.oid for entry in repository.list_tree(commit))
        absent = "1" * 40
        assert list(repository.read_blobs([small, large, absent, small], 10)) == [
            (small, b"x"),
            (large, Unreadable.TOO_LARGE),
            (absent, Unreadable.ABSENT),
            (small, b"x"),
        ]
        assert list(repository.read_blobs([], 10)) == []


def test_reading_blobs_can_stop_at_any_time(repo: Repo) -> None:
    repo.write("a", "x" * 100_000)
    commit = repo.commit()
    with opened(repo.root) as repository:
        (entry,) = repository.list_tree(commit)
        assert next(iter(repository.read_blobs([entry.oid] * 1000, 1 << 20)))[0] == entry.oid


# Blame


def _blame(repo: Repo, path: str) -> list[tuple[str, str]]:
    with opened(repo.root) as repository:
        head = repository.read_ref("HEAD")
        return [(line.commit, line.text) for line in history.blame(repository, head, path, 60, copies=True)]


def test_each_line_has_its_commit(repo: Repo) -> None:
    repo.write("m.md", "one\n")
    first = repo.commit("one")
    repo.write("m.md", "one\ntwo \\ \ttab")
    second = repo.commit("two")
    assert _blame(repo, "m.md") == [(first, "one"), (second, "two \\ \ttab")]


def test_lines_keep_their_origin_through_renames_indents_and_moves_to_another_file(repo: Repo) -> None:
    text = "the session cache lives in src/session/cache.py and nowhere else\n"
    repo.write("m/one.md", LINES + text)
    first = repo.commit("one")
    repo.rename("m/one.md", "m/two.md")
    repo.commit("rename")
    repo.write("m/two.md", LINES + "  - " + text)
    third = repo.commit("a list")
    repo.write("m/two.md", LINES + "     - " + text)
    repo.commit("indent")
    assert _blame(repo, "m/two.md")[-1] == (third, "     - " + text.strip())
    repo.write("m/two.md", LINES)
    repo.write("m/three.md", "# new\n     - " + text)
    repo.commit("move to another file")
    assert _blame(repo, "m/three.md")[-1][0] == third
    assert {commit for commit, _ in _blame(repo, "m/two.md")} == {first}


@pytest.mark.parametrize("name", ODD)
def test_odd_names_can_be_blamed(repo: Repo, name: str) -> None:
    repo.write(name, "text\n")
    commit = repo.commit()
    assert _blame(repo, name) == [(commit, "text")]


def test_blame_runs_nothing_that_the_repository_configures(repo: Repo, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    repo.write(".gitattributes", "* filter=x diff=x\n")
    repo.write("m.md", "text\n")
    commit = repo.commit()
    for key in ("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv", "diff.x.command"):
        repo.run("config", key, f"touch {marker}; cat")
    repo.run("config", "diff.orderFile", "absent")
    repo.write("m.md", "text\nmore\n")
    assert _blame(repo, "m.md") == [(commit, "text")]
    assert not marker.exists()


# Logs


def _deletions(repo: Repo, floor: str = "") -> list[tuple[str, list[str]]]:
    with opened(repo.root) as repository:
        head = repository.read_ref("HEAD")
        log = history.iter_deletions(repository, head, floor, 60)
        return [(commit.subject, sorted(commit.paths)) for commit in log]


def test_deletions_of_odd_names_are_named_exactly(repo: Repo) -> None:
    for name in ODD:
        repo.write(name, name)
    repo.commit("one")
    for name in ODD:
        (repo.root / name).unlink()
    repo.commit("two: / \\ \t ü")
    assert _deletions(repo) == [("two: / \\ \t ü", sorted(ODD))]


def test_a_merge_names_what_it_removed_itself_and_a_branch_what_it_removed(repo: Repo) -> None:
    for name in ("a", "b", "c"):
        repo.write(name, name)
    repo.commit("base")
    repo.run("switch", "--quiet", "--create", "side")
    repo.delete("a")
    repo.commit("side", "2026-11-02T00:00:00Z")
    repo.run("switch", "--quiet", "main")
    repo.write("d", "d")
    repo.commit("main", "2026-11-03T00:00:00Z")
    repo.run("merge", "--quiet", "--no-ff", "--no-commit", "side")
    repo.delete("b")
    repo.commit("merge", "2026-11-04T00:00:00Z")
    assert _deletions(repo) == [("merge", ["b"]), ("side", ["a"])]


def test_the_floor_bounds_the_log(repo: Repo) -> None:
    commits = []
    for number in range(6):
        repo.write("old" if number % 2 == 0 else "new", str(number))
        commits.append(repo.commit(str(number), f"2026-11-0{number + 1}T00:00:00Z"))
        repo.delete("old" if number % 2 == 0 else "new")
    repo.commit("last", "2026-11-08T00:00:00Z")
    with opened(repo.root) as repository:
        head = repository.read_ref("HEAD")
        assert history.find_floor(repository, head, 1000) == ""
        assert history.find_floor(repository, head, 2) == commits[4]
        assert history.find_floor(repository, head, 7) == ""
    assert [subject for subject, _ in _deletions(repo, commits[4])] == ["last", "5"]


def test_the_newest_commit_of_each_file_is_found(repo: Repo) -> None:
    repo.write("a", "1")
    first = repo.commit("one", "2026-11-01T00:00:00Z")
    repo.write("-b\n", "1")
    second = repo.commit("two", "2026-11-02T00:00:00Z")
    with opened(repo.root) as repository:
        found = history.read_last_commits(repository, second, ["a", "-b\n", "never"], 60)
    assert {path: commit.commit for path, commit in found.items()} == {"a": first, "-b\n": second}


# Trees and changes


def test_trees_are_compared_in_one_go(repo: Repo) -> None:
    repo.write("a", "1")
    repo.write("x\ny", "1")
    first = repo.commit()
    repo.write("a", "2")
    repo.rename("x\ny", "z")
    second = repo.commit()
    with opened(repo.root) as repository:
        known = history.list_commit_trees(repository, [first, second, "1" * 40])
        assert set(known) == {first, second}
        asked = [(known[one], known[other]) for one, other in ((first, second), (second, second), (second, first))]
        found = list(history.iter_tree_changes(repository, asked, 60))
    assert [[(change.status, change.old) for change in changes] for changes in found] == [
        [("M", "a"), ("D", "x\ny"), ("A", "z")],
        [],
        [("M", "a"), ("A", "x\ny"), ("D", "z")],
    ]


def test_renames_are_seen_with_edits_or_exactly(repo: Repo) -> None:
    repo.write("edited.py", LINES)
    repo.write("same.py", LINES.upper())
    repo.write("empty.py", "")
    repo.commit()
    repo.rename("edited.py", "new/edited.py")
    repo.write("new/edited.py", LINES + "one more\n" * 8)
    repo.rename("same.py", "new/same.py")
    repo.rename("empty.py", "new/empty.py")
    commit = repo.commit()
    with opened(repo.root) as repository:
        seen = {}
        for exact in (False, True):
            ((_, changes),) = history.iter_changes(repository, [commit], exact=exact, seconds=60)
            seen[exact] = {change.old: change.new for change in changes if change.status == "R"}
        assert list(history.iter_changes(repository, [], exact=True, seconds=60)) == []
    assert seen[True] == {"same.py": "new/same.py"}
    assert seen[False] == {"same.py": "new/same.py", "edited.py": "new/edited.py"}


def test_a_partial_clone_gives_trees_and_fails_for_contents(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.py", LINES)
    repo.commit()
    repo.rename("a.py", "b.py")
    repo.write("b.py", LINES + "more\n")
    head = repo.commit()
    with opened(repo.root) as whole:
        assert not history.is_partial(whole)
    with opened(clone_partial(repo, tmp_path / "partial")) as repository:
        assert history.is_partial(repository)
        (entry,) = repository.list_tree(head)
        assert history.find_local(repository, [entry.oid, head]) == {head}
        with pytest.raises(ServiceError):
            list(history.iter_changes(repository, [head], exact=False, seconds=60))
        ((_, changes),) = history.iter_changes(repository, [head], exact=True, seconds=60)
        assert sorted(change.status for change in changes) == ["A", "D"]


def test_only_branches_beside_head_are_tips(repo: Repo) -> None:
    repo.commit("base")
    repo.run("branch", "merged")
    repo.run("switch", "--quiet", "--create", "beside")
    repo.write("a", "1")
    beside = repo.commit("beside")
    repo.run("switch", "--quiet", "main")
    with opened(repo.root) as repository:
        assert [(tip.name, tip.commit) for tip in history.list_tips(repository, 20)] == [("beside", beside)]
        assert history.list_tips(repository, 20)[0].tree == repo.run("rev-parse", "beside^{tree}")


# Objects and ignored paths


def test_objects_are_found_by_abbreviation(repo: Repo) -> None:
    commit = repo.commit()
    ids = (commit, commit[:7], commit[:12].upper(), "0" * 40, "0000000", "zzzzzzz", "--all", "HEAD", "", "abc", "é" * 8)
    with opened(repo.root) as repository:
        assert history.find_objects(repository, ids) == {commit, commit[:7], commit[:12].upper()}
        assert history.find_objects(repository, []) == frozenset()


def test_an_ambiguous_id_exists(repo: Repo) -> None:
    # Two contents whose ids begin with the same four digits.
    repo.write("one", "142")
    repo.write("other", "784")
    commit = repo.commit()
    with opened(repo.root) as repository:
        (short,) = {entry.oid[:4] for entry in repository.list_tree(commit)}
        assert history.find_objects(repository, [short]) == {short}


def test_ignored_paths_are_those_that_git_would_ignore(repo: Repo, tmp_path: Path) -> None:
    repo.write(".gitignore", "build/\n*.log\n!keep.log\n/only-here\n")
    repo.write("kept.log.py", "")
    repo.write("was-committed.log", "x")
    repo.link("link", tmp_path)
    repo.run("add", "--all", "--force")
    repo.commit()
    ignored = {
        "build/",
        "sub/build/",
        "build/x.py",
        "a.log",
        "new\nline.log",
        "-x.log",
        "was-committed.log",
        "only-here",
    }
    kept = {"build", "keep.log", "sub/only-here", "src/", "kept.log.py", ":(top)x"}
    refused = {
        "",
        "/",
        "/etc/x.log",
        "../x.log",
        "a/../b.log",
        "x\0.log",
        "link/x.log",
        ".git/x.log",
        "./x.log",
        "a//b.log",
    }
    with opened(repo.root) as repository:
        assert history.list_ignored(repository, ignored | kept | refused) == ignored
        assert history.list_ignored(repository, kept) == frozenset()
        assert history.list_ignored(repository, refused) == frozenset()


def test_a_path_in_a_submodule_does_not_spoil_the_others(repo: Repo, tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner")
    inner.commit()
    repo.write(".gitignore", "*.log\n")
    repo.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "module")
    repo.commit()
    with opened(repo.root) as repository:
        assert history.list_ignored(repository, ["module/x.log", "module/", "x.log"]) == {"x.log"}


def test_an_empty_repository_has_no_head(repo: Repo) -> None:
    with opened(repo.root) as repository:
        assert repository.read_ref("HEAD") == ""


def test_authors_are_people_with_their_addresses(repo: Repo) -> None:
    with opened(repo.root) as repository:
        assert (history.list_authors(repository), history.read_user_name(repository)) == (frozenset(), "")
    for name, email in (("Inês Duarte", "ines@shop.example"), ("renovate[bot]", "bot@shop.example")):
        repo.run("-c", f"user.name={name}", "commit", "--allow-empty", "-q", "-m", "x", f"--author={name} <{email}>")
    repo.run("config", "user.name", "Inês Duarte")
    with opened(repo.root) as repository:
        assert history.list_authors(repository) == {("Inês Duarte", "ines@shop.example")}
        assert history.list_author_names(repository) == {"inês", "duarte"}
        assert history.read_user_name(repository) == "Inês Duarte"
