"""How time, memory and output grow: topics, files of the repository, transcripts, scopes, operations of one dream.

Run as `python -m benchmarks.scale [NAME …] [--part 1]`; `--part 0.1` makes everything a tenth of the full size.
Prints a table and draws it into scale.svg beside this file; everything is generated, and removed again.
"""

import argparse
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.check import make_word, write_topics
from benchmarks.dream import NOW, RULES, SCOPE, VERBS, commit
from benchmarks.gather import write_corpus

# Steps of about three: a curve needs three points.
STEPS = (0.1, 0.32, 1.0)
PART = 300_000_000
TOPIC = "---\nname: {0}\ndescription: what is known of {0}\nmetadata:\n  type: project\n---\n{1}\n"
DREAM = ("dream", "--engine", "local", "--dry-run", "--force", "--now", NOW, "--format", "json")
CHECK = ("check", "--format", "json")


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that grows: its full size, how it is made, and what is run over it."""

    name: str
    unit: str
    full: int
    make: Callable[[Path, int], object]
    command: tuple[str, ...]
    # Whether the sizes are made from one another, in one directory.
    grows: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took."""

    size: int
    wall: float
    cpu: float
    peak: float
    output: int
    note: str


def write_memory(scope: Path, words: Sequence[str], bodies: Sequence[str]) -> None:
    """Write a topic for each word, and an index that points to the first ones."""
    scope.mkdir(parents=True)
    pointers = [f"- [{word}]({word}.md) — what is known of {word}\n" for word in words[:150]]
    (scope / "MEMORY.md").write_text("# Memory\n\n" + "".join(pointers))
    for word, body in zip(words, bodies, strict=True):
        (scope / f"{word}.md").write_text(TOPIC.format(word, body))


def make_topics(root: Path, size: int) -> None:
    write_topics(root, size)
    (root / SCOPE / "MEMORY.md").write_text("# Memory\n\n" + "".join(f"- [{n}](t{n}.md) — it\n" for n in range(150)))
    commit(root)


