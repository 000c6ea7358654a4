"""Read the supplier's stock list and apply it."""

import argparse
import csv
from pathlib import Path

from shop.stock import apply_stock


def read_counts(path: Path, delimiter: str) -> dict[str, int]:
    """Return the pieces per part number of one list."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {row[0]: int(row[1]) for row in csv.reader(lines, delimiter=delimiter)}


def main() -> None:
    """Run the import."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list", type=Path)
    parser.add_argument("--dry-run", action="store_true", help="only say how many parts there are")
    parser.add_argument("--legacy-csv", action="store_true", help="the list has semicolons, as before 2026")
    options = parser.parse_args()
    counts = read_counts(options.list, ";" if options.legacy_csv else ",")
    print(len(counts) if options.dry_run else apply_stock(counts))


if __name__ == "__main__":
    main()
