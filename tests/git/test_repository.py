import contextlib
import datetime as dt
import os
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.history import last_changes
from memci.git.repository import Repository, find_repository
from tests.repository import Repo, make_repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


@pytest.fixture
def opened() -> Callable[[Path], Repository]:
    """Return a function that opens a repository."""

    def find(start: Path) -> Repository:
        repository = find_repository(start)
        assert repository is not None
        return repository

    return find


Opener = Callable[[Path], Repository]


def _time(text: str) -> int:
    return int(dt.datetime.fromisoformat(text).timestamp())


def _changes(repository: Repository, *paths: str) -> dict[str, int]:
    return {str(path): when for path, when in last_changes(repository, map(PurePosixPath, paths)).items()}


def test_there_is_no_repository_in_a_plain_directory(tmp_path: Path) -> None:
    assert find_repository(tmp_path) is None


def test_finds_the_root_from_below(repo: Repo, opened: Opener) -> None:
    repo.write("a/b/c.md")
    repository = opened(repo.root / "a" / "b")
    assert (repository.root, repository.common, repository.shallow) == (repo.root, repo.root / ".git", False)


def test_a_linked_worktree_is_its_own_root_and_shares_the_common_directory(repo: Repo, opened: Opener) -> None:
    repo.commit()
    repo.run("worktree", "add", "--quiet", "../other")
    repository = opened(repo.root.parent / "other")
    assert (repository.root, repository.common) == (repo.root.parent / "other", repo.root / ".git")


def test_a_root_with_a_line_break_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="line break"):
        find_repository(make_repository(tmp_path / "two\nlines").root)


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="gone is no directory"):
        find_repository(tmp_path / "gone")


def test_a_missing_git_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServiceError, match="git is not installed"):
        find_repository(tmp_path)


def test_somebody_elses_repository_is_refused_with_the_way_out(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Git has a switch for its own tests that makes every repository somebody else's.
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(wrapper.parent), prepend=os.pathsep)
    repo.write("deep/x.md")
    with pytest.raises(ServiceError, match="belongs to somebody else") as caught:
        find_repository(repo.root / "deep")
    assert caught.value.hint == f"git config --global --add safe.directory {repo.root}"


