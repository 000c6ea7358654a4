"""The cart."""

from decimal import Decimal

from shop.catalog import find_part
from shop.money import to_cents


def cart_total(items: dict[str, int], voucher_percent: int = 0) -> int:
    """Return what the items of a cart cost, in cents."""
    total = sum(find_part(sku).price * count for sku, count in items.items())
    rebate = Decimal(total) * voucher_percent / 10_000
    return total - to_cents(rebate)
