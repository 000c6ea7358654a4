"""Builds the ten sections of a digest from the messages and tool calls of a session."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memci.digest.session_events import DigestedSession, Mark, ModelReply, Spoken, ToolCall
from memci.digest.tool_calls import first_line, last_lines, list_touched, parse_commits, shorten_path, strip_cd
from memci.model.digest import Digest, DigestEntry, DigestSection, SectionKind
from memci.model.session import Origin, Place, Signal
from memci.sessions.record_fields import is_memory_path

# Shorter messages ("yes", "go on", "ok thanks") appear in the worklog only.
_MIN_WORDS = 4
# How much is quoted of the first request, and of later ones.
_FIRST, _LATER = 1_500, 500
_DONE = ("completed", "done", "cancelled")
_DOCUMENTS = (".md", ".mdx", ".rst", ".adoc", ".txt")
# The parameter that says what other tools were used for.
_USES = (
    ("WebFetch", "url", "page looked up"),
    ("WebSearch", "query", "searched the web for"),
    ("Task", "description", "sub-agent"),
    ("Agent", "description", "sub-agent"),
    ("Skill", "skill", "skill used"),
)
# Enough to contain a secret that begins within the shown part.
_WINDOW = 8_192


def build_digest(session: DigestedSession, signals: Sequence[Signal], clean: Callable[[str], str]) -> Digest:
    """Build the complete digest of a session; the report shortens it to the space available."""
    writer = _SectionWriter(session, clean)
    entries = {
        SectionKind.TITLE: writer.make_title(),
        SectionKind.STATE: writer.make_state(),
        SectionKind.TASK: writer.make_task(),
        SectionKind.FILES: writer.make_files(),
        SectionKind.WORKFLOW: writer.make_workflow(),
        SectionKind.ERRORS: writer.make_errors(),
        SectionKind.DOCUMENTATION: writer.make_documentation(),
        SectionKind.LEARNINGS: writer.make_learnings(signals),
        SectionKind.RESULTS: writer.make_results(),
        SectionKind.WORKLOG: writer.make_worklog(),
    }
    sections = tuple(DigestSection(kind, tuple(found)) for kind, found in entries.items())
    id_, name = writer.line(session.id, 100), writer.line(session.name, 400)
    return Digest(id_, name, session.first, session.last, sections)


class _SectionWriter:
    """Quotes from one session, redacted before it is shortened, so that no half of a secret remains."""

    def __init__(self, session: DigestedSession, clean: Callable[[str], str]) -> None:
        self._session = session
        self._clean = clean
        self._calls = session.calls
        self._files = list_touched(self._calls, session.cwd)
        # The calls by the first line of the command.
        self._commands: dict[str, list[ToolCall]] = {}
        for call in self._calls:
            if call.tool == "Bash" and (command := strip_cd(call.text("command"), session.cwd)):
                self._commands.setdefault(first_line(command), []).append(call)

    def line(self, text: str, size: int) -> str:
        """Return the beginning of a text on one line."""
        cleaned = " ".join(self._clean(text.strip()[: size + _WINDOW]).split())
        return cleaned if len(cleaned) <= size else f"{cleaned[:size].rstrip()} […]"

    def _quote(self, text: str, size: int, lines: int = 12) -> str:
        """Return the beginning of a text, and a note of how much is left out."""
        text = text.strip()
        cleaned = self._clean(text[: size + _WINDOW])
        kept = "\n".join(row.rstrip().replace("\t", " ") for row in cleaned.split("\n")[:lines])[:size].rstrip()
        more = len(text) - len(kept)
        # Redaction shortens the text, too; nothing was left out then.
        if more <= 0 or kept == cleaned.rstrip():
            return kept
        rows = text.count("\n") - kept.count("\n")
        return f"{kept} […{rows:,} more lines]" if rows > 0 else f"{kept} […{more:,} more characters]"

    def make_title(self) -> list[DigestEntry]:
        """Describe the session: its title, its first message and basic figures."""
        session, spoken = self._session, self._session.spoken
        first = next((item for item in spoken if len(item.text.split()) >= _MIN_WORDS), spoken[0] if spoken else None)
        entries = [DigestEntry("titled", self.line(session.title, 160), weight=9)] if session.title else []
        if first:
            entries.append(_cite(first, Origin.PERSON, self.line(first.text, 300), "begins with"))
        failed = sum(call.failed for call in self._calls)
        said, called = _count(len(spoken), "message"), _count(len(self._calls), "tool call")
        records = _count(session.records, "record")
        entries.append(DigestEntry(note=f"{said} by the person, {called}, {failed} of them failed; {records}"))
        if session.first and session.last:
            entries.append(DigestEntry(note=f"{session.first:%Y-%m-%d %H:%M} to {session.last:%Y-%m-%d %H:%M} UTC"))
        facts = (("directory", session.cwd), ("branch", session.branch), ("agent", session.agent))
        entries += [DigestEntry(label, self.line(value, 200)) for label, value in facts if value]
        if session.models:
            entries.append(DigestEntry(note="models", names=tuple(self.line(model, 60) for model in session.models)))
        return entries

    def make_task(self) -> list[DigestEntry]:
        """Quote the requests of the person, in order; the first one and long ones have more weight."""
        entries: list[DigestEntry] = []
        seen: set[str] = set()
        for item in self._session.spoken:
            key = " ".join(item.text.lower().split())
            if item.place is Place.REJECTION or len(key.split()) < _MIN_WORDS or key in seen:
                continue
            seen.add(key)
            quote = self._quote(item.text, _LATER if entries else _FIRST)
            label = "" if item.place is Place.PROMPT else item.place.value
            entries.append(_cite(item, Origin.PERSON, quote, label, min(len(key) // 40, 8) if entries else 10))
        return entries

    def make_state(self) -> list[DigestEntry]:
        """Describe the end of the session: last messages, open tasks and uncommitted changes."""
        session = self._session
        entries = [
            _cite(said, Origin.PERSON, self._quote(said.text, 600), "last message", 9) for said in session.spoken[-1:]
        ]
        last = next((event for event in reversed(session.events) if isinstance(event, ModelReply)), None)
        if last:
            entries.append(_cite(last, Origin.MODEL, self._quote(last.text, 1_200, lines=20), "last reply", 8))
        # What the client writes after a session is not an event, so the last event is the actual end.
        end = session.events[-1] if session.events else None
        if isinstance(end, Mark):
            entries.append(DigestEntry(f"the session ends here: {end.text}", time=end.time, weight=8))
        for call in self._calls[-1:]:
            if call.output is None:
                name = self.line(call.tool, 60)
                entries.append(DigestEntry("the last call has no result", name, time=call.time, weight=7))
        entries += [DigestEntry("to do", self.line(text, 200), weight=6) for text in _list_open_tasks(self._calls)]
        commits = [at for at, call in enumerate(self._calls) if _list_commits(call)]
        changed = [file.path for file in self._files if file.changed_at > (commits[-1] if commits else -1)]
        if changed:
            names = tuple(self.line(path, 160) for path in changed[-12:])
            more = f", the last {len(names)} of {len(changed)}" if len(changed) > len(names) else ""
            what = "changed since the last commit that shows here" if commits else "changed, and no commit shows here"
            entries.append(DigestEntry(note=f"{what}{more}", names=names, weight=5))
        return entries

    def make_files(self) -> list[DigestEntry]:
        """List the files with counts of changes and reads, the most changed first."""
        entries = []
        for file in sorted(self._files, key=lambda file: (-file.changes, -file.reads)):
            done = [
                _times("edited", file.edits),
                _times("written", file.writes),
                _times("read", file.reads),
                _times("failed or refused", file.failures),
            ]
            note = ", ".join(filter(None, done))
            entries.append(DigestEntry("", self.line(file.path, 200), note, weight=file.changes))
        return entries

    def make_workflow(self) -> list[DigestEntry]:
        """List the commands in the order of their first use, with how often they ran and failed."""
        entries = []
        for shown, calls in self._commands.items():
            failed = sum(call.failed for call in calls)
            notes = [f"{len(calls):,} times" if len(calls) > 1 else "", f"{failed:,} failed" if failed else ""]
            note, weight = ", ".join(filter(None, notes)), min(len(calls), 6)
            first = calls[0]
            entries.append(
                DigestEntry("", self.line(shown, 220), note, time=first.time, uuid=first.uuid, weight=weight)
            )
        return entries

    def make_errors(self) -> list[DigestEntry]:
        """Quote each error once, and the corrections of the person."""
        entries = []
        for at, event in enumerate(self._session.events):
            if isinstance(event, Spoken) and (event.place is Place.REJECTION or event.interrupting):
                label = "refused a tool call" if event.place is Place.REJECTION else "interrupted"
                entries.append((at, _cite(event, Origin.PERSON, self._quote(event.text, 500), label, 9)))
        entries += self._describe_failures()
        return [entry for _, entry in sorted(entries, key=lambda pair: pair[0])]

    def _describe_failures(self) -> list[tuple[int, DigestEntry]]:
        found: dict[tuple[str, str], list[tuple[int, ToolCall, str]]] = {}
        passed: dict[str, int] = {}
        for at, call in enumerate(self._session.events):
            if not isinstance(call, ToolCall):
                continue
            if not call.failed:
                passed[self._name_call(call)] = at
                continue
            error = last_lines(call.output or "")
            masked = "".join("0" if letter.isdigit() else letter for letter in error[:400])
            found.setdefault((call.tool, masked), []).append((at, call, error))
        entries = []
        for calls in found.values():
            at, call, error = calls[0]
            what = self._name_call(call)
            later = passed.get(what, -1) > calls[-1][0]
            note = f"{_name_tool(call, 'a tool')} {_times('failed', len(calls))}"
            note += "; the same went through later" if later else ""
            origin = Origin.SUBAGENT if call.by_subagent else Origin.TOOL
            weight = min(len(calls), 4) + (0 if later else 2) + (call.tool == "Bash")
            quoted = _cite(call, origin, self._quote(error, 500, lines=4), "", weight, self.line(what, 160))
            entries.append((at, replace(quoted, note=note)))
        return entries

    def _name_call(self, call: ToolCall) -> str:
        cwd = self._session.cwd
        if command := strip_cd(call.text("command"), cwd):
            return first_line(command)
        keys = ("file_path", "notebook_path", "path", "url", "query", "pattern")
        return shorten_path(next(filter(None, map(call.text, keys)), ""), cwd)

    def make_documentation(self) -> list[DigestEntry]:
        """List the documents, pages, sub-agents and skills that the session used."""
        entries = []
        for file in self._files:
            if file.reads and file.path.endswith(_DOCUMENTS):
                note = _times("read", file.reads)
                entries.append(DigestEntry("", self.line(file.path, 200), note, weight=4 + file.reads))
        for tool, key, label in _USES:
            texts = dict.fromkeys(call.text(key) for call in self._calls if call.tool == tool and call.text(key))
            entries += [DigestEntry(label, self.line(text, 200), weight=2) for text in texts]
        return entries

    def make_learnings(self, signals: Sequence[Signal]) -> list[DigestEntry]:
        """List what is worth remembering: signals, and memory the session wrote."""
        entries = [
            DigestEntry(
                signal.kind.value,
                quote=self._quote(signal.text, 500),
                by=signal.origin,
                time=signal.timestamp,
                uuid=signal.uuid,
                weight=9,
            )
            for signal in signals
        ]
        for file in list_touched(self._calls, ""):
            if is_memory_path(file.path) and file.changes:
                path = self.line(shorten_path(file.path, self._session.cwd), 200)
                label = "the session wrote this memory itself"
                entries.append(DigestEntry(label, path, time=file.calls[-1].time, weight=6))
        return entries

    def make_results(self) -> list[DigestEntry]:
        """List commits, pull requests, new files, and how the commands ended that ran again and again, by time."""
        entries = [
            DigestEntry("commit", self.line(commit, 200), time=call.time, uuid=call.uuid, weight=8)
            for call in self._calls
            for commit in _list_commits(call)
        ]
        entries += [DigestEntry("pull request", self.line(url, 200), weight=9) for url in self._session.links]
        for shown, calls in self._commands.items():
            last = calls[-1]
            ended = last_lines(last.output, 1) if last.output and len(calls) > 1 else ""
            if ended:
                label = "failed at last" if last.failed else "last result"
                entries.append(_cite(last, Origin.TOOL, self._quote(ended, 400), label, 7, self.line(shown, 160)))
        for file in self._files:
            if file.writes and file.calls[0].tool == "Write":
                path, time = self.line(file.path, 200), file.calls[0].time
                entries.append(DigestEntry("new or rewritten file", path, time=time, weight=3))
        return sorted(entries, key=lambda entry: (entry.time is None, str(entry.time or "")))

    def make_worklog(self) -> list[DigestEntry]:
        """Summarise what was done after each message of the person, with times."""
        entries: list[DigestEntry] = []
        start: Spoken | Mark | None = None
        calls: list[ToolCall] = []
        for event in [*self._session.events, None]:
            if isinstance(event, ToolCall):
                calls.append(event)
            elif not isinstance(event, ModelReply):
                if start or calls:
                    entries.append(self._describe_stretch(start, calls))
                start, calls = event, []
        # The end matters most, then the start, then changes.
        recent = [6 if at >= len(entries) - 10 else 5 if at < 3 else 0 for at in range(len(entries))]
        return [
            replace(entry, weight=weight + (2 if "changed" in entry.note else 0))
            for entry, weight in zip(entries, recent, strict=True)
        ]

    def _describe_stretch(self, start: Spoken | Mark | None, calls: Sequence[ToolCall]) -> DigestEntry:
        notes = [start.text] if isinstance(start, Mark) else []
        most = Counter(_name_tool(call, "other") for call in calls).most_common()
        counts = [f"{number} {tool}" for tool, number in most[:4]]
        others = sum(number for _, number in most[4:])
        notes += [", ".join([*counts, *([f"{others} others"] if others else [])])] if counts else []
        failed = sum(call.failed for call in calls)
        notes += [f"{failed} failed"] if failed else []
        changed = [file for file in list_touched(calls, self._session.cwd) if file.changes]
        names = tuple(self.line(file.path, 120) for file in changed[:5])
        if changed:
            notes.append("changed" + (f" {len(changed)} files, among them" if len(changed) > len(names) else ""))
        entry = DigestEntry(note="; ".join(notes), names=names, time=start.time if start else calls[0].time)
        if isinstance(start, Spoken):
            quote = self.line(start.text, 200)
            entry = replace(entry, quote=quote, by=Origin.PERSON, uuid=start.uuid)
        return entry


def _cite(
    event: Spoken | ModelReply | ToolCall, by: Origin, quote: str, label: str, weight: int = 0, subject: str = ""
) -> DigestEntry:
    return DigestEntry(label, subject, quote=quote, by=by, time=event.time, uuid=event.uuid, weight=weight)


def _list_commits(call: ToolCall) -> list[str]:
    return [] if call.output is None else parse_commits(call.text("command"), call.output, failed=call.failed)


def _list_open_tasks(calls: Sequence[ToolCall]) -> list[str]:
    """List the open tasks of the model's last list."""
    lists = [call.input.get("todos") for call in calls if call.tool == "TodoWrite" and not call.by_subagent]
    last = next((todos for todos in reversed(lists) if isinstance(todos, list)), [])
    found = [todo for todo in last if isinstance(todo, Mapping)]
    return [str(todo.get("content")) for todo in found if todo.get("status") not in _DONE]


def _name_tool(call: ToolCall, other: str) -> str:
    """Return the name of a tool if it is a plain one, else `other`."""
    return call.tool if call.tool.isidentifier() and len(call.tool) <= 24 else other


def _times(verb: str, number: int) -> str:
    return "" if not number else verb if number == 1 else f"{verb} {number:,} times"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
