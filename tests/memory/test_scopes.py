from pathlib import Path

import pytest

from memci.git.file_tree import list_work_tree, read_commit
from memci.git.repository import find_repository
from memci.memory.scopes import find_scopes
from memci.model.memory import Scope, Trust
from tests.repository import Repo, make_repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "repo")


def _scopes(repo: Repo, *globs: str) -> tuple[Scope, ...]:
    return find_scopes(list_work_tree(repo.root, find_repository(repo.root)), repo.root, globs)


def _find(repo: Repo, *globs: str) -> dict[str, str]:
    """Return id and path of every scope; the same must be found in a commit of everything."""
    found = {scope.id: str(scope.path) for scope in _scopes(repo, *globs)}
    commit = repo.commit()
    repository = find_repository(repo.root)
    assert repository is not None
    tree = read_commit(repository, commit)
    assert {scope.id: str(scope.path) for scope in find_scopes(tree, repo.root, globs)} == found
    return found


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "MEMORY.md",
        "memory/notes.md",
        "src/memory/allocator.md",
        "memory/sub/MEMORY.md",
        "my-memory/MEMORY.md",
        "agent-memory/reviewer/MEMORY.md",
        "docs/.claude/agents/reviewer.md",
        ".claude/agent-memory/README.md",
        ".claude/agent-memory/.gitkeep",
        ".claude/agent-memory/.cache/x.md",
        ".claude/agent-memory-local/reviewer/MEMORY.md",
        ".claude/memory",
        "x.claude/memory/a.md",
        ".claude/memory.md",
        ".Claude/Memory/MEMORY.md",
    ],
)
def test_leaves_alone_what_is_no_memory(repo: Repo, path: str) -> None:
    repo.write(path, "text")
    assert _find(repo) == {}


@pytest.mark.parametrize(
    ("path", "scope_id", "scope"),
    [
        (".claude/agent-memory/reviewer/MEMORY.md", "agent:reviewer", ".claude/agent-memory/reviewer"),
        (".claude/agent-memory/reviewer/only-a-topic.md", "agent:reviewer", ".claude/agent-memory/reviewer"),
        (".claude/agent-memory/reviewer/deep/er/a.md", "agent:reviewer", ".claude/agent-memory/reviewer"),
        (".claude/agent-memory/two words/a.md", "agent:two words", ".claude/agent-memory/two words"),
        (".claude/agent-memory/-rf/a.md", "agent:-rf", ".claude/agent-memory/-rf"),
        (".claude/agent-memory/memory/MEMORY.md", "agent:memory", ".claude/agent-memory/memory"),
        (".claude/agent-memory/MEMORY.md", "agents", ".claude/agent-memory"),
        (".claude/memory/MEMORY.md", "project", ".claude/memory"),
        (".claude/memory/a.md", "project", ".claude/memory"),
        (".claude/memory/memory/MEMORY.md", "project", ".claude/memory"),
        ("memory/MEMORY.md", "memory", "memory"),
        ("docs/memory/MEMORY.md", "docs/memory", "docs/memory"),
        ("apps/web/.claude/agent-memory/x/a.md", "apps/web/agent:x", "apps/web/.claude/agent-memory/x"),
        ("apps/web/.claude/agent-memory/MEMORY.md", "apps/web/agents", "apps/web/.claude/agent-memory"),
        ("apps/web/.claude/memory/a.md", "apps/web/project", "apps/web/.claude/memory"),
        ("日本/.claude/memory/a.md", "日本/project", "日本/.claude/memory"),
        ("a\nb/.claude/memory/a.md", "a\nb/project", "a\nb/.claude/memory"),
    ],
)
def test_finds_the_usual_places(repo: Repo, path: str, scope_id: str, scope: str) -> None:
    repo.write(path, "text")
    assert _find(repo) == {scope_id: scope}


def test_a_bare_index_stands_beside_the_agents(repo: Repo) -> None:
    repo.write(".claude/agent-memory/MEMORY.md")
    repo.write(".claude/agent-memory/a/MEMORY.md")
    repo.write(".claude/agent-memory/b/topic.md")
    assert list(_find(repo)) == ["agents", "agent:a", "agent:b"]


def test_knows_where_a_scope_really_is(repo: Repo) -> None:
    repo.write("apps/web/.claude/memory/a.md")
    (scope,) = _scopes(repo)
    assert (scope.target, scope.trust) == (repo.root / "apps/web/.claude/memory", Trust.COMMITTED)


