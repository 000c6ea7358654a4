"""Reading transcripts: ours against one ripgrep for phrases, in steps, and against decoding every line.

Run as `python -m benchmarks.gather [DIRECTORY]`; without a directory two corpora are generated and removed again.
"""

import datetime as dt
import json
import random
import re
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from memci.sessions.clean_text import Cleaner
from memci.sessions.json_lines import BrokenRecordError, decode_line
from memci.sessions.read_result import ReadLimits
from memci.sessions.read_turns import collect_inputs, read_transcripts
from memci.sessions.scan import scan_stream
from memci.sessions.speaker import hear, list_calls, note_calls
from memci.sessions.streams import Opened, open_streams
from memci.signals.find import find_signals

SIZE = 1_050_000_000
ROUNDS = 3
DOCSTRING = re.compile(r'"""([A-Z][^"`<>{}=]{40,2000})"""')
YARDSTICK = "rg -c -i -F -f, 65 phrases"
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
        words = (" ".join(found.split()) for source in self.sources for found in DOCSTRING.findall(source))
        self.sentences = [text for found in words for text in found.split(". ") if 15 < len(text) < 300]
        self.session = ""
        self.time = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
        self.spoken: list[dict[str, object]] = []

    def cut(self, size: int) -> str:
        text = self.random.choice(self.sources)
        start = self.random.randrange(max(1, len(text) - size))
        return text[start : start + size]

    def read(self, size: int) -> str:
        """Return text of a size, of as many files as it takes."""
        pieces = []
        while size > 0:
            pieces.append(self.cut(size) or " ")
            size -= len(pieces[-1])
        return "".join(pieces)

    def length(self, middle: int, spread: float = 1.65) -> int:
        """Return a length around a median, with the long tail that real ones have."""
        return min(int(self.random.lognormvariate(0, spread) * middle) + 40, 2_000_000)

    def prompt(self) -> str:
        """Return what a person types: some sentences, and what they paste if it is long."""
        size = min(self.length(60, 2.0), 60_000)
        text = self.random.choice(self.sentences)
        while len(text) < min(size, 600):
            text += self.random.choice((". ", ".\n", ", ")) + self.random.choice(self.sentences)
        return text[:size] if size <= 600 else f"{text}:\n\n{self.read(size - len(text))}"

    def mark(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128)))

    def record(self, kind: str, **fields: object) -> dict[str, object]:
        """Make a record with its keys in the order of the client, which names the type of the model's last."""
        common: dict[str, object] = {
            "parentUuid": self.mark(),
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/ines/work/shop",
            "sessionId": self.session,
            "version": "2.1.100",
            "gitBranch": "main",
        }
        typed = {"type": kind}
        own = fields | {"requestId": "req_011"} | typed if kind == "assistant" else typed | fields
        copy = {"toolUseResult": own.pop("toolUseResult")} if "toolUseResult" in own else {}
        # Of a message the agent's steps before it are read, so the time goes on.
        self.time += dt.timedelta(seconds=self.random.randint(1, 30))
        time = {"uuid": self.mark(), "timestamp": f"{self.time:%Y-%m-%dT%H:%M:%S}.000Z"}
        return common | own | time | copy

    def result(self) -> dict[str, object]:
        text = self.read(self.length(700))
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
            data: dict[str, object] = {"type": "bash_progress", "output": self.read(self.length(250)), "elapsed": 3}
        else:
            data = {"message": self.result(), "type": "agent_progress", "agentId": "a1"}
        return self.record("progress", data=data, toolUseID="bash-1", parentToolUseID="toolu_01")

    def assistant(self) -> dict[str, object]:
        chance = self.random.random()
        if chance < 0.22:
            block: dict[str, object] = {"type": "text", "text": self.read(self.length(250))}
        elif chance < 0.52:
            block = {"type": "thinking", "thinking": self.read(self.length(400)), "signature": self.mark() * 12}
        else:
            path = {"file_path": "/home/ines/work/shop/a.py"}
            edit = path | {"old_string": self.read(self.length(150)), "new_string": self.read(self.length(200))}
            name, values = ("Edit", edit) if chance < 0.7 else ("Bash", {"command": self.read(self.length(80))})
            block = {"type": "tool_use", "id": "toolu_01", "name": name, "input": values}
        message = {"model": "claude", "id": "msg_01", "type": "message", "role": "assistant", "content": [block]}
        usage = {"input_tokens": 4, "cache_read_input_tokens": 81_234, "cache_creation": {"a": 0}, "output_tokens": 9}
        return self.record("assistant", message=message | {"stop_reason": None, "usage": usage})

    def snapshot(self) -> dict[str, object]:
        files = {f"src/{number}.py": {"version": 1} for number in range(30)}
        return {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"trackedFileBackups": files}}

    def said(self) -> Iterator[dict[str, object]]:
        """Yield what people type: 0.25 % of the bytes, counted without the record around it."""
        # Forked, resumed and published sessions repeat records: of 5,301 in public sessions, 2,273 were left.
        if self.spoken and self.random.random() < 0.5:
            yield self.random.choice(self.spoken)
            return
        text = self.prompt()
        self.spoken.append(self.record("user", message={"role": "user", "content": text}))
        yield self.spoken[-1]
        if self.random.random() < 0.3:
            yield {"type": "queue-operation", "operation": "enqueue", "sessionId": self.session, "content": text}
        if self.random.random() < 0.1:
            refused = "The user doesn't want to proceed with this tool use. To proceed, the user said:\n" + text
            block = {"type": "tool_result", "content": refused, "is_error": True, "tool_use_id": "toolu_01"}
            yield self.record("user", message={"role": "user", "content": [block]}, toolUseResult="Error")


