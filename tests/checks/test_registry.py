import importlib
import pkgutil
from pathlib import Path

import pytest

import memci.checks.rules
from memci.checks.registry import RULES
from memci.checks.rule import Rule


def test_every_rule_in_a_file_is_registered_under_its_file_name() -> None:
    modules = [
        importlib.import_module(f"memci.checks.rules.{found.name}")
        for found in pkgutil.iter_modules(memci.checks.rules.__path__)
    ]
    written = {module.__name__.rpartition(".")[2]: module.RULE for module in modules if hasattr(module, "RULE")}
    assert {rule.id.replace("-", "_"): rule for rule in RULES} == written


def test_ids_are_unique() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_is_documented_and_tested(rule: Rule) -> None:
    assert all(text.strip() for text in (rule.summary, rule.why, rule.example, rule.remedy))
    assert (Path(__file__).parent / f"test_{rule.id.replace('-', '_')}.py").exists()
