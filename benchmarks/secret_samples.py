"""Fills labelled samples of secrets with random letters, and counts which are redacted.

A line begins with `+` if it has a secret, between ⟦ and ⟧, or with `-` if nothing in it is one; `{A12}` stands for
twelve letters of an alphabet.
"""

import random
import re
import string
from typing import NamedTuple

from memci.redaction.secrets import redact

ALNUM = string.ascii_letters + string.digits
ALPHABETS = {
    "A": ALNUM,
    "B": string.ascii_uppercase + "234567",
    "U": string.ascii_uppercase + string.digits,
    "X": string.digits + "ABCDEF",
    "b": ALNUM + "+/",
    "d": string.digits,
    "h": string.digits + "abcdef",
    "l": string.ascii_lowercase + string.digits,
    "u": ALNUM + "_-",
}


def fill(sample: str, seed: int) -> str:
    source = random.Random(seed)  # noqa: S311 -- the same in every run

    def make(match: re.Match[str]) -> str:
        return "".join(source.choices(ALPHABETS[match[1]], k=int(match[2])))

    text = re.sub(r"\{([ABUXbdhlu])(\d+)\}", make, sample)
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), text)


def survives(secret: str, out: str) -> bool:
    """Whether more than half of a secret is still there."""
    size = max(1, len(secret) * 6 // 10)
    return any(secret[at : at + size] in out for at in range(len(secret) - size + 1))


class Redacted(NamedTuple):
    """How many secrets were found, and the lines where one was missed or something harmless was redacted."""

    found: int
    missed: list[str]
    wrong: list[str]
    harmless: int


def measure_samples(samples: str) -> Redacted:
    """Redact every sample with two fillings."""
    missed, wrong, found, harmless = [], [], 0, 0
    for number, line in enumerate(samples.splitlines()):
        for seed in (number, number + 1000):
            text = fill(line[2:], seed)
            plain = text.replace("⟦", "").replace("⟧", "")
            out = redact(plain)
            if line.startswith("+ "):
                secret = text.partition("⟦")[2].partition("⟧")[0]
                missed += [line] if survives(secret, out) else []
                found += not survives(secret, out)
            elif line.startswith("- "):
                harmless += 1
                wrong += [line] if out != plain else []
    return Redacted(found, missed, wrong, harmless)
