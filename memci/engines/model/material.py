"""The material of a prompt: scopes, guides, findings and conversations as JSON, from constant to variable parts."""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from memci.engines.model.desk import Desk, name_talks
from memci.memory.client_limit import MAX_LINES, MAX_UNITS
from memci.memory.pointers import MAX_POINTER
from memci.model.conversation import Message
from memci.model.finding import Finding
from memci.model.memory import Guide, IndexLine, ScopeSnapshot
from memci.model.session import PartKind, Place, Turn
from memci.redaction.hidden import strip_hidden

# Removes what must not leave this machine.
Clean = Callable[[str], str]
# Pasted text is shown only as the context of what was typed.
_MAX_FOREIGN = 400
_MAX_GUIDE = 12_000
_MAX_OTHER_INDEX = 4_000


def write_material(desk: Desk, clean: Clean) -> str:
    """Return everything but the date and what was asked later, so that the prefix of all calls is the same."""
    request = desk.request
    material = {
        "guides": [_show_guide(guide) for guide in request.guides],
        "scopes": [_show_scope(desk, scope_id) for scope_id in desk.drafts],
        "other_scopes": [_show_other(scope) for scope in request.others],
        "default_scope": request.default_scope,
        "files": list(request.files),
        "findings": [_show_finding(desk, name, finding) for name, finding in desk.findings.items()],
        "daily_logs": list(_show_log(desk)),
        "sessions": list(_show_talks(desk)),
    }
    return dump(clean_all(material, clean))


def _show_guide(guide: Guide) -> dict[str, object]:
    return {"path": str(guide.path), "text": guide.text[:_MAX_GUIDE]}


def _show_scope(desk: Desk, scope_id: str) -> dict[str, object]:
    draft = desk.drafts[scope_id]
    scope = draft.scope
    topics = [
        {
            "topic": name,
            "file": str(topic.path.relative_to(scope.scope.path)),
            "name": topic.name,
            "type": topic.type_text,
            "description": topic.description,
            **({"pinned": True} if topic.pinned else {}),
            "lines": _show_lines(desk, name),
        }
        for name, (owner, topic) in desk.topics.items()
        if owner is draft
    ]
    return {"scope": scope_id, "path": str(scope.scope.path), "index": _show_index(desk, scope), "topics": topics}


def _show_lines(desk: Desk, name: str) -> dict[str, str]:
    return {key: line.unit.text for key, line in desk.lines.items() if key.partition(".")[0] == name}


def _show_index(desk: Desk, scope: ScopeSnapshot) -> dict[str, object]:
    if scope.index is None:
        return {}
    topics = {topic.path: name for name, (_, topic) in desk.topics.items()}
    headings = {row.line: name for name, row in desk.headings.items() if row in scope.index.lines}
    prose = {id(line.unit): key for key, line in desk.lines.items() if line.path == scope.index.path}
    lines: dict[str, IndexLine] = {row.text: row for row in reversed(scope.index.lines)}
    rows: list[object] = []
    for unit in desk.files[scope.index.path][0]:
        row = lines.get(unit.text)
        if id(unit) in prose:
            rows.append({prose[id(unit)]: unit.text})
        elif row and row.line in headings:
            rows.append({headings[row.line]: row.text})
        elif row and row.pointers and not row.plain:
            rows.append({"text": unit.text})
        elif row and row.pointers:
            pointer = row.pointers[0]
            target = topics.get(pointer.path) if pointer.path else None
            told: dict[str, object] = {
                "pointer": target or pointer.target,
                "title": pointer.title,
                "hook": pointer.hook,
            }
            rows.append(told | ({"too_long": len(row.text)} if len(row.text) > MAX_POINTER else {}))
    size = len(scope.index.text.encode("utf-8", "replace"))
    used = {"lines": len(scope.index.lines), "bytes": size, "most_lines": MAX_LINES, "most_bytes": MAX_UNITS}
    return {"used": used, "rows": rows}


def _show_other(scope: ScopeSnapshot) -> dict[str, object]:
    text = scope.index.text if scope.index else "\n".join(topic.name for topic in scope.topics)
    return {"scope": scope.scope.id, "index": text[:_MAX_OTHER_INDEX]}


