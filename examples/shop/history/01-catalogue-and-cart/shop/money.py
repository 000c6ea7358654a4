"""Amounts of money: integers in cents, never floats."""

from decimal import ROUND_HALF_UP, Decimal


def to_cents(amount: Decimal) -> int:
    """Return an amount in euros as cents, rounded half up."""
    return int((amount * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def format_cents(cents: int) -> str:
    """Return cents as customers read them."""
    return f"{cents // 100}.{cents % 100:02d} €"
