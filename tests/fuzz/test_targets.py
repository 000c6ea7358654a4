import os

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

# A night's run takes 100,000: MEMCI_FUZZ_EXAMPLES=100000 (`make fuzz`).
EXAMPLES = int(os.environ.get("MEMCI_FUZZ_EXAMPLES", 10 * settings().max_examples))
# What once failed, and is tried first in every run.
FOUND = {"answers": ("1e400", "Wed, 21 Oct 99999 07:28:00 GMT")}


def _texts(target: Target) -> st.SearchStrategy[str]:
    characters = st.characters(categories=None)
    piece = st.one_of(st.sampled_from(target.pieces), st.text(characters, max_size=12))
    return st.lists(piece, max_size=40).map("".join)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_any_text_is_read(target: Target) -> None:
    count, tried = max(1, EXAMPLES // target.share), 0

    @given(_texts(target))
    @settings(max_examples=count)
    def run(text: str) -> None:
        nonlocal tried
        tried += 1
        target.run(text)

    for text in FOUND.get(target.name, ()):
        run = example(text)(run)
    run()
    assert tried >= count
