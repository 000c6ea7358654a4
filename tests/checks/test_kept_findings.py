from pathlib import Path

import pytest

from memci.citations import kept_verdicts
from memci.dream import check_memory
from tests.citations.scripted import Scripted, begin, run_check

# An entry that is too long and has a fix, which quotes it.
LONG = "- [Notes](notes.md) — " + "what everybody who works on the importer of this shop should know, " * 6
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    monkeypatch.setattr(check_memory, "_MIN_CLAIMS", 0)
    scripted = begin(tmp_path / "repo")
    scripted.remember("Imports run at night.")
    scripted.repo.write(".claude/memory/bare.md", "Exports run at noon.\n")
    return scripted


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("checked again")

    monkeypatch.setattr(check_memory, "find_problems", fail)


def test_unchanged_memory_is_not_checked_again(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_check(scripted.repo.root)
    assert first["findings"]
    forbid(monkeypatch)
    assert run_check(scripted.repo.root) == first


@pytest.mark.parametrize("path", ["CLAUDE.md", ".claude/memory/other.md", ".memci.yml"])
def test_changed_texts_and_settings_are_seen(scripted: Scripted, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    run_check(scripted.repo.root)
    scripted.repo.write(path, "severity:\n  date-relative: info\n" if path.endswith("yml") else "Be brief.\n")
    forbid(monkeypatch)
    with pytest.raises(AssertionError):
        run_check(scripted.repo.root)


def test_another_day_is_seen(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    run_check(scripted.repo.root)
    forbid(monkeypatch)
    with pytest.raises(AssertionError):
        run_check(scripted.repo.root, "--now", "2026-11-17")


def test_damage_and_other_code_are_not_trusted(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_check(scripted.repo.root)
    kept = scripted.repo.root / ".git/memci/findings"
    kept.write_bytes(kept.read_bytes().replace(b"warning", b"info"))
    assert run_check(scripted.repo.root) == first
    monkeypatch.setattr(kept_verdicts, "read_code", lambda: [("rule.py", 1, 1)])
    forbid(monkeypatch)
    with pytest.raises(AssertionError):
        run_check(scripted.repo.root)


def test_no_secret_is_copied_out_of_memory(scripted: Scripted) -> None:
    scripted.repo.write(".claude/memory/MEMORY.md", f"# Memory\n\n{LONG} {SECRET}\n")
    run_check(scripted.repo.root)
    kept = scripted.repo.root / ".git/memci/findings"
    assert not kept.exists() or SECRET.encode() not in kept.read_bytes()


def test_of_little_memory_nothing_is_kept(tmp_path: Path) -> None:
    scripted = begin(tmp_path / "repo")
    scripted.remember("Imports run at night.")
    run_check(scripted.repo.root)
    assert not (scripted.repo.root / ".git/memci/findings").exists()
