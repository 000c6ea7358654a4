"""Holds recall and precision of the secret scan on labelled texts."""

import random
import re
import string
from pathlib import Path

import pytest

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
    source = random.Random(seed)

    def make(match: re.Match[str]) -> str:
        return "".join(source.choices(ALPHABETS[match[1]], k=int(match[2])))

    text = re.sub(r"\{([ABUXbdhlu])(\d+)\}", make, sample)
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), text)


def survives(secret: str, out: str) -> bool:
    """Whether more than half of a secret is still there."""
    size = max(1, len(secret) * 6 // 10)
    return any(secret[at : at + size] in out for at in range(len(secret) - size + 1))


@pytest.mark.parametrize(
    ("name", "recall"), [("secret_samples.txt", 0.97), ("password_samples.txt", 0.92), ("place_samples.txt", 0.95)]
)
def test_recall_and_precision_do_not_fall(name: str, recall: float) -> None:
    missed, wrong, found = [], [], 0
    for number, line in enumerate(Path(__file__).with_name(name).read_text("utf-8").splitlines()):
        for seed in (number, number + 1000):
            text = fill(line[2:], seed)
            plain = text.replace("⟦", "").replace("⟧", "")
            out = redact(plain)
            if line.startswith("+ "):
                secret = text.partition("⟦")[2].partition("⟧")[0]
                missed += [line] if survives(secret, out) else []
                found += not survives(secret, out)
            elif line.startswith("- "):
                wrong += [line] if out != plain else []
    assert found / (found + len(missed)) >= recall, missed
    assert found / (found + len(wrong)) >= 0.99, wrong
