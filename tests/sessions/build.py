"""Records as clients write them, and files of them."""

import itertools
import json
from pathlib import Path

SESSION = "5f0c1b3a-0000-4000-8000-000000000001"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
Json = dict[str, object]
_numbers = itertools.count(1)


def record(kind: str, **fields: object) -> Json:
    """Make a record with the fields that all have."""
    number = next(_numbers)
    common: Json = {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/home/ines/shop",
        "sessionId": SESSION,
        "gitBranch": "main",
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "timestamp": f"2026-11-02T10:{number // 60 % 60:02}:{number % 60:02}.000Z",
    }
    return common | fields


def user(content: object, **fields: object) -> Json:
    return record("user", message={"role": "user", "content": content}, **fields)


def result(content: object, *, error: bool = False, copy: object = None, **fields: object) -> Json:
    """Make the record of a tool's result, with the copy of it that the client keeps."""
    block = {"tool_use_id": "toolu_1", "type": "tool_result", "content": content, "is_error": error}
    return user([block], toolUseResult={"stdout": content} if copy is None else copy, **fields)


def assistant(*blocks: Json, **fields: object) -> Json:
    return record("assistant", message={"role": "assistant", "content": list(blocks)}, **fields)


def call(name: str, **values: object) -> Json:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": values}


def enqueue(content: str, **fields: object) -> Json:
    time = "2026-11-02T10:00:00.000Z"
    return {
        "type": "queue-operation",
        "operation": "enqueue",
        "timestamp": time,
        "sessionId": SESSION,
        "content": content,
    } | fields


def dump(*records: Json | str) -> bytes:
    """Return records as lines, without blanks as the client does; a text is a line as it is."""
    lines = (
        item if isinstance(item, str) else json.dumps(item, ensure_ascii=False, separators=(",", ":"))
        for item in records
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def write(directory: Path, name: str, *records: Json | str) -> Path:
    target = directory / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(dump(*records))
    return target
