"""The cost of calls: dated prices, an exact ledger, and a limit that is checked before each call."""

import functools
import json
from dataclasses import dataclass, field, replace
from decimal import Decimal
from importlib import resources

from memci.engines.claude.calls import Bill, Usage
from memci.errors import ConfigError

_MILLION = Decimal(1_000_000)
# Factors of the published price list: batches cost half, inference kept in one country a tenth more.
_BATCH = Decimal("0.5")
_REGIONAL = Decimal("1.1")
# The maximum output of every current model.
_SAFE_OUTPUT = 64_000


@dataclass(frozen=True, slots=True)
class Tier:
    """Dollars per million tokens, for calls with at most `up_to` tokens of input."""

    input: Decimal
    output: Decimal
    write: Decimal
    hour_write: Decimal
    read: Decimal
    up_to: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of a model, and its known limits."""

    tiers: tuple[Tier, ...]
    context: int | None = None
    max_output: int = _SAFE_OUTPUT

    def tier(self, total_input: int) -> Tier:
        """Return the prices for calls of this size."""
        return next((tier for tier in self.tiers if tier.up_to is None or total_input <= tier.up_to), self.tiers[-1])

    def charge(self, bill: Bill) -> Decimal:
        """Return the exact cost of a call."""
        usage, tier = bill.usage, self.tier(bill.usage.total_input)
        tokens = (
            usage.input * tier.input
            + usage.output * tier.output
            + (usage.cache_write - usage.hour_write) * tier.write
            + usage.hour_write * tier.hour_write
            + usage.cache_read * tier.read
        )
        factor = (_BATCH if bill.batch else 1) * (_REGIONAL if bill.regional else 1)
        return tokens * factor / _MILLION

    def reserve(self, total_input: int, output: int, *, batch: bool = False) -> Decimal:
        """Return the maximum cost of a call of this size: all input written to the cache, with all surcharges."""
        tier = self.tier(total_input)
        write = max(tier.input, tier.hour_write if batch else tier.write)
        dollars = (total_input * write + output * tier.output) * _REGIONAL / _MILLION
        return dollars * _BATCH if batch else dollars


def resolve_price(model: str) -> Price:
    """Return the price of a model by the table."""
    date, prices = _read_prices()
    if model not in prices:
        raise ConfigError(
            f"the price of the model {model!r} is not known (price table of {date})",
            hint="give its prices, in dollars per million tokens of input and output",
        )
    return prices[model]


@functools.cache
def _read_prices() -> tuple[str, dict[str, Price]]:
    """Return the day the table was written, and the prices by model."""
    import msgspec

    table = json.loads(resources.files(__package__).joinpath("prices.json").read_text("utf-8"))
    return table["as_of"], msgspec.convert(table["models"], dict[str, Price])


@dataclass(frozen=True, slots=True)
class PhaseCost:
    """The cost of one phase."""

    name: str
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    usd: Decimal = Decimal(0)
    # The maximum cost of attempts without reported usage: lost connections, broken replies.
    unseen_usd: Decimal = Decimal(0)


@dataclass(slots=True)
class CostLedger:
    """Records the cost of every call of a run and checks the limit before each."""

    max_usd: Decimal | None
    # Charged to the limit of the earlier run that submitted the batch.
    carried_usd: Decimal = Decimal(0)
    warnings: tuple[str, ...] = ()
    _phases: dict[str, PhaseCost] = field(default_factory=dict)

    @property
    def phases(self) -> tuple[PhaseCost, ...]:
        """The costs of each phase."""
        return tuple(self._phases.values())

    @property
    def usage(self) -> Usage:
        """All tokens."""
        return sum((phase.usage for phase in self.phases), Usage())

    @property
    def usd(self) -> Decimal:
        """The dollars of all reported usage."""
        return sum((phase.usd for phase in self.phases), Decimal(0))

    @property
    def unseen_usd(self) -> Decimal:
        """The maximum cost of attempts without reported usage."""
        return sum((phase.unseen_usd for phase in self.phases), Decimal(0))

    def allows(self, dollars: Decimal) -> bool:
        """Tell whether this amount is within the limit."""
        spent = self.usd + self.unseen_usd - self.carried_usd
        return self.max_usd is None or spent + dollars <= self.max_usd

    def book(self, phase: str, price: Price, bill: Bill, *, carried: bool = False) -> None:
        """Record a call with reported usage."""
        old = self._phases.get(phase, PhaseCost(phase))
        dollars = price.charge(bill)
        self._phases[phase] = replace(old, calls=old.calls + 1, usage=old.usage + bill.usage, usd=old.usd + dollars)
        if carried:
            self.carried_usd += dollars

    def book_unseen(self, phase: str, dollars: Decimal) -> None:
        """Record an attempt that may have cost up to this amount."""
        old = self._phases.get(phase, PhaseCost(phase))
        self._phases[phase] = replace(old, unseen_usd=old.unseen_usd + dollars)
