import errno
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import ServiceError, UnsafeError
from memci.stores.apply import apply_plan, recover
from tests.faults.scene import CHANGES, Scene, Tree
from tests.faults.steps import between, each_step
from tests.gate import in_gate

THEIRS = b"somebody's words\n"


def write_into(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(THEIRS)


def replace(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    other = path.with_name("editor.tmp")
    other.write_bytes(THEIRS)
    other.rename(path)


def delete(path: Path) -> None:
    path.unlink(missing_ok=True)


def link(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to("nowhere")


EDITS: tuple[tuple[str, Callable[[Path], None]], ...] = (
    ("a.md", write_into),
    ("a.md", replace),
    ("a.md", link),
    ("a.md", delete),
    ("new/deep/d.md", write_into),
    ("new/deep/d.md", link),
    ("gone.md", write_into),
    ("gone.md", delete),
)


@pytest.fixture
def small(memory_directory: Path) -> Scene:
    """Return a scope in which one file is replaced, one made and one removed."""
    names = ("a.md", "new/deep/d.md", "gone.md")
    return Scene(memory_directory / "small", {PurePosixPath(name): CHANGES[PurePosixPath(name)] for name in names})


@pytest.mark.parametrize(("name", "edit"), in_gate(EDITS))
def test_f10_an_edit_before_any_call_is_never_lost(small: Scene, name: str, edit: Callable[[Path], None]) -> None:
    target = small.scope / name
    found: Counter[str] = Counter()
    is_edit = False

    def act() -> None:
        nonlocal is_edit
        # Deleting what is not there is no edit.
        is_edit = edit is not delete or target.exists()
        edit(target)

    for disturbance in each_step(act):
        is_edit, outcome = False, "new"
        with small.build().hold() as lock, between(disturbance, looking=True):
            try:
                apply_plan(small.changes, lock)
            except UnsafeError as error:
                assert name in error.message  # noqa: PT017 -- not every step is an error
                outcome = "old"
        if is_edit:
            check_edit(target, edit)
        check_others(small, name, small.old if outcome == "old" else small.new)
        # The old bytes are kept aside only if nobody else has them: somebody edited the new version of a file.
        kept = list(small.state.glob("left-*"))
        assert not kept or (outcome == "old" and name != "new/deep/d.md")
        found[outcome] += 1
    assert found["new"] > 3
    assert found["old"] > 3


@pytest.mark.parametrize(("name", "edit"), in_gate(EDITS[::2]))
def test_f10_an_edit_before_any_call_of_a_repair_is_never_lost(
    small: Scene, name: str, edit: Callable[[Path], None]
) -> None:
    target = small.scope / name
    is_edit = False

    def act() -> None:
        nonlocal is_edit
        is_edit = edit is not delete or target.exists()
        edit(target)

    for disturbance in each_step(act):
        is_edit = False
        with small.build().hold() as lock:
            with between(Broken()), pytest.raises(ServiceError, match="rolling back failed"):
                apply_plan(small.changes, lock)
            with between(disturbance, looking=True):
                recovery = recover(lock)
        if is_edit:
            check_edit(target, edit)
        assert set(map(str, recovery.left)) <= {name}
        check_others(small, name, small.old)


class Broken:
    """A disk on which nothing can be changed any more as soon as all files have their new version."""

    def __init__(self) -> None:
        self.exchanged = 0

    def __call__(self, call: str) -> None:
        self.exchanged += call == "renameat2"
        if self.exchanged >= 3 and call != "renameat2":
            raise OSError(errno.EIO, os.strerror(errno.EIO))


def check_edit(target: Path, edit: Callable[[Path], None]) -> None:
    """Find what somebody did to a file, whatever became of the change."""
    if edit is link:
        assert target.is_symlink()
    elif edit is delete:
        assert not target.exists()
    else:
        assert target.read_bytes() == THEIRS


def check_others(scene: Scene, name: str, expected: Tree) -> None:
    """Find all other files old or all of them new, and nothing else left."""
    (scene.scope / name).unlink(missing_ok=True)
    above = {str(parent) for parent in Path(name).parents}
    tree, wanted = ({key: tree[key] for key in tree.keys() - above - {name}} for tree in (scene.tree(), expected))
    assert tree == wanted
    assert not (scene.state / "pending.json").exists()
    scene.check_outside()
