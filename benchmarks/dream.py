"""`memci dream --dry-run` from end to end: many topics and many transcripts, its growth, memory and phases.

Run as `python -m benchmarks.dream [--gb 1] [--profile FILE]`; everything is generated, and removed again.
"""

import argparse
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.check import make_word, write_topics
from benchmarks.gather import Writer, write_corpus

SCOPE = ".claude/memory"
NOW = "2026-11-16T03:00:00Z"
TOPICS = (100, 300, 1_000)
# The client loads 200 lines; a memory that nobody looked after points to some of its topics only.
POINTERS = 150
# What people say that should last; in the corpus itself they only talk about code.
RULES = (
    "from now on always {} the {} before the {}, because the {} depends on it",
    "no, never {} the {} in the {}. we had an outage of the {} that way",
    "please remember: we decided to {} the {} together with the {} and not with the {}",
    "I prefer that you {} the {} first and the {} later, the {} is too slow otherwise",
)
VERBS = ("check", "close", "copy", "count", "load", "merge", "move", "open", "rename", "sort", "split", "stop", "test")


@dataclass(frozen=True, slots=True)
class Run:
    """What one dream cost."""

    wall: float
    cpu: float
    peak: float
    report: dict[str, object]


def write_repository(root: Path, count: int) -> None:
    """Write topics, an index of some of them, and code that every fifth topic cites; some of it has moved since."""
    write_topics(root, count)
    lines = [f"- [Topic {number}](t{number}.md) — what is known of {make_word(number)}\n" for number in range(count)]
    (root / SCOPE / "MEMORY.md").write_text("# Memory\n\n" + "".join(lines[:POINTERS]))
    (root / "src").mkdir()
    for number in range(0, count, 5):
        (root / f"src/part{number}.py").write_text(f"def {make_word(number)}() -> int:\n    return {number}\n")
        with (root / SCOPE / f"t{number}.md").open("a") as topic:
            topic.write(f"\nThis is done by `{make_word(number)}` in `src/part{number}.py`.\n")
    commit(root)
    for number in range(0, count, 50):
        (root / f"src/part{number}.py").rename(root / f"src/piece{number}.py")
    commit(root)


def commit(root: Path) -> None:
    who = ["-c", "user.name=Ines", "-c", "user.email=ines@example.org"]
    for arguments in (["init", "--quiet"], ["add", "--all"], [*who, "commit", "--quiet", "--message", "change"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)


def write_transcripts(root: Path, size: int) -> None:
    """Write sessions, and in every second one thing worth remembering; a third was said in a session before."""
    write_corpus(root, size)
    chance = random.Random(size)  # noqa: S311 -- the same sentences in every run
    writer = Writer(8)
    said: list[str] = []
    for path in sorted(root.iterdir())[::2]:
        words = (make_word(chance.randrange(20_000)) for _ in range(3))
        text = chance.choice(RULES).format(chance.choice(VERBS), *words)
        if said and chance.random() < 1 / 3:
            text = chance.choice(said)
        said.append(text)
        writer.session = path.stem
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(writer.record("user", message={"role": "user", "content": text})) + "\n")


def link_part(whole: Path, part: Path, size: int) -> None:
    """Fill a directory with as many of the sessions as make up a size."""
    part.mkdir()
    total = 0
    for path in sorted(whole.iterdir()):
        if total < size:
            (part / path.name).hardlink_to(path)
            total += path.stat().st_size


def run_dream(root: Path, transcripts: Path, *python: str) -> Run:
    """Dream in a process of its own."""
    options = ["--engine", "local", "--dry-run", "--force", "--now", NOW, "--format", "json"]
    command = [sys.executable, *python, "-m", "memci", "-C", str(root), "dream", *options]
    with tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        process = subprocess.Popen([*command, "--transcripts", str(transcripts)], stdout=out)
        # The usage of this very process, and of the git commands it waited for.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, f"memci ended with {process.returncode}"
        out.seek(0)
        return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1_024, json.load(out))


def render(topics: int, transcripts: Path, run: Run) -> Iterator[str]:
    """Yield the cells of a row."""
    timings = run.report["timings"]
    [scope] = run.report["scopes"]
    yield f"{topics:,}"
    yield f"{sum(path.stat().st_size for path in transcripts.iterdir()) / 1e6:,.0f}"
    yield f"{len(scope['signals']):,}"
    yield f"{len(scope['operations']):,}"
    yield f"{run.wall:.1f}"
    yield f"{run.cpu:.1f}"
    yield f"{run.peak:.0f}"
    named = {**timings, "start and report": run.wall - sum(timings.values())}
    yield ", ".join(f"{name} {seconds / run.wall:.0%}" for name, seconds in named.items())


def measure(parent: Path, size: int, profile: str | None) -> None:
    """Print the table: more topics with a tenth of the transcripts, then all transcripts."""
    whole, part = parent / "sessions", parent / "part"
    # In a process of its own: what it needs would count as the peak of those started later.
    writing = multiprocessing.get_context("fork").Process(target=write_transcripts, args=(whole, size))
    writing.start()
    writing.join()
    assert writing.exitcode == 0
    link_part(whole, part, size // 10)
    print("| topics | MB | signals | operations | wall s | CPU s | peak MB | shares of the wall time |")
    print("|---|---|---|---|---|---|---|---|")
    for topics in TOPICS:
        root = parent / str(topics)
        root.mkdir()
        write_repository(root, topics)
        for transcripts in (part, whole) if topics == TOPICS[-1] else (part,):
            cells = render(topics, transcripts, run_dream(root, transcripts))
            print(f"| {' | '.join(cells)} |", flush=True)
    if profile:
        run_dream(parent / str(TOPICS[-1]), part, "-m", "cProfile", "-o", profile)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gb", type=float, default=0.2, help="size of the transcripts (default: %(default)s)")
    parser.add_argument("--profile", metavar="FILE", help="also write a profile of 1,000 topics and a tenth of them")
    arguments = parser.parse_args()
    # Users run compiled modules; a variable of the shell must not prevent it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as name:
        # Nothing of this machine: no settings of git, no answers kept from earlier runs.
        os.environ |= {"HOME": name, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        for place in ("CONFIG", "CACHE", "DATA", "STATE"):
            os.environ.pop(f"XDG_{place}_HOME", None)
        measure(Path(name), int(arguments.gb * 1e9), arguments.profile)


if __name__ == "__main__":
    main()
