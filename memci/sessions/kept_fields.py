"""The fields of a record that may leave the machine; record types and fields that are not listed here stay behind.

The client writes the person's private instructions, its system prompt, listings and hook output into many places of a
transcript, and every version adds more. Later stages need what people said, tool calls and their results, and where
and when it was.
"""

import re
from collections.abc import Callable, Mapping

from memci.patterns import LazyPattern
from memci.sessions.client_markup import clean_text, match_opening
from memci.sessions.record_fields import RECALLED, parse_text
from memci.sessions.speaker import COLLECTED, KINDS, TYPE_NAME, hear

Fields = Mapping[str, object]

# Place, time, and the flags that decide who wrote a record. Their values are texts, numbers and flags, not nested.
_ENVELOPE = frozenset(
    {"type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "session_id", "timestamp", "cwd",
     "gitBranch", "version", "userType", "entrypoint", "isSidechain", "isMeta", "isCompactSummary",
     "isVisibleInTranscriptOnly", "isSynthetic", "isApiErrorMessage", "parent_tool_use_id", "agentId", "agentName",
     "agentSetting", "origin", "promptSource", "turnOrigin", "turnCompanion", "promptId", "sourceToolUseID"}
)  # fmt: skip
# Of a field that says who wrote a record, a value of an unusual form is not dropped: without it the record could look
# like a person's.
_AUTHORSHIP = frozenset(
    {"origin", "promptSource", "turnOrigin", "entrypoint", "session_id", "role", "humanTurn", "commandMode",
     "permissionDecision"}
)  # fmt: skip
_UNUSUAL = "unknown"
# The fields of each type besides the envelope. Attachments and system records stay as links of `parentUuid`.
_BESIDE: Mapping[str, frozenset[str]] = {
    "user": frozenset({"userFeedback", "holdsPersonsWords", "toolDenialKind"}),
    "assistant": frozenset(),
    "attachment": frozenset(),
    "system": frozenset(),
    "queue-operation": frozenset({"operation", "reason", "humanTurn", "commandMode", "commandUuid", "deliveryId"}),
    "summary": frozenset({"summary"}),
    "custom-title": frozenset({"customTitle"}),
    "ai-title": frozenset({"aiTitle"}),
    "agent-setting": frozenset(),
    "agent-name": frozenset(),
    "pr-link": frozenset({"prUrl"}),
    COLLECTED: frozenset({"person"}),
}
_QUEUED = frozenset(
    {"type", "commandMode", "origin", "humanTurn", "isMeta", "promptSource", "turnOrigin", "source_uuid", "delivery_id",
     "timestamp", "agentId", "isSidechain"}
)  # fmt: skip
_TEXT, _CALL = frozenset({"type", "text"}), frozenset({"type", "id", "name", "input"})
_RESULT = frozenset({"type", "tool_use_id", "is_error"})
_MESSAGE = frozenset({"role", "id", "model", "stop_reason"})
_PARTS: Mapping[str, frozenset[str]] = {
    "origin": frozenset({"kind", "producer"}),
    "permissionDecision": frozenset({"decision", "source", "reasonType", "reasonCode", "ruleSource", "grantScope"}),
    "forkedFrom": frozenset({"sessionId", "messageUuid"}),
}
_ANSWERED = ("questions", "answers", "annotations")
# From the first to the last tag: instructions inside may contain the end tag.
_REMINDER = LazyPattern(r"<system-reminder>(?:.*</system-reminder>|.*)", re.DOTALL)
_INTERRUPTED = LazyPattern(r"\[Request interrupted by user[^\]\n]{0,40}\]")
_COMMAND_NAME = LazyPattern(r"<command-name>(/?[\w:.-]{1,80})</command-name>")
_PRIVATE_NAMES = frozenset({"CLAUDE.local.md", "settings.local.json"})
PRIVATE_READ = "[left out by memci: a private file, or one outside the directory of the session]"


