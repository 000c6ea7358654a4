"""Reads secret_rules.toml: the formats of secrets, the labels in front of them, and word lists for patterns."""

import functools
from pathlib import Path
from typing import Any


@functools.cache
def secret_data() -> dict[str, Any]:
    """Return the whole file; it is read once."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("secret_rules.toml").read_text("utf-8"))


@functools.cache
def word_list(name: str) -> tuple[str, ...]:
    """Return a list of the table `words`."""
    return tuple(secret_data()["words"][name].split())


def alternatives(name: str) -> str:
    """Return a list of the table `words` as alternatives of a pattern."""
    return "|".join(word_list(name))
