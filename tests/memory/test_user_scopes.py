import json
import re
from pathlib import Path

import pytest

from memci.errors import UsageError
from memci.git.repository import find_repository
from memci.memory.user_scopes import find_user_scopes, validate_directory
from memci.model.memory import Scope, Trust
from tests.repository import Repo, make_repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repository(tmp_path / "my.repo")


def _find(root: Path, home: Path, **environment: str) -> dict[str, Scope]:
    found = find_user_scopes(root, find_repository(root), {"HOME": str(home), **environment})
    return {scope.id: scope for scope in found}


def _auto(root: Path, home: Path, **environment: str) -> Path | None:
    scope = _find(root, home, **environment).get("auto")
    return scope.target if scope else None


def _make(directory: Path) -> Path:
    directory.mkdir(parents=True)
    return directory


def _set(settings: Path, directory: object) -> None:
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"autoMemoryDirectory": directory}))


def _slug(root: Path) -> str:
    return re.sub("[^A-Za-z0-9]", "-", str(root))


def test_finds_nothing_where_nothing_is(repo: Repo, home: Path) -> None:
    assert _find(repo.root, home) == {}


def test_finds_agents_of_the_user_and_local_ones(repo: Repo, home: Path) -> None:
    for name in ("reviewer", "two words", ".hidden"):
        _make(home / ".claude" / "agent-memory" / name)
    (home / ".claude" / "agent-memory" / "file.md").touch()
    (home / ".claude" / "agent-memory" / "link").symlink_to("/etc")
    _make(repo.root / ".claude" / "agent-memory-local" / "mine")
    found = _find(repo.root, home)
    assert {name: (str(scope.path), scope.trust) for name, scope in found.items()} == {
        "user:reviewer": ("~/.claude/agent-memory/reviewer", Trust.USER),
        "user:two words": ("~/.claude/agent-memory/two words", Trust.USER),
        "local:mine": (".claude/agent-memory-local/mine", Trust.LOCAL),
    }


def test_a_committed_link_in_place_of_the_local_agents_is_not_followed(repo: Repo, home: Path) -> None:
    _make(home / "private" / "keys")
    repo.link(".claude/agent-memory-local", home / "private")
    assert _find(repo.root, home) == {}
    (repo.root / ".claude" / "agent-memory-local").unlink()
    (repo.root / ".claude").rmdir()
    _make(home / "private" / "agent-memory-local" / "keys")
    repo.link(".claude", home / "private")
    assert _find(repo.root, home) == {}


# Auto memory


def test_the_auto_memory_is_kept_under_the_name_of_the_root(repo: Repo, home: Path) -> None:
    target = _make(home / ".claude" / "projects" / _slug(repo.root) / "memory")
    repo.write("deep/er/x.md")
    (scope,) = _find(repo.root, home).values()
    assert (scope.id, scope.trust, scope.target) == ("auto", Trust.USER, target)
    assert str(scope.path) == f"~/.claude/projects/{_slug(repo.root)}/memory"


def test_all_worktrees_share_the_auto_memory_of_the_main_one(repo: Repo, home: Path) -> None:
    target = _make(home / ".claude" / "projects" / _slug(repo.root) / "memory")
    repo.commit()
    repo.run("worktree", "add", "--quiet", "../other")
    _make(home / ".claude" / "projects" / _slug(repo.root.parent / "other") / "memory")
    assert _auto(repo.root.parent / "other", home) == target


def test_a_submodule_has_its_own_auto_memory(repo: Repo, home: Path, tmp_path: Path) -> None:
    make_repository(tmp_path / "other").commit()
    repo.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "other"), "module")
    target = _make(home / ".claude" / "projects" / _slug(repo.root / "module") / "memory")
    assert _auto(repo.root / "module", home) == target


def test_a_plain_directory_has_one_too(tmp_path: Path, home: Path) -> None:
    target = _make(home / ".claude" / "projects" / _slug(tmp_path) / "memory")
    assert _auto(tmp_path, home) == target


def test_the_configuration_directory_can_be_elsewhere(repo: Repo, home: Path, tmp_path: Path) -> None:
    config = tmp_path / "config"
    target = _make(config / "projects" / _slug(repo.root) / "memory")
    _make(config / "agent-memory" / "x")
    _make(home / ".claude" / "agent-memory" / "y")
    found = _find(repo.root, home, CLAUDE_CONFIG_DIR=str(config))
    assert {name: str(scope.path) for name, scope in found.items()} == {
        "user:x": str(config / "agent-memory" / "x"),
        "auto": str(target),
    }


