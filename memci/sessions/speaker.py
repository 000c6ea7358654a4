"""Decides who wrote the text of a record, by the structure that the client gives it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memci.model.session import Place
from memci.patterns import LazyPattern
from memci.sessions.client_markup import clean_text
from memci.sessions.dialogs import parse_answers, parse_reason
from memci.sessions.record_fields import is_side_thread, list_blocks, parse_text

# Clients note who sent a prompt: typed and queued ones are a person's, suggestions and system prompts are not.
_SENT_BY_PEOPLE = ("typed", "queued")
# Programs send prompts through the SDK; interactive apps use it, too. These are all apps in which a person types: any
# other entry point is a program's, and so is the web's, where schedules and triggers also run.
_SDK = "sdk"
_APPS = frozenset(("cli", "claude-vscode", "claude-desktop", "remote_desktop", "remote_mobile"))
# Clients of before 2026-11 mark a refusal by its wording alone. The errors of these tools are worded by the client, so
# that no output can imitate one; those of commands, servers, pages and sub-agents can be any text.
_WORDED_BY_CLIENT = frozenset(
    ("Edit", "ExitPlanMode", "Glob", "Grep", "LS", "MultiEdit", "NotebookEdit", "Read", "TodoWrite", "Write")
)
_ASKING = "AskUserQuestion"
# Where runners of CI services check out: GitHub, GitLab, Azure, Bitbucket, CircleCI, Jenkins.
_JOB = LazyPattern(
    r"/home/runner/work/|/__w/|/github/workspace|[A-Z]:\\a\\|/builds/|/home/vsts/|/opt/atlassian/pipelines/"
    r"|/home/circleci/|/var/(?:lib/jenkins|jenkins_home)/"
)
# Records with one of these flags were inserted by the client.
_UNSPOKEN = frozenset(
    {"isMeta", "isVisibleInTranscriptOnly", "isSynthetic", "isCompactSummary", "planContent", "sourceToolUseID"}
)
# How a queued message leaves the queue because it was sent.
_SENT_FROM_QUEUE = (None, "absorbed_mid_turn")
# The first record of a collected session: who ran it.
COLLECTED = "memci-session"
# `api-request-blob` is a complete request with the person's instructions and memory; its `role` is user.
_CLIENT_STATE = (
    "file-history-snapshot", "file-history-delta", "custom-title", "ai-title", "mode", "permission-mode",
    "agent-setting", "agent-name", "agent-color", "pr-link", "frame-link", "tag", "worktree-state",
    "content-replacement", "api-request", "api-request-blob", "api-request-shape", "atis-latch", "tools-used",
    "cost-state", COLLECTED,
)  # fmt: skip
# Types that known clients write; anything else is from another tool or a later version.
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
    **dict.fromkeys(("stream_event", "rate_limit_event", "tool_progress", "auth_status"), "stream"),
    **dict.fromkeys(_CLIENT_STATE, "client state"),
}
# A type may be any text; only a plain name is shown.
TYPE_NAME = LazyPattern(r"[A-Za-z][\w.:/-]{0,39}")
# Calls are answered soon; the most that are open at once.
_MAX_CALLS = 512


@dataclass(frozen=True, slots=True)
class SpokenText:
    """Words of a person and where in the session they are."""

    place: Place
    text: str
    # The tool call that the words answer, and the question of a dialog.
    call: str = ""
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """The words of a person in a record, and the kind of the record if there are none."""

    kind: str
    said: tuple[SpokenText, ...] = ()
    # Words that are also in the queue, where they must not count: withdrawn before they were sent, or a program's.
    withdrawn: str = ""


def note_calls(tools: dict[str, str], calls: Iterable[tuple[str, str]]) -> None:
    """Note the tool of each call, because a result names only the call; an id of two tools tells nothing."""
    for call, tool in calls:
        tools[call] = tool if tools.get(call, tool) == tool else ""
        if len(tools) > _MAX_CALLS:
            del tools[next(iter(tools))]


def list_calls(record: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield id and tool of the calls in an assistant's record."""
    for block in list_blocks(record) if record.get("type") == "assistant" else ():
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield str(block.get("id", "")), str(block.get("name", ""))


_NO_TOOLS: Mapping[str, str] = {}


