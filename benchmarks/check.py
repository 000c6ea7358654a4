"""Start-up, growth and worst-case parsing of `memci check`; prints the tables of the README beside this file."""

import itertools
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from memci.memory.frontmatter import parse_head
from memci.memory.index import parse_index
from memci.prose.markdown import find_regions, mask_code

ROUNDS = 15
CONSONANTS = "bcdfglmnprstvz"


def measure(command: list[str], directory: Path) -> float:
    """Return CPU seconds of one run, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show_start_up(directory: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=directory, check=True)
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "memci --help": [str(Path(sys.executable).with_name("memci")), "--help"],
        "memci check": [str(Path(sys.executable).with_name("memci")), "check"],
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for name, command in commands.items():
            best[name] = min(best[name], measure(command, directory))
    floor = best["python -c pass"]
    print("| start-up, empty repository | CPU ms | x python -c pass |\n|---|---|---|")
    for name, seconds in best.items():
        print(f"| {name} | {seconds * 1000:.0f} | {seconds / floor:.1f} |")


def make_word(number: int) -> str:
    """Return a pronounceable word of its own for each number."""
    syllables = []
    for _ in range(3 + number % 2):
        number, place = divmod(number, len(CONSONANTS) * 5)
        syllables.append(CONSONANTS[place // 5] + "aeiou"[place % 5])
    return "".join(syllables)


def write_topics(directory: Path, count: int) -> None:
    chance = random.Random(count)  # noqa: S311 -- the same memory in every run
    # As in real text, few words are frequent and most are rare; a larger memory has more of them.
    words = [make_word(number) for number in range(500 + 20 * count)]
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    scope = directory / ".claude" / "memory"
    scope.mkdir(parents=True)
    for number in range(count):
        sentences = [" ".join(chance.choices(words, cum_weights=weights, k=12)) for _ in range(8)]
        body = "\n".join(f"- {sentence} {number}." for sentence in sentences)
        head = f"---\nname: topic-{number}\ndescription: {sentences[0]}\nmetadata:\n  type: project\n---\n"
        (scope / f"t{number}.md").write_text(f"{head}{body}\n\n**Why:** {sentences[1]}.\n")


def show_growth(parent: Path) -> None:
    print("\n| topics | CPU s | ms per topic | peak MB |\n|---|---|---|---|")
    for count in (100, 1_000, 10_000):
        directory = parent / str(count)
        directory.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=directory, check=True)
        write_topics(directory, count)
        seconds = measure([sys.executable, "-m", "memci", "check"], directory)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"| {count:,} | {seconds:.2f} | {seconds / count * 1000:.2f} | {peak:.0f} |")


HOSTILE: dict[str, str] = {
    "newlines after ---": "---" + "\n" * 65_000,
    "frontmatter keys": "---\n" + "".join(f"k{number}: v\n" for number in range(9_000)) + "---\n",
    "open links": "- [" + "](" * 32_000,
    "backticks": "`a``b" * 13_000,
    "open comments": "<!--" * 16_000,
    "pointers": "- [a](a.md) — x\n" * 4_000,
    "blanks": " " * 65_000 + "x",
    "wikilinks": "[[" * 32_000,
}


def show_worst_case() -> None:
    parsers: dict[str, Callable[[str], object]] = {
        "frontmatter": parse_head,
        "index": lambda text: parse_index(PurePosixPath("m/MEMORY.md"), text, ()),
        "markdown": mask_code,
    }
    print("\n| 64 KiB of | " + " | ".join(f"{name} ms" for name in parsers) + " |\n|---|" + "---|" * len(parsers))
    for name, text in HOSTILE.items():
        cells = []
        for parse in parsers.values():
            times = []
            for _ in range(3):
                find_regions.cache_clear()
                started = time.process_time()
                parse(text)
                times.append(time.process_time() - started)
            cells.append(f"{min(times) * 1000:.0f}")
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    # Users run compiled modules; a variable of the shell must not prevent it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Git must not look above the scratch directories.
    os.environ["GIT_CEILING_DIRECTORIES"] = tempfile.gettempdir()
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name) / "empty"
        empty.mkdir()
        show_start_up(empty)
        show_growth(Path(name))
    show_worst_case()


if __name__ == "__main__":
    main()
