"""Scores what a tool reports about stale citations against labels.csv: `python -m benchmarks.drift.score REPORT…`.

A report is a file of JSON lines with `repository`, `file`, `line` and, if the tool has it, `token`: what is cited.
A file of `memci check --format json` that is called `owner+name.json` is read as it is.
"""

import csv
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

LABELS = Path(__file__).with_name("labels.csv")
_TRUTH = ("path-", "symbol-", "env-", "flag-", "script-", "line-", "commit-", "value-")


class Label(NamedTuple):
    """One labelled finding; `key` is the beginning of the SHA-256 of what is cited."""

    repository: str
    file: str
    line: int
    key: str
    right: bool


class Reported(NamedTuple):
    """What a tool reports; without a token it is about everything that the line cites."""

    repository: str
    file: str
    line: int
    token: str = ""


class Score(NamedTuple):
    """How many labels a report has, of all in the repositories that it covers."""

    right: int
    right_labels: int
    wrong: int
    wrong_labels: int
    unlabelled: int

    def render(self) -> str:
        """Return the figures as lines of text."""
        told = self.right + self.wrong
        precision = f"{self.right / told:.3f}" if told else "-"
        share = f"{self.right / self.right_labels:.3f}" if self.right_labels else "-"
        return (
            f"right labels reported  {self.right} of {self.right_labels} ({share})\n"
            f"wrong labels reported  {self.wrong} of {self.wrong_labels}\n"
            f"precision on labels    {precision}\n"
            f"reported, no label     {self.unlabelled}\n"
        )


def hash_token(token: str) -> str:
    """Return the key of what is cited."""
    return hashlib.sha256(token.encode()).hexdigest()[:12]


def read_labels(path: Path = LABELS) -> list[Label]:
    """Read the labels."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            Label(row["repository"], row["file"], int(row["line"]), row["key"], row["verdict"] == "right")
            for row in csv.DictReader(file)
        ]


def read_report(path: Path) -> Iterator[Reported]:
    """Read JSON lines, or what memci printed about the repository that the file is called after."""
    text = path.read_text(encoding="utf-8")
    if "+" in path.stem and '"findings"' in text:
        repository = path.stem.replace("+", "/", 1)
        for found in json.loads(text)["findings"]:
            if found["rule"].startswith(_TRUTH) and found["severity"] != "info":
                yield Reported(repository, found["file"], found["line"])
        return
    for line in filter(str.strip, text.split("\n")):
        row = json.loads(line)
        yield Reported(row["repository"], row["file"], int(row["line"]), row.get("token", ""))


def score(labels: Iterable[Label], reported: Iterable[Reported], covered: Iterable[str] = ()) -> Score:
    """Compare a report with the labels of the repositories that it covers, or else names."""
    told = set(reported)
    known = set(covered) or {found.repository for found in told}
    places: dict[tuple[str, str, int], list[Label]] = {}
    for label in labels:
        if label.repository in known:
            places.setdefault((label.repository, label.file, label.line), []).append(label)
    hit: set[Label] = set()
    unlabelled = 0
    for found in told:
        here = places.get((found.repository, found.file, found.line), [])
        mine = [label for label in here if not found.token or label.key == hash_token(found.token)]
        hit.update(mine)
        unlabelled += not mine
    every = Counter(label.right for group in places.values() for label in group)
    got = Counter(label.right for label in hit)
    return Score(got[True], every[True], got[False], every[False], unlabelled)


def main(arguments: Sequence[str]) -> None:
    """Print the score of the reports that are named."""
    paths = [Path(argument) for argument in arguments]
    covered = {path.stem.replace("+", "/", 1) for path in paths if "+" in path.stem}
    told = (found for path in paths for found in read_report(path))
    print(score(read_labels(), told, covered).render(), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
