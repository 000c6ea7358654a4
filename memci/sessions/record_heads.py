"""Reads the few fields of a record that show whether it may contain words of a person, without decoding the rest.

Text that people typed is a four-hundredth of a transcript, and most of the rest is skipped ten times faster than it is
decoded.
"""

import msgspec

from memci.sessions.record_fields import READER, RECALLED, WRITERS, is_memory_path
from memci.sessions.speaker import KINDS

# The kinds of skipped records: results of tools, and everything that is neither a result nor a prompt.
RESULT, OTHER = "tool result", "model or client"
# The client writes this in the name of the agent; the record is short.
_NO_STEP, _MAX_NO_STEP = b'"No response requested."', 4_096
_STEPS = {"text", "tool_use"}
_TOUCHING = (*WRITERS, READER)
_DECODED_ATTACHMENTS = ("queued_command", RECALLED)


class _HeadInput(msgspec.Struct):
    file_path: object = None


class HeadBlock(msgspec.Struct):
    """A block of a message without its text."""

    type: str = ""
    id: str = ""
    name: str = ""
    is_error: object = None
    input: _HeadInput | None = None


class _HeadMessage(msgspec.Struct):
    content: list[HeadBlock] | str | None = None


class _Details(msgspec.Struct):
    answers: msgspec.Raw | None = None


class _Attachment(msgspec.Struct):
    type: str = ""


class RecordHead(msgspec.Struct, rename="camel"):
    """What is read of a record that is not decoded."""

    type: str = ""
    message: _HeadMessage | str | None = None
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
        content = self.message.content if isinstance(self.message, _HeadMessage) else None
        return content if isinstance(content, list) else []


_decode = msgspec.json.Decoder(RecordHead).decode


def read_head(line: bytes) -> RecordHead | None:
    """Return the head of a record; None if the line is anything but one record of the usual form."""
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def classify_head(head: RecordHead) -> str | None:
    """Return the kind of a record without words of a person, use of memory or failures; None if it must be decoded."""
    match head.type:
        case "user":
            return RESULT if _is_result(head) else None
        case "assistant":
            return None if _touches_memory(head) else OTHER
        case "attachment":
            return None if head.attachment and head.attachment.type in _DECODED_ATTACHMENTS else OTHER
        case "queue-operation" | "agent-setting":
            return None
    return OTHER if head.type in KINDS or not head.type else None


def _is_result(head: RecordHead) -> bool:
    """Tell whether a record contains results of tools and nothing else: no text, no failure, no answers."""
    for details in (head.tool_use_result, head.streamed_result):
        if isinstance(details, _Details) and details.answers is not None:
            return False
    for block in head.blocks:
        if block.type != "tool_result" or block.is_error:
            return False
    return bool(head.blocks)


def _touches_memory(head: RecordHead) -> bool:
    for block in head.blocks:
        path = block.input.file_path if block.input and block.name in _TOUCHING else None
        if isinstance(path, str) and is_memory_path(path):
            return True
    return False


def is_step(head: RecordHead, line: bytes) -> bool:
    """Tell whether an assistant's record may contain a text or a call of the main thread."""
    if head.is_sidechain or head.agent_id or head.parent_tool or head.is_meta or head.is_api_error_message:
        return False
    kinds = {block.type for block in head.blocks}
    return bool(kinds & _STEPS) and not (len(line) < _MAX_NO_STEP and _NO_STEP in line)
