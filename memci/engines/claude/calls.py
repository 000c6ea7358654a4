"""The values of a call: phase and prompt in, reply or failure out."""

from dataclasses import dataclass
from typing import Literal

# "api" is everything the service did wrong, its detail says what.
Reason = Literal["refusal", "max_tokens", "context", "budget", "deadline", "breaker", "credentials", "model", "api"]


@dataclass(frozen=True, slots=True)
class Phase:
    """The parameters of one kind of call; constant, because a change invalidates the cached prefix."""

    name: str
    model: str
    # None: the default of the model.
    effort: str | None
    # Includes thinking.
    max_tokens: int
    # May contain limits that the service does not accept in a schema; those are checked locally.
    schema: dict[str, object]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of a call, ordered from constant to variable parts."""

    system: str
    material: str
    last: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call as the service counted them; the three inputs do not overlap."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0
    # The part of `cache_write` that is kept for an hour; it costs more.
    hour_write: int = 0

    @property
    def total_input(self) -> int:
        """Everything the model read."""
        return self.input + self.cache_write + self.cache_read

    @property
    def hit_rate(self) -> float:
        """The part of the input that came from the cache."""
        return self.cache_read / self.total_input if self.total_input else 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_write + other.cache_write,
            self.cache_read + other.cache_read,
            self.hour_write + other.hour_write,
        )


@dataclass(frozen=True, slots=True)
class Bill:
    """The usage of a call, and what else affects its price."""

    usage: Usage
    batch: bool = False
    # Inference in one country has a surcharge, and a workspace can enforce it.
    regional: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply that matches its schema."""

    value: dict[str, object]
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply; never contains text of a prompt, a reply or a credential."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


@dataclass(frozen=True, slots=True)
class Fault:
    """The failure of one attempt, and whether to retry."""

    detail: str
    reason: Reason = "api"
    # The total number of attempts; 1 means no retry.
    tries: int = 1
    # Seconds that the service asked to wait.
    wait: float = 0.0
    # Whether the service may have charged for the attempt without reporting its usage.
    charged: bool = False
    # Whether all further calls of the run would fail as well.
    stops: bool = False

    def as_failure(self) -> Failure:
        """Return the failure after the last attempt."""
        return Failure(self.reason, self.detail)


Outcome = Reply | Failure | Fault
