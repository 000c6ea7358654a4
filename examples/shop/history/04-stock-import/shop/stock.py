"""How many pieces are there."""

STOCK: dict[str, int] = {}
AUDIT: list[tuple[str, int, int]] = []


def apply_stock(counts: dict[str, int]) -> int:
    """Write new counts and log every change; return how many changed."""
    changed = {sku: count for sku, count in counts.items() if STOCK.get(sku) != count}
    AUDIT.extend((sku, STOCK.get(sku, 0), count) for sku, count in changed.items())
    STOCK.update(changed)
    return len(changed)
