import importlib
from pathlib import Path

import pytest

import memci.guards.rules
from memci.guards.context import Guard
from memci.guards.registry import GUARDS
from memci.guards.run import find_refusal
from memci.model.plan import OperationKind, Refusal
from tests.guards.scene import change, make_context

_FOLDER = Path(memci.guards.rules.__file__).parent


def test_every_guard_of_the_folder_is_asked_once() -> None:
    modules = (importlib.import_module(f"memci.guards.rules.{path.stem}") for path in sorted(_FOLDER.glob("*.py")))
    found = {module.GUARD.id for module in modules if hasattr(module, "GUARD")}
    assert sorted(guard.id for guard in GUARDS) == sorted(found)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.id)
def test_a_guard_has_one_name_everywhere(guard: Guard) -> None:
    module = importlib.import_module(f"memci.guards.rules.{guard.id.replace('-', '_')}")
    assert guard.check is module.check
    assert (Path(__file__).parent / f"test_{guard.id.replace('-', '_')}.py").exists()
    assert guard.summary.endswith(".")


def test_the_first_refusal_in_order_is_reported() -> None:
    nothing = change(OperationKind.UPDATE, "no.md", {})
    assert find_refusal(nothing, make_context()) == Refusal(GUARDS[0].id, "it changes no file")
