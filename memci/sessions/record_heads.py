"""Reads the few fields of a record that show whether it may contain words of a person, without decoding the rest.

Text that people typed is a four-hundredth of a transcript, and most of the rest is skipped ten times faster than it is
decoded.
"""

import msgspec

from memci.sessions.record_fields import WRITERS, is_memory_path
from memci.sessions.speaker import KINDS

# The kinds of skipped records: results of tools, and everything that is neither a result nor a prompt.
RESULT, OTHER = "tool result", "model or client"
# The client writes this in the name of the agent.
_NO_STEP = b'"No response requested."'


class _Input(msgspec.Struct):
    file_path: object = None


class HeadBlock(msgspec.Struct):
    """A block of a message without its text."""

    type: str = ""
    id: str = ""
    name: str = ""
    is_error: object = None
    input: _Input | None = None


class _Message(msgspec.Struct):
    content: list[HeadBlock] | str | None = None


class _Details(msgspec.Struct):
    answers: msgspec.Raw | None = None


class _Attachment(msgspec.Struct):
    type: str = ""


class RecordHead(msgspec.Struct, rename="camel"):
    """What is read of a record that is not decoded."""

    type: str = ""
    message: _Message | str | None = None
    attachment: _Attachment | None = None
    timestamp: str | None = None
    is_sidechain: object = None
    agent_id: object = None
    parent_tool: object = msgspec.field(default=None, name="parent_tool_use_id")
    is_meta: object = None
    is_api_error_message: object = None
    tool_use_result: _Details | list[msgspec.Raw] | str | float | bool | None = None
    streamed_result: _Details | list[msgspec.Raw] | str | float | bool | None = msgspec.field(
        default=None, name="tool_use_result"
    )

    @property
    def blocks(self) -> list[HeadBlock]:
        """The blocks of the message; none if it is a plain text."""
        content = self.message.content if isinstance(self.message, _Message) else None
        return content if isinstance(content, list) else []


_decode = msgspec.json.Decoder(RecordHead).decode


def read_head(line: bytes) -> RecordHead | None:
    """Return the head of a record; None if the line is anything but one record of the usual form."""
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def classify_head(head: RecordHead) -> str | None:
    """Return the kind of a record without words of a person, memory writes or failures; None if it must be decoded."""
    match head.type:
        case "user":
            return RESULT if _is_result(head) else None
        case "queue-operation" | "agent-setting":
            return None
        case "attachment":
            return None if head.attachment and head.attachment.type == "queued_command" else OTHER
        case "assistant":
            return None if any(_writes_memory(block) for block in head.blocks) else OTHER
    return OTHER if head.type in KINDS or not head.type else None


def _is_result(head: RecordHead) -> bool:
    """Tell whether a record contains results of tools and nothing else: no text, no failure, no answers."""
    blocks, details = head.blocks, (head.tool_use_result, head.streamed_result)
    if not blocks or any(isinstance(each, _Details) and each.answers is not None for each in details):
        return False
    return all(block.type == "tool_result" and not block.is_error for block in blocks)


def _writes_memory(block: HeadBlock) -> bool:
    path = block.input.file_path if block.input and block.name in WRITERS else None
    return isinstance(path, str) and is_memory_path(path)


def is_step(head: RecordHead, line: bytes) -> bool:
    """Tell whether an assistant's record may contain a text or a call of the main thread."""
    if head.is_sidechain or head.agent_id or head.parent_tool or head.is_meta or head.is_api_error_message:
        return False
    return _NO_STEP not in line and any(block.type in {"text", "tool_use"} for block in head.blocks)