def test_a_shallow_clone_is_known_and_hinted_at(repo: Repo, tmp_path: Path, opened: Opener) -> None:
    first = repo.commit("one")
    repo.commit("two")
    repo.run("clone", "--quiet", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    repository = opened(tmp_path / "shallow")
    assert repository.shallow
    with pytest.raises(UsageError) as caught:
        repository.resolve(first)
    assert "shallow" in caught.value.hint


# Revisions


def test_resolves_what_people_write(repo: Repo, opened: Opener) -> None:
    first = repo.commit("one")
    second = repo.commit("two")
    repo.run("tag", "--annotate", "--message=x", "v1", first)
    repository = opened(repo.root)
    names = {"main": second, "HEAD~1": first, "v1": first, second[:9]: second, "main@{0}": second, "@": second}
    assert {name: repository.resolve(name) for name in names} == names


@pytest.mark.parametrize(
    "revision",
    [
        "nothing",
        "",
        "-",
        "--",
        "--all",
        "--help",
        "-h",
        "--output={marker}",
        "--open-files-in-pager=touch {marker}",
        "--exec=touch {marker}",
        "--upload-pack=touch {marker}",
        "$(touch {marker})",
        "HEAD; touch {marker}",
        "^HEAD",
        "HEAD~1..HEAD",
        "HEAD^@",
        "HEAD:a.md",
        "HEAD\nHEAD",
        "x" * 5000,
        "\udcff",
    ],
)
def test_what_names_no_commit_is_refused_and_never_run(
    repo: Repo, tmp_path: Path, opened: Opener, revision: str
) -> None:
    repo.write("a.md")
    repo.commit("one")
    repo.commit("two")
    marker = tmp_path / "marker"
    with pytest.raises(UsageError, match="no such commit"):
        opened(repo.root).resolve(revision.replace("{marker}", str(marker)))
    assert not marker.exists()


def test_a_branch_called_like_an_option_is_a_branch(repo: Repo, opened: Opener) -> None:
    commit = repo.commit()
    repo.run("update-ref", "refs/heads/--output=x", commit)
    assert opened(repo.root).resolve("--output=x") == commit
    assert not (repo.root / "x").exists()


def test_merge_base_is_where_the_lines_parted(repo: Repo, opened: Opener) -> None:
    base = repo.commit("base")
    repo.run("switch", "--quiet", "--create", "side")
    side = repo.commit("side")
    repo.run("switch", "--quiet", "main")
    main = repo.commit("main")
    repo.run("switch", "--quiet", "--orphan", "alone")
    alone = repo.commit("alone")
    repository = opened(repo.root)
    assert repository.merge_base(side, main) == base
    assert repository.merge_base(main, alone) == main


def test_knows_whether_there_are_commits(repo: Repo, opened: Opener) -> None:
    assert not opened(repo.root).has_commits()
    repo.commit()
    assert opened(repo.root).has_commits()


# Listings

ODD = [
    "a b.md",
    "-rf.md",
    "--output=x.md",
    ":(exclude)*.md",
    "line\nbreak.md",
    'tab\tquote".md',
    "ünï/日本.md",
    "back\\slash.md",
    "*.md",
    " lead and trail .md ",
    os.fsdecode(b"latin\xe9.md"),
]


def test_odd_names_are_listed_as_they_are(repo: Repo, opened: Opener) -> None:
    for name in ODD:
        repo.write(name, "x")
    repository = opened(repo.root)
    assert sorted(repository.list_files()) == sorted(ODD)
    commit = repo.commit()
    assert sorted(entry.path for entry in repository.list_tree(commit)) == sorted(ODD)
    assert _changes(repository, *ODD) == dict.fromkeys(ODD, _time("2026-11-01T12:00:00Z"))


def test_lists_tracked_and_untracked_files_but_not_ignored_ones(repo: Repo, opened: Opener) -> None:
    repo.write(".gitignore", "ignored.md\nforced.md\n")
    repo.write("tracked.md")
    repo.write("forced.md")
    repo.run("add", "--force", "forced.md")
    repo.commit()
    repo.write("untracked.md")
    repo.write("ignored.md")
    repository = opened(repo.root)
    assert sorted(repository.list_files()) == [".gitignore", "forced.md", "tracked.md", "untracked.md"]
    assert sorted(repository.list_tracked()) == [".gitignore", "forced.md", "tracked.md"]


def test_a_file_in_conflict_is_listed_once(repo: Repo, opened: Opener) -> None:
    repo.write("a.md", "base")
    repo.commit()
    repo.run("switch", "--quiet", "--create", "side")
    repo.write("a.md", "side")
    repo.commit()
    repo.run("switch", "--quiet", "main")
    repo.write("a.md", "main")
    repo.commit()
    with pytest.raises(AssertionError):
        repo.run("merge", "side")
    assert opened(repo.root).list_files() == ["a.md"]


def test_modes_tell_links_and_programs(repo: Repo, opened: Opener) -> None:
    repo.link("link", "a.sh")
    repo.write("a.sh").chmod(0o755)
    repo.write("b.md")
    entries = opened(repo.root).list_tree(repo.commit())
    assert {entry.path: entry.mode for entry in entries} == {"a.sh": "100755", "b.md": "100644", "link": "120000"}


# Blobs


def test_blobs_come_back_byte_for_byte(repo: Repo, opened: Opener) -> None:
    contents = [b"", b"\n", b"no end", b"\0\xff\r\n", b"x" * 1000]
    for number, content in enumerate(contents):
        repo.write(f"{number}.md", content)
    repository = opened(repo.root)
    entries = repository.list_tree(repo.commit())
    assert [repository.read_blob(entry.oid, 1000) for entry in entries] == contents


def test_a_blob_over_the_limit_is_passed_over(repo: Repo, opened: Opener) -> None:
    repo.write("a.md", b"x" * 1_000_001)
    repo.write("b.md", b"after")
    repository = opened(repo.root)
    large, small = (entry.oid for entry in repository.list_tree(repo.commit()))
    assert repository.read_blob(large, 1_000_000) is None
    assert repository.read_blob(small, 5) == b"after"
    assert repository.read_blob(small, 4) is None
    assert repository.read_blob(large, 1_000_001) == b"x" * 1_000_001


def test_a_missing_object_is_an_error_and_the_next_one_is_read(repo: Repo, opened: Opener) -> None:
    repo.write("a.md", b"there")
    repository = opened(repo.root)
    (entry,) = repository.list_tree(repo.commit())
    with pytest.raises(ServiceError, match="no object"):
        repository.read_blob("0" * 40, 10)
    assert repository.read_blob(entry.oid, 10) == b"there"


def test_a_damaged_object_is_an_error_however_often_it_is_asked_for(repo: Repo, opened: Opener) -> None:
    repo.write("a.md", os.urandom(100_000))
    repository = opened(repo.root)
    (entry,) = repository.list_tree(repo.commit())
    stored = repo.root / ".git" / "objects" / entry.oid[:2] / entry.oid[2:]
    stored.chmod(0o644)
    stored.write_bytes(stored.read_bytes()[:50_000])
    for _ in range(2):
        with pytest.raises(ServiceError, match="git"):
            repository.read_blob(entry.oid, 1_000_000)


# Ages


def test_clean_files_are_those_that_git_has_as_they_are(repo: Repo, opened: Opener) -> None:
    for path in ("kept", "edited", "gone", "touched", "assumed", "skipped", "with space\nand line", "sub/run.sh"):
        repo.write(path, f"{path}\n")
    (repo.root / "sub/run.sh").chmod(0o755)
    repo.link("link", "kept")
    repo.commit()
    repo.run("update-index", "--assume-unchanged", "assumed")
    repo.run("update-index", "--skip-worktree", "skipped")
    for path in ("edited", "assumed", "skipped", "untracked"):
        repo.write(path, "other\n")
    (repo.root / "gone").unlink()
    os.utime(repo.root / "touched", (1, 1))
    repo.write("intended", "new\n")
    repo.run("add", "--intent-to-add", "intended")
    clean = opened(repo.root).list_clean()
    assert set(clean) == {"kept", "touched", "with space\nand line", "sub/run.sh"}
    assert clean["kept"] == repo.run("rev-parse", "HEAD:kept")


def test_a_file_in_conflict_is_not_clean(repo: Repo, opened: Opener) -> None:
    repo.write("a", "one\n")
    repo.commit()
    repo.run("checkout", "--quiet", "-b", "other")
    repo.write("a", "two\n")
    repo.commit()
    repo.run("checkout", "--quiet", "main")
    repo.write("a", "three\n")
    repo.commit()
    with contextlib.suppress(AssertionError):
        repo.run("merge", "other")
    assert opened(repo.root).list_clean() == {}


def test_what_a_filter_makes_of_a_file_is_not_taken_for_its_blob(repo: Repo, tmp_path: Path, opened: Opener) -> None:
    marker = tmp_path / "ran"
    repo.write(".gitattributes", "*.enc filter=swap\n")
    repo.write("a.enc", "text\n")
    repo.commit()
    repo.run("config", "filter.swap.clean", f"touch {marker}; tr a-z b-za")
    repo.run("config", "filter.swap.required", "true")
    os.utime(repo.root / "a.enc", (1, 1))
    assert set(opened(repo.root).list_clean()) == {".gitattributes", "a.enc"}
    assert not marker.exists()


def test_ages_are_those_of_the_newest_commit_that_touched_a_file(repo: Repo, opened: Opener) -> None:
    repo.write("m/old.md", "1")
    repo.write("m/edited.md", "1")
    repo.write("m/renamed.md", "a text long enough to be recognised\n" * 5)
    repo.write("m/gone.md", "1")
    repo.commit("one", "2026-01-01T00:00:00Z")
    repo.write("m/edited.md", "2")
    repo.commit("two", "2026-02-01T00:00:00Z")
    repo.rename("m/renamed.md", "m/new.md")
    repo.delete("m/gone.md")
    repo.commit("three", "2026-03-01T00:00:00Z")
    repo.write("m/uncommitted.md")
    wanted = ("m/old.md", "m/edited.md", "m/new.md", "m/uncommitted.md", "m/never.md")
    assert _changes(opened(repo.root), *wanted) == {
        "m/old.md": _time("2026-01-01T00:00:00Z"),
        "m/edited.md": _time("2026-02-01T00:00:00Z"),
        "m/new.md": _time("2026-03-01T00:00:00Z"),
    }


def test_ages_of_deleted_files_are_those_of_the_deletion(repo: Repo, opened: Opener) -> None:
    repo.write("m/gone.md")
    repo.commit("one", "2026-01-01T00:00:00Z")
    repo.delete("m/gone.md")
    repo.commit("two", "2026-02-01T00:00:00Z")
    assert _changes(opened(repo.root), "m/gone.md") == {"m/gone.md": _time("2026-02-01T00:00:00Z")}


def test_a_merge_counts_for_what_it_changed_itself(repo: Repo, opened: Opener) -> None:
    repo.write("m/both.md", "base\n")
    repo.write("m/same.md", "base\n")
    repo.commit("base", "2026-01-01T00:00:00Z")
    repo.run("switch", "--quiet", "--create", "side")
    repo.write("m/both.md", "side\n")
    repo.write("m/from-side.md", "side\n")
    repo.commit("side", "2026-02-01T00:00:00Z")
    repo.run("switch", "--quiet", "main")
    repo.write("m/both.md", "main\n")
    repo.commit("main", "2026-03-01T00:00:00Z")
    repo.run("merge", "--quiet", "--no-commit", "--strategy=ours", "side")
    repo.write("m/both.md", "by hand\n")
    repo.write("m/from-side.md", "side\n")
    repo.write("m/in-merge.md", "new\n")
    repo.commit("merge", "2026-04-01T00:00:00Z")
    assert _changes(opened(repo.root), "m/both.md", "m/same.md", "m/from-side.md", "m/in-merge.md") == {
        "m/both.md": _time("2026-04-01T00:00:00Z"),
        "m/in-merge.md": _time("2026-04-01T00:00:00Z"),
        "m/from-side.md": _time("2026-02-01T00:00:00Z"),
        "m/same.md": _time("2026-01-01T00:00:00Z"),
    }


def test_a_file_whose_name_is_a_number_is_no_time(repo: Repo, opened: Opener) -> None:
    for name in ("1", "²", "a.md"):
        repo.write(name)
    repo.commit("one", "2026-01-01T00:00:00Z")
    assert _changes(opened(repo.root), "a.md") == {"a.md": _time("2026-01-01T00:00:00Z")}


@pytest.mark.parametrize("setting", ["log.follow=true", "log.showRoot=false", "color.ui=always", "log.date=relative"])
def test_the_persons_own_log_settings_change_nothing(repo: Repo, opened: Opener, setting: str) -> None:
    repo.write("a.md", "text\n" * 9)
    repo.commit("one", "2026-01-01T00:00:00Z")
    repo.run("config", *setting.split("="))
    assert _changes(opened(repo.root), "a.md") == {"a.md": _time("2026-01-01T00:00:00Z")}


def test_paths_outside_of_the_repository_have_no_age_and_do_no_harm(repo: Repo, opened: Opener) -> None:
    repo.write("m/a.md")
    repo.commit("one", "2026-01-01T00:00:00Z")
    wanted = ("m/a.md", "/elsewhere/b.md", "~/.claude/c.md")
    assert list(_changes(opened(repo.root), *wanted)) == ["m/a.md"]


def test_a_directory_called_like_a_pattern_is_a_directory(repo: Repo, opened: Opener) -> None:
    repo.write(":(top)x/a.md")
    repo.commit("one", "2026-01-01T00:00:00Z")
    assert _changes(opened(repo.root), ":(top)x/a.md") == {":(top)x/a.md": _time("2026-01-01T00:00:00Z")}


def test_nothing_has_an_age_before_the_first_commit(repo: Repo, opened: Opener) -> None:
    repo.write("a.md")
    assert _changes(opened(repo.root), "a.md") == {}
    assert _changes(opened(repo.root)) == {}


def test_reading_history_stops_when_every_file_is_found(repo: Repo, opened: Opener) -> None:
    repo.write("m/a.md", "0")
    first = repo.commit("first")
    for number in range(1, 5):
        repo.write("m/a.md", str(number))
        repo.commit("more", f"2026-02-0{number}T00:00:00Z")
    # Without its first commit the history cannot be read to the end.
    (repo.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    assert _changes(opened(repo.root), "m/a.md") == {"m/a.md": _time("2026-02-04T00:00:00Z")}
    with pytest.raises(ServiceError, match="git log failed"):
        _changes(opened(repo.root), "m/a.md", "m/never.md")


# Hostile repositories


def _arm(config: Path, marker: Path) -> None:
    """Write a git configuration in which everything that can run a command runs one."""
    run = f"touch {marker}"
    config.write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
        f'\tfsmonitor = "{run}; false"\n\tpager = "{run}"\n\teditor = "{run}"\n\tsshCommand = "{run}"\n'
        f'\talternateRefsCommand = "{run}"\n\taskPass = "{run}"\n'
        f'[diff]\n\texternal = "{run}"\n[diff "x"]\n\ttextconv = "{run}"\n\tcommand = "{run}"\n'
        f'[filter "x"]\n\tclean = "{run}"\n\tsmudge = "{run}"\n\tprocess = "{run}"\n\trequired = true\n'
        f'[gpg]\n\tprogram = "{run}"\n[log]\n\tshowSignature = true\n[pager]\n\tlog = "{run}"\n'
        f'[remote "origin"]\n\turl = {config.parent}\n\tuploadpack = "{run};git-upload-pack"\n\tpromisor = true\n'
        "[extensions]\n\tpartialClone = origin\n[protocol]\n\tallow = always\n"
    )


def _use_everything(repository: Repository) -> None:
    # What looks changed is compared, for which git would run filters.
    os.utime(repository.root / "m" / "a.md", (1, 1))
    repository.list_clean()
    repository.list_files()
    repository.list_submodules()
    commit = repository.resolve("HEAD")
    for entry in repository.list_tree(commit):
        repository.read_blob(entry.oid, 1000)
    repository.merge_base(commit, "HEAD")
    last_changes(repository, [PurePosixPath("m/a.md"), PurePosixPath("m/never.md")])


def test_a_repository_in_a_scope_is_not_obeyed(repo: Repo, tmp_path: Path, opened: Opener) -> None:
    marker = tmp_path / "marker"
    scope = repo.root / "m"
    repo.write("m/a.md")
    make_repository(tmp_path / "evil").commit()
    for name in ("HEAD", "objects", "refs"):
        source = tmp_path / "evil" / ".git" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, scope / name)
    (scope / "refs" / "keep").touch()
    _arm(scope / "config", marker)
    repo.commit()
    _use_everything(opened(repo.root))
    with pytest.raises(ServiceError, match="bare repository"):
        find_repository(scope)
    assert not marker.exists()