def make_files(root: Path, size: int) -> None:
    """Write small source files, 100 to a directory, and 200 topics that cite some of them and some that are gone."""
    for number in range(size):
        directory = root / "src" / f"d{number // 100}"
        if number % 100 == 0:
            directory.mkdir(parents=True)
        (directory / f"m{number}.py").write_text(f"def {make_word(number)}_{number}() -> int:\n    return {number}\n")
    cited = [size * number // 200 for number in range(200)]
    bodies = [f"`{make_word(n)}_{n}` is in `src/d{n // 100}/m{n + n % 7 // 6}.py`." for n in cited]
    write_memory(root / SCOPE, [f"{make_word(n)}{n}" for n in cited], bodies)
    commit(root)


def make_transcripts(root: Path, size: int) -> None:
    """Write sessions, and again under other ids: bytes grow, what people say in them does not."""
    if not (root / SCOPE).exists():
        write_memory(
            root / SCOPE, [make_word(n) for n in range(20)], [f"The {make_word(n)} is slow." for n in range(20)]
        )
        commit(root)
    sessions = root / "sessions"
    if not sessions.exists():
        write_corpus(sessions, min(PART, size * 1_000_000))
        (root / ".git" / "info" / "exclude").write_text("sessions\n")
    first = sorted(path for path in sessions.iterdir() if path.stem.count("-") == 4)
    total = sum(path.stat().st_size for path in sessions.iterdir())
    for copy in itertools.count(sum(1 for _ in sessions.iterdir()) // len(first)):
        for path in first:
            if total >= size * 1_000_000:
                return
            name = f"{copy:08x}{path.stem[8:]}"
            data = path.read_bytes().replace(path.stem.encode(), name.encode())
            total += (sessions / f"{name}-copy.jsonl").write_bytes(data)


def make_scopes(root: Path, size: int) -> None:
    for number in range(size):
        words = [make_word(number * 5 + place) for place in range(5)]
        bodies = [f"The {word} of agent {number} is tested with `pytest src/{word}.py`." for word in words]
        write_memory(root / ".claude" / "agent-memory" / f"agent{number}", words, bodies)
    commit(root)


def make_operations(root: Path, size: int) -> None:
    """Write sessions in which people say as many different things that should last."""
    write_memory(root / SCOPE, [make_word(n) for n in range(20)], [f"The {make_word(n)} is slow." for n in range(20)])
    commit(root)
    chance = random.Random(size)  # noqa: S311 -- the same sentences in every run
    sessions = root / "sessions"
    sessions.mkdir()
    for session, numbers in itertools.groupby(range(size), key=lambda number: number // 20):
        name = f"00000000-0000-4000-8000-{session:012d}"
        with (sessions / f"{name}.jsonl").open("w") as file:
            for number in numbers:
                words = (make_word(50 + 3 * number + place) for place in range(3))
                text = chance.choice(RULES).format(chance.choice(VERBS), *words)
                mark = {"uuid": f"{number:08d}-0000-4000-8000-000000000000", "sessionId": name, "isSidechain": False}
                said = {"type": "user", "message": {"role": "user", "content": text}, "userType": "external"}
                file.write(json.dumps(mark | said | {"timestamp": "2026-11-12T10:00:00.000Z"}) + "\n")


KINDS = (
    Kind("topics", "topics", 10_000, make_topics, CHECK),
    Kind("files", "files", 200_000, make_files, CHECK),
    Kind("transcripts", "MB", 10_000, make_transcripts, (*DREAM, "--transcripts", "sessions"), grows=True),
    Kind("scopes", "scopes", 1_000, make_scopes, DREAM),
    Kind("operations", "statements", 5_000, make_operations, (*DREAM, "--transcripts", "sessions")),
)


def run(root: Path, arguments: Sequence[str], size: int, *python: str) -> Cost:
    """Run memci in a process of its own."""
    with tempfile.TemporaryFile() as out:
        command = [sys.executable, *python, "-m", "memci", "-C", str(root), *arguments]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=out)
        # The usage of this very process, and of the git commands it waited for.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in {0, 1, 3}, f"memci ended with {process.returncode}"
        output = out.seek(0, os.SEEK_END)
        out.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Cost(size, wall, cpu, usage.ru_maxrss / 1_024, output, describe(json.load(out)))


def describe(told: dict[str, list[dict[str, list[object]]]]) -> str:
    if "findings" in told:
        return f"{len(told['findings']):,} findings"
    return ", ".join(f"{sum(len(one[name]) for one in told['scopes']):,} {name}" for name in ("signals", "operations"))


def measure(kind: Kind, part: float, profile: str | None) -> Iterator[Cost]:
    """Run each size, the smallest first."""
    with tempfile.TemporaryDirectory() as name:
        for number, step in enumerate(STEPS):
            size = max(1, round(kind.full * part * step))
            root = Path(name) / ("0" if kind.grows else str(number))
            root.mkdir(exist_ok=True)
            made = os.fork()
            if made == 0:
                # In a process of its own: what it needs would count as the peak of those started later.
                kind.make(root, size)
                os._exit(0)
            assert os.waitpid(made, 0)[1] == 0
            yield run(root, kind.command, size)
        if profile:
            run(root, kind.command, size, "-m", "cProfile", "-o", profile)


def draw(found: dict[str, list[Cost]]) -> str:
    """Return the curves of CPU seconds over the size, both logarithmic, one panel for each kind."""
    width, height, edge = 220, 200, 44
    panels = []
    for number, (name, costs) in enumerate(found.items()):
        kind = next(kind for kind in KINDS if kind.name == name)
        xs, ys = (
            [math.log10(value) for value in values] for values in zip(*((c.size, c.cpu) for c in costs), strict=True)
        )
        # A decade of both has the same length, so that a slope of one is linear growth.
        scale = (width - 2 * edge) / 1.1
        dots = [
            (edge + (x - xs[0]) * scale, height - edge - (y - ys[0]) * scale * 0.75)
            for x, y in zip(xs, ys, strict=True)
        ]
        linear = f"{edge:.0f},{height - edge:.0f} {edge + scale:.0f},{height - edge - scale * 0.75:.0f}"
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y in dots)
        labels = "".join(
            f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3"/><text x="{x:.0f}" y="{y - 8:.0f}">{cost.cpu:.3g} s</text>'
            f'<text x="{x:.0f}" y="{height - 24}">{cost.size:,}</text>'
            for (x, y), cost in zip(dots, costs, strict=True)
        )
        panels.append(
            f'<g transform="translate({number * width} 0)">'
            f'<text x="{width / 2}" y="16" font-weight="bold">{kind.name}</text>'
            f'<polyline points="{linear}" stroke="#bbb" stroke-dasharray="4"/><polyline points="{line}" stroke="#25c"/>'
            f'{labels}<text x="{width / 2}" y="{height - 6}">{kind.unit}</text></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * len(found)} {height}" font-family="sans-serif"'
        ' font-size="10" text-anchor="middle" fill="none" stroke-width="1.5">'
        "<title>CPU seconds over size, both logarithmic; the dashed line is linear growth</title>"
        "<style>text { fill: #444; } circle { fill: #25c; }</style>"
        f"{''.join(panels)}</svg>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(kind.name for kind in KINDS))
    parser.add_argument("--part", type=float, default=1.0, help="part of the full sizes (default: %(default)s)")
    parser.add_argument("--profile", metavar="FILE", help="also write a profile of the largest size")
    parser.add_argument("--draw", metavar="FILE", default=str(Path(__file__).with_name("scale.svg")))
    arguments = parser.parse_args()
    # Users run compiled modules; a variable of the shell must not prevent it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    found: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as home:
        # Nothing of this machine: no settings of git, no answers kept from earlier runs.
        os.environ |= {"HOME": home, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        # Git would tidy up large repositories behind our back, while they are removed again.
        os.environ |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "gc.auto", "GIT_CONFIG_VALUE_0": "0"}
        for place in ("CONFIG", "CACHE", "DATA", "STATE"):
            os.environ.pop(f"XDG_{place}_HOME", None)
        print("| | size | CPU s | wall s | peak MB | output KB | found |\n|---|---|---|---|---|---|---|", flush=True)
        for kind in (kind for kind in KINDS if not arguments.names or kind.name in arguments.names):
            for cost in measure(kind, arguments.part, arguments.profile):
                found.setdefault(kind.name, []).append(cost)
                cells = f"{cost.cpu:.1f} | {cost.wall:.1f} | {cost.peak:.0f} | {cost.output / 1_000:,.0f} | {cost.note}"
                print(f"| {kind.name} | {cost.size:,} {kind.unit} | {cells} |", flush=True)
    Path(arguments.draw).write_text(draw(found))


if __name__ == "__main__":
    main()
