"""Asking the guards."""

from memci.guards.context import Ground
from memci.guards.registry import GUARDS
from memci.model.plan import Operation


def find_refusal(operation: Operation, ground: Ground) -> tuple[str, str] | None:
    """Return the id of the first guard that refuses the operation and why; None if all let it pass."""
    for guard in GUARDS:
        why = guard.check(operation, ground)
        if why is not None:
            return guard.id, why
    return None
