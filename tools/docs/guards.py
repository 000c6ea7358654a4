"""The documentation of the guards, made from the guards themselves."""

from collections.abc import Iterable

from memci.guards.context import Guard

_INTRODUCTION = """# Guards

Every operation of a dream passes all of these, whoever proposed it: the embedded engine and the model alike.
One that a guard refuses changes nothing and is shown with the guard's name. This page is generated: `make docs`.

| guard | what it makes sure of |
|---|---|
"""


def render_guards(guards: Iterable[Guard]) -> str:
    """Return the page about all guards, in the order in which they judge."""
    return _INTRODUCTION + "".join(f"| {guard.id} | {guard.summary} |\n" for guard in guards)
