"""Runs all guards over one operation."""

from memci.guards.context import Change, Context
from memci.guards.registry import GUARDS
from memci.model.plan import Operation, Refusal


def find_refusal(operation: Operation, context: Context) -> Refusal | None:
    """Return what the first guard that refuses the operation says; None if all guards pass it."""
    change = Change(operation, context)
    for guard in GUARDS:
        objection = guard.check(change)
        if objection is not None:
            return Refusal(guard.id, *((objection,) if isinstance(objection, str) else objection))
    return None