def test_commands_in_the_configuration_and_hooks_are_not_run(repo: Repo, tmp_path: Path, opened: Opener) -> None:
    repo.write("m/a.md", "text\n")
    repo.commit()
    marker = tmp_path / "marker"
    repo.write(".gitattributes", "* filter=x diff=x\n")
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"):
        program = repo.write(f".git/hooks/{hook}", f"#!/bin/sh\ntouch {marker}\n")
        program.chmod(0o755)
    _arm(repo.root / ".git" / "config", marker)
    repo.run("config", "core.bare", "false")
    repo.run("config", "core.hooksPath", str(repo.root / ".git" / "hooks"))
    marker.unlink(missing_ok=True)
    _use_everything(opened(repo.root))
    assert not marker.exists()


def test_a_filter_that_cannot_be_switched_off_is_not_run(repo: Repo, tmp_path: Path, opened: Opener) -> None:
    marker = tmp_path / "ran"
    repo.write(".gitattributes", "a filter=x=y\n")
    repo.write("a", "text\n")
    repo.commit()
    repo.run("config", "filter.x=y.clean", f"touch {marker}; cat")
    os.utime(repo.root / "a", (1, 1))
    assert opened(repo.root).list_clean() == {}
    assert not marker.exists()


def test_a_missing_blob_is_not_fetched_from_a_remote_with_a_command(repo: Repo, tmp_path: Path, opened: Opener) -> None:
    repo.write("m/a.md", "text\n")
    commit = repo.commit()
    repository = opened(repo.root)
    (entry,) = repository.list_tree(commit)
    (repo.root / ".git" / "objects" / entry.oid[:2] / entry.oid[2:]).unlink()
    marker = tmp_path / "marker"
    _arm(repo.root / ".git" / "config", marker)
    repo.run("config", "core.bare", "false", GIT_NO_LAZY_FETCH="1")
    marker.unlink(missing_ok=True)
    for _ in range(2):
        with pytest.raises(ServiceError):
            repository.read_blob(entry.oid, 1000)
    assert not marker.exists()


