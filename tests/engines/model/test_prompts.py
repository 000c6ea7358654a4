"""What a model is told, and how little of it when there is too much."""

import json
from dataclasses import replace

import pytest

from memci.engines.claude.calls import Prompt
from memci.engines.model.prompts import drop_oldest, name_topics, write_consolidation
from tests.build import NOW, topic_text
from tests.dream.scenes import read, say


def test_topics_have_ids_and_no_paths() -> None:
    scope = read({"feedback_a.md": topic_text("A rule.", name="a", description="d", kind="feedback")})
    prompt = write_consolidation(scope, [say("use tabs")], NOW)
    assert list(name_topics(scope)) == ["t1"]
    assert "feedback_a" not in prompt.material
    assert json.loads(prompt.material)["topics"][0]["body"].strip() == "A rule."


@pytest.mark.parametrize(("count", "size"), [(3, 50_000), (300, 4_000), (2_000, 1_000), (4_000, 100)])
def test_the_material_stays_within_its_limit(count: int, size: int) -> None:
    topics = {
        f"project_{n}.md": topic_text(f"{n} " * (size // 4), name=f"t-{n}", description=f"topic {n}")
        for n in range(count)
    }
    prompt = write_consolidation(read(topics), [say("use tabs")], NOW)
    assert len(prompt.material) <= 250_100
    told = json.loads(prompt.material)
    assert len(told["topics"]) + told.get("not_shown", 0) == count


def test_the_older_half_leaves_until_one_is_left() -> None:
    prompt = Prompt("s", "m", json.dumps({"signals": [1, 2, 3, 4, 5]}))
    shorter = drop_oldest(prompt)
    assert shorter == replace(prompt, last='{"signals":[3,4,5]}')
    assert drop_oldest(replace(prompt, last='{"signals":[5]}')) is None
