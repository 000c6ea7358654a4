"""Reads the common fields of records: blocks, texts, the time, and which memory files they write or open."""

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_MEMORY_DIRECTORIES = {"memory", "agent-memory", "agent-memory-local"}


class TouchedFile(NamedTuple):
    """A memory file that a record writes or opens, and the tool call that does; recall has none."""

    call: str
    path: str
    # What the call writes; None if the file is only opened.
    text: str | None


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


def list_touched(record: Mapping[str, object]) -> Iterator[TouchedFile]:
    """Yield the memory files that a record writes, reads by a tool, or was shown by recall."""
    attachment = record.get("attachment")
    found: list[tuple[str, object, str | None]] = []
    if isinstance(attachment, dict) and attachment.get("type") == RECALLED:
        shown = attachment.get("memories")
        found = (
            [("", one.get("path"), None) for one in shown if isinstance(one, dict)] if isinstance(shown, list) else []
        )
    for block in list_blocks(record) if record.get("type") == "assistant" else ():
        values = block.get("input") if isinstance(block, dict) and block.get("type") == "tool_use" else None
        if isinstance(block, dict) and isinstance(values, dict):
            text = written_text(block.get("name"), values)
            if text is not None or block.get("name") == READER:
                found.append((str(block.get("id", "")), values.get("file_path"), text))
    yield from (
        TouchedFile(call, path, text) for call, path, text in found if isinstance(path, str) and is_memory_path(path)
    )


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


_YEARS = range(1970, 9000)


def parse_time(value: object) -> dt.datetime | None:
    """Return a time in UTC, or None if it is not valid."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        time = dt.datetime.fromisoformat(value)
        time = time.astimezone(dt.UTC) if time.tzinfo else time.replace(tzinfo=dt.UTC)
    except (ValueError, OverflowError):
        return None
    # Days near the ends of the calendar have no neighbours to compare with.
    return time if time.year in _YEARS else None
