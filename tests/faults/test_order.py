from pathlib import Path, PurePosixPath

from memci.stores.apply import apply_plan, undo
from memci.stores.journal import JournalChange
from tests.faults.scene import CHANGES, Scene
from tests.faults.steps import between


def test_f12_what_is_named_is_on_disk_before_and_the_names_before_the_commit(scene: Scene) -> None:
    scene.dream()
    calls: list[str] = []
    with scene.build().hold() as lock, between(calls.append):
        apply_plan(CHANGES, lock)
    exchanges = [number for number, call in enumerate(calls) if call == "renameat2"]
    first, last = exchanges[0], exchanges[-1]
    commit = calls.index("rename", last)
    removals = [number for number, call in enumerate(calls) if call in {"unlink", "rmdir"}]
    written = [change for change in CHANGES.values() if change.new is not None]
    # The journal, its directory, and every new version.
    assert calls[:first].count("fsync") == 2 + len(written)
    assert calls[: calls.index("mkdir")].count("fsync") == 2
    assert "fsync" not in calls[first:last]
    # The scope, its directories, and the staging directory.
    assert calls[last:commit].count("fsync") == 7
    # Old versions go when the commit is on disk.
    assert calls[commit + 1] == "fsync"
    assert min(removals) > commit + 1


def test_f09_the_index_never_names_a_topic_that_is_not_there(memory_directory: Path) -> None:
    changes = {
        PurePosixPath("MEMORY.md"): JournalChange(b"- [Zoo](zoo.md)\n", b"- [A](a.md)\n- [Q](q/new.md)\n"),
        PurePosixPath("a.md"): JournalChange(None, b"a\n"),
        PurePosixPath("q/new.md"): JournalChange(None, b"q\n"),
        PurePosixPath("zoo.md"): JournalChange(b"zoo\n", None),
    }
    scene = Scene(memory_directory / "order", changes).build()
    seen = set()

    def look(_: str) -> None:
        index = (scene.scope / "MEMORY.md").read_text()
        names = [row.rpartition("(")[2].rstrip(")") for row in index.split("\n") if row]
        assert all((scene.scope / name).exists() for name in names), names
        seen.add(index)

    with scene.hold() as lock, between(look):
        apply_plan(changes, lock)
    with scene.hold() as lock, between(look):
        undo(lock)
    assert len(seen) == 2
