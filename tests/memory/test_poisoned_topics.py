"""Topics of a stranger's pull request are reported, whichever part of the file addresses the reader."""

from pathlib import PurePosixPath

import pytest

from memci.memory.topic import find_in_file, parse_topic
from tests.sessions.poisoned_topics import POISON


@pytest.mark.parametrize("text", POISON.values(), ids=POISON)
def test_a_topic_that_addresses_the_reader_is_found(text: str) -> None:
    assert [order for order in find_in_file(parse_topic(PurePosixPath("cart.md"), text)) if not order.quoted]
