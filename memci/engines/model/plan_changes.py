"""Turns drafts into operations: the model supplies ids and words, this code makes paths, texts and reasons."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from memci.engines.model.desk import Desk
from memci.engines.model.drafts import LABELS, Hunk, Moved, NewStatement, TopicDraft, try_resolve
from memci.engines.protocol import OpenDraft
from memci.memory.apply_edits import split_lines
from memci.memory.compose import choose_file, keep_plain, make_slug, render_head, tidy
from memci.memory.units import BodyUnit, join_units, place_unit, split_units
from memci.model.memory import ScopeSnapshot, TopicType
from memci.model.plan import Evidence, EvidenceKind, Flag, Operation, OperationKind
from memci.patterns import LazyPattern

# Words only: no address, path or markup.
_NAME = LazyPattern(r"[\w ’'&+-]{1,100}")
# A guard reads at most 20 quotations.
_MAX_EVIDENCE = 20

_Texts = dict[PurePosixPath, str | None]


def plan_creation(told: TopicDraft, desk: Desk) -> Operation | str:
    """Return the operation that makes a new topic, or why there is none."""
    hunk, scope = told.hunks[0], told.draft.scope
    kind = told.type or TopicType.PROJECT
    name = make_slug(told.name) if _NAME.fullmatch(told.name) else ""
    if not name or not told.description or not hunk.entries:
        return "a new topic needs a name, a description and a statement"
    path = choose_file(scope.scope.path, kind, name, scope.catalogue.spellings, _fallback(hunk))
    units = _write_entries(hunk.entries, None, [])
    texts: _Texts = {path: render_head(name, told.description, kind, scope.topics) + "\n" + join_units(units, "")}
    texts |= _take_out(hunk.moved, desk, scope)
    evidence = _collect(hunk, desk, texts)
    return Operation(
        OperationKind.CREATE, path, texts, _explain(hunk, evidence, "new"), evidence, (*_flags(hunk), *told.flags)
    )


def _fallback(hunk: Hunk) -> str:
    """Return a file name for a topic whose name is not ASCII: the id of its first signal."""
    sources = (proof.source for entry in hunk.new for proof in entry.evidence if proof.kind is EvidenceKind.SIGNAL)
    return next(sources, "note")[:8]


def plan_hunk(hunk: Hunk, desk: Desk) -> Operation:
    """Return the operation that makes one change to a file."""
    scope, path = hunk.draft.scope, hunk.path
    units, tail = apply_hunk(hunk, desk)
    moved = _take_out(hunk.moved, desk, scope)
    evidence = _collect(hunk, desk, (path, *moved))
    kind = OperationKind.MERGE if hunk.moved else OperationKind.UPDATE if hunk.new else OperationKind.RETIRE
    if not _says_something(units) and path != scope.index_path:
        gone: _Texts = {path: None, **drop_pointers(scope, {path})}
        return Operation(OperationKind.RETIRE, path, gone, _explain(hunk, evidence, "gone"), evidence, _flags(hunk))
    verb = "moved" if hunk.moved else "changed" if hunk.removed else "added"
    texts: _Texts = {path: _head(scope, path) + join_units(units, tail), **moved}
    return Operation(kind, path, texts, _explain(hunk, evidence, verb), evidence, _flags(hunk))


def apply_hunk(hunk: Hunk, desk: Desk) -> tuple[list[BodyUnit], str]:
    """Return the units of the file after a change."""
    units, tail = desk.files[hunk.path]
    gone = {id(unit) for unit in hunk.removed}
    first = next((place for place, unit in enumerate(units) if id(unit) in gone), None)
    if first is None:
        places = [place for place, unit in enumerate(units) if unit is hunk.above]
        # What comes before everything else would take the place of the main rule.
        first = places[0] + 1 if places else len(units)
        # The reasons of the rule above stay below it.
        while hunk.new[:1] and hunk.new[0].part == "statement" and first < len(units) and units[first].label:
            first += 1
    before = [unit for unit in units[:first] if id(unit) not in gone]
    after = [unit for unit in units[first:] if id(unit) not in gone]
    above = before[-1] if before else None
    new = _write_entries(hunk.entries, above, hunk.removed)
    if not before and after and not new:
        after = [BodyUnit(after[0].text, "", after[0].end), *after[1:]]
    return [*before, *new, *after], tail


def _write_entries(
    entries: Sequence[NewStatement | Moved], above: BodyUnit | None, removed: Sequence[BodyUnit]
) -> list[BodyUnit]:
    free = list(removed)
    written: list[BodyUnit] = []
    for entry in entries:
        last = written[-1] if written else above
        if isinstance(entry, Moved):
            alike = last and last.mark and entry.unit.mark
            written.append(BodyUnit(entry.unit.text, "" if alike or not last else "\n"))
            continue
        label = LABELS[entry.part]
        old = next((unit for unit in free if bool(unit.label) == bool(label)), None)
        if old:
            free.remove(old)
        words = _tidy_statement(entry.text)
        words = words if words.startswith("|") or (old and old.mark) else keep_plain(words)
        written.append(place_unit(words, label, old, last))
    return written


def _tidy_statement(text: str) -> str:
    return text if text.startswith("|") else tidy(text)


def _says_something(units: Sequence[BodyUnit]) -> bool:
    return any(not unit.text.lstrip().startswith("#") for unit in units)


def _head(scope: ScopeSnapshot, path: PurePosixPath) -> str:
    topic = scope.topic(path)
    return "".join(split_lines(topic.text)[: topic.body_line - 1]) if topic else ""


def _take_out(moved: Sequence[Moved], desk: Desk, scope: ScopeSnapshot) -> _Texts:
    """Return the files that lines are moved out of; one without statements is removed, with its pointer."""
    texts: _Texts = {}
    empty: set[PurePosixPath] = set()
    for path in dict.fromkeys(entry.path for entry in moved):
        units, tail = desk.files[path]
        gone = {id(entry.unit) for entry in moved if entry.path == path}
        left = _drop_headings(units, gone) if path == scope.index_path else [u for u in units if id(u) not in gone]
        if path != scope.index_path and not _says_something(left):
            empty.add(path)
        else:
            texts[path] = _head(scope, path) + join_units(left, tail)
    if empty:
        pointers = drop_pointers(scope, empty, texts.get(scope.index_path))
        texts |= {**dict.fromkeys(empty), **pointers}
    return texts


def _drop_headings(units: Sequence[BodyUnit], gone: set[int]) -> list[BodyUnit]:
    """Return the units of an index that stay; a heading goes with the last line below it."""
    left: list[BodyUnit] = []
    section: list[BodyUnit] = []
    for unit in (*units, None):
        if unit is None or unit.text.startswith("#"):
            kept = [each for each in section if id(each) not in gone]
            # The title stays, and so does a heading that had nothing below it before.
            empty = len(kept) == 1 < len(section) and section[0].text.startswith("##")
            left += () if empty else kept
            section = []
        if unit is not None:
            section.append(unit)
    return left


def drop_pointers(scope: ScopeSnapshot, gone: set[PurePosixPath], text: str | None = None) -> _Texts:
    """Return the index without the lines that only point to removed topics."""
    if scope.index is None:
        return {}
    rows = {line.whole for line in scope.index.lines if line.plain and line.pointers[0].path in gone}
    old = scope.index.text if text is None else text
    new = "".join(line for line in split_lines(old) if line not in rows)
    return {scope.index.path: new} if new != old else {}


def _collect(hunk: Hunk, desk: Desk, changed: Collection[PurePosixPath]) -> tuple[Evidence, ...]:
    """Return the evidence of everything that comes, and the proof for everything that goes."""
    found = [proof for entry in hunk.new for proof in entry.evidence]
    found += try_resolve(hunk.cited, desk)
    if not hunk.new:
        about = {finding.fingerprint: finding.path for finding in desk.request.findings}
        # A finding about another file proves nothing about this one.
        found = [proof for proof in found if proof.kind is not EvidenceKind.FINDING or about[proof.source] in changed]
    names = {id(line.unit): name for name, line in desk.lines.items()}
    for unit in hunk.removed:
        for path, entry in desk.restated.get(names.get(id(unit), ""), ()):
            text = hunk.draft.scope.topic(path)
            said = _tidy_statement(entry.text) if isinstance(entry, NewStatement) else ""
            if said and text and said in text.text:
                found.append(Evidence(EvidenceKind.MEMORY, str(path), said))
    old = [(hunk.path, unit) for unit in hunk.removed if hunk.new]
    old += [(entry.path, entry.unit) for entry in hunk.moved]
    found += (Evidence(EvidenceKind.MEMORY, str(path), unit.text) for path, unit in old)
    unique = list(dict.fromkeys(found))
    words = [proof for proof in unique if proof.kind is not EvidenceKind.FINDING]
    spare = set(words[_MAX_EVIDENCE:])
    return tuple(proof for proof in unique if proof not in spare)


def _flags(hunk: Hunk) -> tuple[Flag, ...]:
    return (*(entry.flag for entry in hunk.new if entry.flag), *hunk.ended)


_VERBS = {
    "new": "not in memory yet",
    "added": "adds to this topic",
    "changed": "replaces what this topic said",
    "gone": "takes it out",
    "moved": "puts together what belongs together",
}


def _explain(hunk: Hunk, evidence: Iterable[Evidence], verb: str) -> str:
    """Say why in words that no model chose."""
    kinds = {proof.kind for proof in evidence}
    why = (
        "said by a person"
        if EvidenceKind.SIGNAL in kinds
        else "the repository says so"
        if kinds & {EvidenceKind.FINDING, EvidenceKind.LOOKUP}
        else "memory says it"
    )
    reasons = [reason for reason in dict.fromkeys(hunk.reasons) if not hunk.new]
    return "; ".join(reasons) if reasons and verb == "gone" else "; ".join((_VERBS[verb], *(reasons or (why,))))


def refresh(desk: Desk, draft: OpenDraft, texts: Mapping[PurePosixPath, str | None]) -> None:
    """Read the files again that an accepted operation changed; lines that stay keep their ids."""
    for path, text in texts.items():
        if text is None:
            desk.files.pop(path, None)
            continue
        topic = draft.scope.topic(path)
        old = list(desk.files[path][0]) if path in desk.files else []
        units, tail = split_units(topic.body if topic else text)
        kept: list[BodyUnit] = []
        for unit in units:
            same = next((other for other in old if other.text == unit.text), unit)
            if same is not unit:
                old.remove(same)
                same.gap, same.end = unit.gap, unit.end
            same.behind = kept[-1] if kept else None
            kept.append(same)
        desk.files[path] = (kept, tail)
