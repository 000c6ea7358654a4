"""Reading transcripts: ours against one ripgrep for phrases, against only reading, and against decoding every line.

Run as `python -m benchmarks.gather [DIRECTORY]`; without a directory a corpus is generated and removed again.
"""

import json
import random
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from memci.sources.transcripts import read_transcripts
from memci.sources.transcripts.decode import BrokenRecordError, decode_line
from memci.text.records import hear

SIZE = 1_050_000_000
ROUNDS = 3
# Shares of the bytes of 538 public transcripts; what is missing to 1 are small records of the client.
SHARES = {"result": 0.56, "progress": 0.20, "assistant": 0.21, "snapshot": 0.025}
PHRASES = """always,never,don't,do not,prefer,instead of,remember,keep in mind,note that,from now on,going forward,
stop using,stop doing,make sure,be careful,actually,that's wrong,not what i,no need to,please use,we use,we don't,
we never,we always,we decided,decision,deadline,freeze,until,by default,convention,policy,i like,i want,i hate,
i prefer,i'm a,my role,our team,because,the reason,next time,in future,for future,again,revert,undo,perfect,exactly,
good call,keep doing,lives in,grafana,tracked in,linear,dashboard,channel,wiki,forget,save this,important,must not,
should not,avoid,rather""".replace("\n", "").split(",")