def _show_finding(desk: Desk, name: str, finding: Finding) -> dict[str, object]:
    """Return a finding with its place and its proof."""
    proof = desk.request.proofs.get(finding.fingerprint)
    shown: dict[str, object] = {"id": name, "rule": finding.rule, "at": _find_place(desk, finding)}
    shown |= {"says": finding.message} | ({"advice": finding.suggestion} if finding.suggestion else {})
    if proof:
        shown["commit"] = f"{proof.commit} {proof.date} {proof.subject}"
        shown |= {"its_message": proof.explanation} if proof.explanation else {}
        shown |= {"now_at": proof.new_place} if proof.new_place else {}
        shown |= {"diff": list(proof.hunk)} if proof.hunk else {}
    return shown


def _find_place(desk: Desk, finding: Finding) -> str:
    """Return the id of the line that a finding is about, or the file."""
    near = {key: line for key, line in desk.lines.items() if line.path == finding.path}
    wanted = finding.key
    holding = [key for key, line in near.items() if wanted and wanted in line.unit.text]
    named = next((name for name, (_, topic) in desk.topics.items() if topic.path == finding.path), "")
    return ", ".join(holding[:6]) or named or finding.path.name


def _show_log(desk: Desk) -> Iterator[dict[str, object]]:
    for (name, signal), line in zip(desk.logged.items(), desk.request.conversation.log, strict=True):
        told: dict[str, object] = {"id": name, "scope": str(line.scope), "day": line.day.isoformat()}
        if signal:
            # What stands before the words, such as a name, cannot be quoted.
            told |= {"by": "person", "named": line.text.partition(signal.text)[0].strip(" :-*"), "text": signal.text}
        yield told if signal else {**told, "by": "agent", "text": line.text}


def _show_talks(desk: Desk) -> Iterator[dict[str, object]]:
    for talk, messages in name_talks(desk):
        if messages:
            day = f"{talk.day.isoformat()} {talk.day:%A}" if talk.day else ""
            told: dict[str, object] = {"on": day, "person": talk.person or "unknown"}
            told |= {"agent": talk.agent} if talk.agent else {}
            yield {**told, "messages": list(_show_messages(messages, talk.day))}


def _show_messages(messages: Sequence[tuple[str, Message]], day: dt.date | None) -> Iterator[dict[str, object]]:
    """Yield messages, with the day where a session goes on at another one."""
    for name, message in messages:
        now = message.turn.timestamp.date() if message.turn.timestamp else day
        resumed = {"on": f"{now.isoformat()} {now:%A}"} if now and now != day else {}
        day = now
        yield resumed | _show_message(name, message)


def _show_message(name: str, message: Message) -> dict[str, object]:
    turn = message.turn
    shown: dict[str, object] = {"agent_before": turn.before} if turn.before else {}
    shown |= {"id": name, "said": show_parts(turn)}
    shown |= {"answers": turn.place.value} if turn.place in {Place.REJECTION, Place.ANSWER} else {}
    shown |= {"taken_back": True} if message.taken_back else {}
    return shown


def show_parts(turn: Turn) -> object:
    """Return the parts of a message, those that were not typed marked as such."""
    parts = [
        (part.kind, strip_hidden(turn.text[part.start : part.end]).strip())
        for part in turn.parts
        if turn.text[part.start : part.end].strip()
    ]
    if all(kind is PartKind.TYPED for kind, _ in parts):
        return strip_hidden(turn.text).strip()
    return [
        words if kind is PartKind.TYPED else {kind.value: words if kind is PartKind.REPORTED else _shorten(words)}
        for kind, words in parts
    ]


def _shorten(words: str) -> str:
    return words if len(words) <= _MAX_FOREIGN else f"{words[:_MAX_FOREIGN]}…"


def clean_all(value: object, clean: Clean) -> object:
    """Return a value with all its texts cleaned."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_all(part, clean) for part in value]
        case Mapping():
            return {key: clean_all(part, clean) for key, part in value.items()}
    return value


def dump(value: object) -> str:
    """Return compact JSON: line ends are escaped, so no text can pretend to be another entry."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
