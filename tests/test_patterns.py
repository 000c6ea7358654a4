import re

import pytest

from memci.patterns import LazyPattern


def test_nothing_is_compiled_until_it_is_used() -> None:
    broken = LazyPattern("(")
    with pytest.raises(re.error):
        broken.search("a")


def test_it_answers_as_a_compiled_pattern() -> None:
    lazy, eager = LazyPattern(r"(?P<word>\w+)", re.IGNORECASE), re.compile(r"(?P<word>\w+)", re.IGNORECASE)
    for _ in range(2):
        assert lazy.findall("a b") == eager.findall("a b")
        assert lazy.sub("x", "a b", count=1) == "x b"
        assert lazy.split("a b") == eager.split("a b")
        assert [found["word"] for found in lazy.finditer("a b", 1)] == ["b"]
    assert (lazy.pattern, lazy.groupindex) == (eager.pattern, {"word": 1})


def test_a_source_that_is_built_is_built_once() -> None:
    calls = []

    def build() -> str:
        calls.append(1)
        return "a"

    lazy = LazyPattern(build)
    assert not calls
    assert lazy.match("a")
    assert lazy.search("ba")
    assert calls == [1]


def test_other_names_are_no_attributes() -> None:
    assert not hasattr(LazyPattern("a"), "scanner")
