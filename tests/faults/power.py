"""Losing power: what was not yet on disk may be lost or may be there, in any combination.

`python -m tests.faults.power DIRECTORY` tries every moment; a number makes it coarser.
A disk owes only what was synchronised: the bytes of a file, and the names in a directory. Everything younger may have
reached it or not, each name and each file for itself; only a rename is whole, also across directories, and a
directory is there before the names in it: no file system with a journal does less.
"""

import json
import os
import pickle
import random
import shutil
import stat
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from memci.stores.lock import CLIENT_LOCK
from tests.faults.scene import CLIENT, Scene
from tests.faults.steps import between

# Subsets tried at each moment, beside everything, nothing, and each thing alone.
_RANDOM = 6

# Inode and name; for the bytes of a file, inode and "".
Piece = tuple[int, str]


@dataclass(slots=True)
class Disk:
    """What stands on disk at one moment: the names in directories, and the bytes and modes of files."""

    root: int
    names: dict[int, dict[str, int]] = field(default_factory=dict)
    files: dict[int, tuple[bytes, int]] = field(default_factory=dict)

    def copy(self) -> "Disk":
        return Disk(self.root, {key: dict(value) for key, value in self.names.items()}, dict(self.files))


def look(root: Path) -> Disk:
    """Read everything below a directory, by inode."""
    disk = Disk(root.stat().st_ino)

    def walk(directory: Path, inode: int) -> None:
        names = disk.names.setdefault(inode, {})
        for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
            status = entry.stat(follow_symlinks=False)
            names[entry.name] = status.st_ino
            if entry.is_dir(follow_symlinks=False):
                walk(Path(entry.path), status.st_ino)
            else:
                disk.files[status.st_ino] = Path(entry.path).read_bytes(), stat.S_IMODE(status.st_mode)

    walk(root, disk.root)
    return disk


@dataclass(frozen=True, slots=True)
class Moment:
    """What programs saw before a call, and what the disk owed."""

    seen: Disk
    owed: Disk

    def pending(self) -> list[Piece]:
        """Return what may or may not have reached the disk."""
        names = [
            (inode, name)
            for inode in sorted(self.seen.names.keys() | self.owed.names.keys())
            for name in sorted(self.seen.names.get(inode, {}).keys() | self.owed.names.get(inode, {}).keys())
            if self.seen.names.get(inode, {}).get(name) != self.owed.names.get(inode, {}).get(name)
        ]
        bytes_ = [
            (inode, "") for inode in sorted(self.seen.files) if self.seen.files[inode] != self.owed.files.get(inode)
        ]
        return names + bytes_

    def follow(self, pieces: set[Piece], *, inside: bool) -> set[Piece]:
        """Add the other halves of renames, and with `inside` the names in directories that are new."""
        pending = self.pending()
        waiting, found = list(pieces), set(pieces)
        while waiting:
            directory, name = waiting.pop()
            targets = self._targets((directory, name))
            more = {
                piece
                for piece in pending
                if piece[1] and (self._targets(piece) & targets or (inside and piece[0] in targets))
            } - found
            found |= more
            waiting += more
        return found

    def _targets(self, piece: Piece) -> set[int]:
        return {disk.names.get(piece[0], {}).get(piece[1], 0) for disk in (self.seen, self.owed)} - {0}

    def lose(self, lost: set[Piece]) -> Disk:
        """Return the disk on which these pieces are as they were owed, and all others as they were seen."""
        lost = self.follow(lost, inside=True)
        disk = Disk(self.seen.root)
        for inode in self.seen.names.keys() | self.owed.names.keys():
            new, old = self.seen.names.get(inode, {}), self.owed.names.get(inode, {})
            chosen = {name: (old if (inode, name) in lost else new).get(name) for name in new.keys() | old.keys()}
            disk.names[inode] = {name: target for name, target in chosen.items() if target is not None}
        for inode in self.seen.files.keys() | self.owed.files.keys():
            current, before = self.seen.files.get(inode), self.owed.files.get(inode)
            # A file whose name came through before its bytes is empty.
            empty = (b"", (current or before or (b"", 0o644))[1])
            disk.files[inode] = (before or empty) if (inode, "") in lost or current is None else current
        return disk


