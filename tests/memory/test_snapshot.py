import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

from memci.git.file_tree import list_work_tree, read_commit
from memci.git.repository import find_repository
from memci.memory.scopes import find_scopes
from memci.memory.snapshot import read_scopes
from memci.model.memory import ScopeSnapshot, Topic, Unread, Unreadable
from tests.build import topic_text
from tests.repository import Repo, make_repository

SCOPE = ".claude/memory"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


def _read(repo: Repo, *globs: str) -> dict[str, ScopeSnapshot]:
    tree = list_work_tree(repo.root, find_repository(repo.root))
    return {item.scope.id: item for item in read_scopes(tree, find_scopes(tree, repo.root, globs))}


def _read_project(repo: Repo) -> ScopeSnapshot:
    return _read(repo)["project"]


def _inside(items: Iterable[Topic | Unread | PurePosixPath]) -> list[str]:
    paths = [item if isinstance(item, PurePosixPath) else item.path for item in items]
    return [str(path.relative_to(SCOPE)) for path in paths]


def test_sorts_files_into_index_topics_logs_and_others(repo: Repo) -> None:
    files = {
        "MEMORY.md": "- [A](a.md) — x\n- [D](data.json) — x\n- [L](2026-11-03.md) — x\n",
        "a.md": topic_text("body", name="alpha"),
        "sub/b.md": topic_text("body"),
        "sub/2026-11-09.md": "a topic, not a log",
        "20261104.md": "a topic",
        "logs/2026/11/2026-11-01.md": "one",
        "logs/2026-11-02.md": "two",
        "2026-11-03.md": "three",
        "logs/notes.md": "not a day",
        "sub/MEMORY.md": "not the index",
        "data.json": "{}",
        "A.MD": "",
        "noend": "",
    }
    for name, text in files.items():
        repo.write(f"{SCOPE}/{name}", text)
    scope = _read_project(repo)
    assert scope.index is not None
    assert [pointer.path for pointer in scope.index.pointers] == [
        PurePosixPath(SCOPE, name) for name in ("a.md", "data.json", "2026-11-03.md")
    ]
    assert _inside(scope.topics) == ["20261104.md", "a.md", "sub/2026-11-09.md", "sub/b.md"]
    assert scope.topics[1].name == "alpha"
    assert {str(log.day): log.text for log in scope.logs} == {
        "2026-11-01": "one",
        "2026-11-02": "two",
        "2026-11-03": "three",
    }
    assert sorted(_inside(scope.others)) == ["A.MD", "data.json", "logs/notes.md", "noend", "sub/MEMORY.md"]
    assert scope.unread == ()
    assert {path.relative_to(SCOPE).as_posix() for path in scope.files} == set(files)


def test_dot_files_and_what_is_in_dot_directories_are_skipped(repo: Repo) -> None:
    for name in ("a.md", ".b.md", ".memci.json", ".obsidian/c.md", "sub/.d/e.md", ".consolidate-lock"):
        repo.write(f"{SCOPE}/{name}", "text")
    repo.link(f"{SCOPE}/.link.md", "/etc/hosts")
    scope = _read_project(repo)
    assert (_inside(scope.topics), scope.others, scope.unread) == (["a.md"], (), ())


def test_texts_keep_every_character(repo: Repo) -> None:
    text = "\ufeff---\r\nname: x\r\n---\r\nnul \0 and \u2028 and no end"
    repo.write(f"{SCOPE}/a.md", text)
    repo.write(f"{SCOPE}/MEMORY.md", text)
    scope = _read_project(repo)
    assert scope.index is not None
    assert (scope.topics[0].text, scope.index.text) == (text, text)


def test_one_bad_file_neither_stops_nor_hides(repo: Repo) -> None:
    repo.write(f"{SCOPE}/good.md", "text")
    repo.write(f"{SCOPE}/latin.md", b"caf\xe9")
    repo.write(f"{SCOPE}/lfs.md", "version https://git-lfs.github.com/spec/v1\n")
    repo.link(f"{SCOPE}/link.md", "good.md")
    make_repository(repo.root / SCOPE / "nested").write("x.md")
    os.mkfifo(repo.root / SCOPE / "pipe.md")
    scope = _read_project(repo)
    assert _inside(scope.topics) == ["good.md"]
    assert {item.path.name: item.reason for item in scope.unread} == {
        "latin.md": Unreadable.NOT_UTF8,
        "lfs.md": Unreadable.LFS_POINTER,
        "link.md": Unreadable.SYMLINK,
        "nested": Unreadable.NESTED_REPOSITORY,
        "pipe.md": Unreadable.SPECIAL,
    }