class Writer:
    """Makes the records of sessions from real source text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - the same corpus for the same seed
        places = {Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))}
        paths = sorted(path for place in places for path in place.rglob("*.py"))[:4_000]
        self.sources = [path.read_text("utf-8", "replace") for path in paths]
        self.session = ""

    def cut(self, size: int) -> str:
        text = self.random.choice(self.sources)
        start = self.random.randrange(max(1, len(text) - size))
        return text[start : start + size]

    def length(self, middle: int) -> int:
        """Return a length around a median, with the long tail that real ones have."""
        return min(int(self.random.lognormvariate(0, 1.4) * middle) + 40, 2_000_000)

    def record(self, kind: str, **fields: object) -> dict[str, object]:
        common = {
            "parentUuid": str(uuid.UUID(int=self.random.getrandbits(128))),
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/ines/work/shop",
            "sessionId": self.session,
            "version": "2.1.100",
            "gitBranch": "main",
            "type": kind,
        }
        last = {
            "uuid": str(uuid.UUID(int=self.random.getrandbits(128))),
            "timestamp": f"2026-10-{self.random.randint(1, 30):02}T10:00:00.000Z",
        }
        return common | fields | last

    def result(self) -> dict[str, object]:
        text = "".join(self.cut(20_000) for _ in range(6))[: self.length(1_400)]
        block = {"tool_use_id": "toolu_01", "type": "tool_result", "content": text, "is_error": False}
        kept: object = {"stdout": text, "stderr": "", "interrupted": False}
        if self.random.random() < 0.35:
            kept = {"type": "text", "file": {"filePath": "/home/ines/work/shop/a.py", "content": text, "numLines": 9}}
        content = [{"type": "text", "text": text}] if self.random.random() < 0.03 else text
        return self.record(
            "user", message={"role": "user", "content": [block | {"content": content}]}, toolUseResult=kept
        )

    def progress(self) -> dict[str, object]:
        if self.random.random() < 0.7:
            data: dict[str, object] = {"type": "bash_progress", "output": self.cut(self.length(900)), "elapsed": 3}
        else:
            data = {"type": "agent_progress", "message": self.result(), "agentId": "a1"}
        return self.record("progress", data=data)

    def assistant(self) -> dict[str, object]:
        block: dict[str, object] = {"type": "text", "text": self.cut(self.length(300))}
        if self.random.random() < 0.6:
            values = {
                "file_path": "/home/ines/work/shop/a.py",
                "old_string": self.cut(200),
                "new_string": self.cut(300),
            }
            block = {"type": "tool_use", "id": "toolu_01", "name": "Edit", "input": values}
        message = {"model": "claude", "id": "msg_01", "type": "message", "role": "assistant", "content": [block]}
        return self.record("assistant", message=message | {"usage": {"input_tokens": 4, "output_tokens": 9}})

    def snapshot(self) -> dict[str, object]:
        files = {f"src/{number}.py": {"version": 1} for number in range(20)}
        return {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"trackedFileBackups": files}}

    def said(self) -> Iterator[dict[str, object]]:
        """Yield what people type: 0.25 % of the bytes, counted without the record around it."""
        text = " ".join(self.cut(self.length(60)).split())
        yield self.record("user", message={"role": "user", "content": text})
        if self.random.random() < 0.3:
            yield {"type": "queue-operation", "operation": "enqueue", "sessionId": self.session, "content": text}
        if self.random.random() < 0.1:
            refused = "The user doesn't want to proceed with this tool use. To proceed, the user said:\n" + text
            block = {"type": "tool_result", "content": refused, "is_error": True, "tool_use_id": "toolu_01"}
            yield self.record("user", message={"role": "user", "content": [block]}, toolUseResult="Error")


def write_corpus(root: Path) -> None:
    """Write sessions until there are enough bytes, in the proportions of real ones."""
    writer = Writer(7)
    makers: dict[str, Callable[[], dict[str, object]]] = {
        "result": writer.result,
        "progress": writer.progress,
        "assistant": writer.assistant,
        "snapshot": writer.snapshot,
    }
    total = 0
    written = dict.fromkeys(SHARES, 1)
    while total < SIZE:
        writer.session = str(uuid.UUID(int=writer.random.getrandbits(128)))
        with (root / f"{writer.session}.jsonl").open("wb") as file:
            size = writer.length(900_000)
            while file.tell() < size:
                for _ in range(writer.random.randint(40, 120)):
                    kind = min(SHARES, key=lambda name: written[name] / SHARES[name])
                    line = _dump(makers[kind]())
                    written[kind] += file.write(line)
                file.writelines(_dump(record) for record in writer.said())
            total += file.tell()


def _dump(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def read_only(root: Path) -> None:
    for path in sorted(root.rglob("*.jsonl")):
        with path.open("rb", buffering=1 << 20) as file:
            for _ in file:
                pass


def decode_all(root: Path) -> int:
    """Count the records in which a person speaks, by decoding every line."""
    count = 0
    for path in sorted(root.rglob("*.jsonl")):
        with path.open("rb", buffering=1 << 20) as file:
            for line in file:
                try:
                    values = decode_line(line)
                except BrokenRecordError:
                    continue
                count += sum(bool(isinstance(value, dict) and hear(value).said) for value in values)
    return count


def search(root: Path, phrases: Path) -> None:
    command = ["rg", "-c", "-i", "-F", "-f", str(phrases), str(root)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def spend(act: Callable[[], object]) -> float:
    """Return CPU seconds, children included."""
    before, children = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    waited = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    return time.process_time() - before + waited


def measure(root: Path, phrases: Path) -> None:
    """Print the table."""
    size = sum(path.stat().st_size for path in root.rglob("*.jsonl"))
    acts: dict[str, Callable[[], object]] = {
        "read the lines only": lambda: read_only(root),
        "memci": lambda: read_transcripts([str(root)], repository=None),
    }
    if shutil.which("rg"):
        acts["rg -i -F -f, 65 phrases"] = lambda: search(root, phrases)
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, act in acts.items():
            best[name] = min(best.get(name, 1e9), spend(act))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    reading = read_transcripts([str(root)], repository=None)
    found: list[int] = []
    best["decode every line"] = spend(lambda: found.append(decode_all(root)))
    print(
        f"{size / 1e6:,.0f} MB in {len(reading.files):,} files; CPU seconds, minimum of {ROUNDS} interleaved rounds\n"
    )
    for name, seconds in best.items():
        print(f"| {name} | {seconds:.2f} | {best['memci'] / seconds:.2f} |")
    print(f"\npeak {peak} MB; {reading.used:,} records with words of a person, {found[0]:,} by decoding every line")


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        phrases = Path(directory) / "phrases"
        phrases.write_text("\n".join(PHRASES) + "\n")
        root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(directory) / "sessions"
        if len(sys.argv) == 1:
            root.mkdir()
            write_corpus(root)
        measure(root, phrases)


if __name__ == "__main__":
    main()
