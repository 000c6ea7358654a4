"""What the payment provider tells us: it calls again until we answer, so every message may come twice."""

import hashlib
import hmac

SEEN: set[str] = set()


def is_signed(body: bytes, signature: str, key: bytes) -> bool:
    """Whether the provider signed this message."""
    return hmac.compare_digest(hmac.new(key, body, hashlib.sha256).hexdigest(), signature)


def handle_payment_event(event_id: str, order: str, status: str) -> str | None:
    """Return the new state of an order, or None if the message came before."""
    if event_id in SEEN:
        return None
    SEEN.add(event_id)
    return {"captured": "paid", "refunded": "refunded"}.get(status, f"{order}: waiting")