def test_an_index_that_cannot_be_read_is_none_and_is_named(repo: Repo) -> None:
    repo.write(f"{SCOPE}/a.md", "text")
    repo.write(f"{SCOPE}/MEMORY.md", "index".encode("utf-16"))
    scope = _read_project(repo)
    assert (scope.index, _inside(scope.unread)) == (None, ["MEMORY.md"])


def test_a_directory_called_like_the_index_is_named(repo: Repo) -> None:
    repo.write(f"{SCOPE}/MEMORY.md/a.md", "text")
    scope = _read_project(repo)
    assert (scope.index, scope.topics, _inside(scope.unread)) == (None, (), ["MEMORY.md"])


def test_a_scope_that_is_a_link_is_unread_as_a_whole(repo: Repo) -> None:
    repo.link(SCOPE, "/etc")
    scope = _read_project(repo)
    assert [(item.reason, item.detail) for item in scope.unread] == [(Unreadable.SYMLINK, "/etc")]
    assert (scope.index, scope.topics, scope.others) == (None, (), ())


def test_a_scope_whose_files_were_all_deleted_is_empty(repo: Repo) -> None:
    target = repo.write(f"{SCOPE}/a.md", "text")
    repo.commit()
    target.unlink()
    scope = _read_project(repo)
    assert (scope.index, scope.files) == (None, frozenset())


def test_a_file_below_two_scopes_belongs_to_the_inner_one(repo: Repo) -> None:
    for path in ("MEMORY.md", "outer.md", "a/MEMORY.md", "a/inner.md", "a/deep/most/x.md", "b/other.md"):
        repo.write(f".claude/agent-memory/{path}", "text")
    found = _read(repo, ".claude/agent-memory/a/deep")
    topics = {scope_id: [topic.path.name for topic in scope.topics] for scope_id, scope in found.items()}
    assert topics == {
        "agents": ["outer.md"],
        "agent:a": ["inner.md"],
        ".claude/agent-memory/a/deep": ["x.md"],
        "agent:b": ["other.md"],
    }
    assert {scope_id for scope_id, scope in found.items() if scope.index} == {"agents", "agent:a"}


def test_scopes_with_like_names_are_kept_apart(repo: Repo) -> None:
    for agent in ("a", "a-b", "ab"):
        repo.write(f".claude/agent-memory/{agent}/{agent}.md", "text")
    found = _read(repo)
    assert {scope_id: [topic.path.stem for topic in scope.topics] for scope_id, scope in found.items()} == {
        "agent:a": ["a"],
        "agent:a-b": ["a-b"],
        "agent:ab": ["ab"],
    }


def test_the_root_itself_can_be_a_scope(repo: Repo) -> None:
    repo.write("MEMORY.md", "- [A](a.md) — x\n- [B](sub/b.md) — x\n- [C](../c.md) — x\n")
    repo.write("a.md", "text")
    repo.write("sub/b.md", "text")
    scope = _read(repo, ".")["."]
    assert scope.index is not None
    assert [pointer.path for pointer in scope.index.pointers] == [
        PurePosixPath("a.md"),
        PurePosixPath("sub/b.md"),
        None,
    ]
    assert len(scope.topics) == 2


def test_a_commit_gives_the_same_snapshot_as_its_clean_checkout(repo: Repo) -> None:
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — x\n")
    for name in ("a.md", "a-b/c.md", "a/b.md", "logs/2026-11-02.md", "x.json", ".hidden.md"):
        repo.write(f"{SCOPE}/{name}", topic_text(name))
    repo.write(f"{SCOPE}/bad.md", b"\xff")
    repo.write(".claude/agent-memory/MEMORY.md", "x")
    repo.write(".claude/agent-memory/a/x.md", "x")
    commit = repo.commit()
    repository = find_repository(repo.root)
    assert repository is not None
    tree = read_commit(repository, commit)
    stored = read_scopes(tree, find_scopes(tree, repo.root))
    assert stored == tuple(_read(repo).values())
