"""What memci leaves in MEMORY.md is what the real client shows to the model, whole.

The client is installed from npm and run as it is, with an API on loopback.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from memci.errors import Exit
from memci.memory.index import parse_index
from tests.build import topic_text
from tests.commands.run import memci
from tests.e2e.prompts import KEY, record_prompts
from tests.repository import Repo, make_repository

# The version whose way to cut was measured.
PACKAGE = "@anthropic-ai/claude-code@2.1.197"
SHOP = Path(__file__).parents[2] / "examples" / "shop"
SCOPE = ".claude/agent-memory/reviewer"
TOPICS = 400
WARNING = "WARNING: MEMORY.md"
AGENT = "---\nname: reviewer\ndescription: Reviews a diff\nmemory: project\n---\nList what would break.\n"
HOOKS = {
    "ascii": "what was agreed about this part of the shop, and by whom",
    # More bytes than UTF-16 units, and more of those than characters.
    "many bytes": "在庫と請求の取り決め、誰がいつ決めたか 🧾🧾",
}

# The package has a quarter of a gigabyte, which not every network brings within the usual time.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def client() -> Iterator[Path]:
    """Give the program, installed for these tests only."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    with tempfile.TemporaryDirectory() as name:
        # The package only unpacks its program for others to find, so none of its scripts need to run.
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        command += ["--cache", f"{name}/cache", "--prefix", name, PACKAGE]
        try:
            done = subprocess.run(
                command, env=os.environ | {"HOME": name}, cwd=name, capture_output=True, check=False, timeout=300
            )
        except subprocess.TimeoutExpired:
            pytest.skip(f"npm did not get {PACKAGE} within 5 minutes")
        if done.returncode:
            why = done.stderr.decode(errors="replace").partition("\n")[0]
            pytest.skip(f"npm cannot install {PACKAGE}: {why}")
        programs = sorted(Path(name).glob("node_modules/@anthropic-ai/claude-code-*/claude"))
        if not programs:
            pytest.skip(f"{PACKAGE} has no program for this machine")
        yield programs[0]


def dream(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> Any:
    """Dream over the agent's scope as of a fixed day, and return what the report says of it."""
    fixed = ["--engine", "local", "--force", "--now", "2026-11-16T03:00:00Z", "--format", "json"]
    done = memci(capsys, root, "dream", *fixed, *arguments)
    assert done.code == Exit.DONE, done.err
    [scope] = [scope for scope in done.json["scopes"] if scope["path"] == SCOPE]
    return scope


def read_prompt(client: Path, root: Path) -> str:
    """Run the client as the agent and return its system prompt."""
    with tempfile.TemporaryDirectory() as home, record_prompts() as recorder:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "TMPDIR": home,
            "CLAUDE_CODE_TMPDIR": home,
            "TERM": "dumb",
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": recorder.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            # Whatever it wants from other hosts it must ask here, where that is refused and fails the test.
            "HTTP_PROXY": recorder.url,
            "HTTPS_PROXY": recorder.url,
            "NO_PROXY": "127.0.0.1",
        }
        done = subprocess.run(
            [client, "--agent", "reviewer", "--print", "Say done."],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=90,
        )
        assert (done.returncode, done.stdout.strip()) == (0, "Done."), done.stderr
        return recorder.prompt


def read_pointers(index: str) -> dict[str, str]:
    """Return the lines with pointers, by the file they lead to."""
    parsed = parse_index(PurePosixPath(SCOPE, "MEMORY.md"), index, ())
    lines = index.split("\n")
    return {pointer.target: lines[pointer.line - 1] for pointer in parsed.pointers}


def find_missing(prompt: str, index: str) -> list[str]:
    """Return the lines with pointers that the model does not see."""
    seen = set(prompt.split("\n"))
    return [line for line in read_pointers(index).values() if line not in seen]


def fill(repo: Repo, hook: str, pointers: int = TOPICS) -> None:
    """Give the agent many topics, and pointers to the first of them."""
    repo.write(".claude/agents/reviewer.md", AGENT)
    lines = ["# Memory\n\n"]
    for number in range(TOPICS):
        kind = ("feedback", "project", "user", "reference")[number % 4]
        body = f"Agreement {number} is kept by part {number * 7919} of the shop.\n\n**Why:** case {number * 104729}.\n"
        text = topic_text(body, name=f"agreement-{number}", description=f"{hook} {number}", kind=kind)
        repo.write(f"{SCOPE}/agreement-{number}.md", text)
        lines.append(f"- [Agreement {number}](agreement-{number}.md) — {hook} {number}\n")
    repo.write(f"{SCOPE}/MEMORY.md", "".join(lines[: pointers + 1]))
    repo.commit()


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS.keys())
def test_an_index_that_memci_did_not_fit_is_cut(client: Path, tmp_path: Path, hook: str) -> None:
    repo = make_repository(tmp_path / "shop")
    fill(repo, hook)
    prompt = read_prompt(client, repo.root)
    assert WARNING in prompt
    assert len(find_missing(prompt, (repo.root / SCOPE / "MEMORY.md").read_text("utf-8"))) >= 200


def test_the_dreamt_index_of_the_example_is_loaded_whole(
    client: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "shop"
    subprocess.run([sys.executable, SHOP / "build.py", root], stdout=subprocess.DEVNULL, check=True)
    transcripts = str(SHOP / "transcripts")
    done = dream(capsys, root, "--transcripts", transcripts)
    assert (done["id"], done["status"]) == ("agent:reviewer", "changed")
    index = (root / SCOPE / "MEMORY.md").read_text("utf-8")
    topics = {path.name for path in (root / SCOPE).glob("*.md")} - {"MEMORY.md"}
    assert set(read_pointers(index)) == topics
    prompt = read_prompt(client, root)
    assert WARNING not in prompt
    assert find_missing(prompt, index) == []


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS.keys())
@pytest.mark.parametrize("pointers", [TOPICS, 0], ids=["all pointed to", "none pointed to"])
def test_every_pointer_that_a_dream_keeps_of_too_many_is_loaded(
    client: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], hook: str, pointers: int
) -> None:
    repo = make_repository(tmp_path / "shop")
    fill(repo, hook, pointers)
    done = dream(capsys, repo.root)
    index = (repo.root / SCOPE / "MEMORY.md").read_text("utf-8")
    kept = set(read_pointers(index))
    asked = " ".join(need["reason"] for need in done["needs_person"] if need["file"] == f"{SCOPE}/MEMORY.md")
    left_out = set(re.findall(r"agreement-\d+\.md", asked))
    assert kept | left_out == {f"agreement-{number}.md" for number in range(TOPICS)}
    assert not kept & left_out
    # Fitting must not be bought with an index that says next to nothing.
    assert len(kept) > 100 or "their descriptions do not say" in asked
    prompt = read_prompt(client, repo.root)
    assert WARNING not in prompt
    assert find_missing(prompt, index) == []
