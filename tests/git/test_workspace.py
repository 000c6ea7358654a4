from pathlib import Path, PurePosixPath

import pytest

from memci.errors import UsageError
from memci.git.workspace import list_skipped, open_workspace, resolve_inside
from tests.repository import Repo, make_repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


def test_a_repository_is_found_from_below(repo: Repo) -> None:
    repo.write("a/b/c.md")
    workspace = open_workspace(repo.root / "a" / "b")
    assert (workspace.root, workspace.start) == (repo.root, repo.root / "a" / "b")
    assert list(workspace.tree.paths()) == ["a/b/c.md"]


def test_a_plain_directory_is_its_own_root(tmp_path: Path) -> None:
    (tmp_path / "x.md").touch()
    workspace = open_workspace(tmp_path)
    assert (workspace.root, workspace.repository, list(workspace.tree.paths())) == (tmp_path.resolve(), None, ["x.md"])


def test_a_linked_worktree_is_its_own_root(repo: Repo) -> None:
    repo.write("a.md")
    repo.commit()
    repo.run("worktree", "add", "--quiet", "../other")
    workspace = open_workspace(repo.root.parent / "other")
    assert (workspace.root, list(workspace.tree.paths())) == (repo.root.parent / "other", ["a.md"])


def test_a_link_to_the_repository_leads_to_it(repo: Repo, tmp_path: Path) -> None:
    repo.write("a/x.md")
    (tmp_path / "link").symlink_to(repo.root / "a")
    workspace = open_workspace(tmp_path / "link")
    assert (workspace.root, workspace.start) == (repo.root, repo.root / "a")


# What is not looked at


def test_a_repository_without_submodules_or_links_skips_nothing(repo: Repo, tmp_path: Path) -> None:
    repo.write(".claude/memory/MEMORY.md")
    repo.write(".gitmodules")
    repo.link("docs/link", "/etc")
    assert list_skipped(open_workspace(repo.root)) == ()
    assert list_skipped(open_workspace(tmp_path)) == ()


def _add_submodule(repo: Repo, tmp_path: Path, place: str, *files: str) -> None:
    other = make_repository(tmp_path / "modules" / place.replace("/", "-"))
    for path in files:
        other.write(path)
    other.commit()
    repo.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), place)


def test_submodules_with_memory_are_named(repo: Repo, tmp_path: Path) -> None:
    _add_submodule(repo, tmp_path, "libs/agents", ".claude/agent-memory/x/MEMORY.md")
    _add_submodule(repo, tmp_path, "libs/project", ".claude/memory/MEMORY.md")
    _add_submodule(repo, tmp_path, "libs/none", "README.md")
    _add_submodule(repo, tmp_path, ".claude/memory", "MEMORY.md")
    _add_submodule(repo, tmp_path, ".claude/agent-memory/shared", "MEMORY.md")
    found = list_skipped(open_workspace(repo.root))
    assert [path for path, _ in found] == [
        ".claude/agent-memory/shared",
        ".claude/memory",
        "libs/agents",
        "libs/project",
    ]
    assert {reason for _, reason in found} == {"a submodule; run memci in its own repository"}


@pytest.mark.parametrize("place", [".claude", ".claude/agent-memory", "apps/.claude"])
def test_a_linked_parent_of_scopes_is_named(repo: Repo, place: str) -> None:
    repo.link(place, "/etc")
    ((path, reason),) = list_skipped(open_workspace(repo.root))
    assert path == place
    assert "symbolic link" in reason


# What a person names


def test_named_paths_are_taken_from_where_the_person_stands(repo: Repo) -> None:
    repo.write("a/b/c.md")
    workspace = open_workspace(repo.root / "a")
    names = {"b": "a/b", "b/c.md": "a/b/c.md", ".": "a", "..": ".", "b/../b": "a/b", str(repo.root / "a"): "a"}
    assert {name: str(resolve_inside(workspace, Path(name))) for name in names} == names


def test_a_named_link_inside_leads_to_what_it_means(repo: Repo) -> None:
    repo.write("real/x.md")
    repo.link("link", "real")
    assert resolve_inside(open_workspace(repo.root), Path("link/x.md")) == PurePosixPath("real/x.md")


def test_what_does_not_exist_or_is_outside_is_refused(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "repo-evil").mkdir()
    repo.link("out", "/etc")
    workspace = open_workspace(repo.root)
    with pytest.raises(UsageError, match="none does not exist"):
        resolve_inside(workspace, Path("none"))
    for path in (Path("../repo-evil"), Path("out"), Path("/etc/hosts"), Path("/")):
        with pytest.raises(UsageError, match="is outside of"):
            resolve_inside(workspace, path)


def test_a_path_in_another_repository_comes_with_the_way_to_check_it(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "x.md").touch()
    with pytest.raises(UsageError) as caught:
        resolve_inside(open_workspace(repo.root), tmp_path / "x.md")
    assert caught.value.hint == f"memci -C {tmp_path} check"
