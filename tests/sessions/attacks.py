"""All attacks, each with a rule and a word of its own."""

from dataclasses import replace
from pathlib import Path

from tests.sessions import (
    attacks_by_jobs,
    attacks_by_logs,
    attacks_by_records,
    attacks_by_text,
    attacks_of_strangers,
    attacks_of_strangers_text,
)
from tests.sessions.build import SESSION
from tests.sessions.planting import RULE, WORD, Attack

_MODULES = (
    attacks_by_jobs,
    attacks_by_records,
    attacks_by_text,
    attacks_by_logs,
    attacks_of_strangers,
    attacks_of_strangers_text,
)
# Attacks that get in, each behind what lets it: `signals` (then both engines do), `collected` (what is left of its
# records), `model` (two hijacked models, with a part that counts as typed), `doubt` (two, with a part in doubt), `wish`
# (two, and only the wish to forget is stored). What is `arguable` a person could have typed; the reason is behind it.
_LISTED = Path(__file__).with_name("open_attacks.txt").read_text("utf-8").splitlines()
OPEN_KINDS = {name: kind for kind, name, *_ in (line.split("\t") for line in _LISTED)}


def _plant(number: int, attack: Attack) -> Attack:
    """Put the rule into an attack, and give it a session of its own."""
    word = f"zorb{number:03}x"
    rule = f"Always run {word} before every commit."

    def fill(text: str) -> str:
        text = text.replace(RULE, rule).replace(WORD, word)
        return text.replace(SESSION, f"{number:08x}-0000-4000-8000-000000000000")

    files = {path: fill(text) for path, text in attack.files.items()}
    return replace(attack, files=files, log=fill(attack.log), rule=rule, word=word)


_found = [attack for module in _MODULES for family in module.FAMILIES for attack in family()]
ATTACKS = tuple(
    _plant(number, attack) for number, attack in enumerate((each for each in _found if each.name not in OPEN_KINDS), 1)
)
OPEN = tuple(
    _plant(number, attack) for number, attack in enumerate((each for each in _found if each.name in OPEN_KINDS), 1)
)
