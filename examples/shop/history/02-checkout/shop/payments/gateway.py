"""What we ask the payment provider to do."""

SENT: list[tuple[str, int, str]] = []


def start_payment(number: str, cents: int, url: str) -> None:
    """Ask for the payment of an order."""
    if cents <= 0:
        raise ValueError(f"order {number} has nothing to pay")
    SENT.append((number, cents, url))
