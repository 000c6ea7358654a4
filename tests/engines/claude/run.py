"""What the tests of the door to the model share: a clock that does not wait, a key made up on the spot, a phase."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from memci.engines.claude.calls import Phase, Prompt
from memci.engines.claude.credentials import Credentials, resolve_credentials
from memci.engines.claude.errors import Clock
from memci.engines.claude.session import CallLimits, ModelSession
from tests.fakes.anthropic_api import FakeApi

SCHEMA: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ok"],
    "properties": {
        "ok": {"type": "boolean"},
        "kind": {"type": "string", "enum": ["create", "retire"]},
        "files": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 16_384}},
    },
}
GATHER = Phase("gather", "claude-haiku-5-5", "low", 1_000, SCHEMA)
CONSOLIDATE = Phase("consolidate", "claude-sonnet-5-5", "medium", 2_000, SCHEMA)
REPAIR = Phase("repair", "claude-sonnet-5-5", "medium", 2_000, SCHEMA)
PROMPT = Prompt("The rules. " * 100, "The scope. " * 100, "Today is a Monday.")


def make_key() -> str:
    """Return a key that looks like one, and that nothing else looks like."""
    return "sk-" + "ant-api03-" + secrets.token_hex(24)


@dataclass
class FakeTime:
    """Time that passes only while somebody sleeps."""

    now: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    @property
    def clock(self) -> Clock:
        # Batches of the fake are made at noon of 2026-11-16.
        return Clock(lambda: self.now, self.sleep, lambda: 1_794_830_400.0 + self.now - 1_000.0)


def keep(_: Prompt) -> None:
    """Say that a prompt cannot be shortened."""


def find(api: FakeApi, **more: str) -> Credentials:
    """Return credentials for a fake."""
    found = resolve_credentials({"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url, **more})
    assert isinstance(found, Credentials)
    return found


@contextmanager
def open_session(
    api: FakeApi,
    time: FakeTime | None = None,
    *,
    seconds: float = 3_600.0,
    usd: str | None = None,
    draw: Callable[[], float] = lambda: 0.5,
) -> Iterator[ModelSession]:
    """Open a session on a fake whose waits take no time."""
    limits = CallLimits(seconds, None if usd is None else Decimal(usd))
    with ModelSession(find(api), limits, clock=(time or FakeTime()).clock, draw=draw) as session:
        yield session


def texts(params: dict[str, Any]) -> list[str]:
    """Return the texts of a request that are no system text."""
    return [block["text"] for block in params["messages"][0]["content"]]
