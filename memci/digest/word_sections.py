"""Builds the sections that come from messages: title, task, state, learnings and worklog."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memci.digest.quotes import Clean, line, preview
from memci.digest.session_events import DigestedSession, Mark, ModelReply, Spoken, ToolCall
from memci.digest.shell import classify_command, find_outcomes, first_line, is_read_only, parse_commits, strip_cd
from memci.digest.touched_files import Touched, list_touched, shorten_path
from memci.model.digest import DigestEntry
from memci.model.session import Origin, Place, Signal
from memci.sessions.record_fields import is_memory_path

# Shorter messages ("yes", "go on", "ok thanks") appear in the worklog only.
_MIN_WORDS = 4
_FIRST, _LATER = 1_500, 500
_DONE = ("completed", "done", "cancelled", "deleted")


def make_title(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """Describe the session: its title, its first message and basic figures."""
    spoken, calls = session.spoken, session.calls
    first = next((item for item in spoken if len(item.text.split()) >= _MIN_WORDS), spoken[0] if spoken else None)
    entries = []
    if session.title:
        entries.append(DigestEntry("titled", line(session.title, 160, clean), weight=9))
    if first:
        entries.append(cite(first, Origin.PERSON, line(first.text, 300, clean), "begins with"))
    failed = sum(call.failed for call in calls)
    facts = (
        f"{_count(len(spoken), 'message')} by the person, {_count(len(calls), 'tool call')}, {failed} of them failed; "
        f"{_count(session.records, 'record')}"
    )
    entries.append(DigestEntry(note=facts))
    if session.first and session.last:
        days = f"{session.first:%Y-%m-%d %H:%M} to {session.last:%Y-%m-%d %H:%M} UTC"
        entries.append(DigestEntry(note=f"{days} ({describe_span(session.last - session.first)})"))
    for note, value in (("directory", session.cwd), ("branch", session.branch), ("agent", session.agent)):
        if value:
            entries.append(DigestEntry(note, line(value, 200, clean)))
    if session.models:
        entries.append(DigestEntry(note="models", names=tuple(line(model, 60, clean) for model in session.models)))
    return entries


def cite(
    event: Spoken | ModelReply | ToolCall, by: Origin, quote: str, label: str, weight: int = 0, subject: str = ""
) -> DigestEntry:
    """Return an entry with a quotation from an event."""
    return DigestEntry(label, subject, quote=quote, by=by, time=event.time, uuid=event.uuid, weight=weight)


def make_task(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """Quote the requests of the person, in order; the first one and long ones have more weight."""
    entries: list[DigestEntry] = []
    seen: set[str] = set()
    for item in session.spoken:
        key = " ".join(item.text.lower().split())
        if item.place is Place.REJECTION or len(key.split()) < _MIN_WORDS or key in seen:
            continue
        seen.add(key)
        quote = preview(item.text, _LATER if entries else _FIRST, clean)
        label = "" if item.place is Place.PROMPT else item.place.value
        entries.append(cite(item, Origin.PERSON, quote, label, min(len(key) // 40, 8) if entries else 10))
    return entries


def make_state(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """Describe the end of the session: last messages, open tasks, uncommitted changes and the last check."""
    entries = []
    if session.spoken:
        said = session.spoken[-1]
        entries.append(cite(said, Origin.PERSON, preview(said.text, 600, clean), "last message", 9))
    last = next((event for event in reversed(session.events) if isinstance(event, ModelReply)), None)
    if last:
        entries.append(cite(last, Origin.MODEL, preview(last.text, 1_200, clean, lines=20), "last reply", 8))
    # What the client writes after a session is not an event, so the last event is the actual end.
    end = session.events[-1] if session.events else None
    if isinstance(end, Mark):
        entries.append(DigestEntry(f"the session ends here: {end.text}", time=end.time, weight=8))
    calls = session.calls
    if calls and calls[-1].result is None:
        name = line(calls[-1].tool, 60, clean)
        entries.append(DigestEntry("the last call has no result", name, time=calls[-1].time, weight=7))
    entries += [
        DigestEntry(f"to do ({status})", line(text, 200, clean), weight=6) for text, status in _list_open_tasks(calls)
    ]
    return [*entries, *_describe_uncommitted(session, clean), *_describe_last_check(session, clean)]


def _describe_uncommitted(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    calls = session.calls
    commits = [
        at
        for at, call in enumerate(calls)
        if call.result and parse_commits(call.text("command"), call.result.text, failed=call.failed)
    ]
    since = commits[-1] if commits else -1
    changed = [file for file in list_touched(calls, session.cwd) if file.changed_at > since]
    if not changed:
        return []
    names = tuple(line(file.path, 160, clean) for file in changed[-12:])
    more = f", the last {len(names)} of {len(changed)}" if len(changed) > len(names) else ""
    what = "changed since the last commit that shows here" if commits else "changed, and no commit shows here"
    return [DigestEntry(note=f"{what}{more}", names=names, weight=5)]


def _describe_last_check(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    checks = (
        call
        for call in reversed(session.calls)
        if call.tool == "Bash" and call.result and not is_read_only(call.text("command"))
    )
    last = next((call for call in checks if call.result and find_outcomes(call.result.text)), None)
    label = "last check failed" if last and last.failed else "last check"
    return [describe_check(last, label, 200, session.cwd, clean)] if last else []


def describe_check(call: ToolCall, label: str, size: int, cwd: str, clean: Clean) -> DigestEntry:
    """Quote the outcome of a check; `size` limits its command."""
    outcomes = find_outcomes(call.result.text) if call.result else []
    command = line(first_line(strip_cd(call.text("command"), cwd)), size, clean)
    return cite(call, Origin.TOOL, preview("\n".join(outcomes), 400, clean), label, 7, command)


def _list_open_tasks(calls: Sequence[ToolCall]) -> list[tuple[str, str]]:
    """List the open tasks of the model's own list, with their status."""
    tasks: dict[str, tuple[str, str]] = {}
    for call in calls:
        if call.by_subagent:
            continue
        todos = call.input.get("todos")
        if call.tool == "TodoWrite" and isinstance(todos, list):
            found = [todo for todo in todos if isinstance(todo, Mapping)]
            tasks = {str(at): (str(todo.get("content")), str(todo.get("status"))) for at, todo in enumerate(found)}
        elif call.tool == "TaskCreate":
            tasks[str(len(tasks) + 1)] = (call.text("subject"), "pending")
        elif call.tool == "TaskUpdate" and call.text("taskId") in tasks and call.text("status"):
            tasks[call.text("taskId")] = (tasks[call.text("taskId")][0], call.text("status"))
    statuses = {"pending": "open", "in_progress": "begun"}
    return [(text, statuses.get(status, "open")) for text, status in tasks.values() if status not in _DONE and text]