@pytest.mark.parametrize("protocol", ["ext", "file"])
def test_a_repository_cannot_allow_talking_to_others(repo: Repo, tmp_path: Path, opened: Opener, protocol: str) -> None:
    repo.run("config", f"protocol.{protocol}.allow", "always")
    marker = tmp_path / "marker"
    urls = {"ext": f"ext::touch {marker}", "file": f"file://{repo.root}"}
    with pytest.raises(ServiceError, match="not allowed"):
        opened(repo.root).run("ls-remote", urls[protocol])
    assert not marker.exists()


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"]
)
def test_the_environment_of_a_calling_hook_is_not_followed(
    repo: Repo, tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    repo.write("mine.md", "mine")
    commit = repo.commit()
    other = make_repository(tmp_path / "other")
    other.write("theirs.md", "theirs")
    other.commit()
    places = {"GIT_WORK_TREE": "", "GIT_INDEX_FILE": ".git/index", "GIT_OBJECT_DIRECTORY": ".git/objects"}
    monkeypatch.setenv(name, str(other.root / places.get(name, ".git")))
    repository = opened(repo.root)
    assert (repository.root, repository.resolve("HEAD")) == (repo.root, commit)
    assert repository.list_files() == ["mine.md"]
    assert [entry.path for entry in repository.list_tree(commit)] == ["mine.md"]


def test_the_index_is_never_written(repo: Repo, opened: Opener) -> None:
    target = repo.write("m/a.md", "text\n")
    repo.commit()
    index = repo.root / ".git" / "index"
    before = index.read_bytes()
    # The same content with another time makes `git status` refresh the index.
    os.utime(target, (1, 1))
    _use_everything(opened(repo.root))
    assert index.read_bytes() == before
    assert not (repo.root / ".git" / "index.lock").exists()


def test_a_repository_that_names_another_work_tree_is_refused(repo: Repo, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    repo.run("config", "core.worktree", str(victim))
    with pytest.raises(UnsafeError, match="work tree"):
        find_repository(repo.root)
