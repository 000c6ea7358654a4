"""Run memci as `python -m memci`."""

from memci.cli import run

run()