def make_learnings(session: DigestedSession, signals: Sequence[Signal], clean: Clean) -> list[DigestEntry]:
    """List what is worth remembering: signals, commands that worked after a failure, and memory the session wrote."""
    entries = [
        DigestEntry(
            one.kind.value, "", "", (), preview(one.text, 500, clean), one.origin, one.timestamp, one.uuid, weight=9
        )
        for one in signals
    ]
    entries += _describe_retries(session, clean)
    for file in list_touched(session.calls, ""):
        if is_memory_path(file.path) and file.changes:
            path = line(shorten_path(file.path, session.cwd), 200, clean)
            entries.append(
                DigestEntry("the session wrote this memory itself", path, time=file.calls[-1].time, weight=6)
            )
    return entries


def _describe_retries(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """List commands that failed first and worked later in a different form."""
    entries = []
    failed: dict[str, list[ToolCall]] = {}
    for call in session.calls:
        command = strip_cd(call.text("command"), session.cwd)
        if call.tool != "Bash" or not command or call.result is None or call.result.refused or is_read_only(command):
            continue
        program = classify_command(command)
        if call.failed:
            failed.setdefault(program, []).append(call)
            continue
        before = [old for old in failed.pop(program, []) if strip_cd(old.text("command"), session.cwd) != command]
        # The arguments must be similar: the same program may have been run for another purpose.
        similar = [old for old in before if _is_similar(strip_cd(old.text("command"), session.cwd), command)]
        if similar:
            old = line(first_line(strip_cd(similar[-1].text("command"), session.cwd)), 160, clean)
            new = line(first_line(command), 160, clean)
            entries.append(
                DigestEntry("worked", new, "after this had failed", (old,), time=call.time, uuid=call.uuid, weight=3)
            )
    return entries


def _is_similar(one: str, other: str) -> bool:
    words, others = set(one.split()), set(other.split())
    return len(words & others) * 2 > max(len(words), len(others))


def describe_span(span: dt.timedelta) -> str:
    """Render a duration in words."""
    minutes = int(span.total_seconds() // 60)
    if minutes < 1:
        return "under a minute"
    if minutes < 120:
        return _count(minutes, "minute")
    return _count(minutes // 60, "hour") if minutes < 48 * 60 else _count(minutes // 1440, "day")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def make_worklog(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """Summarise what was done after each message of the person, with times."""
    entries: list[DigestEntry] = []
    start: Spoken | Mark | None = None
    calls: list[ToolCall] = []
    for event in [*session.events, None]:
        if isinstance(event, ToolCall):
            calls.append(event)
        elif not isinstance(event, ModelReply):
            if start or calls:
                entries.append(_describe_stretch(start, calls, session, clean))
            start, calls = event, []
    return [_weigh(entry, at, len(entries)) for at, entry in enumerate(entries)]


def _weigh(entry: DigestEntry, at: int, total: int) -> DigestEntry:
    # The end matters most, then the start, then changes.
    recent = 6 if at >= total - 10 else 5 if at < 3 else 0
    return replace(entry, weight=recent + (2 if "changed" in entry.note else 0))


def name_tool(call: ToolCall, other: str) -> str:
    """Return the name of a tool if it is a plain one, else `other`."""
    return call.tool if call.tool.isidentifier() and len(call.tool) <= 24 else other


def _describe_stretch(
    start: Spoken | Mark | None, calls: Sequence[ToolCall], session: DigestedSession, clean: Clean
) -> DigestEntry:
    note = start.text if isinstance(start, Mark) else ""
    if calls:
        counts = Counter(name_tool(call, "other") for call in calls)
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        shown = ", ".join(f"{number} {tool}" for tool, number in most[:4])
        others = sum(number for _, number in most[4:])
        note += ("; " if note else "") + shown + (f", {others} others" if others else "")
        failed = sum(call.failed for call in calls)
        note += f"; {failed} failed" if failed else ""
        times = [call.time for call in calls if call.time]
        begin = (start.time if start else None) or (times[0] if times else None)
        if times and begin and times[-1] - begin >= dt.timedelta(minutes=1):
            note += f"; {describe_span(times[-1] - begin)}"
    changed: list[Touched] = [file for file in list_touched(calls, session.cwd) if file.changes]
    names = tuple(line(file.path, 120, clean) for file in changed[:5])
    if changed:
        more = len(changed) - len(names)
        note += "; changed" + (f" {len(changed)} files, among them" if more else "")
    time = start.time if start else calls[0].time
    said = start if isinstance(start, Spoken) else None
    quote = line(said.text, 200, clean) if said else ""
    origin = Origin.PERSON if said else None
    return DigestEntry(note=note, names=names, quote=quote, by=origin, time=time, uuid=said.uuid if said else "")