def write_corpus(root: Path, enough: int) -> None:
    """Write sessions until there are enough bytes, in the proportions of real ones."""
    root.mkdir()
    writer = Writer(7)
    makers: dict[str, Callable[[], dict[str, object]]] = {
        "result": writer.result,
        "progress": writer.progress,
        "assistant": writer.assistant,
        "snapshot": writer.snapshot,
    }
    total = 0
    written = dict.fromkeys(SHARES, 1)
    while total < enough:
        writer.session = str(uuid.UUID(int=writer.random.getrandbits(128)))
        with (root / f"{writer.session}.jsonl").open("wb") as file:
            size = writer.length(900_000)
            while file.tell() < size:
                for _ in range(writer.random.randint(40, 90)):
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
        calls: dict[str, str] = {}
        with path.open("rb", buffering=1 << 20) as file:
            for line in file:
                try:
                    values = decode_line(line)
                except BrokenRecordError:
                    continue
                for value in (value for value in values if isinstance(value, dict)):
                    note_calls(calls, list_calls(value))
                    count += bool(hear(value, tools=calls).said)
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


def find(root: Path) -> None:
    """Find and decode what people said, without redacting it."""
    limits, cleaner = ReadLimits(), Cleaner(())
    inputs, _ = collect_inputs([str(root)], None, limits)
    for item in inputs:
        for opened in open_streams(item, limits):
            if isinstance(opened, Opened):
                scan_stream(opened, cleaner)


def gather(root: Path) -> None:
    """Do all that a command does before it judges: read, redact, put together, classify."""
    find_signals(read_transcripts([str(root)], repository=None).turns)


def spend_apart(name: str, root: Path) -> tuple[float, int]:
    """Return the CPU seconds of an act in a process of its own, without its start, and its peak in MB."""
    command = [sys.executable, "-m", "benchmarks.gather", "--act", name, str(root)]
    seconds, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(peak)


def act(name: str, root: Path) -> None:
    """Print what `spend_apart` asks for."""
    seconds = spend(lambda: ACTS[name](root))
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024)


ACTS: dict[str, Callable[[Path], object]] = {
    "read the lines only": read_only,
    "find and decode": find,
    "read and redact": lambda root: read_transcripts([str(root)], repository=None),
    "whole gather": gather,
}


def measure(root: Path, phrases: Path) -> dict[str, float]:
    """Print the table and return the seconds."""
    lengths = sorted(len(line) for path in root.rglob("*.jsonl") for line in path.open("rb"))
    best: dict[str, float] = {}
    peaks: dict[str, int] = {}
    for _ in range(ROUNDS):
        best[YARDSTICK] = min(best.get(YARDSTICK, 1e9), spend(lambda: search(root, phrases)))
        for name in ACTS:
            seconds, peaks[name] = spend_apart(name, root)
            best[name] = min(best.get(name, 1e9), seconds)
    print(
        f"{sum(lengths) / 1e6:,.0f} MB in {len(lengths):,} lines, median {lengths[len(lengths) // 2]}, "
        f"mean {sum(lengths) // len(lengths)}, longest {lengths[-1]:,}; minimum of {ROUNDS} interleaved rounds\n"
    )
    for name, seconds in best.items():
        print(f"| {name} | {seconds:.2f} | {seconds / best[YARDSTICK]:.2f} | {peaks.get(name, '')} |")
    return best


def compare(root: Path) -> None:
    """Print whether decoding every line finds more."""
    reading = read_transcripts([str(root)], repository=None)
    print(f"\n{reading.used:,} records with words of a person, {decode_all(root):,} by decoding every line")


def main() -> None:
    if sys.argv[1:2] == ["--act"]:
        act(sys.argv[2], Path(sys.argv[3]))
        return
    with tempfile.TemporaryDirectory() as directory:
        phrases = Path(directory) / "phrases"
        phrases.write_text("\n".join(PHRASES) + "\n")
        if len(sys.argv) > 1:
            measure(Path(sys.argv[1]), phrases)
            compare(Path(sys.argv[1]))
            return
        tenth, whole = Path(directory) / "tenth", Path(directory) / "whole"
        write_corpus(tenth, SIZE // 10)
        write_corpus(whole, SIZE)
        small, large = measure(tenth, phrases), measure(whole, phrases)
        print("\ngrowth for ten times the bytes:", {name: round(large[name] / small[name], 1) for name in large})
        compare(whole)


if __name__ == "__main__":
    main()
