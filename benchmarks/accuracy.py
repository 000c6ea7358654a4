"""Computes how right memci is on the labelled data of the repository: `python -m benchmarks.accuracy`."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from benchmarks import recall, signals
from benchmarks.secret_samples import measure_samples
from memci.signals.find import find_signals

ROOT = Path(__file__).parents[1]
# The size of a set and what was computed on it, each a share.
Figures = Mapping[str, float]


def read_rounds() -> dict[str, Any]:
    """Read the floors and the recorded rounds."""
    return tomllib.loads((ROOT / "benchmarks/rounds.toml").read_text("utf-8"))


def measure_signals(name: str) -> Figures:
    """Measure what is written without a model of labelled messages."""
    messages = yaml.safe_load((ROOT / "tests/data" / name).read_text("utf-8"))
    turns = [signals.read_turn(message, number) for number, message in enumerate(messages)]
    count = signals.count(messages, [find_signals([turn]) for turn in turns])
    return {
        "size": len(messages),
        "labelled": count.wanted,
        "precision": count.right / count.signals,
        "recall": count.hit / count.wanted,
    }


def measure_secrets(name: str) -> Figures:
    """Measure the redaction of labelled texts."""
    found = measure_samples((ROOT / "tests/redaction" / name).read_text("utf-8"))
    secrets = found.found + len(found.missed)
    return {
        "size": secrets + found.harmless,
        "labelled": secrets,
        "precision": found.found / (found.found + len(found.wrong)),
        "recall": found.found / secrets,
    }


def measure_recall(name: str) -> Figures:
    """Measure which topics a question is shown, without a model."""
    file, _, half = name.partition(", ")
    queries = recall.read_queries(file)
    found = recall.measure(
        queries[1::2] if half else queries, recall.make_manifest(recall.read_topics()), verbose=False
    )
    return {
        "size": found["asked"] + found["nothing fits"],
        "labelled": found["asked"],
        "recall": found["in five"],
        "silent": found["rightly silent"],
    }


MEASURES = {"signals": measure_signals, "secrets": measure_secrets, "recall": measure_recall}


def compute() -> dict[tuple[str, str], Figures]:
    """Compute the figures of every set that has floors, by kind and name."""
    rounds = read_rounds()
    return {(kind, name): measure(name) for kind, measure in MEASURES.items() for name in rounds[kind]}


if __name__ == "__main__":
    for (kind, name), figures in compute().items():
        print(f"{kind} {name}: " + ", ".join(f"{key} {value:.4g}" for key, value in figures.items()))
