"""What the model engine sends: tokens against those of the transcripts, and calls on a night without news.

Run as `python -m benchmarks.model`; a corpus is generated and removed again, and the service is a fake on loopback
whose tokenizer counts four bytes as one token, in transcripts and requests alike.
"""

import contextlib
import io
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.gather import write_corpus
from memci.cli import main
from tests.build import topic_text
from tests.fakes.anthropic_api import FakeApi
from tests.repository import Repo, make_repository

SIZE = 50_000_000
TOPICS = (60, 200)
SAID = (
    "never push directly to main, always go through a pull request",
    "from now on use tabs for indentation, never spaces",
    "remember: the payments runbook is at https://runbooks.example.org/payments",
    "we decided to stay on postgres 15 until the vendor certifies 16",
)


def answer(params: dict[str, Any]) -> object:
    """Choose all messages, and leave everything as it is."""
    told = json.loads(params["messages"][0]["content"][-1]["text"])
    if "messages" in told:
        return {"messages": [message["id"] for message in told["messages"]]}
    names = ("lookups", "topics", "indexes", "questions", "passed_over", "repairs")
    return {name: [] for name in names}


def write_memory(repo: Repo, topics: int) -> None:
    scope = ".claude/memory"
    names = [f"project_part_{number}.md" for number in range(topics)]
    repo.write(f"{scope}/MEMORY.md", "".join(f"- [Part {n}]({name}) — part {n}\n" for n, name in enumerate(names)))
    for number, name in enumerate(names):
        body = f"Part {number} of the shop belongs to team {number}.\n\n**Why:** they wrote it."
        repo.write(f"{scope}/{name}", topic_text(body, name=f"part-{number}", description=f"who owns part {number}"))
    repo.commit()


def write_said(root: Path) -> None:
    records = [
        {"type": "user", "uuid": f"u{at}", "sessionId": "said", "timestamp": f"2026-11-12T09:0{at}:00Z"}
        | {"message": {"role": "user", "content": text}}
        for at, text in enumerate(SAID)
    ]
    (root / "said.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def dream(repo: Repo, transcripts: Path, now: str, *more: str) -> Any:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        arguments = ["--engine", "claude", "--force", "--format", "json", "--now", now, *more]
        main(["-C", str(repo.root), "dream", "--transcripts", str(transcripts), *arguments])
    return json.loads(out.getvalue())


def measure(root: Path) -> None:
    transcripts = root / "transcripts"
    write_corpus(transcripts, SIZE)
    write_said(transcripts)
    size = sum(path.stat().st_size for path in transcripts.iterdir())
    tokens = -(-size // 4)
    print(f"transcripts: {size / 1e6:.1f} MB, {tokens:,} tokens; {len(SAID)} statements")
    for topics in TOPICS:
        for more in ((), ("--batch",)):
            repo = make_repository(root / f"repo-{topics}-{len(more)}")
            write_memory(repo, topics)
            # Each has a service of its own, because what was sent before is cheaper.
            with FakeApi(secrets.token_hex(20), answer=answer) as api:
                os.environ |= {"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url}
                first = dream(repo, transcripts, "2026-11-16T03:00:00Z", *more)
                calls = len(api.posts())
                again = dream(repo, transcripts, "2026-11-18T03:00:00Z", *more)
                assert len(api.posts()) == calls
            assert again["cost"]["usd"] == 0
            sent = sum(phase["input_tokens"] for phase in first["cost"]["phases"])
            assert 0 < sent <= tokens / 100
            for phase in first["cost"]["phases"]:
                row = f"{phase['calls']} | {phase['input_tokens']:,} | {phase['usd']:.4f}"
                print(f"| {topics} topics{', --batch' if more else ''}: {phase['name']} | {row} |")
    print("the next night, without news: 0 calls")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        measure(Path(directory))
