"""From a cart to an order."""

import os
from dataclasses import dataclass

from shop.cart import cart_total
from shop.payments.gateway import start_payment


@dataclass(frozen=True)
class Order:
    """An order that waits for its payment."""

    number: str
    items: dict[str, int]
    amount: int


def place_order(number: str, items: dict[str, int], voucher_percent: int = 0) -> Order:
    """Make an order of a cart and ask for the payment."""
    order = Order(number, items, cart_total(items, voucher_percent))
    start_payment(order.number, order.amount, os.environ.get("SHOP_PAYMENT_URL", ""))
    return order