def record(scene: Scene) -> list[Moment]:
    """Run the change and return the moments before each of its calls, and the one after them."""
    scene.build()
    owed = look(scene.base)
    moments: list[Moment] = []
    real = os.fsync

    def sync(descriptor: int) -> None:
        real(descriptor)
        inode = os.fstat(descriptor).st_ino
        now = look(scene.base)
        moment = Moment(now, owed)
        for directory, name in moment.follow({piece for piece in moment.pending() if piece[0] == inode}, inside=False):
            if name:
                owed.names.setdefault(directory, {}).pop(name, None)
                if name in now.names.get(directory, {}):
                    owed.names[directory][name] = now.names[directory][name]
        if inode in now.files:
            owed.files[inode] = now.files[inode]

    # Below the watch, so that what is seen before a call is what was synchronised before it.
    with (
        mock.patch.object(os, "fsync", sync),
        between(lambda _: moments.append(Moment(look(scene.base), owed.copy()))),
    ):
        scene.dream()
    moments.append(Moment(look(scene.base), owed.copy()))
    return moments


def record_elsewhere(scene: Scene) -> list[Moment]:
    """Record in a process of its own, which is dead afterwards as after a loss of power."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with open(writing, "wb") as file:  # noqa: PTH123 -- an open descriptor has no path
            pickle.dump(record(scene), file)
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:  # noqa: PTH123
        moments: list[Moment] = pickle.load(file)  # noqa: S301 -- our own child wrote it
    os.waitpid(child, 0)
    return moments


def build(scene: Scene, disk: Disk) -> None:
    """Make the directory what a disk holds."""
    shutil.rmtree(scene.base)

    def make(target: Path, inode: int) -> None:
        if inode in disk.files:
            data, mode = disk.files[inode]
            target.write_bytes(data)
            target.chmod(mode)
            return
        target.mkdir()
        for name, inner in disk.names.get(inode, {}).items():
            make(target / name, inner)

    make(scene.base, disk.root)


def drop_empty(root: Path) -> None:
    """Remove empty directories: git does not know them, and the next change uses them again."""
    for path in sorted(root.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def choose(pending: list[Piece], seed: int) -> Iterator[set[Piece]]:
    """Yield what is lost: nothing, everything, all bytes, all names, each alone, all but each, and some at random."""
    yield set()
    if not pending:
        return
    yield set(pending)
    yield {piece for piece in pending if not piece[1]}
    yield {piece for piece in pending if piece[1]}
    for piece in pending:
        yield {piece}
        yield set(pending) - {piece}
    chance = random.Random(seed)
    for _ in range(_RANDOM):
        yield {piece for piece in pending if chance.random() < 0.5}


def sweep(scene: Scene, every: int = 1) -> Counter[str]:
    """Lose power before each call; return how often the next run found everything old, and how often new."""
    found: Counter[str] = Counter()
    tried: set[str] = set()
    for number, moment in enumerate(record_elsewhere(scene)):
        if number % every:
            continue
        for lost in choose(moment.pending(), number):
            disk = moment.lose(lost)
            key = repr((disk.names, disk.files))
            if key in tried:
                continue
            tried.add(key)
            build(scene, disk)
            scene.repair()
            # Nobody synchronises a lock: an empty one is as good.
            (scene.scope / CLIENT_LOCK).write_bytes(CLIENT)
            drop_empty(scene.scope)
            found[scene.check_settled()] += 1
    return found


def main() -> None:
    """Print the counts."""
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    sys.stdout.write(json.dumps({"dream": sweep(Scene(Path(sys.argv[1]) / "power"), every)}) + "\n")


if __name__ == "__main__":
    main()
