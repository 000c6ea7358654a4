"""Builds the sections that come from tool calls: files, workflow, errors, documentation and results."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from memci.digest.quotes import Clean, line, preview
from memci.digest.session_events import DigestedSession, Spoken, ToolCall
from memci.digest.shell import (
    classify_command,
    extract_errors,
    find_outcomes,
    find_pull_requests,
    first_line,
    is_read_only,
    parse_commits,
    strip_cd,
)
from memci.digest.touched_files import count_directories, list_touched, shorten_path
from memci.digest.word_sections import cite, describe_check, name_tool
from memci.model.digest import DigestEntry
from memci.model.session import Origin, Place

_DOCUMENTS = (".md", ".mdx", ".rst", ".adoc", ".txt")
_MANIFESTS = {
    "package.json", "pyproject.toml", "go.mod", "Cargo.toml", "Makefile", "Dockerfile", "docker-compose.yml", "pom.xml",
    "build.gradle", "tsconfig.json", "mise.toml", "justfile", "CMakeLists.txt", "Gemfile", "composer.json",
}  # fmt: skip
# Longer results are shown as a preview with a reference to the complete text.
_LARGE = 2_000


def make_files(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """List the files with counts of changes and reads, the most changed first, and the functions that changed."""
    entries = []
    files = list_touched(session.calls, session.cwd)
    for file in sorted(files, key=lambda file: (-file.changes, -file.reads)):
        done = [
            _times("edited", file.edits),
            _times("written", file.writes),
            _times("read", file.reads),
            _times("failed or refused", file.failures),
        ]
        names = tuple(line(name, 60, clean) for name in list(file.functions)[-8:])
        entries.append(
            DigestEntry("", line(file.path, 200, clean), ", ".join(filter(None, done)), names, weight=file.changes)
        )
    return entries


def _times(verb: str, number: int) -> str:
    return "" if not number else verb if number == 1 else f"{verb} {number:,} times"


def make_workflow(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """List the commands in the order of their first use, variants grouped; read-only ones are only counted."""
    groups: dict[str, list[tuple[ToolCall, str]]] = {}
    read_only: Counter[str] = Counter()
    for call in session.calls:
        command = strip_cd(call.text("command"), session.cwd)
        if call.tool != "Bash" or not command:
            continue
        if is_read_only(command):
            read_only[classify_command(command)] += 1
        else:
            groups.setdefault(classify_command(command), []).append((call, first_line(command)))
    entries = [_describe_group(group, clean) for group in groups.values()]
    if read_only:
        most = sorted(read_only, key=lambda program: (-read_only[program], program))[:8]
        note = f"and {sum(read_only.values()):,} commands that only look"
        entries.append(DigestEntry(note=note, names=tuple(line(program, 40, clean) for program in most), weight=9))
    return entries


def _describe_group(group: Sequence[tuple[ToolCall, str]], clean: Clean) -> DigestEntry:
    """Describe the commands that run the same program for the same purpose."""
    variants = Counter(shown for _, shown in group)
    # Of equally frequent variants the last one is shown.
    best = max((shown for _, shown in reversed(group)), key=lambda shown: variants[shown])
    failed = sum(call.failed for call, _ in group)
    refused = sum(call.result is not None and call.result.refused for call, _ in group)
    notes = [
        f"{len(group):,} times" if len(group) > 1 else "",
        f"in {len(variants):,} variants" if len(variants) > 1 else "",
        f"{failed:,} failed" if failed else "",
        f"{refused:,} refused by the person" if refused else "",
    ]
    first, note = group[0][0], ", ".join(filter(None, notes))
    return DigestEntry("", line(best, 220, clean), note, time=first.time, uuid=first.uuid, weight=min(len(group), 6))


def make_errors(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """Quote each error once, and the corrections of the person."""
    entries = [
        (at, _describe_correction(event, clean))
        for at, event in enumerate(session.events)
        if isinstance(event, Spoken) and (event.place is Place.REJECTION or event.interrupting)
    ]
    entries += _describe_failures(session, clean)
    return [entry for _, entry in sorted(entries, key=lambda pair: pair[0])]


def _describe_correction(said: Spoken, clean: Clean) -> DigestEntry:
    label = "refused a tool call" if said.place is Place.REJECTION else "interrupted"
    return cite(said, Origin.PERSON, preview(said.text, 500, clean), label, 9)


def _describe_failures(session: DigestedSession, clean: Clean) -> list[tuple[int, DigestEntry]]:
    found: dict[tuple[str, str], list[tuple[int, ToolCall]]] = {}
    passed: dict[str, int] = {}
    for at, call in ((at, event) for at, event in enumerate(session.events) if isinstance(event, ToolCall)):
        if not call.failed or call.result is None:
            passed[_name_call(call, session.cwd)] = at
            continue
        # A search without a match exits with 1.
        if call.tool == "Bash" and is_read_only(call.text("command")) and "\n" not in call.result.text.strip():
            continue
        found.setdefault((call.tool, _mask_digits(extract_errors(call.result.text))), []).append((at, call))
    entries = []
    for (tool, _), calls in found.items():
        at, call = calls[0]
        if call.result is None:
            continue
        what = _name_call(call, session.cwd)
        notes = [name_tool(call, "a tool"), "failed"]
        notes += [f"{len(calls):,} times"] if len(calls) > 1 else []
        later = passed.get(what, -1) > calls[-1][0]
        note = " ".join(notes) + ("; the same went through later" if later else "")
        where: tuple[str, ...] = ()
        if call.result.size > _LARGE or call.result.saved:
            note += f"; {call.result.size:,} characters, the whole in"
            where = (line(call.result.saved or f"record {call.result.uuid}", 200, clean),)
        quote = preview(extract_errors(call.result.text), 500, clean, lines=4)
        origin = Origin.SUBAGENT if call.by_subagent else Origin.TOOL
        weight = min(len(calls), 4) + (0 if later else 2) + (tool == "Bash")
        subject = line(what, 160, clean)
        entries.append((at, DigestEntry("", subject, note, where, quote, origin, call.time, call.uuid, weight)))
    return entries


def _name_call(call: ToolCall, cwd: str) -> str:
    command = strip_cd(call.text("command"), cwd)
    if command:
        return first_line(command)
    path = call.text("file_path") or call.text("notebook_path") or call.text("path")
    return shorten_path(path, cwd) if path else call.text("url") or call.text("query") or call.text("pattern")


def _mask_digits(text: str) -> str:
    return "".join("0" if letter.isdigit() else letter for letter in text[:400])


def make_documentation(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """List the documents, directories, pages and searches that the session used."""
    files = list_touched(session.calls, session.cwd)
    entries = []
    for file in files:
        name = PurePosixPath(file.path).name
        if file.reads and (name.endswith(_DOCUMENTS) or name in _MANIFESTS):
            entries.append(
                DigestEntry("", line(file.path, 200, clean), _times("read", file.reads), weight=4 + file.reads)
            )
    changed = [file for file in files if file.changes]
    for directory, number in count_directories(changed or files)[:12]:
        what = "file changed" if changed else "file read"
        note = f"{number} {what}" if number == 1 else f"{number} {what.replace('file', 'files')}"
        entries.append(DigestEntry(f"{note} in", line(directory, 200, clean), weight=3))
    for tool, key, note in (
        ("WebFetch", "url", "page looked up"),
        ("WebSearch", "query", "searched the web for"),
        ("Task", "description", "sub-agent"),
        ("Agent", "description", "sub-agent"),
        ("Skill", "skill", "skill used"),
    ):
        texts = dict.fromkeys(call.text(key) for call in session.calls if call.tool == tool and call.text(key))
        entries += [DigestEntry(note, line(text, 200, clean), weight=2) for text in texts]
    servers = dict.fromkeys(call.tool.split("__")[1] for call in session.calls if call.tool.startswith("mcp__"))
    if servers:
        entries.append(
            DigestEntry(note="servers used", names=tuple(line(name, 60, clean) for name in servers), weight=3)
        )
    patterns = dict.fromkeys(call.text("pattern") for call in session.calls if call.tool == "Grep")
    chosen = tuple(line(pattern, 80, clean) for pattern in list(patterns)[-12:] if pattern)
    if chosen:
        entries.append(
            DigestEntry(note=f"searched the code for {len(patterns)} patterns, the last", names=chosen, weight=1)
        )
    return entries


def make_results(session: DigestedSession, clean: Clean) -> list[DigestEntry]:
    """List commits, pull requests, the last results of checks, and new files."""
    entries = []
    checks: dict[str, ToolCall] = {}
    requests: dict[str, None] = dict(session.links)
    for call in session.calls:
        if call.tool != "Bash" or call.result is None:
            continue
        command = strip_cd(call.text("command"), session.cwd)
        entries += [
            DigestEntry("commit", line(commit, 200, clean), time=call.time, uuid=call.uuid, weight=8)
            for commit in parse_commits(command, call.result.text, failed=call.failed)
        ]
        if "gh pr create" in command or "glab mr create" in command:
            requests |= dict.fromkeys(find_pull_requests(call.result.text))
        if not is_read_only(command) and find_outcomes(call.result.text):
            checks[classify_command(command)] = call
    entries += [DigestEntry("pull request", line(address, 200, clean), weight=9) for address in requests]
    for call in checks.values():
        label = "failed at last" if call.failed else "last result"
        entries.append(describe_check(call, label, 160, session.cwd, clean))
    written = [
        file for file in list_touched(session.calls, session.cwd) if file.writes and file.calls[0].tool == "Write"
    ]
    entries += [
        DigestEntry("new or rewritten file", line(file.path, 200, clean), time=file.calls[0].time, weight=3)
        for file in written
    ]
    return _sort_by_time(entries)


def _sort_by_time(entries: Sequence[DigestEntry]) -> list[DigestEntry]:
    dated = sorted((entry for entry in entries if entry.time), key=lambda entry: str(entry.time))
    return [*dated, *(entry for entry in entries if not entry.time)]
