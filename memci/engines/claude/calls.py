"""What goes through the door: a phase and a prompt in, a reply or a failure out."""

from dataclasses import dataclass
from typing import Literal

# "pending" is a batch that is left to finish; "api" is everything the service did wrong, its detail says what.
Reason = Literal[
    "refusal", "max_tokens", "context", "budget", "deadline", "breaker", "credentials", "model", "pending", "api"
]


@dataclass(frozen=True, slots=True)
class Phase:
    """How a kind of call is made; equal in all its calls, because a change breaks the cached prefix."""

    name: str
    model: str
    # None leaves it to the model.
    effort: str | None
    # Thinking counts.
    max_tokens: int
    # Also holds the limits that the service refuses in a schema; those are checked here only.
    schema: dict[str, object]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of a call, from what never changes to what always does."""

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
    """A usage, and what about the call changes its price."""

    usage: Usage
    batch: bool = False
    # Inference kept in one country has a surcharge; a workspace can ask for it without us knowing.
    regional: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply that keeps to its schema."""

    value: dict[str, object]
    usage: Usage
    model: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply; never holds text of a prompt, a reply or a credential."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong in one try, and what may be done about it."""

    detail: str
    reason: Reason = "api"
    # How many tries in all make sense against this; 1 is "do not try again".
    tries: int = 1
    # Seconds that the service asked to wait.
    wait: float = 0.0
    # Whether the service may have charged for a try whose usage was never seen.
    charged: bool = False
    # Whether nothing else will succeed in this run either.
    stops: bool = False

    def as_failure(self) -> Failure:
        """Return what is left of it when all tries are used up."""
        return Failure(self.reason, self.detail)
