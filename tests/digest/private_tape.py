"""A session in which the client wrote down what is private: everything with a canary must stay on the machine."""

from tests.digest.tape import REFUSAL, Tape

# Each stands in one place where a client writes private or machine text.
CANARIES = (
    "user-instructions", "local-instructions", "system-prompt", "tool-schema", "skill", "auto-memory", "environment",
    "hook-start", "hook-context", "hook-stop", "git-status", "agent-listing", "recalled", "reminder", "result-reminder",
    "skill-body", "compact-summary", "plan", "thinking", "signature", "image", "file-mention", "last-prompt", "backup",
    "blob", "stdout-copy", "local-read", "home-read", "task-note", "init-memory", "unknown-type", "unknown-field",
    "inner-field", "informational", "caveat", "usage", "queue-note", "queued-extra", "command-body",
)  # fmt: skip


def canary(name: str) -> str:
    """Return a text that no rule for secrets recognises."""
    assert name in CANARIES
    return f"canary of {name} here"


def _remind(name: str) -> str:
    return f"<system-reminder>\n{canary(name)}\n</system-reminder>"


def make_private() -> Tape:
    """Make a session as client 2.1.325 writes it."""
    tape = Tape()
    _add_start(tape)
    tape.say(
        f"always run the linter before a commit\n{_remind('reminder')}", origin={"kind": "human"}, turnOrigin="human"
    )
    _add_requests(tape)
    _add_work(tape)
    _add_words(tape)
    _add_end(tape)
    return tape


def _attach(tape: Tape, kind: str, **fields: object) -> None:
    shown = [{"content": str(fields)}]
    tape.add("attachment", attachment={"type": kind} | fields, rendered=shown, renderedRole="system")


def _add_start(tape: Tape) -> None:
    tape.records.append({"type": "mode", "mode": "normal", "sessionId": tape.session})
    tape.add("system", subtype="init", cwd=tape.cwd, tools=["Bash"], memory_paths={"auto": canary("init-memory")})
    _attach(tape, "hook_success", hookEvent="SessionStart", content=canary("hook-start"), stdout=canary("hook-start"))
    files = [
        {"path": "/home/ines/.claude/CLAUDE.md", "content": canary("user-instructions")},
        {"path": "/home/ines/shop/CLAUDE.local.md", "content": canary("local-instructions")},
        {"path": "/home/ines/.claude/projects/-home-ines-shop/memory/MEMORY.md", "content": canary("auto-memory")},
    ]
    _attach(tape, "instructions", files=files)
    _attach(tape, "environment", snapshot={"shell": canary("environment")})
    _attach(tape, "session_context", context={"gitStatus": canary("git-status")})
    _attach(tape, "skill_listing", content=canary("skill"), skillCount=1)
    _attach(tape, "agent_listing_delta", addedLines=[canary("agent-listing")])
    _attach(tape, "relevant_memories", memories=[{"path": "a.md", "content": canary("recalled")}])
    _attach(tape, "prompt_snapshot", system=[{"type": "text", "text": canary("system-prompt")}])
    _attach(tape, "file", filename="/home/ines/notes.md", content={"file": {"content": canary("file-mention")}})


def _add_requests(tape: Tape) -> None:
    blob = {"role": "user", "content": [{"type": "text", "text": canary("blob")}]}
    tools = [{"name": "Bash", "description": canary("tool-schema"), "input_schema": {"type": "object"}}]
    shape = {"system": [{"type": "text", "text": canary("system-prompt")}], "tools": tools}
    tape.records.append({"type": "api-request-blob", "hash": "0" * 64, "message": blob, "sessionId": tape.session})
    tape.records.append({"type": "api-request-shape", "shape": shape, "sessionId": tape.session})
    tape.add("some-later-kind", anything=canary("unknown-type"))
    tape.add("some-later-kind", anything=canary("unknown-type"))


