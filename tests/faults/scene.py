"""A scope, a change of it, and what may be found afterwards."""

import contextlib
import datetime as dt
import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Self

from memci.stores.apply import apply_plan, recover, undo
from memci.stores.journal import JournalChange
from memci.stores.lock import CLIENT_LOCK, Lock, hold_lock

NOW = dt.datetime(2026, 11, 16, 12, tzinfo=dt.UTC)
# Long ago, and of a process that cannot exist.
CLIENT_NS = 1_700_000_000_123_456_789
CLIENT = b"999999"
LARGE = b"0123456789abcdef\n" * 600

CHANGES = {
    PurePosixPath(path): JournalChange(old, new)
    for path, old, new in (
        ("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md)\n- [C](c.md)\n"),
        ("a.md", LARGE, b"short\n"),
        ("c.md", None, LARGE),
        ("gone.md", b"gone\n", None),
        ("logs/2026/only.md", b"log\n", None),
        ("new/deep/d.md", None, b"d\n"),
        ("sub/b.md", b"b\n", b""),
    )
}
KEPT = {"sub/other.md": b"other\n", CLIENT_LOCK: CLIENT}

# A file is its bytes and its mode, a directory is None.
Tree = dict[str, tuple[bytes, int] | None]


@dataclass(frozen=True, slots=True)
class Scene:
    """A scope with its state beside it, and a bystander that must never be touched."""

    base: Path
    changes: Mapping[PurePosixPath, JournalChange] = field(default_factory=lambda: CHANGES)

    @property
    def scope(self) -> Path:
        return self.base / "scope"

    @property
    def state(self) -> Path:
        return self.base / "state" / "memci" / "key"

    @property
    def old(self) -> Tree:
        return _expect({str(path): change.old for path, change in self.changes.items()})

    @property
    def new(self) -> Tree:
        return _expect({str(path): change.new for path, change in self.changes.items()})

    def build(self) -> Self:
        """Make everything anew, as before the change."""
        shutil.rmtree(self.base, ignore_errors=True)
        for name, version in self.old.items():
            path = self.scope / name
            if version is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(version[0])
                path.chmod(version[1])
        os.utime(self.scope / CLIENT_LOCK, ns=(CLIENT_NS, CLIENT_NS))
        (self.base / "bystander").write_bytes(b"bystander")
        return self

    def hold(self) -> contextlib.AbstractContextManager[Lock]:
        return hold_lock(self.scope, self.state)

    def dream(self) -> None:
        with self.hold() as lock:
            apply_plan(self.changes, lock)

    def repair(self) -> None:
        with self.hold() as lock:
            recover(lock)

    def take_back(self) -> None:
        with self.hold() as lock:
            undo(lock)

    def tree(self) -> Tree:
        """Return everything in the scope."""
        return {str(path.relative_to(self.scope)): _describe(path) for path in sorted(self.scope.rglob("*"))}

    def check_whole(self) -> None:
        """Find each file in one of its two versions, as it has to be even before a repair."""
        for path, change in self.changes.items():
            target = self.scope / path
            assert (target.read_bytes() if target.exists() else None) in {change.old, change.new}, path
        self.check_outside()

    def check_outside(self) -> None:
        """Find everything else as it was."""
        assert (self.base / "bystander").read_bytes() == b"bystander"
        assert {path.name for path in self.base.iterdir()} <= {"scope", "state", "bystander"}
        assert (self.scope / "sub/other.md").read_bytes() == KEPT["sub/other.md"]

    def check_settled(self) -> str:
        """Find everything old or everything new, and nothing else; return which."""
        self.check_outside()
        left = {path.name for path in self.state.iterdir()} if self.state.exists() else set()
        assert left <= {"lock", "last.json"}, left
        tree = self.tree()
        assert tree in (self.old, self.new), tree
        return "old" if tree == self.old else "new"

    def client_ns(self) -> int:
        return (self.scope / CLIENT_LOCK).stat().st_mtime_ns


def _describe(path: Path) -> tuple[bytes, int] | None:
    return None if path.is_dir() else (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))


def _expect(versions: dict[str, bytes | None]) -> Tree:
    tree: Tree = {}
    for name, data in (versions | KEPT).items():
        if data is not None:
            tree |= {str(parent): None for parent in PurePosixPath(name).parents if parent.name}
            tree[name] = (data, 0o600 if name == "a.md" else 0o644)
    return tree
