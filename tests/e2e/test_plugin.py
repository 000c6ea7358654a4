"""The plugin in the real client: a bad write is answered with its finding, and a session that ends is collected."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.packages import install
from tests.e2e.prompts import KEY, Recorder, record_prompts
from tests.repository import make_repository
from tests.test_plugin import PLUGIN, ROOT, wait_for_session

PACKAGE = "@anthropic-ai/claude-code@2.1.325"
SCOPE = ".claude/agent-memory/reviewer"
BAD = "---\nname: bad\ndescription: [unclosed\ntype: project\n---\n\nReleased yesterday.\n"

# The package has a quarter of a gigabyte, which not every network brings within the usual time.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def client() -> Iterator[Path]:
    """Give the program, installed for these tests only."""
    with install(PACKAGE) as directory:
        programs = sorted(directory.glob("node_modules/@anthropic-ai/claude-code-*/claude"))
        if not programs:
            pytest.skip(f"{PACKAGE} has no program for this machine")
        yield programs[0]


def run(client: Path, root: Path, home: Path, recorder: Recorder, *arguments: str) -> str:
    """Run the client with the plugin and return what it prints."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "TMPDIR": str(home),
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": recorder.url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "HTTP_PROXY": recorder.url,
        "HTTPS_PROXY": recorder.url,
        "NO_PROXY": "127.0.0.1",
    }
    command = [str(client), *arguments]
    done = subprocess.run(
        command, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    return done.stdout.decode()


def test_the_client_accepts_the_manifests(client: Path, tmp_path: Path, home: Path) -> None:
    with record_prompts() as recorder:
        for place in (PLUGIN, ROOT):
            told = run(client, tmp_path, home, recorder, "plugin", "validate", str(place))
            assert "Validation passed\n" in told


def test_a_bad_write_is_answered_and_the_session_is_collected(client: Path, tmp_path: Path, home: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    repo.write(f"{SCOPE}/MEMORY.md", "# Memory\n")
    repo.write(
        ".claude/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews\nmemory: project\n---\nReview.\n"
    )
    repo.commit()
    target = str(repo.root / SCOPE / "project_bad.md")
    with record_prompts(("Write", {"file_path": target, "content": BAD})) as recorder:
        options = ("--plugin-dir", str(PLUGIN), "--agent", "reviewer", "--allowedTools", "Write")
        told = run(client, repo.root, home, recorder, *options, "--print", "--", "Remember it.")
    assert told.strip() == "Done."
    first, second = [json.dumps(body["messages"]) for body in recorder.bodies if body.get("tools")]
    for part in ("memci checked the memory", "topic-bad-yaml", "date-relative"):
        assert part not in first
        assert part in second
    for name in ("memci:check", "memci:dream", "memci:memory"):
        assert name in json.dumps(recorder.bodies)
    assert "Remember it." in wait_for_session(home).read_text()
