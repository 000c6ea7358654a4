"""Classifies SDK exceptions, and retries what may succeed within the number of attempts and the time of a run."""

import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from memci.engines.claude.calls import Fault, Reason
from memci.engines.claude.check_reply import SchemaError
from memci.patterns import LazyPattern

if TYPE_CHECKING:
    import anthropic

# Suitable for a nightly job and an overloaded service; a longer wait is better spent on the next run.
MAX_TRIES = 4
MAX_WAIT = 60.0
# Exponential backoff with full jitter, so that many jobs do not retry at once.
_FIRST_WAIT = 2.0
# The SDK's own timeout, applied to the wall-clock time of the whole call.
MAX_CALL = 600.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a run; tests replace it."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    # Seconds since 1970, to recognise a batch in another run.
    time: Callable[[], float] = time.time


@dataclass(slots=True)
class Patience:
    """The time budget of a run; a service that asks for a longer wait ends it."""

    ends: float
    clock: Clock = field(default_factory=Clock)
    # Not for cryptography: it spreads waiting times.
    draw: Callable[[], float] = random.random
    # Why no further calls are made although there is time; empty if they are.
    over: str = ""

    def left(self) -> float:
        """Return the remaining seconds."""
        return 0.0 if self.over else self.ends - self.clock.monotonic()

    def give_up(self) -> Fault:
        """Return the fault of a call after the deadline."""
        return Fault(self.over or "the time of the run is used up", "deadline")

    def persist(self, call: Callable[[float], T | Fault]) -> T | Fault:
        """Call until there is no fault, or attempts or time are used up; `call` gets its time limit in seconds."""
        tries = 0
        while (left := self.left()) > 0:
            outcome = call(min(left, MAX_CALL))
            tries += 1
            if not isinstance(outcome, Fault):
                return outcome
            most = min(MAX_WAIT, max(0.0, self.left()))
            if outcome.wait > most:
                # Earlier calls would be refused again, so the run makes no more.
                asked = f"the service asks to wait {outcome.wait:.6g} s and the run waits {most:.0f} s at most"
                self.over = f"{asked} ({outcome.detail})"
                return replace(self.give_up(), charged=outcome.charged)
            if tries >= min(MAX_TRIES, outcome.tries):
                return outcome
            wait = min(MAX_WAIT, max(outcome.wait, self.draw() * _FIRST_WAIT * 2 ** (tries - 1)))
            if wait >= self.left():
                return replace(outcome, reason="deadline", detail=f"no time to try again after: {outcome.detail}")
            self.clock.sleep(wait)
        return self.give_up()


# Only the wording tells that a 400 is about length; checked only if counting tokens did not help.
_TOO_LONG = LazyPattern(r"(?i)too long|context (?:window|length|limit)|exceeds? .{0,40}\btokens\b")
_LASTING = frozenset({"invalid_request_error", "authentication_error", "permission_error"})
_FINAL: dict[int, tuple[str, Reason]] = {
    401: ("the service refused the credentials", "credentials"),
    402: ("the account cannot pay", "api"),
    403: ("the service refused the credentials", "credentials"),
    404: ("the service does not know the model or the address", "model"),
    413: ("the request is too large", "context"),
}


class StrangerError(Exception):
    """A request to another origin than that of the credentials."""


def classify_error(error: Exception, secrets: tuple[str, ...] = ()) -> Fault:
    """Classify an exception of a call."""
    import anthropic

    if isinstance(error, anthropic.APIConnectionError) and error.__cause__ is not None:
        # A failed token exchange within a call looks like a connection error.
        cause: BaseException = error.__cause__
    else:
        cause = error
    match cause:
        case anthropic.APIStatusError():
            return _classify_status_fault(cause, secrets)
        case _ if _is_about_access(cause):
            # Token exchange and missing cloud credentials; the messages may quote the request.
            detail = f"no access could be had with these credentials ({type(cause).__name__})"
            return Fault(detail, "credentials", stops=True)
        case SchemaError():
            return Fault(f"the reply is broken: {cause}", tries=2, charged=True)
    return _classify_connection_fault(cause)


def _is_about_access(cause: BaseException) -> bool:
    import anthropic

    if isinstance(cause, anthropic.AnthropicError):
        return not isinstance(cause, anthropic.APIError)
    # The cloud libraries sign in before a call; the SDK reports failures as a plain RuntimeError.
    return type(cause) is RuntimeError or type(cause).__module__.startswith(("botocore.", "google.auth."))


def _classify_connection_fault(cause: BaseException) -> Fault:
    import httpx2

    match cause:
        case StrangerError():
            return Fault(str(cause), stops=True)
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout() | httpx2.ProxyError():
            return Fault("the service cannot be reached", tries=MAX_TRIES)
        case httpx2.TimeoutException() | TimeoutError():
            return Fault("the service gave no complete reply in time", tries=MAX_TRIES, charged=True)
        case httpx2.TransportError() | OSError():
            return Fault("the connection was lost", tries=MAX_TRIES, charged=True)
    return Fault(f"the call failed ({type(cause).__name__})", tries=2, charged=True)


def _classify_status_fault(error: "anthropic.APIStatusError", secrets: tuple[str, ...]) -> Fault:
    status, headers = error.status_code, error.response.headers
    name = f"{status} {_identifier(error.type)}".strip()
    if status == 200:
        # An event of the stream: a reply has begun.
        tries = 1 if error.type in _LASTING else MAX_TRIES
        return Fault(f"{_identifier(error.type) or 'an error'} within the stream", tries=tries, charged=True)
    said = _quote(error, secrets)
    if (known := _classify_final(status, error.error_code, said)) is not None:
        detail, reason = known
        return Fault(f"{detail} ({name})", reason, stops=reason != "context")
    wait = read_wait(headers.get("retry-after-ms"), headers.get("retry-after"))
    transient = status in {408, 409, 429} or status >= 500
    if (asked := headers.get("x-should-retry")) in {"true", "false"}:
        transient = asked == "true"
    # The monthly cap of an account is a 429 without a retry-after header.
    capped = status == 429 and wait is None
    detail = f"{name}: {said}" if said and not transient else name
    return Fault(detail, tries=MAX_TRIES if transient else 1, wait=wait or 0.0, stops=capped)


def _classify_final(status: int, code: str | None, said: str) -> tuple[str, Reason] | None:
    if status == 400 and _TOO_LONG.search(said):
        return "the prompt is too long", "context"
    if status == 429 and code == "enforced_spend_limit_reached":
        return "the spend limit of the account is reached", "api"
    if 300 <= status < 400:
        return "the service redirects; that is not followed with a credential", "api"
    return _FINAL.get(status)


def read_wait(milliseconds: str | None, seconds: str | None) -> float | None:
    """Return the seconds to wait that a service asks for; a date, which only proxies send, counts as now."""
    for text, unit in ((milliseconds, 1000), (seconds, 1)):
        if text is not None and re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text.strip(), re.ASCII):
            return float(text) / unit
    return 0.0 if seconds else None


def _quote(error: "anthropic.APIStatusError", secrets: tuple[str, ...]) -> str:
    """Return the service's own words if they came in its documented form: one line, short, without credentials."""
    message = error.api_message
    if not isinstance(message, str):
        return ""
    for secret in secrets:
        message = message.replace(secret, "***")
    # Escaped unless plain ASCII, against terminal control sequences.
    return json.dumps(message[:200])[1:-1]


def _identifier(value: object) -> str:
    return value if isinstance(value, str) and re.fullmatch("[a-z_]{1,64}", value) else ""
