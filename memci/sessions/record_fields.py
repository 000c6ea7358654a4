"""Reads the common fields of records: blocks, texts, the time, and which memory files they write or open."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_MEMORY_DIRECTORIES = {"memory", "agent-memory", "agent-memory-local"}


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """What a tool call writes below a memory directory."""

    call: str
    path: str
    text: str


def name_session(record: Mapping[str, object]) -> str:
    """Return the session that a record names, or nothing."""
    session = record.get("sessionId", record.get("session_id"))
    return session if isinstance(session, str) else ""


def list_blocks(record: Mapping[str, object]) -> list[object]:
    """Return the content of a message as blocks; a plain text is one block."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        return [content]
    return content if isinstance(content, list) else []


def parse_text(block: object) -> str | None:
    """Return the text of a block, or None if it is of another kind."""
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and block.get("type") == "text":
        text = block.get("text")
        return text if isinstance(text, str) else None
    return None


def is_side_thread(record: Mapping[str, object]) -> bool:
    """Tell whether a record belongs to the work of a sub-agent."""
    return bool(record.get("isSidechain") or record.get("parent_tool_use_id") or record.get("agentId"))


def list_writes(record: Mapping[str, object]) -> Iterator[WrittenFile]:
    """Yield what an assistant's record writes below a memory directory."""
    for block in list_blocks(record) if record.get("type") == "assistant" else ():
        if not isinstance(block, dict) or block.get("type") != "tool_use":
            continue
        values = block.get("input")
        path = values.get("file_path") if isinstance(values, dict) else None
        if isinstance(values, dict) and isinstance(path, str) and is_memory_path(path):
            text = written_text(block.get("name"), values)
            if text is not None:
                yield WrittenFile(str(block.get("id", "")), path, text)


def list_opened(record: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the call and the path of each memory file that a record opens: read by a tool, or shown by recall."""
    attachment = record.get("attachment")
    if isinstance(attachment, dict) and attachment.get("type") == RECALLED:
        shown = attachment.get("memories")
        found = [("", each.get("path")) for each in shown if isinstance(each, dict)] if isinstance(shown, list) else []
    else:
        blocks = list_blocks(record) if record.get("type") == "assistant" else []
        calls = [block for block in blocks if isinstance(block, dict) and block.get("name") == READER]
        inputs = ((str(call.get("id", "")), call.get("input")) for call in calls)
        found = [(name, values.get("file_path")) for name, values in inputs if isinstance(values, dict)]
    yield from ((call, path) for call, path in found if isinstance(path, str) and is_memory_path(path))


def is_memory_path(path: str) -> bool:
    """Tell whether a path, of any system, is a Markdown file below a memory directory."""
    *directories, name = path.replace("\\", "/").split("/")
    return name.endswith(".md") and not _MEMORY_DIRECTORIES.isdisjoint(directories)


# Tools of the client that write a file, and the one that shows it.
WRITERS = ("Write", "Edit", "MultiEdit")
READER = "Read"
# The attachment with the topics that the client's recall chose.
RECALLED = "relevant_memories"


def written_text(tool: object, values: Mapping[str, object]) -> str | None:
    """Return what a call writes into a file, or None if its tool does not write one."""
    if tool == "Write":
        texts = [values.get("content")]
    elif tool == "Edit":
        texts = [values.get("new_string")]
    elif tool == "MultiEdit":
        edits = values.get("edits")
        texts = [edit.get("new_string") for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    else:
        return None
    return "\n".join(text for text in texts if isinstance(text, str))


def parse_time(value: object) -> dt.datetime | None:
    """Return a time in UTC, or None if it is not valid."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        time = dt.datetime.fromisoformat(value)
        return time.astimezone(dt.UTC) if time.tzinfo else time.replace(tzinfo=dt.UTC)
    except (ValueError, OverflowError):
        return None