def keep_fields(record: Fields) -> dict[str, object] | None:
    """Return the allowed part of a record in the order of its fields, or None if its type is not allowed."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in _BESIDE:
        return None
    nested = {key: True for key in ("planContent", "forkedFrom") if record.get(key)}
    return _pick(record, _ENVELOPE | _BESIDE[kind], nested | _keep_nested(kind, record))


def name_unknown(record: Fields) -> str | None:
    """Return the type of a record if no known client writes it; any text may occur, so only a plain name counts."""
    kind = record.get("type")
    if not isinstance(kind, str):
        return "(no type)"
    if kind in KINDS:
        return None
    return kind if TYPE_NAME.fullmatch(kind) else "(not a name)"


def drop_reminders(text: str) -> str:
    """Return the output of a tool without the notes that the client adds for the model."""
    return _REMINDER.sub("", text) if "<system-reminder>" in text else text


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, bool, int, float))


def _keep_nested(kind: str, record: Fields) -> dict[str, object]:
    """Return the allowed parts of the fields that are not plain."""
    heard = hear(record)
    speaks = bool(heard.said or heard.withdrawn)
    message, attachment = record.get("message"), record.get("attachment")
    if kind in ("user", "assistant"):
        content = message.get("content") if isinstance(message, Mapping) else message
        kept = _keep_content(kind, content, record, speaks=speaks)
        kept = _pick(message, _MESSAGE, {"content": kept}) if isinstance(message, Mapping) else kept
        details = ((key, record.get(key)) for key in ("toolUseResult", "tool_use_result") if kind == "user")
        answers = {key: value for key, value in details if isinstance(value, Mapping) and "answers" in value}
        return {"message": kept} | {
            key: {name: value[name] for name in _ANSWERED if name in value} for key, value in answers.items()
        }
    if kind == "queue-operation":
        # The text of operations other than `enqueue` was typed before.
        speaks = speaks or record.get("operation") != "enqueue"
        return {"content": _keep_words(record.get("content"), speaks=speaks)}
    if not isinstance(attachment, Mapping):
        return {}
    match attachment.get("type"):
        case "queued_command":
            words = {"prompt": _keep_words(attachment.get("prompt"), speaks=speaks)}
            return {"attachment": _pick(attachment, _QUEUED, words)}
        case str(shown) if shown == RECALLED:
            return {"attachment": _keep_recalled(attachment, record.get("cwd"))}
    return {}


def _pick(fields: Fields, names: frozenset[str], nested: Fields) -> dict[str, object]:
    """Return the named fields with plain values, and of the others what `nested` has, unless it is None."""
    picked: dict[str, object] = {}
    for key, value in fields.items():
        plain = key in names and _is_scalar(value)
        part = _pick(value, _PARTS[key], {}) if key in _PARTS and isinstance(value, Mapping) else nested.get(key)
        if plain or part is not None:
            picked[key] = value if plain else part
    return picked | dict.fromkeys((key for key in fields if key in _AUTHORSHIP and key not in picked), _UNUSUAL)


def _keep_recalled(attachment: Fields, cwd: object) -> dict[str, object]:
    """Return which topics of the repository recall showed; those of the person's own memory stay behind."""
    shown = attachment.get("memories")
    paths = [each.get("path") for each in shown if isinstance(each, Mapping)] if isinstance(shown, list) else []
    inside = [
        {"path": path} for path in paths if isinstance(path, str) and isinstance(cwd, str) and _is_inside(path, cwd)
    ]
    return {"type": RECALLED, "memories": inside}


def _keep_content(kind: str, content: object, record: Fields, *, speaks: bool) -> object:
    if kind == "user":
        private = _is_private_read(record)
        return _keep_words(content, lambda block: _keep_result(block, private=private), speaks=speaks)
    if not isinstance(content, list):
        return content if isinstance(content, str) else None
    return [kept for block in content if (kept := _keep_reply(block)) is not None]


def _keep_reply(block: object) -> object:
    if isinstance(block, str):
        return block
    match block.get("type") if isinstance(block, Mapping) else None, block:
        case "text", Mapping():
            return _pick(block, _TEXT, {})
        case "tool_use", Mapping():
            return {key: value for key, value in block.items() if key in _CALL}
    return None


def _keep_result(block: object, *, private: bool) -> object:
    if not isinstance(block, Mapping) or block.get("type") != "tool_result":
        return None
    output = PRIVATE_READ if private else _keep_output(block.get("content"))
    return _pick(block, _RESULT, {"content": output})


def _keep_output(content: object) -> object:
    if isinstance(content, str):
        return drop_reminders(content)
    blocks = content if isinstance(content, list) else []
    texts = [text for block in blocks if (text := parse_text(block)) is not None]
    return [{"type": "text", "text": drop_reminders(text)} for text in texts]


def _is_private_read(record: Fields) -> bool:
    """Tell whether a record contains a private file: a local one, or one outside the session's directory."""
    details = record.get("toolUseResult", record.get("tool_use_result"))
    file = details.get("file") if isinstance(details, Mapping) else None
    path, cwd = file.get("filePath") if isinstance(file, Mapping) else None, record.get("cwd")
    if not isinstance(path, str):
        return False
    name = path.replace("\\", "/").rpartition("/")[2]
    root = cwd.rstrip("\\/") if isinstance(cwd, str) else ""
    return name in _PRIVATE_NAMES or (bool(root) and not _is_inside(path, root))


def _is_inside(path: str, root: str) -> bool:
    """Tell whether a path, of any system, is below a directory."""
    parts = path.replace("\\", "/").split("/")
    above = root.replace("\\", "/").rstrip("/")
    return "/".join(parts).startswith(f"{above}/") and ".." not in parts


def _keep_words(content: object, keep_block: Callable[[object], object] = lambda _: None, *, speaks: bool) -> object:
    """Return what a person typed in a content, and its other blocks as `keep_block` returns them."""
    if not isinstance(content, list):
        return _strip(content, speaks=speaks) if isinstance(content, str) else None
    kept: list[object] = []
    for block in content:
        text = parse_text(block)
        if text is None:
            other = keep_block(block)
            kept += [] if other is None else [other]
        elif stripped := _strip(text, speaks=speaks):
            kept.append(stripped if isinstance(block, str) else {"type": "text", "text": stripped})
    return kept


def _strip(text: str, *, speaks: bool) -> str:
    """Return a text without the client's markup that parses to the same words again."""
    found = clean_text(text)
    if found.kind == "automation":
        # A later stage recognises by these words alone that a job began the session.
        return match_opening(text)
    mark = _INTERRUPTED.match(text)
    if not speaks or not found.text:
        return mark[0] if mark else ""
    if found.text == text.strip() or "<" not in text:
        return text
    if found.kind == "command":
        name = _COMMAND_NAME.search(text)
        return f"{name[0] if name else '<command-name></command-name>'}\n<command-args>{found.text}</command-args>"
    if clean_text(found.text) != found:
        # A note for memory may begin like a command.
        return f"<user-memory-input>{found.text}</user-memory-input>"
    return f"{mark[0]} {found.text}" if mark else found.text
