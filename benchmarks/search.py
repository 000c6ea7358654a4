"""Finding many names in a large repository: ours against one ripgrep and against only reading; prints a table."""

import os
import random
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from memci.drift import search
from memci.drift.search import Searcher

FILES = 20_000
SIZE = 200_000_000
COUNTS = (100, 1_000, 10_000)
ROUNDS = 3


def read_sources() -> list[bytes]:
    """Return the Python sources installed here: real text, because made-up words repeat as real ones do not."""
    places = {Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))}
    return [path.read_bytes() for place in sorted(places) for path in sorted(place.rglob("*.py"))]


def find_vocabulary(sources: Sequence[bytes]) -> list[str]:
    """Return the names and options in the sources."""
    pattern = re.compile(rb"(?<![\w-])(?:--[a-z][a-z0-9-]{2,30}+(?![\w-])|[A-Za-z_][A-Za-z0-9_]{4,40}+)")
    return sorted({name.decode() for data in sources for name in pattern.findall(data)})


def write_repository(root: Path, sources: Sequence[bytes]) -> None:
    """Write the sources again and again until there are enough files and bytes."""
    size = number = 0
    while number < FILES or size < SIZE:
        directory = root / f"package{number % 100}"
        directory.mkdir(exist_ok=True)
        size += (directory / f"module{number}.py").write_bytes(sources[number % len(sources)])
        number += 1
    print(f"{number:,} files, {size / 1e6:.0f} MB; CPU seconds, minimum of {ROUNDS} interleaved rounds\n")


def read_all(root: Path, look: Callable[[bytes], object]) -> None:
    for directory, _, files in os.walk(root):
        for name in files:
            with open(f"{directory}/{name}", "rb", buffering=0) as file:  # noqa: PTH123 -- as a bulk reader does
                look(file.read())


def spend(act: Callable[[], object]) -> float:
    """Return CPU seconds, children included."""
    before, before_children = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = after.ru_utime + after.ru_stime - before_children.ru_utime - before_children.ru_stime
    return time.process_time() - before + children


def find_all(root: Path, names: Sequence[str]) -> set[str]:
    found: set[str] = set()
    searcher = Searcher(names)
    read_all(root, lambda data: found.update(searcher.find(data)))
    return found


def find_without_automaton(root: Path, names: Sequence[str]) -> None:
    words = search._Words([name.encode() for name in names])  # noqa: SLF001 -- what runs where the package is absent
    read_all(root, words.find)


def run_ripgrep(ripgrep: str, root: Path, names: Sequence[str], scratch: Path) -> None:
    patterns = scratch / "patterns"
    patterns.write_text("\n".join(names) + "\n")
    command = [ripgrep, "-F", "-w", "-o", "--no-filename", "--no-line-number", "-f", str(patterns), str(root)]
    with (scratch / "out").open("wb") as out:
        subprocess.run(command, stdout=out, check=False)


def measure(root: Path, scratch: Path, ripgrep: str, names: Sequence[str]) -> None:
    """Print one line of the table."""
    ways: list[Callable[[], object]] = [
        lambda: read_all(root, len),
        lambda: find_all(root, names),
        lambda: run_ripgrep(ripgrep, root, names, scratch),
    ]
    rounds = [[spend(way) for way in ways] for _ in range(ROUNDS)]
    read, ours, theirs = (min(times) for times in zip(*rounds, strict=True))
    # Slow and the same for any number of names: once is enough.
    words = spend(lambda: find_without_automaton(root, names))
    found = len(find_all(root, names))
    cells = f"{read:.2f} | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} | {ours / read:.1f} | {words:.2f}"
    print(f"| {len(names):,} | {found:,} | {cells} |", flush=True)


def main() -> None:
    ripgrep = shutil.which("rg") or sys.exit("needs ripgrep: pip install ripgrep")
    chance = random.Random(7)  # noqa: S311 -- the same repository in every run
    sources = read_sources()
    vocabulary = find_vocabulary(sources)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "repository"
        root.mkdir()
        write_repository(root, sources)
        print("| names | found | read only | memci | rg -F -w -o -f | memci / rg | memci / read | no extension |")
        print("|---|---|---|---|---|---|---|---|")
        for count in COUNTS:
            names = chance.sample(vocabulary, count)
            # One name in six is absent, as among the names that memories cite.
            absent = [f"{name}_gone" for name in names[: count // 6]]
            measure(root, Path(name), ripgrep, [*names[count // 6 :], *absent])


if __name__ == "__main__":
    main()
