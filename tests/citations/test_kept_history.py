from pathlib import Path

import pytest

from memci.citations.history import old_names
from memci.git import history
from tests.citations.scripted import Scripted, begin, run_check


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    """Return a repository whose memory cites what is gone, and that was changed just now: no verdicts are kept."""
    scripted = begin(tmp_path / "repo")
    scripted.change({f"src/file{number}.py": f"def own_part_{number}():\n    pass\n" for number in range(120)})
    scripted.remember("\n".join(f"- `own_part_{number}` is used." for number in range(120)))
    scripted.repo.commit("remember")
    scripted.change({f"src/file{number}.py": "def other():\n    pass\n" for number in range(100, 110)})
    return scripted


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(old_names, "strip_noise", fail)
    monkeypatch.setattr(history, "blame", fail)


def test_old_blobs_are_read_once_however_files_change(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_check(scripted.repo.root)
    assert first["claims"]["missing"] == 10
    scripted.repo.write("src/file3.py", "def own_part_3():\n    return 1\n")
    forbid(monkeypatch)
    assert run_check(scripted.repo.root) == first


def test_other_names_and_new_blobs_are_read(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    run_check(scripted.repo.root)
    scripted.change({"src/file3.py": "def other():\n    pass\n"})
    assert run_check(scripted.repo.root)["claims"]["missing"] == 11
    forbid(monkeypatch)
    scripted.change({"src/file4.py": "def other():\n    pass\n"})
    with pytest.raises(AssertionError):
        run_check(scripted.repo.root)


def test_a_file_of_memory_that_changed_is_asked_about_anew(scripted: Scripted) -> None:
    run_check(scripted.repo.root)
    path = scripted.remember("- `own_part_105` is used.\n- `own_part_110` is used.")
    scripted.repo.commit("remember more")
    assert scripted.truth(path) == []
    scripted.change({"src/file110.py": "def other():\n    pass\n"})
    assert [told.line for told in scripted.truth(path)] == [2]


def test_damage_is_not_trusted(scripted: Scripted) -> None:
    first = run_check(scripted.repo.root)
    kept = scripted.repo.root / ".git/memci/old-names"
    kept.write_bytes(kept.read_bytes().replace(b"own_part_104", b"own_part_104x"))
    assert run_check(scripted.repo.root) == first


def test_a_word_that_hundreds_of_files_use_hides_no_removal(tmp_path: Path) -> None:
    scripted = begin(tmp_path / "repo")
    uses = {f"src/a{number}.py": f"print(shared_word, {number})\n" for number in range(250)}
    scripted.change({**uses, "src/own.py": "def own_part():\n    pass\n"})
    path = scripted.remember("- `own_part` is used.\n- `shared_word` is known.")
    scripted.repo.commit("remember")
    scripted.change({name: f"print({number})\n" for number, name in enumerate(uses)})
    commit = scripted.change({"src/own.py": "def other():\n    pass\n"}, "take it out")
    (told,) = scripted.truth(path)
    assert commit[:10] in told.message
