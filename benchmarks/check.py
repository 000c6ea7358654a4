"""Start-up, growth and worst-case parsing of `memci check`; prints the tables of the README beside this file."""

import itertools
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from memci.memory.frontmatter import parse_head
from memci.memory.index import parse_index
from memci.prose.markdown import mask_code, parse_regions

ROUNDS = 20
CLEAN_TOPICS = (
    ("build", "project", "How the package is built", "Build with `make build`.\n\n**Why:** the release job does, too."),
    (
        "style",
        "feedback",
        "Short functions with type hints",
        "Write short functions.\n\n**Why:** reviewers ask for it.",
    ),
    ("database", "project", "Migrations run first", "`run_migrations` in `migrate.py` is called before the deploy."),
    ("owner", "user", "Works on the backend and likes small changes", "Backend engineer; prefers small pull requests."),
    ("tracker", "reference", "Where bugs are tracked", "Bugs are tracked in Linear, project INGEST."),
)
CONSONANTS = "bcdfglmnprstvz"


def measure(command: list[str], directory: Path) -> float:
    """Return CPU seconds of one run, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_clean_memory(directory: Path) -> None:
    """Commit five topics without a finding, with a path, a symbol and a script that exist."""
    scope = directory / ".claude" / "memory"
    scope.mkdir(parents=True)
    index = "# Memory\n\n"
    for name, kind, description, body in CLEAN_TOPICS:
        head = f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n"
        (scope / f"{name}.md").write_text(f"{head}{body}\n")
        index += f"- [{name.title()}]({name}.md) — {description}\n"
    (scope / "MEMORY.md").write_text(index)
    (directory / "migrate.py").write_text("def run_migrations():\n    pass\n")
    (directory / "Makefile").write_text("build:\n\tpython -m build\n")
    author = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.com")
    subprocess.run(["git", "add", "."], cwd=directory, check=True)
    subprocess.run(["git", *author, "commit", "-q", "-m", "memory"], cwd=directory, check=True)


def show_start_up(parent: Path) -> None:
    empty, clean = parent / "empty", parent / "clean"
    for directory in (empty, clean):
        directory.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=directory, check=True)
    write_clean_memory(clean)
    memci = str(Path(sys.executable).with_name("memci"))
    commands = {
        "python -c pass": ([sys.executable, "-c", "pass"], empty),
        "python -c 'import click'": ([sys.executable, "-c", "import click"], empty),
        "memci --help": ([memci, "--help"], empty),
        "memci check, empty repository": ([memci, "check"], empty),
        "memci check, five clean topics": ([memci, "check"], clean),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, (command, directory) in commands.items():
            times[name].append(measure(command, directory))
    medians = {name: statistics.median(values) for name, values in times.items()}
    floor = medians["python -c pass"]
    print("| start-up | CPU ms | x python -c pass |\n|---|---|---|")
    for name, seconds in medians.items():
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
                parse_regions.cache_clear()
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
        show_start_up(Path(name))
        if "--start-up" in sys.argv[1:]:
            return
        show_growth(Path(name))
    show_worst_case()


if __name__ == "__main__":
    main()
