"""Measure how often recall shows the right topic, how often it rightly shows nothing, and how long it takes.

Run as `python -m benchmarks.recall [--verbose]` on tests/data/recall; queries at odd positions were not tuned on.
"""

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from memci.memory.topic import parse_topic
from memci.model.memory import Scope, ScopeSnapshot, Topic, Trust
from memci.recall.listing import TopicEntry, build_manifest
from memci.recall.local_choice import LocalRanker

DATA = Path(__file__).parents[1] / "tests/data/recall"
SCOPE = PurePosixPath(".claude/memory")
TOP = 5


def read_topics() -> list[Topic]:
    rows = yaml.safe_load((DATA / "topics.yml").read_text(encoding="utf-8"))
    return [parse_topic(SCOPE / row["file"], write_topic(**row)) for row in rows]


def write_topic(file: str, type: str, description: str, body: str) -> str:  # noqa: A002 -- the key of the file
    name = file.removesuffix(".md")
    return f'---\nname: {name}\ndescription: "{description}"\nmetadata:\n  type: {type}\n---\n{body}\n'


def read_queries(name: str = "queries.yml") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
    return found


def make_manifest(topics: Sequence[Topic]) -> tuple[TopicEntry, ...]:
    scope = Scope("project", SCOPE, Trust.COMMITTED, Path("/nowhere"))
    parts = [ScopeSnapshot(scope, None, tuple(topics[at : at + 200])) for at in range(0, len(topics), 200)]
    return build_manifest(parts, {}).entries


def measure(queries: Sequence[dict[str, Any]], manifest: Sequence[TopicEntry], *, verbose: bool) -> dict[str, float]:
    ranker = LocalRanker()
    hits = first = shown = right = silent = asked = 0
    for query in queries:
        files = [PurePosixPath(found).name for found in ranker.rank(query["ask"], manifest)][:TOP]
        wants = set(query["wants"])
        if not wants:
            silent += not files
        else:
            asked += 1
            hits += bool(wants & set(files))
            first += bool(wants & set(files[:1]))
            shown += len(files)
            right += len(wants & set(files))
        if verbose and (not wants & set(files) if wants else files):
            print(f"  {query['ask']}\n    wants {sorted(wants)}, shown {files}")
    nothing = len(queries) - asked
    return {
        "asked": asked,
        "in five": hits / asked,
        "first": first / asked,
        "shown": shown / asked,
        "wanted of shown": right / max(1, shown),
        "nothing fits": nothing,
        "rightly silent": silent / nothing,
    }


def make_many(topics: Sequence[Topic], size: int) -> list[Topic]:
    """Return topics of real texts that share most of their words, as those of one team do."""
    chance = random.Random(7)  # noqa: S311 -- the same in every run
    lines = [line for topic in topics for line in topic.body.split("\n")]
    return [
        parse_topic(
            SCOPE / f"t{number}.md",
            write_topic(
                f"t{number}.md", "project", chance.choice(topics).description, "\n".join(chance.sample(lines, 20))
            ),
        )
        for number in range(size)
    ]


def time_ranking(topics: Sequence[Topic], size: int) -> float:
    """Return the CPU seconds of one choice from `size` topics, the list included."""
    many = make_many(topics, size)
    best = float("inf")
    for number in range(5):
        start = time.process_time()
        # Another manifest each time: nothing may be left over from the last round.
        LocalRanker().rank("the chekout test fails in the deployment pipeline", make_manifest(many[number % 2 :]))
        best = min(best, time.process_time() - start)
    return best


def main(arguments: Sequence[str]) -> None:
    topics, queries = read_topics(), read_queries()
    manifest = make_manifest(topics)
    verbose = "--verbose" in arguments
    later, last = read_queries("later-queries.yml"), read_queries("last-queries.yml")
    for name, part in (("tuned on", queries[::2]), ("held out", queries[1::2]), ("later", later), ("last", last)):
        figures = measure(part, manifest, verbose=verbose and name == "tuned on")
        print(f"{name}: " + ", ".join(f"{key} {value:.3g}" for key, value in figures.items()))
    for size in (200, 1_000):
        print(f"{size} topics: CPU {1000 * time_ranking(topics, size):.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
