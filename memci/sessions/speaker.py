"""Who speaks in a record of a session: only what a person typed is a person's word, wherever it stands."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memci.sessions.client_markup import clean_text
from memci.transcript import Origin, Place

# Beside these the newest clients write who sent a prompt: typed, queued, sdk; a suggestion or the system is nobody.
_SENT_BY_PEOPLE = (None, "typed", "queued", "sdk")
_REFUSED = "The user doesn't want to proceed with this tool use."
_REASON = "the user said:\n"
# Between the two stands one sentence of the client; what has a line of its own before the marker is no refusal.
_MAX_REFUSAL = 400
# The client adds these to refusals by itself.
_ADVICE = "\n\nNote: The user's next message may contain"
_NO_REASON = ("The user wants to clarify these questions", "The user has indicated they have provided enough answers")
_ANSWERED = ("User has answered your questions:", "Your questions have been answered:")
# The client offers four at most.
_MAX_OPTIONS = 100
_MEMORY_DIRECTORIES = {"memory", "agent-memory", "agent-memory-local"}
# Records that say one of these of themselves were put there by the client.
_UNSPOKEN = frozenset({"isMeta", "isVisibleInTranscriptOnly", "isSynthetic", "planContent"})
# What the client and its kin write; anything else belongs to another tool or a later version.
KINDS: Mapping[str, str] = {
    "assistant": "model",
    "progress": "progress",
    "system": "system",
    "result": "system",
    "summary": "summary",
    "attachment": "attachment",
    "queue-operation": "queue",
    "user": "user",
    "last-prompt": "repetition",
    "file-history-snapshot": "client state",
    "custom-title": "client state",
    "ai-title": "client state",
    "mode": "client state",
    "permission-mode": "client state",
    "agent-setting": "client state",
    "agent-name": "client state",
    "agent-color": "client state",
    "pr-link": "client state",
    "frame-link": "client state",
    "tag": "client state",
    "worktree-state": "client state",
    "content-replacement": "client state",
    "stream_event": "stream",
    "rate_limit_event": "stream",
    "tool_progress": "stream",
    "auth_status": "stream",
}


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a person and where in the session they stand."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What a record holds of a person's words, and what kind of record it is if it holds none."""

    kind: str
    said: tuple[Said, ...] = ()
    # The person took these queued words back before they were sent.
    withdrawn: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """What a tool call writes below a memory directory."""

    call: str
    path: str
    text: str


def hear(record: Mapping[str, object], *, subagent: bool = False) -> Heard:
    """Return what a person says in a record; all text of a sub-agent's file is the model's."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        return Heard("unknown" if record else "empty")
    if kind not in {"user", "queue-operation", "attachment"}:
        return Heard(KINDS[kind])
    if subagent or record.get("isSidechain") or record.get("parent_tool_use_id"):
        return Heard("subagent")
    if kind == "user":
        return _hear_user(record)
    return _hear_queue(record) if kind == "queue-operation" else _hear_attachment(record)


def find_origin(record: Mapping[str, object], *, subagent: bool = False) -> Origin:
    """Return who a record comes from as a whole; a person's words inside tool results are the business of `hear`."""
    if subagent or record.get("isSidechain") or record.get("parent_tool_use_id"):
        return Origin.SUBAGENT
    heard = hear(record)
    if heard.said:
        return Origin.PERSON
    return _ORIGINS.get(heard.kind, Origin.META)


_ORIGINS = {"model": Origin.MODEL, "tool result": Origin.TOOL, "summary": Origin.SUMMARY}


def find_blocks(record: Mapping[str, object]) -> list[object]:
    """Return the content of a message as blocks; a plain text is one block."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        return [content]
    return content if isinstance(content, list) else []


def find_text(block: object) -> str | None:
    """Return the text of a block, or None if it is of another kind."""
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and block.get("type") == "text":
        text = block.get("text")
        return text if isinstance(text, str) else None
    return None


def find_writes(record: Mapping[str, object]) -> Iterator[Written]:
    """Yield what an assistant's record writes below a memory directory."""
    for block in find_blocks(record) if record.get("type") == "assistant" else ():
        if not isinstance(block, dict) or block.get("type") != "tool_use":
            continue
        values = block.get("input")
        path = values.get("file_path") if isinstance(values, dict) else None
        if isinstance(values, dict) and isinstance(path, str) and is_memory_path(path):
            text = _find_written(block.get("name"), values)
            if text is not None:
                yield Written(str(block.get("id", "")), path, text)


def is_memory_path(path: str) -> bool:
    """Whether a path, of whatever system, is a Markdown file below a memory directory."""
    *directories, name = path.replace("\\", "/").split("/")
    return name.endswith(".md") and not _MEMORY_DIRECTORIES.isdisjoint(directories)


def _find_written(tool: object, values: Mapping[object, object]) -> str | None:
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


def _is_sent_by_person(record: Mapping[str, object]) -> bool:
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    source = record.get("promptSource")
    return kind == "human" and source != "system" if kind is not None else source in _SENT_BY_PEOPLE