def test_settings_of_the_user_and_local_ones_name_the_directory(repo: Repo, home: Path) -> None:
    user = _make(home / "notes" / "user")
    local = _make(home / "notes" / "local")
    override = _make(home / "notes" / "override")
    _make(home / ".claude" / "projects" / _slug(repo.root) / "memory")
    _set(home / ".claude" / "settings.json", "~/notes/user")
    assert _auto(repo.root, home) == user
    _set(repo.root / ".claude" / "settings.local.json", str(local))
    assert _auto(repo.root, home) == local
    assert _auto(repo.root, home, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE=str(override)) == override


def test_the_settings_of_the_repository_are_never_asked(repo: Repo, home: Path) -> None:
    keys = _make(home / "private" / "keys")
    for name in ("settings.json", "settings.local.json"):
        _set(repo.root / ".claude" / name, str(keys))
    repo.commit()
    assert _auto(repo.root, home) is None


def test_local_settings_count_only_while_git_does_not_keep_them(repo: Repo, home: Path) -> None:
    notes = _make(home / "notes" / "x")
    _set(repo.root / ".claude" / "settings.local.json", str(notes))
    assert _auto(repo.root, home) == notes
    repo.run("add", "--all")
    assert _auto(repo.root, home) is None
    repo.run("rm", "--quiet", "--cached", ".claude/settings.local.json")
    repo.write(".gitignore", ".claude/settings.local.json\n")
    assert _auto(repo.root, home) == notes


def test_committed_settings_do_not_pass_for_local_ones_through_a_link(repo: Repo, home: Path) -> None:
    keys = _make(home / "private" / "keys")
    _set(repo.root / "evil" / "settings.local.json", str(keys))
    repo.link(".claude", "evil")
    repo.commit()
    assert _auto(repo.root, home) is None


def test_committed_settings_do_not_pass_for_local_ones_by_case(repo: Repo, home: Path) -> None:
    keys = _make(home / "private" / "keys")
    _set(repo.root / ".Claude" / "Settings.local.json", str(keys))
    repo.commit()
    # What a file system that ignores case would show.
    _set(repo.root / ".claude" / "settings.local.json", str(keys))
    assert _auto(repo.root, home) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', '{"autoMemoryDirectory": 1}', "[" * 100_000, "\udcff"])
def test_broken_settings_are_passed_over(repo: Repo, home: Path, text: str) -> None:
    target = _make(home / ".claude" / "projects" / _slug(repo.root) / "memory")
    for settings in (home / ".claude" / "settings.json", repo.write(".claude/settings.local.json")):
        settings.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert _auto(repo.root, home) == target


def test_a_directory_that_does_not_exist_is_no_scope(repo: Repo, home: Path) -> None:
    _set(home / ".claude" / "settings.json", str(home / "a" / "b"))
    assert _auto(repo.root, home) is None


# Which directories are accepted

HOME = Path("/home/somebody")


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("/srv/notes", "/srv/notes"),
        ("/srv/notes/", "/srv/notes"),
        ("/srv/./a//b", "/srv/a/b"),
        ("~/notes", "/home/somebody/notes"),
        ("~/.claude/x", "/home/somebody/.claude/x"),
        ("/home/somebody-else/x", "/home/somebody-else/x"),
    ],
)
def test_accepts_absolute_directories(named: str, expected: str) -> None:
    assert validate_directory(named, HOME) == Path(expected)


@pytest.mark.parametrize(
    "named",
    [
        "notes",
        "./notes",
        "../notes",
        "~",
        "~/",
        "~/.",
        "~root/notes",
        "/",
        "/home",
        "/home/",
        "/home/somebody",
        "/home/somebody/x/..",
        "/etc",
        "//server/share/x",
        "\\\\server\\share",
        "C:\\notes",
        "C:/notes",
        "/srv/no\0tes",
        "/srv/a/../b/c",
        "~/../other/notes",
        "~/../..",
        "",
    ],
)
def test_refuses_what_cannot_be_meant(named: str) -> None:
    with pytest.raises(UsageError):
        validate_directory(named, HOME)


def test_refuses_what_is_above_a_deep_home() -> None:
    with pytest.raises(UsageError):
        validate_directory("/export/users", Path("/export/users/group/somebody"))
