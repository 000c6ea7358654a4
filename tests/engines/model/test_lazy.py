"""What runs without a model does not load what only a model needs."""

from pathlib import Path

import pytest

from tests.engines.claude.test_lazy import find_loaded
from tests.engines.model.scene import NOW, PUSH, Scene

HEAVY = {"anthropic", "httpx2", "pydantic", "asyncio", "jinja2"}
# What a dream tells is a template.
TEMPLATES = {"jinja2"}


def run(arguments: list[str]) -> str:
    return f"from memci.cli import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["check"], ["dream", "--help"], ["dream", "--engine", "local", "--dry-run", "--force", "--now", NOW]],
    ids=" ".join,
)
def test_a_run_without_a_model_loads_nothing_for_it(scene: Scene, arguments: list[str]) -> None:
    scene.say(PUSH)
    given = ["--transcripts", str(scene.transcripts)] if "local" in arguments else []
    root = Path(__file__).parents[3]
    code = f"sys.path.insert(0, {str(root)!r})\n{run([*arguments, *given])}"
    told = TEMPLATES if "local" in arguments else set[str]()
    assert not find_loaded(code, scene.repo.root) & (HEAVY - told)


def test_a_replay_does_not_load_the_sdk(scene: Scene, tmp_path: Path) -> None:
    scene.say(PUSH)
    scene.dream("--record", str(tmp_path / "tape"), "--dry-run")
    arguments = ["dream", "--replay", str(tmp_path / "tape"), "--force", "--now", NOW]
    root = Path(__file__).parents[3]
    code = f"sys.path.insert(0, {str(root)!r})\n{run([*arguments, '--transcripts', str(scene.transcripts)])}"
    assert not find_loaded(code, scene.repo.root) & {"anthropic", "httpx2", "pydantic"}