def _hear_user(record: Mapping[str, object]) -> Heard:
    message = record.get("message")
    if isinstance(message, dict) and message.get("role", "user") != "user":
        return Heard("meta")
    if record.get("isCompactSummary"):
        return Heard("summary")
    if not _UNSPOKEN.isdisjoint(record) and any(record.get(key) for key in _UNSPOKEN):
        return Heard("meta")
    if not _is_sent_by_person(record):
        return Heard("meta")
    blocks = find_blocks(record)
    results = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_result"]
    said = [words for result in results for words in _hear_result(result, record)]
    # A bare string beside tool results is nothing that a client writes; it could be anybody's.
    texts = [text for block in blocks if (text := find_text(block)) and not (results and isinstance(block, str))]
    cleaned, kind = _clean_all(texts, Place.PROMPT)
    said += cleaned
    return Heard("tool result" if results else kind, tuple(said))


def _clean_all(texts: list[str], place: Place) -> tuple[list[Said], str]:
    """Join what people typed in the blocks of one message, and say what the last of the others was."""
    kind = "empty"
    kept: list[str] = []
    for text in texts:
        found = clean_text(text)
        kind = found.kind
        if found.kind == "command":
            return ([Said(Place.COMMAND, found.text)] if found.text else []), "command"
        if found.text:
            kept.append(found.text)
    return ([Said(place, "\n".join(kept))] if kept else []), kind


def _hear_result(result: Mapping[str, object], record: Mapping[str, object]) -> Iterator[Said]:
    # The client writes both as plain strings; results of servers, which could imitate them, come as blocks.
    content = result.get("content")
    if not isinstance(content, str):
        return
    if result.get("is_error") is True:
        reason = find_reason(content)
        if reason:
            yield Said(Place.REJECTION, reason)
    elif content.startswith(_ANSWERED):
        details = record.get("toolUseResult", record.get("tool_use_result"))
        for answer in find_answers(details) if isinstance(details, dict) else ():
            yield Said(Place.ANSWER, answer)


def find_reason(content: str) -> str:
    """Return the reason that a person typed when refusing a tool call, or nothing."""
    if not content.startswith(_REFUSED):
        return ""
    at = content.find(_REASON, 0, _MAX_REFUSAL)
    if at < 0 or "\n" in content[:at]:
        return ""
    reason = content[at + len(_REASON) :].partition(_ADVICE)[0]
    return "" if reason.startswith(_NO_REASON) else clean_text(reason).text


def find_answers(details: Mapping[str, object]) -> Iterator[str]:
    """Yield what a person typed into a dialog; a label that was only chosen is the model's wording."""
    answers, notes, questions = (details.get(key) for key in ("answers", "annotations", "questions"))
    if not isinstance(answers, dict) or not isinstance(questions, list):
        return
    asked = {str(item.get("question")): item for item in questions if isinstance(item, dict)}
    for question, answer in answers.items():
        typed = _without_labels(answer, asked.get(question, {})) if isinstance(answer, str) else ""
        note = notes.get(question) if isinstance(notes, dict) else None
        remark = note.get("notes") if isinstance(note, dict) else None
        if typed:
            yield typed
        if isinstance(remark, str) and remark.strip() and remark.strip() != typed:
            yield remark.strip()


def _without_labels(answer: str, question: Mapping[str, object]) -> str:
    options = question.get("options")
    offered = options[:_MAX_OPTIONS] if isinstance(options, list) else ()
    found = (item.get("label") for item in offered if isinstance(item, dict))
    labels = {label for label in found if isinstance(label, str)}
    rest = answer.strip()
    if not question.get("multiSelect"):
        return "" if rest in labels else rest
    # Several choices are joined by commas, and what was typed stands behind them.
    left = sorted(labels, key=len, reverse=True)
    while chosen := next((label for label in left if rest.startswith(f"{label}, ")), None):
        rest = rest.removeprefix(f"{chosen}, ")
        left.remove(chosen)
    return "" if rest in labels else rest


def _hear_queue(record: Mapping[str, object]) -> Heard:
    texts = _find_texts(record.get("content"))
    if record.get("operation") == "popAll":
        return Heard("queue", withdrawn="\n".join(texts))
    if record.get("operation") != "enqueue" or record.get("isMeta") or not _is_sent_by_person(record):
        return Heard("queue")
    said, kind = _clean_all(texts, Place.QUEUED)
    return Heard("queue" if kind == "empty" else kind, tuple(said))


def _hear_attachment(record: Mapping[str, object]) -> Heard:
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return Heard("attachment")
    modes = (None, "prompt")
    if attachment.get("commandMode") not in modes or attachment.get("isMeta") or not _is_sent_by_person(attachment):
        return Heard("attachment")
    said, kind = _clean_all(_find_texts(attachment.get("prompt")), Place.QUEUED)
    return Heard("attachment" if kind == "empty" else kind, tuple(said))


def _find_texts(content: object) -> list[str]:
    blocks = content if isinstance(content, list) else [content]
    return [text for block in blocks if (text := find_text(block))]


def parse_time(value: object) -> dt.datetime | None:
    """Return a time in UTC, or None if it is none."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        time = dt.datetime.fromisoformat(value)
        return time.astimezone(dt.UTC) if time.tzinfo else time.replace(tzinfo=dt.UTC)
    except (ValueError, OverflowError):
        return None
