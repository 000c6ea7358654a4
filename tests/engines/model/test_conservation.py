"""A model that keeps everything: nothing changes but what code repairs, and every old line has one fate."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.dream.inputs import DreamRequest
from memci.engines.model import ModelEngine
from memci.engines.protocol import ConsolidationRequest, Engine
from memci.engines.select import EngineChoice
from memci.model.plan import EvidenceKind, ScopePlan
from memci.model.session import Turn
from memci.runs.dream import run_dream
from memci.runs.scopes import open_scopes
from memci.use.repeated_rules import KnownRule, Repetition
from tests.build import NOW
from tests.dream.test_properties import RULES, check_ledger, scopes
from tests.engines.model.play import Scripted, converse, play, play_with, texts_after
from tests.engines.model.scene import Told, answer_with, draft, index_draft, keep, make_reply

SHOP = Path(__file__).parents[3] / "examples" / "shop"


class Silent:
    """An engine that reads conversations and proposes nothing."""

    name = "silent"
    reads_conversations = True

    def find_repetitions(self, rules: Sequence[KnownRule], turns: Sequence[Turn]) -> list[Repetition]:
        assert rules
        assert turns
        return []

    def consolidate(self, request: ConsolidationRequest) -> None:
        assert request.drafts


def keep_all(_: str, told: Told) -> object:
    """Name every line of every topic and of every index, and keep it."""
    topics = [
        draft(topic["topic"], statements=keep(*topic["lines"])) for scope in told["scopes"] for topic in scope["topics"]
    ]
    prose = [
        index_draft(scope["scope"], statements=keep(*(name for row in scope["index"].get("rows", []) for name in row)))
        for scope in told["scopes"]
    ]
    return make_reply(*topics, indexes=prose)


KEEPERS: dict[str, Callable[[], Callable[[dict[str, Any]], object]]] = {
    "an empty reply": answer_with,
    "every line by its id": lambda: answer_with(consolidate=keep_all),
}


def dream_over(root: Path, engine: Engine) -> tuple[ScopePlan, ...]:
    asked = DreamRequest((), (str(SHOP / "transcripts"),), dry_run=True, force=True, now=NOW)
    return run_dream(open_scopes(root, None), asked, EngineChoice(engine, ""), lambda _: None).plans


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("kept") / "shop"
    subprocess.run([sys.executable, str(SHOP / "build.py"), str(target)], check=True, capture_output=True)
    return target


@pytest.mark.parametrize("keeper", KEEPERS.values(), ids=KEEPERS)
def test_the_example_changes_only_where_code_repairs_it(
    shop: Path, keeper: Callable[[], Callable[[dict[str, Any]], object]]
) -> None:
    model = Scripted(keeper())
    plans = dream_over(shop, ModelEngine(model))
    assert model.phases == ["repetitions", "consolidate"]
    repaired = dream_over(shop, Silent())
    assert [dict(plan.after) for plan in plans] == [dict(plan.after) for plan in repaired]
    for plan in plans:
        check_ledger(plan)
        kinds = {proof.kind for operation in plan.operations for proof in operation.evidence}
        assert EvidenceKind.SIGNAL not in kinds
    # Something is repaired, so that this is no comparison of nothing.
    assert any(plan.operations for plan in plans)


@given(scopes(), st.lists(st.sampled_from(RULES), min_size=1, max_size=3), st.sampled_from(list(KEEPERS)))
def test_a_scope_changes_only_where_code_repairs_it(files: dict[str, str], said: list[str], keeper: str) -> None:
    talk = converse(*said)
    plan = play(files, talk, Scripted(KEEPERS[keeper]()))
    assert plan.after == play_with(files, talk, Silent()).after
    check_ledger(plan)
    again = play(texts_after(plan), talk, Scripted(KEEPERS[keeper]()))
    assert again.after == again.before
