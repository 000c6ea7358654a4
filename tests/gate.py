"""Selects which cases of a parameter the gate runs; `make test-all` runs all of them."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def in_gate(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """Return the cases of a parameter, with those after the first `count` marked as slow."""
    return [case if number < count else slow(case) for number, case in enumerate(cases)]


def slow_but(cases: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """Return the cases of a parameter, with those that are not `kept` marked as slow."""
    return [case if case in kept else slow(case) for case in cases]


def choose_of_each(names: Iterable[str], every: int) -> frozenset[str]:
    """Return every so many names of each sort (the first word of a name), and the first of each."""
    sorts: dict[str, list[str]] = {}
    for name in names:
        sorts.setdefault(name.replace(":", " ").partition(" ")[0], []).append(name)
    return frozenset(name for sort in sorts.values() for name in sort[::every])


def slow(case: Any) -> Any:
    """Return a case of a parameter, marked as slow."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
