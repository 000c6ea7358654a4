"""Sessions as the client writes them, record by record, one minute apart."""

import json
from dataclasses import dataclass, field
from pathlib import Path

SESSION = "0b5c2f6e-1111-4222-8333-444455556666"
REFUSAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


@dataclass(slots=True)
class Tape:
    """Collects records."""

    session: str = SESSION
    cwd: str = "/home/ines/shop"
    records: list[dict[str, object]] = field(default_factory=list)

    def add(self, kind: str, **fields: object) -> dict[str, object]:
        at = len(self.records)
        record: dict[str, object] = {
            "parentUuid": None,
            "isSidechain": False,
            "type": kind,
            "uuid": f"00000000-0000-4000-8000-{at:012}",
            "timestamp": f"2026-11-02T{9 + at // 60:02}:{at % 60:02}:00.000Z",
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": "main",
        } | fields
        self.records.append(record)
        return record

    def say(self, text: str, **fields: object) -> None:
        self.add("user", message={"role": "user", "content": text}, **fields)

    def reply(self, text: str) -> None:
        self.add("assistant", message={"role": "assistant", "content": [{"type": "text", "text": text}]})

    def call(self, tool: str, result: object = "done", *, error: bool = False, **values: object) -> None:
        name = f"toolu_{len(self.records):024}"
        use = {"type": "tool_use", "id": name, "name": tool, "input": values}
        self.add("assistant", message={"role": "assistant", "model": "claude-test-1", "content": [use]})
        block = {"type": "tool_result", "tool_use_id": name, "content": result, "is_error": error}
        self.add("user", message={"role": "user", "content": [block]}, toolUseResult={"stdout": result})

    def run(self, command: str, output: str = "", *, error: bool = False) -> None:
        self.call("Bash", output, error=error, command=command)

    def refuse(self, reason: str, tool: str = "Edit", **values: object) -> None:
        self.call(tool, REFUSAL + reason, error=True, **values)

    def write(self, target: Path) -> Path:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(json.dumps(record) + "\n" for record in self.records))
        return target


def make_shift() -> Tape:
    """Make a session with a bit of everything."""
    tape = Tape()
    tape.say("please make the cart round prices half up, the tests are in tests/test_cart.py")
    tape.call("Read", "1\tdef total(): ...", file_path="/home/ines/shop/src/cart.py")
    tape.call("Read", "# Shop", file_path="/home/ines/shop/README.md")
    tape.run("ls src", "cart.py")
    tape.refuse(
        "never use float for money, always Decimal", file_path="/home/ines/shop/src/cart.py", new_string="float(x)"
    )
    tape.call(
        "Edit", file_path="/home/ines/shop/src/cart.py", old_string="x", new_string="def total(items):\n    return 1\n"
    )
    tape.run("pytest -q tests/test_cart.py", "Exit code 1\nE   AssertionError: 3 != 4\n1 failed in 0.1s", error=True)
    tape.run("cd /home/ines/shop && pytest -q tests/test_cart.py", "3 passed in 0.1s")
    tape.run("git add -A && git commit -q -m 'Round half up'", "")
    tape.call("Write", file_path="/home/ines/shop/docs/rounding.md", content="# Rounding")
    tape.reply("Prices are rounded half up now.")
    return tape