def hear(record: Mapping[str, object], *, subagent: bool = False, tools: Mapping[str, str] = _NO_TOOLS) -> Heard:
    """Return what a person said in a record; all text of a sub-agent's file is the model's.

    Only the structure of the client decides, never a wording that a text could imitate. `tools` has the tool of each
    call, for clients that mark refusals and answers in no other way.
    """
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        return Heard(name_unknown(kind) if record else "empty")
    if kind not in {"user", "queue-operation", "attachment"}:
        return Heard(KINDS[kind])
    if subagent or is_side_thread(record):
        return Heard("subagent")
    if kind == "user":
        return _hear_user(record, tools)
    return _hear_queue(record) if kind == "queue-operation" else _hear_attachment(record)


def name_unknown(kind: object) -> str:
    """Return how a record of an unknown type is counted."""
    named = isinstance(kind, str) and TYPE_NAME.fullmatch(kind)
    return f"unknown type {kind}" if named else "unknown"


def is_automated(record: Mapping[str, object]) -> bool:
    """Tell whether a program sent a prompt: through the SDK, on a schedule, or from a stream that names no client."""
    if _SDK in (record.get("promptSource"), record.get("turnOrigin")):
        return not _is_from_app(record)
    if record.get("turnOrigin", "human") != "human":
        return True
    if _is_said_by_person(record):
        return False
    # Records of the SDK's stream, which jobs keep, have fewer fields than those of a client.
    streamed = "session_id" in record and "sessionId" not in record
    if record.get("entrypoint") is None:
        # Older clients do not say what started them.
        return streamed or _JOB.match(str(record.get("cwd", ""))) is not None
    return streamed or not _is_from_app(record)


def names_person(record: Mapping[str, object]) -> bool:
    """Tell whether a record is marked as sent by a person, even in a session that a program began."""
    attachment = record.get("attachment")
    return _is_from_app(record) or any(
        isinstance(each, dict) and _is_said_by_person(each) for each in (record, attachment)
    )


def _is_from_app(record: Mapping[str, object]) -> bool:
    entry = record.get("entrypoint")
    return isinstance(entry, str) and entry.strip() in _APPS


def _is_said_by_person(record: Mapping[str, object]) -> bool:
    return (
        _origin_kind(record) == "human"
        or record.get("promptSource") in _SENT_BY_PEOPLE
        or record.get("turnOrigin") == "human"
    )


def _origin_kind(record: Mapping[str, object]) -> object:
    origin = record.get("origin")
    return origin.get("kind") if isinstance(origin, dict) else origin


def _is_meta(record: Mapping[str, object]) -> bool:
    source = record.get("promptSource")
    if record.get("origin") is not None:
        return _origin_kind(record) != "human" or source == "system"
    return source is not None and source not in _SENT_BY_PEOPLE and source != _SDK


def _hear_user(record: Mapping[str, object], tools: Mapping[str, str]) -> Heard:
    if _is_put_there(record):
        return Heard("summary" if record.get("isCompactSummary") else "meta")
    blocks = list_blocks(record)
    if record.get("sessionId", record.get("session_id")) is None:
        # Exports of other tools have the same types; every client names the session.
        return Heard("foreign")
    results = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_result"]
    said = [words for result in results for words in _hear_result(result, record, tools)]
    # A result that is no block is still one.
    if said or (results and not _allows_notes(record)) or (not results and record.get("toolUseResult") is not None):
        return Heard("tool result", tuple(said))
    if _is_meta(record):
        return Heard("meta")
    # No client writes a bare string next to tool results; its author is unknown.
    texts = [text for block in blocks if (text := parse_text(block)) and not (results and isinstance(block, str))]
    cleaned, kind = _clean_all(texts, Place.PROMPT)
    if results:
        cleaned = [replace(item, call=str(results[-1].get("tool_use_id", ""))) for item in cleaned]
    if is_automated(record):
        return Heard("tool result" if results else "automation", withdrawn="\n".join(item.text for item in cleaned))
    return Heard("tool result" if results else kind, tuple(cleaned))


def _is_put_there(record: Mapping[str, object]) -> bool:
    """Tell whether a record is marked as inserted by the client."""
    message = record.get("message")
    if isinstance(message, dict) and message.get("role", "user") != "user":
        return True
    return not _UNSPOKEN.isdisjoint(record) and any(record.get(key) for key in _UNSPOKEN)


