"""Operations as a hijacked engine would propose them: none may pass, and each refusal names the guard that held."""

import pytest

from memci.guards.run import find_refusal
from tests.build import SCOPE
from tests.guards import attacks_on_files, attacks_on_memory, attacks_on_readers, attacks_on_words
from tests.guards.attack import CONTEXT, GOOD, Attack, make

ATTACKS = [
    *attacks_on_files.attack_by_paths(),
    *attacks_on_files.attack_by_deletions(),
    *attacks_on_files.attack_by_forgeries(),
    *attacks_on_words.attack_by_inventions(),
    *attacks_on_words.attack_by_twists(),
    *attacks_on_words.attack_by_padding(),
    *attacks_on_readers.attack_by_payloads(),
    *attacks_on_readers.attack_by_heads(),
    *attacks_on_memory.attack_by_indexes(),
    *attacks_on_memory.attack_by_edits(),
]


def test_there_are_many_and_each_is_another() -> None:
    assert len(ATTACKS) >= 150
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_hijacked_engine_gets_nothing_in(attack: Attack) -> None:
    refusal = find_refusal(attack.operation, attack.context)
    assert refusal is not None
    assert refusal[0] in attack.guards.split()
    assert refusal[1]


def test_the_scope_is_what_the_attacks_take_it_for() -> None:
    assert CONTEXT.scope == SCOPE
    assert find_refusal(make(GOOD), CONTEXT) is None
