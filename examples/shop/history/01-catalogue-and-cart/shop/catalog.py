"""What the shop sells."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One thing on sale, with its price in cents."""

    sku: str
    name: str
    price: int


PARTS = {
    part.sku: part
    for part in (
        Part("SPK-264", "Spoke, 264 mm", 89),
        Part("SAD-01", "Saddle, leather", 8900),
        Part("CHN-11", "Chain, 11 speed", 2749),
    )
}


def find_part(sku: str) -> Part:
    """Return the part with this number, or fail with KeyError."""
    return PARTS[sku]
