"""What the cases share: a repository and its sessions, ways to spoil them, and what may never happen."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memci.errors import Exit
from memci.redaction.hidden import find_hidden
from tests.build import topic_text
from tests.commands.dreams import CREATED, NOW, SAID, make_record, write_session
from tests.commands.run import Done, check, memci
from tests.repository import Repo, built_once, make_repository

SCOPE = ".claude/agent-memory/bot"
# Whatever is executed makes this file, beside the repository.
PWNED = Path("pwned")
STYLES = ("text", "json", "sarif", "github", "gitlab", "markdown")
Make = Callable[[Repo], object]


@built_once
def make_repo(root: Path) -> Repo:
    """Make a repository with one clean scope."""
    repo = make_repository(root)
    repo.write("src/app.py", "def validate_token(t):\n    return bool(t)\n")
    repo.write(f"{SCOPE}/a.md", topic_text("Use pnpm.", name="a", kind="feedback"))
    repo.write(f"{SCOPE}/MEMORY.md", "- [A](a.md) — use pnpm\n")
    repo.commit()
    return repo


def topic(text: str | bytes) -> Make:
    return lambda repo: repo.write(f"{SCOPE}/a.md", text)


def body(text: str) -> Make:
    return topic(topic_text(text, name="a", kind="feedback"))


def index(*lines: str) -> Make:
    return lambda repo: repo.write(f"{SCOPE}/MEMORY.md", "\n".join(lines) + "\n")


def secret(length: int = 36, prefix: str = "ghp_", seed: int = 7) -> str:
    """Make up a token; the same again for the same seed."""
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    return prefix + "".join(random.Random(seed).choices(letters, k=length))


def examine(capsys: pytest.CaptureFixture[str], repo: Repo, code: int, rules: set[str]) -> Done:
    """Check a repository that a case spoiled: the rules that fire, and nothing executed, leaked or drawn."""
    done = check(capsys, repo.root)
    assert done.code == code, done.out
    if code in {Exit.DONE, Exit.FINDINGS}:
        assert rules <= {rule for rule, _, _ in done.findings}, done.out
    assert_harmless(done)
    for style in STYLES:
        shown = memci(capsys, repo.root, "check", "--format", style)
        assert_harmless(shown)
        assert secret() not in shown.out + shown.err
        # Nobody read /etc/passwd.
        assert "root:" not in shown.out
    assert not (repo.root.parent / PWNED).exists()
    return done


def assert_harmless(done: Done) -> None:
    """Nothing that is printed can steer a terminal, hide from a reader, or be the trace of a crash."""
    for text in (done.out, done.err):
        flat = text.replace("\n", " ").replace("\t", " ")
        assert (flat.isascii() and flat.isprintable()) or find_hidden(flat) == []
        assert "Traceback" not in text
    assert done.code in set(Exit) - {Exit.BUG}, done.err


def person(text: object, session: str = "bad", number: int = 1, **fields: object) -> dict[str, object]:
    """Return what a person typed."""
    return make_record(session, number, "", "2026-11-12") | {"message": {"role": "user", "content": text}} | fields


def tool(text: str, session: str = "bad", number: int = 2) -> dict[str, object]:
    """Return what a tool printed."""
    return person([{"type": "tool_result", "tool_use_id": "toolu_01abc", "content": text}], session, number)


def model(text: str, session: str = "bad", number: int = 3) -> dict[str, object]:
    """Return what the model said."""
    said = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return person(text, session, number, type="assistant", message=said)


def lines(*records: dict[str, object] | str, end: str = "\n") -> bytes:
    """Return records as lines; a text is a line as it is."""
    texts = (record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records)
    return "".join(f"{text}{end}" for text in texts).encode("utf-8", "surrogatepass")


def read_files(root: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield all files below a directory with what is in them."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path, path.read_bytes()


@dataclass(frozen=True)
class Stage:
    """A repository, and transcripts: one good session, and what a case puts beside it."""

    repo: Repo
    place: Path
    home: Path
    capsys: pytest.CaptureFixture[str]

    def __post_init__(self) -> None:
        write_session(self.place, "good", SAID)

    def write(self, name: str, *records: dict[str, object] | str) -> Path:
        target = self.place / name
        target.write_bytes(lines(*records))
        return target

    def run(self, *arguments: str) -> Done:
        done = memci(self.capsys, self.repo.root, *arguments)
        assert_harmless(done)
        return done

    def signals(self) -> Done:
        return self.run("signals", "--transcripts", str(self.place), "--format", "json")

    def dream(self, *arguments: str) -> Done:
        options = ("--engine", "local", "--force", *NOW, "--transcripts", str(self.place))
        return self.run("dream", *options, *arguments)

    def run_everything(self) -> dict[str, Done]:
        """Run every command that reads transcripts; the last one writes memory."""
        out = self.place.parent / "collected"
        return {
            "signals": self.signals(),
            "signals text": self.run("signals", "--transcripts", str(self.place)),
            "digest": self.run("digest", str(self.place)),
            "digest json": self.run("digest", str(self.place), "--format", "json"),
            "collect": self.run("collect", "--transcript", str(self.place), "--to", str(out)),
            "dream dry": self.dream("--dry-run"),
            "dream json": self.dream("--dry-run", "--format", "json"),
            "dream": self.dream(),
        }

    def memory(self) -> dict[str, str]:
        """Return the texts of the scope, without the state."""
        directory = self.repo.root / SCOPE
        return {str(path.relative_to(directory)): path.read_text("utf-8") for path in sorted(directory.rglob("*.md"))}

    def written(self) -> Iterator[tuple[Path, bytes]]:
        """Yield everything that can have been written: all but the transcripts themselves."""
        for root in (self.place.parent, self.home):
            yield from ((path, data) for path, data in read_files(root) if self.place not in path.parents)


def assert_only_the_rule(stage: Stage) -> None:
    """Memory holds what it held and the rule of the good session, and nothing was executed."""
    found = stage.memory()
    assert set(found) == {"MEMORY.md", "a.md", CREATED}
    assert "Use pnpm." in found["a.md"]
    assert SAID.split(",")[0].lower() in found[CREATED].lower()
    assert len([line for line in found["MEMORY.md"].split("\n") if line.startswith("- ")]) == 2
    assert not (stage.place.parent / PWNED).exists()


def find_leaks(canaries: list[str], shown: dict[str, Done], stage: Stage) -> list[tuple[str, str]]:
    """Return where a canary is found: in what was printed, or in a file that was written."""
    printed = [(name, done.out + done.err) for name, done in shown.items()]
    texts = [*printed, *((str(path), f"{path}\n{data.decode('utf-8', 'replace')}") for path, data in stage.written())]
    return [(where, canary[:6]) for where, text in texts for canary in canaries if canary in text]