def _add_work(tape: Tape) -> None:
    blocks = [
        {"type": "thinking", "thinking": canary("thinking"), "signature": canary("signature")},
        {"type": "text", "text": "I run it."},
    ]
    message = {"role": "assistant", "content": blocks, "usage": {"note": canary("usage")}}
    tape.add("assistant", message=message, laterField=canary("unknown-field"))
    tape.run("make lint", f"All checks passed!\n{_remind('result-reminder')}")
    tape.records[-1]["toolUseResult"] = {"stdout": canary("stdout-copy")}
    _attach(tape, "hook_additional_context", hookEvent="PostToolUse", content=[canary("hook-context")])
    _read(tape, "/home/ines/shop/CLAUDE.local.md", canary("local-read"))
    _read(tape, "/home/ines/.claude/CLAUDE.md", canary("home-read"))
    tape.refuse("never commit without a ticket number", file_path="/home/ines/shop/a.py", new_string="x")
    tape.records[-1] |= {"userFeedback": "never commit without a ticket number", "toolDenialKind": "user-rejected"}
    tape.records[-1]["permissionDecision"] = {"decision": "reject", "note": canary("inner-field")}
    path = "/home/ines/.claude/projects/-home-ines-shop/memory/feedback_lint.md"
    tape.call("Write", file_path=path, content="Run the linter before a commit.\n" * 100)


def _read(tape: Tape, path: str, text: str) -> None:
    tape.call("Read", f"1\t{text}", file_path=path)
    tape.records[-1]["toolUseResult"] = {"type": "text", "file": {"filePath": path, "content": text}}


def _add_words(tape: Tape) -> None:
    command = f"<command-message>ship</command-message>\n<command-name>/ship</command-name>\n{canary('command-body')}"
    tape.say(f"{command}\n<command-args>use the blue cluster from now on</command-args>", origin={"kind": "human"})
    tape.say(canary("skill-body"), isMeta=True)
    tape.say(f"Implement the following plan:\n{canary('plan')}", planContent=canary("plan"))
    tape.say(f"<task-notification>{canary('task-note')}</task-notification>", origin={"kind": "task-notification"})
    note = f"<task-notification>{canary('queue-note')}</task-notification>"
    for text in (note, "and tests must never touch the network"):
        queued: dict[str, object] = {
            "type": "queue-operation",
            "operation": "enqueue",
            "content": text,
            "sessionId": tape.session,
        }
        tape.records.append(queued | {"timestamp": "2026-11-02T09:50:00.000Z"})
    prompt = {"prompt": "and tests must never touch the network", "commandMode": "prompt", "humanTurn": True}
    _attach(tape, "queued_command", **prompt, origin={"kind": "human"}, extra=canary("queued-extra"))
    image = {"type": "image", "source": {"type": "base64", "data": canary("image")}}
    tape.add("user", message={"role": "user", "content": [{"type": "text", "text": "like this picture"}, image]})
    tape.say("[Request interrupted by user]")
    tape.say("stop, always ask before you push")
    details = {"questions": [{"question": "Which?", "options": []}], "answers": {"Which?": "the blue one, always"}}
    tape.call("AskUserQuestion", "User has answered your questions: …", questions=[])
    tape.records[-1]["toolUseResult"] = details
    tape.call("Edit", REFUSAL, error=True, file_path="/home/ines/shop/b.py")


def _add_end(tape: Tape) -> None:
    tape.add(
        "system", subtype="compact_boundary", content="Conversation compacted", compactMetadata={"trigger": "manual"}
    )
    summary = f"This session is being continued from a previous conversation\n{canary('compact-summary')}"
    tape.say(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)
    tape.say(f"<local-command-caveat>{canary('caveat')}</local-command-caveat>", isMeta=True)
    tape.add("system", subtype="informational", content=f"Original prompt: {canary('informational')}")
    tape.add("system", subtype="stop_hook_summary", hookInfos=[{"command": canary("hook-stop")}])
    tape.reply("It is done.")
    tape.add("system", subtype="turn_duration", durationMs=12)
    tape.records.append({"type": "ai-title", "aiTitle": "Run the linter", "sessionId": tape.session})
    tape.records.append({"type": "last-prompt", "lastPrompt": canary("last-prompt"), "sessionId": tape.session})
    snapshot = {"trackedFileBackups": {"a.md": {"backupFileName": canary("backup")}}}
    tape.records.append({"type": "file-history-snapshot", "snapshot": snapshot})
