"""Runs all guards over one operation."""

from memci.guards.context import Change, Context
from memci.guards.registry import GUARDS
from memci.model.plan import Operation


def find_refusal(operation: Operation, context: Context) -> tuple[str, str] | None:
    """Return the id of the first guard that refuses the operation, and why; None if all guards pass it."""
    change = Change(operation, context)
    for guard in GUARDS:
        why = guard.check(change)
        if why is not None:
            return guard.id, why
    return None
