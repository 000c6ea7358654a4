import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.signals import Shop, sweep_parts, sweep_times

# A few of the parts; `make faults` takes each.
PARTS = 4


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with tempfile.TemporaryDirectory() as name:
        yield Shop(Path(name))


@pytest.mark.slow
@pytest.mark.parametrize("place", range(PARTS))
def test_f07_a_signal_in_any_part_of_a_dream_leaves_old_or_new(shop: Shop, place: int) -> None:
    parts = shop.parts[len(shop.parts) * place // PARTS :][:1]
    [(_, outcome)] = sweep_parts(shop, parts)
    # Writing is done near the end.
    assert outcome == "old" or place == PARTS - 1


@pytest.mark.slow
def test_f07_a_signal_at_any_time_leaves_old_or_new(shop: Shop) -> None:
    # Each scope is old or new, and one may be written while the other is not.
    [outcome] = sweep_times(shop, 1)
    assert outcome in {"old", "new", "new-old", "in time"}