def _allows_notes(record: Mapping[str, object]) -> bool:
    """Tell whether text next to a result can be a note of the person who allowed the call."""
    decision = record.get("permissionDecision")
    # Some clients do not record who decided.
    return decision is None or (isinstance(decision, dict) and str(decision.get("source", "")).startswith("user"))


def _clean_all(texts: list[str], place: Place) -> tuple[list[SpokenText], str]:
    """Join what people typed in the blocks of one message, and return the kind of the last block."""
    kind = "empty"
    kept: list[str] = []
    cleaned = [clean_text(text) for text in texts]
    if any(found.kind == "automation" for found in cleaned):
        # Jobs put the request of the person who triggered them into a separate block.
        return [], "automation"
    for found in cleaned:
        kind = found.kind
        if found.kind == "command":
            return ([SpokenText(Place.COMMAND, found.text)] if found.text else []), "command"
        if found.text:
            kept.append(found.text)
    return ([SpokenText(place, "\n".join(kept))] if kept else []), kind


def _hear_result(
    result: Mapping[str, object], record: Mapping[str, object], tools: Mapping[str, str]
) -> Iterator[SpokenText]:
    content = result.get("content")
    call = str(result.get("tool_use_id", ""))
    denied = record.get("holdsPersonsWords") is True or record.get("toolDenialKind") == "user-rejected"
    if denied and result.get("is_error") is True:
        feedback = record.get("userFeedback")
        words = feedback if isinstance(feedback, str) else content if _is_user_decision(record) else None
        if isinstance(words, str) and (typed := clean_text(words).text):
            yield SpokenText(Place.REJECTION, typed, call)
        return
    details = record.get("toolUseResult", record.get("tool_use_result"))
    if result.get("is_error") is True:
        # Newer clients record the kind of each refusal; without it, it is an error of the tool.
        if isinstance(content, str) and "permissionDecision" not in record and tools.get(call) in _WORDED_BY_CLIENT:
            reason = parse_reason(content)
            if reason:
                yield SpokenText(Place.REJECTION, reason, call)
    elif isinstance(details, dict) and isinstance(details.get("answers"), dict) and tools.get(call) == _ASKING:
        yield from (SpokenText(Place.ANSWER, text, call, asked) for text, asked in parse_answers(details))


def _is_user_decision(record: Mapping[str, object]) -> bool:
    decision = record.get("permissionDecision")
    return isinstance(decision, dict) and decision.get("source") == "user_reject"


def _hear_queue(record: Mapping[str, object]) -> Heard:
    texts = _list_texts(record.get("content"))
    operation = record.get("operation")
    if operation == "popAll" or (operation == "remove" and record.get("reason") not in _SENT_FROM_QUEUE):
        return Heard("queue", withdrawn="\n".join(texts))
    if operation != "enqueue" or not _is_prompt(record) or is_automated(record):
        return Heard("queue")
    said, kind = _clean_all(texts, Place.QUEUED)
    return Heard("queue" if kind == "empty" else kind, tuple(said))


def _hear_attachment(record: Mapping[str, object]) -> Heard:
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return Heard("attachment")
    if is_side_thread(attachment):
        return Heard("subagent")
    if attachment.get("humanTurn", True) is not True:
        return Heard("automation")
    if not _is_prompt(attachment):
        return Heard("attachment")
    # What queued it counts as what sent it does.
    by_program = is_automated({**attachment, "entrypoint": record.get("entrypoint")})
    if by_program or (not _is_said_by_person(attachment) and is_automated(record)):
        return Heard("automation")
    said, kind = _clean_all(_list_texts(attachment.get("prompt")), Place.QUEUED)
    return Heard("attachment" if kind == "empty" else kind, tuple(said))


def _is_prompt(queued: Mapping[str, object]) -> bool:
    """Tell whether a person can have put something into the queue."""
    by_hand = queued.get("humanTurn", True) is True and queued.get("commandMode") in (None, "prompt")
    return by_hand and not _is_put_there(queued) and not _is_meta(queued)


def _list_texts(content: object) -> list[str]:
    blocks = content if isinstance(content, list) else [content]
    return [text for block in blocks if (text := parse_text(block))]
