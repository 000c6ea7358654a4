"""Which of many cases the gate runs; `make test-all` runs every one of them."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def in_gate(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """Return the cases of a parameter; those after the first `count` are slow."""
    return [case if number < count else slow(case) for number, case in enumerate(cases)]


def slow_but(cases: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """Return the cases of a parameter; those that are not `kept` are slow."""
    return [case if case in kept else slow(case) for case in cases]


def slow(case: Any) -> Any:
    """Return a case of a parameter that only `make test-all` runs."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
