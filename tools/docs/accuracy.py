"""Renders the page about accuracy: what is computed on the labelled data, and the recorded rounds."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.accuracy import compute, read_rounds
from benchmarks.drift.score import read_labels

# The page, with a place for each table.
_PAGE = Path(__file__).with_name("accuracy.txt")


def render_accuracy() -> str:
    """Render the page."""
    rounds = read_rounds()
    return _PAGE.read_text("utf-8").format(
        computed=_render_table(_list_computed(rounds)),
        draws=_render_table(_list_draws(rounds["draws"])),
        labels=_count_labels(),
        secrets=_render_table(_list_secrets(rounds["secret_sets"])),
        merges=_render_table(_list_merges(rounds["merges"])),
    )


def measure_interval(right: int, judged: int) -> tuple[float, float]:
    """Return the Wilson interval of a share, at 95 %."""
    z, share = 1.96, right / judged
    middle = (share + z * z / (2 * judged)) / (1 + z * z / judged)
    half = z * math.sqrt(share * (1 - share) / judged + z * z / (4 * judged * judged)) / (1 + z * z / judged)
    return middle - half, middle + half


def _list_computed(rounds: Mapping[str, Any]) -> Iterable[Sequence[object]]:
    yield "", "set", "made", "texts", "labelled", "precision", "recall", "rightly silent", "how it was made"
    for (kind, name), found in compute().items():
        entry = rounds[kind][name]
        shown = (_with_floor(found, entry["floors"], key) for key in ("precision", "recall", "silent"))
        yield kind, name, entry["date"], f"{found['size']:.0f}", f"{found['labelled']:.0f}", *shown, entry["made"]


def _with_floor(found: Mapping[str, float], floors: Mapping[str, float], key: str) -> str:
    return f"{found[key]:.3f} (floor {floors[key]:.2f})" if key in floors else "–"


def _list_draws(draws: Iterable[Mapping[str, Any]]) -> Iterable[Sequence[object]]:
    yield "draw", "made", "judged", "right", "precision", "of what is stale, reported", "how it was made"
    for draw in draws:
        low, high = measure_interval(draw["right"], draw["judged"])
        precision = f"{draw['right'] / draw['judged']:.3f} ({low:.3f} to {high:.3f})"
        stale = f"{draw['stale_reported']:.2f}" if "stale_reported" in draw else "–"
        yield draw["number"], draw["date"], draw["judged"], draw["right"], precision, stale, draw["made"]


def _list_secrets(sets: Iterable[Mapping[str, Any]]) -> Iterable[Sequence[object]]:
    yield "made", "with secrets", "harmless", "recall", "precision", "how it was made"
    for one in sets:
        shares = f"{one['recall']:.3f}", f"{one['precision']:.3f}"
        yield one["date"], one["secrets"], one.get("harmless", "–"), *shares, one["made"]


def _list_merges(merges: Iterable[Mapping[str, Any]]) -> Iterable[Sequence[object]]:
    yield "project", "judged", "trust", "plain", "usefulness", "plain", "invented", "plain"
    for one in merges:
        pairs = ((one["memci"][key], one["plain"][key]) for key in ("trust", "usefulness", "invented"))
        yield one["project"], one["date"], *(figure for pair in pairs for figure in pair)


def _count_labels() -> str:
    counts = Counter(label.right for label in read_labels())
    repositories = len({label.repository for label in read_labels()})
    return f"{counts[True]:,} right and {counts[False]:,} wrong findings in {repositories} repositories"


def _render_table(rows: Iterable[Sequence[object]]) -> str:
    head, *others = ([str(cell) for cell in row] for row in rows)
    lines = [head, ["---"] * len(head), *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
