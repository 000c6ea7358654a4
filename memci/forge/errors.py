"""Classifies refusals of a forge: errors, and how long to wait before another try."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from memci.forge.protocol import DeniedError, ExistsError, ForgeError, UncertainError
from memci.redaction.secrets import redact

_MAX_SAID = 200


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """The head of an answer; names of headers are compared without regard to case."""

    status: int
    phrase: str
    headers: Mapping[str, str]
    # Of a refusal only.
    body: bytes = b""

    @property
    def refused(self) -> bool:
        """Whether it is anything but a success; a redirect is not followed, so it is a refusal, too."""
        return not 200 <= self.status < 300


class LaterError(Exception):
    """A forge asks to wait before another try."""

    def __init__(self, wait: float, said: str) -> None:
        super().__init__(said)
        self.wait = wait
        self.said = said


def read_refusal(answer: RawAnswer, what: str, token: str) -> Exception:
    """Return the error for a refusal; its text names the request and never contains the token."""
    # The status line is untrusted, too.
    said = (parse_message(answer.body) or answer.phrase or "no reason").replace(token, "***")
    said = redact(said)[:_MAX_SAID]
    status, message = answer.status, f"{what}: {answer.status} {said}"
    wait = parse_wait(status, answer.headers)
    if status == 422 and "ould not resolve to a node" in said:
        # Right after a pull request was made GitHub may not know it yet: peter-evans/create-pull-request#4321.
        wait = 1.0
    if wait is not None:
        return LaterError(wait, f"{status} {said}")
    if status == 409 or (status == 422 and "already exists" in said):
        return ExistsError(message, status=status)
    if status in {403, 404}:
        return DeniedError(message, status=status, hint="the token may lack a permission")
    if status >= 500 or status == 408:
        return UncertainError(message)
    hints = {
        401: "the token is wrong or has expired",
        301: "the repository may have been renamed: correct the address of the remote",
    }
    return ForgeError(message, status=status, hint=hints.get(301 if status < 400 else status, ""))


def parse_wait(status: int, headers: Mapping[str, str]) -> float | None:
    """Return how long a forge asks to wait; None if it does not."""
    after = headers.get("Retry-After")
    spent = headers.get("X-RateLimit-Remaining") == "0"
    # GitHub uses 403 for rate limits, too, and a 503 may have a Retry-After.
    if status != 429 and not (status == 403 and (after or spent)) and not (status == 503 and after):
        return None
    if after and after.strip().isdecimal():
        return float(after)
    reset = headers.get("X-RateLimit-Reset", "")
    return max(0.0, float(reset) - time.time()) if spent and reset.isdecimal() else 1.0


def parse_message(data: bytes) -> str:
    """Return the message of an error; GitHub adds a list, GitLab may send a list or an object alone."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(content, dict):
        return ""
    more = content.get("errors")
    details = (
        [item.get("message", "") if isinstance(item, dict) else item for item in more] if isinstance(more, list) else []
    )
    said = content.get("message") or content.get("error") or ""
    return "; ".join(str(part) for part in (said, *details) if part)
