"""Finding many names in a large repository: against one ripgrep, and against only reading.

Run as `python -m benchmarks.search [DIRECTORY]`; without a repository one is generated and removed again.
"""

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

from memci.citations.code.code_files import search_tree
from memci.citations.code.name_search import Searcher
from memci.git.repository import Repository, find_repository

FILES = 20_000
SIZE = 200_000_000
COUNTS = (100, 1_000, 10_000)
ROUNDS = 3


def read_sources() -> list[bytes]:
    """Return the Python sources installed here: real text, because made-up words repeat as real ones do not."""
    places = {Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))}
    return [path.read_bytes() for place in sorted(places) for path in sorted(place.rglob("*.py"))]


def read_vocabulary(sources: Sequence[bytes]) -> list[str]:
    """Return the names and options in the sources."""
    pattern = re.compile(rb"(?<![\w-])(?:--[a-z][a-z0-9-]{2,30}+(?![\w-])|[A-Za-z_][A-Za-z0-9_]{4,40}+)")
    return sorted({name.decode() for data in sources for name in pattern.findall(data)})


def read_repository(repository: Repository) -> list[bytes]:
    """Return the sources of a repository that has the languages of the generated one."""
    paths = [repository.root / path for path in repository.list_files() if path.endswith(".py")]
    print(f"{len(repository.list_files()):,} files; CPU seconds, minimum of {ROUNDS} interleaved rounds\n")
    # An index as old as its files makes git read them all again.
    subprocess.run(["git", "status", "--short"], cwd=repository.root, stdout=subprocess.DEVNULL, check=True)
    return [path.read_bytes() for path in paths if path.is_file()]


def write_repository(root: Path, sources: Sequence[bytes]) -> None:
    """Write and commit the sources again and again until there are enough files and bytes; no two are equal."""
    size = number = 0
    while number < FILES or size < SIZE:
        directory = root / f"package{number % 100}"
        directory.mkdir(exist_ok=True)
        content = b"%s\nmodule_number = %d\n" % (sources[number % len(sources)], number)
        size += (directory / f"module{number}.py").write_bytes(content)
        number += 1
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    for command in (("init", "--quiet"), ("add", "--all"), (*who, "commit", "--quiet", "--message=all")):
        subprocess.run(["git", *command], cwd=root, check=True)
    print(f"{number:,} files, {size / 1e6:.0f} MB; CPU seconds, minimum of {ROUNDS} interleaved rounds\n")


def read_all(root: Path, look: Callable[[bytes], object]) -> None:
    for directory, directories, files in os.walk(root):
        directories[:] = [name for name in directories if name != ".git"]
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


def find_matches(root: Path, names: Sequence[str]) -> None:
    searcher = Searcher(names)
    read_all(root, searcher.find)


def find_all(repository: Repository, names: Sequence[str]) -> int:
    """Look for names as `memci check` does; return how many there are."""
    return len(search_tree(repository.root, sorted(repository.list_files()), dict.fromkeys(names, 1)))


def run_ripgrep(ripgrep: str, root: Path, names: Sequence[str], scratch: Path) -> None:
    patterns = scratch / "patterns"
    patterns.write_text("\n".join(names) + "\n")
    command = [ripgrep, "-F", "-w", "-o", "--no-filename", "--no-line-number", "-f", str(patterns), str(root)]
    with (scratch / "out").open("wb") as out:
        subprocess.run(command, stdout=out, check=False)


def measure(repository: Repository, scratch: Path, ripgrep: str, names: Sequence[str]) -> float:
    """Print one line of the table; return the seconds."""
    root = repository.root
    found = find_all(repository, names)
    ways: list[Callable[[], object]] = [
        lambda: read_all(root, len),
        lambda: find_matches(root, names),
        lambda: find_all(repository, names),
        lambda: run_ripgrep(ripgrep, root, names, scratch),
    ]
    rounds: list[list[float]] = [[spend(way) for way in ways] for _ in range(ROUNDS)]
    best: list[float] = [min(times) for times in zip(*rounds, strict=True)]
    read, matches, first, theirs = best
    cells = f"{read:.2f} | {theirs:.2f} | {matches:.2f} | {matches / theirs:.2f} | {first:.2f} | {first / theirs:.2f}"
    print(f"| {len(names):,} | {found:,} | {cells} |", flush=True)
    return first


def compare(repository: Repository, vocabulary: Sequence[str], scratch: Path) -> None:
    """Print the table for names of a vocabulary."""
    ripgrep = shutil.which("rg") or sys.exit("needs ripgrep: pip install ripgrep")
    chance = random.Random(7)  # noqa: S311 -- the same names in every run
    print("| names | found | read | rg | matches | / rg | memci | / rg |")
    print("|---|---|---|---|---|---|---|---|---|")
    seconds = []
    for count in COUNTS:
        names = chance.sample(vocabulary, count)
        # One name in six is absent, as among the names that memories cite.
        absent = [f"{name}_gone" for name in names[: count // 6]]
        seconds.append(measure(repository, scratch, ripgrep, [*names[count // 6 :], *absent]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nmemci, {COUNTS[-1]:,} names / {COUNTS[0]}: {seconds[-1] / seconds[0]:.1f}; peak {peak:.0f} MB")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        if len(sys.argv) > 1:
            repository = find_repository(Path(sys.argv[1])) or sys.exit(f"{sys.argv[1]} is no repository")
            sources = read_repository(repository)
        else:
            root = Path(name) / "repository"
            root.mkdir()
            sources = read_sources()
            write_repository(root, sources)
            repository = find_repository(root) or sys.exit("no repository was made")
        compare(repository, read_vocabulary(sources), Path(name))


if __name__ == "__main__":
    main()
