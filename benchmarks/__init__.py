"""Measurements of quality and speed; run one with `python -m benchmarks.NAME`."""
