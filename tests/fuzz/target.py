"""What a target of the fuzzers is, and the words that most of them know."""

from collections.abc import Callable
from dataclasses import dataclass

MARKUP = (
    "---\n", "\n", "\r\n", "- ", "# ", "[a](a.md)", "[[a]]", "](", "`", "```\n", "<!--", "-->", "| ", "  ", "\t", "~~",
    "name: ", "description: a: b", "metadata:\n  type: ", "> ", "1. ", "**Why:** ", "├── ",
    "\u200b", "\u202e", "\ufe0f",
    "\U000e0041", "\ud800", "\0", "\u2028",
)  # fmt: skip

JSON = ('{"', '":', '",', "[", "]", "}", "null", "1e400", "NaN", '"\\ud800"', "true", '"a"', "0", ",")


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes any text; `pieces` are the words of its language."""

    name: str
    pieces: tuple[str, ...]
    run: Callable[[str], object]
    # What takes long is tried with this part of the examples: half of them, a third …
    share: int = 1
