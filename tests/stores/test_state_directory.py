import stat
from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from memci.errors import ServiceError
from memci.stores.state_directory import make_state_directory, resolve_state_directory, spool_directory
from tests.repository import make_repository


def test_in_a_repository_it_is_the_git_directory_that_all_worktrees_share(tmp_path: Path) -> None:
    common = tmp_path / "repo" / ".git"
    found = resolve_state_directory(tmp_path / "repo" / "memory", common)
    assert found.parent == common / "memci"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"XDG_STATE_HOME": "/state", "HOME": "/h"}, "/state/memci"),
        ({"HOME": "/h"}, "/h/.local/state/memci"),
        ({"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/memci"),
        ({"XDG_STATE_HOME": "relative/state", "HOME": "/h"}, "/h/.local/state/memci"),
    ],
)
def test_elsewhere_it_is_the_state_directory_of_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(platformdirs, "PlatformDirs", Unix)
    assert resolve_state_directory(tmp_path, None).parent == Path(expected)
    assert spool_directory(tmp_path, None).parent == Path(expected, "spool")


def test_on_macos_it_is_where_the_platform_keeps_such_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/h")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    assert resolve_state_directory(tmp_path, None).parent == Path("/h/Library/Application Support/memci")


def test_each_scope_has_its_own_and_all_ways_to_a_scope_lead_to_one(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    (tmp_path / "link").symlink_to(one)
    (tmp_path / "\udcff").mkdir()
    ways = (one, other, tmp_path / "link", other / ".." / "one", tmp_path / "\udcff")
    found = [resolve_state_directory(path, tmp_path / "git") for path in ways]
    assert found[0] != found[1]
    assert found[0] == found[2] == found[3]
    assert len(set(found)) == 3


def test_it_is_made_for_this_person_alone_and_git_does_not_see_it(tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "repo")
    state = resolve_state_directory(repo.root / "memory", repo.root / ".git")
    make_state_directory(state)
    make_state_directory(state)
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert repo.run("status", "--porcelain", "--ignored") == ""


def test_a_file_in_its_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "memci").write_text("")
    with pytest.raises(ServiceError, match="cannot use"):
        make_state_directory(tmp_path / "memci" / "key")