def test_what_git_ignores_is_local(repo: Repo) -> None:
    repo.write(".gitignore", ".claude/\n")
    for agent in ("secret", "shared"):
        repo.write(f".claude/agent-memory/{agent}/MEMORY.md")
    repo.write(".claude/memory/MEMORY.md")
    repo.write("node_modules/x/.claude/memory/MEMORY.md")
    repo.run("add", "--force", ".claude/agent-memory/shared", "node_modules")
    assert {scope.id: scope.trust for scope in _scopes(repo)} == {
        "agent:secret": Trust.LOCAL,
        "agent:shared": Trust.COMMITTED,
        "project": Trust.LOCAL,
        "node_modules/x/project": Trust.COMMITTED,
    }


def test_is_found_before_it_is_added(repo: Repo) -> None:
    repo.write(".claude/memory/MEMORY.md")
    assert [scope.id for scope in _scopes(repo)] == ["project"]


# Globs


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        (["notes/*"], ["notes/a", "notes/b"]),
        (["/notes/*/"], ["notes/a", "notes/b"]),
        (["notes/[a]"], ["notes/a"]),
        (["notes/?"], ["notes/a", "notes/b"]),
        (["notes"], ["notes"]),
        (["*"], ["notes", "team"]),
        (["**/bank"], ["team/bank", "team/x/bank"]),
        (["team/**/bank"], ["team/bank", "team/x/bank"]),
        (["team/*/bank"], ["team/x/bank"]),
        (["team/**"], ["team", "team/bank", "team/x", "team/x/bank"]),
        (["."], ["."]),
        (["nowhere"], []),
        (["notes/*", "!notes/b"], ["notes/a"]),
        (["!notes/b", "notes/*"], ["notes/a"]),
        (["notes/*", "**/bank", "!team"], ["notes/a", "notes/b"]),
        (["**/bank", "!**/x"], ["team/bank"]),
        (["", "!", "!/", "**/**/**/**/**/**/**/**/**/**/nothing"], []),
    ],
)
def test_globs_add_directories_and_take_them_out(repo: Repo, globs: list[str], expected: list[str]) -> None:
    for path in ("notes/a/MEMORY.md", "notes/a/logs/2026/11/2026-11-01.md", "notes/b/x.md", "notes/b.txt"):
        repo.write(path)
    for path in ("team/bank/x.md", "team/x/bank/y.md", "data/only.json"):
        repo.write(path)
    assert sorted(_find(repo, *globs)) == expected


def test_usual_places_can_be_taken_out_and_keep_their_names(repo: Repo) -> None:
    repo.write(".claude/memory/a.md")
    repo.write("vendor/x/.claude/agent-memory/y/a.md")
    assert list(_find(repo, ".claude/memory")) == ["project", "vendor/x/agent:y"]
    assert list(_find(repo, "!vendor")) == ["project"]
    assert list(_find(repo, "!vendor/*")) == ["project"]
    assert list(_find(repo, "!.claude/memory", "!vendor")) == []


def test_hostile_globs_end(repo: Repo) -> None:
    repo.write("/".join("a" * 200) + "/x.md")
    assert _find(repo, "**/a/" * 50 + "b", "*a" * 50 + "b") == {}


# Links and submodules


def test_a_linked_scope_is_found_so_that_it_is_not_silently_left_out(repo: Repo) -> None:
    repo.link(".claude/agent-memory/evil", "/etc")
    repo.link(".claude/agent-memory/README.md", "../../README.md")
    repo.link("apps/.claude/memory", "../docs")
    assert _find(repo) == {"agent:evil": ".claude/agent-memory/evil", "apps/project": "apps/.claude/memory"}


@pytest.mark.parametrize("place", ["libs/x", ".claude/memory", ".claude/agent-memory/shared"])
def test_a_submodule_is_not_entered(repo: Repo, tmp_path: Path, place: str) -> None:
    other = make_repository(tmp_path / "other")
    other.write(".claude/memory/MEMORY.md")
    other.write("MEMORY.md")
    other.write("memory/MEMORY.md")
    other.commit()
    repo.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), place)
    assert _find(repo) == {}


def test_a_repository_below_the_root_is_not_entered(repo: Repo) -> None:
    make_repository(repo.root / "libs" / "x").write(".claude/memory/MEMORY.md")
    assert _scopes(repo) == ()


def test_a_plain_directory_has_scopes_too(tmp_path: Path) -> None:
    for path in (".claude/agent-memory/x/a.md", "apps/.claude/memory/a.md"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).touch()
    found = find_scopes(list_work_tree(tmp_path, None), tmp_path)
    assert [scope.id for scope in found] == ["agent:x", "apps/project"]
