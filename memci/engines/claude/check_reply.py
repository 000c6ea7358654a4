"""Checks that a message is a complete reply that matches its schema, and classifies failures."""

import re

from memci.engines.claude.calls import Bill, Failure, Fault, Outcome, Phase, Reply, Usage
from memci.engines.claude.schema import SchemaError, check, parse_json

# Content blocks of thinking, which are not part of the reply.
_THINKING = frozenset({"thinking", "redacted_thinking"})


def judge(message: object, phase: Phase) -> tuple[Outcome, Bill | None]:
    """Check a whole message, streamed or from a batch; without a bill the message does not report its cost."""
    if not isinstance(message, dict) or message.get("type") != "message":
        return Fault("the reply is not a message", tries=2, charged=True), None
    bill = _read_bill(message.get("usage"))
    if bill is None:
        return Fault("the reply does not say what it used", tries=2, charged=True), None
    value = _judge_stop(message) or _read_value(message.get("content"), phase)
    if isinstance(value, dict):
        return Reply(value, bill.usage, clean_word(message.get("model"))), bill
    return value, bill


def _read_value(content: object, phase: Phase) -> dict[str, object] | Failure | Fault:
    if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
        return Fault("the content of the reply is not a list of blocks", tries=2)
    kinds = [block.get("type") for block in content]
    if foreign := sum(kind != "text" and kind not in _THINKING for kind in kinds):
        return Failure("api", f"the reply holds {foreign} blocks that are no text, though no tools were given")
    texts = [block.get("text") for block in content if block["type"] == "text"]
    if len(texts) != 1 or not isinstance(texts[0], str):
        return Fault(f"the reply has {len(texts)} text blocks, not one", tries=2)
    try:
        value = check(parse_json(texts[0]), phase.schema)
    except SchemaError as error:
        return Fault(f"the reply breaks its schema: {error}", tries=2)
    return value if isinstance(value, dict) else Fault("the reply is not an object", tries=2)


def _judge_stop(message: dict[str, object]) -> Failure | Fault | None:
    match message.get("stop_reason"):
        case "end_turn":
            return None
        case "max_tokens":
            return Failure("max_tokens", "the reply did not fit")
        case "model_context_window_exceeded":
            return Failure("context", "prompt and reply did not fit the model's window")
        case "refusal":
            details = message.get("stop_details")
            category = details.get("category") if isinstance(details, dict) else None
            return Failure("refusal", clean_word(category) if category else "no category given")
        case str(other):
            return Failure("api", f"the reply stopped for an unexpected reason ({clean_word(other)})")
        case _:
            return Fault("the reply does not say why it stopped", tries=2)


def _read_bill(usage: object) -> Bill | None:
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    # Absent or null without caching.
    counts += [usage.get(f"cache_{name}_input_tokens") or 0 for name in ("creation", "read")]
    by_life = usage.get("cache_creation")
    counts.append((by_life.get("ephemeral_1h_input_tokens") or 0) if isinstance(by_life, dict) else 0)
    numbers = [count for count in counts if isinstance(count, int) and not isinstance(count, bool) and count >= 0]
    if len(numbers) != len(counts):
        return None
    # Part of what was written, so never more than that.
    numbers[4] = min(numbers[4], numbers[2])
    return Bill(Usage(*numbers), usage.get("service_tier") == "batch", usage.get("inference_geo") == "us")


def clean_word(value: object) -> str:
    """Return an identifier from the service, if it is a plain string."""
    return re.sub(r"[^A-Za-z0-9_.:@/-]", "?", value)[:64] if isinstance(value, str) else "?"
