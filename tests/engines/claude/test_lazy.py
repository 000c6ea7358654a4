"""Loading the SDK takes a second; only a run that calls the model pays it."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"anthropic", "httpx2", "pydantic"}


def find_loaded(code: str, cwd: Path) -> set[str]:
    script = f"import sys\n{code}\nprint(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=cwd, check=False)
    assert "memci" in done.stderr.split(), done.stderr
    return {name.partition(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize("arguments", [["check"], ["--help"]])
def test_commands_without_a_model_do_not_load_the_sdk(tmp_path: Path, arguments: list[str]) -> None:
    scope = tmp_path / ".claude" / "memory"
    scope.mkdir(parents=True)
    (scope / "MEMORY.md").write_text("- [A](a.md) — a\n")
    code = f"from memci.cli import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    assert not find_loaded(code, tmp_path) & HEAVY


def test_a_session_without_calls_does_not_load_the_sdk(tmp_path: Path) -> None:
    code = (
        "from memci.engines.claude.credentials import resolve_credentials\n"
        "from memci.engines.claude.session import CallLimits, ModelSession\n"
        "with ModelSession(resolve_credentials({'ANTHROPIC_API_KEY': 'k'}), CallLimits(60, None)) as session:\n"
        "    session.cost"
    )
    assert not find_loaded(code, tmp_path) & HEAVY
