import time
from pathlib import Path

import pytest

from memci.citations import kept_verdicts
from memci.dream import check_memory
from tests.citations.scripted import Moved, Scripted, begin, run_check

LATER = 60 * 1_000_000_000
CODE = "".join(f"value_{number} = compute({number})\n" for number in range(20))


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Return a repository with enough claims, whose files were written a minute ago."""
    scripted = begin(tmp_path / "repo")
    scripted.remember("\n".join(f"- `src/file{number}.py` is `own_part_{number}`." for number in range(70)))
    files = {f"src/file{number}.py": f"{CODE}own_part_{number} = {number}\n" for number in range(70)}
    scripted.change(files)
    scripted.change({"lib/file1.py": Moved("src/file1.py"), "src/file2.py": None})
    clock = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: clock() + LATER)
    return scripted


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(check_memory, "judge_claims", fail)


def test_an_unchanged_repository_is_not_asked_again(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_check(scripted.repo.root)
    assert {found["rule"] for found in first["findings"]} >= {"path-moved", "path-missing"}
    forbid(monkeypatch)
    assert run_check(scripted.repo.root) == first


@pytest.mark.parametrize("path", ["src/file2.py", "src/file3.py", ".gitignore"])
def test_a_changed_file_is_seen(scripted: Scripted, path: str) -> None:
    first = run_check(scripted.repo.root)
    scripted.repo.write(path, "own_2 = 3\n" if path.endswith(".py") else "src/file2.py\n")
    assert run_check(scripted.repo.root)["claims"] != first["claims"]


def test_a_new_commit_is_seen(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    run_check(scripted.repo.root)
    scripted.repo.run("commit", "-q", "--allow-empty", "-m", "more")
    forbid(monkeypatch)
    with pytest.raises(AssertionError):
        run_check(scripted.repo.root)


def test_damage_and_the_work_of_this_moment_are_not_trusted(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_check(scripted.repo.root)
    kept = scripted.repo.root / ".git/memci/verdicts"
    kept.write_bytes(kept.read_bytes().replace(b"lib/", b"lab/"))
    assert run_check(scripted.repo.root) == first
    kept.unlink()
    monkeypatch.undo()
    assert run_check(scripted.repo.root) == first
    assert not kept.exists()


def test_other_code_judges_again(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    run_check(scripted.repo.root)
    monkeypatch.setattr(kept_verdicts, "read_code", lambda: [("verdict.py", 1, 1)])
    forbid(monkeypatch)
    with pytest.raises(AssertionError):
        run_check(scripted.repo.root)


def test_compiled_modules_are_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__pycache__").mkdir()
    for name in ("__init__.py", "__pycache__/verdict.cpython-311.pyc", "__pycache__/verdict.cpython-311.pyc.14026"):
        (tmp_path / name).touch()
    monkeypatch.setattr("memci.__file__", str(tmp_path / "__init__.py"))
    assert [Path(name).name for name, *_ in kept_verdicts.read_code()] == ["__init__.py"]
