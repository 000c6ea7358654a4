"""What a dream changes, as entries for people: learned, corrected, removed, tidied, with old and new statements.

Operations have only new texts, so they are applied one after the other to see what each adds and takes out.
"""

import enum
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
from memci.memory.frontmatter import parse_head
from memci.memory.units import split_units
from memci.model.memory import INDEX_NAME
from memci.model.plan import Evidence, EvidenceKind, FlagKind, Operation, OperationKind, ScopePlan
from memci.patterns import LazyPattern
from memci.prose.similar import normalise
from memci.report.check_result import amount

# What a reviewer reads beside a flagged statement.
FLAGS = {
    FlagKind.REWORDED: "reworded",
    FlagKind.TRANSLATED: "translated",
    FlagKind.CONTEXT: "refers to what the agent said",
    FlagKind.RETIRED: "check what it replaces",
}


class ChangeGroup(enum.StrEnum):
    """What an entry is to a reviewer, in the order in which they are read."""

    LEARNED = "learned"
    CORRECTED = "corrected"
    REMOVED = "removed"
    TIDIED = "tidied"


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """One change: the statements that are new, those that it takes out, or what was tidied in several files."""

    group: ChangeGroup
    files: tuple[PurePosixPath, ...]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    flags: tuple[FlagKind, ...] = ()
    # The pointers as they are now, if several changed with their topics.
    pointers: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The line of the entry: the new statements, else those that leave, else what was done."""
        return " ".join(self.added or self.removed) or self.reason

    @property
    def was(self) -> str:
        """What a corrected topic said before; "" for other entries."""
        return " ".join(self.removed) if self.added else ""

    @property
    def shown_flags(self) -> tuple[FlagKind, ...]:
        """The flags; what a correction replaces needs none, because it is shown below it."""
        return tuple(flag for flag in self.flags if flag is not FlagKind.RETIRED or not self.was)


def list_changes(plan: ScopePlan) -> tuple[ChangeEntry, ...]:
    """Return the entries of a plan by group; those that a reviewer has to compare come first."""
    texts: dict[PurePosixPath, str | None] = dict(plan.before)
    entries: list[ChangeEntry] = []
    tidied: list[tuple[OperationKind, ChangeEntry]] = []
    for operation in plan.operations:
        if any(texts.get(path) != text for path, text in operation.texts.items()):
            entry = _describe(operation, texts)
            if entry.group is ChangeGroup.TIDIED:
                tidied.append((operation.kind, entry))
            else:
                entries.append(entry)
        texts.update(operation.texts)
    stated = _join_chains(entries)
    told = {path for entry in stated for path in entry.files}
    # A new description belongs to the change of its topic.
    alone = [one for kind, one in tidied if kind is not OperationKind.UPDATE or not told.issuperset(one.files)]
    index = plan.scope.path / INDEX_NAME
    shown = {path for entry in alone for path in entry.files}
    about_index = [*_describe_index(index, plan.before, plan.after, shown)] if plan.operations else []
    unexplained = plan.operations and not (about_index or told or alone)
    if unexplained and plan.before.get(index) != plan.after.get(index):
        about_index = [ChangeEntry(ChangeGroup.TIDIED, (index,), reason="lines of the index changed place")]
    every = (*stated, *_join_alike(alone), *about_index)
    order = list(ChangeGroup)
    return tuple(sorted(every, key=lambda entry: (order.index(entry.group), not entry.flags)))


def _describe(operation: Operation, before: dict[PurePosixPath, str | None]) -> ChangeEntry:
    """Describe an operation by the statements that it adds and takes out; moved ones are neither."""
    touched = [path for path, text in operation.texts.items() if before.get(path) != text]
    old = {path: _split_text(path, before.get(path) or "") for path in touched}
    new = {path: _split_text(path, operation.texts[path] or "") for path in touched}
    had, has = ({one for rows in side.values() for one in rows} for side in (old, new))
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    if operation.kind not in {OperationKind.MERGE, OperationKind.REINDEX}:
        fresh = [one for rows in new.values() for one in rows if one not in had and not _is_pointer(one)]
        # What a pointer said before is not new in its topic.
        hooks = "\n".join(normalise(one) for one in had - has if _is_pointer(one))
        moved = tuple(one for one in fresh if normalise(one) and normalise(one) in hooks)
        added = tuple(one for one in fresh if one not in moved)
        removed = tuple(one for rows in old.values() for one in rows if one not in has and not _is_pointer(one))
    main = next((path for path in (operation.file, *touched) if path in old and path.name != INDEX_NAME), touched[0])
    group = ChangeGroup.TIDIED
    if added:
        learned = not removed and operation.kind is not OperationKind.REPAIR
        group = ChangeGroup.LEARNED if learned else ChangeGroup.CORRECTED
    elif removed:
        group = ChangeGroup.REMOVED
    flags = tuple(sorted({flag.kind for flag in operation.flags}))
    topics = tuple(path for path in touched if path.name != INDEX_NAME)
    files = topics if moved and group is ChangeGroup.TIDIED else (main,)
    return ChangeEntry(group, files, added, removed, _explain(operation), operation.evidence, flags)


def _explain(operation: Operation) -> str:
    """Return what was done; the reason of some operations is the problem that they solve."""
    problem = any(
        proof.kind is EvidenceKind.FINDING and proof.quote in operation.reason for proof in operation.evidence
    )
    done = "merged: " if operation.kind is OperationKind.MERGE else "repaired: " if problem else ""
    return done + operation.reason


# Each operation starts from the text of the one before; the size bounds memory use.
@functools.lru_cache(maxsize=256)
def _split_text(path: PurePosixPath, text: str) -> tuple[str, ...]:
    """Return the statements of a text, each in one line with its label; headings are none."""
    body = text if path.name == INDEX_NAME else "\n".join(text.split("\n")[parse_head(text).body_line - 1 :])
    units = (unit for unit in split_units(body)[0] if not unit.text.lstrip().startswith("#"))
    return tuple(" ".join(filter(None, (unit.label.replace("*", ""), unit.words))) for unit in units)


def _join_chains(entries: Sequence[ChangeEntry]) -> list[ChangeEntry]:
    """Join an entry with the later one that replaces its new statements: only the last ones are in the result."""
    joined: list[ChangeEntry] = []
    for entry in entries:
        earlier = next((one for one in joined if one.files == entry.files and {*one.added} & {*entry.removed}), None)
        if earlier is None:
            joined.append(entry)
            continue
        added = (*(one for one in earlier.added if one not in entry.removed), *entry.added)
        removed = (*earlier.removed, *(one for one in entry.removed if one not in earlier.added))
        evidence = tuple(dict.fromkeys((*earlier.evidence, *entry.evidence)))
        flags = tuple(sorted({*earlier.flags, *entry.flags}))
        group = ChangeGroup.LEARNED if not removed else ChangeGroup.CORRECTED if added else ChangeGroup.REMOVED
        joined.remove(earlier)
        if added or removed:
            joined.append(ChangeEntry(group, entry.files, added, removed, entry.reason, evidence, flags))
    return joined


def _join_alike(entries: Iterable[ChangeEntry]) -> Iterator[ChangeEntry]:
    """Yield one entry for all files that were tidied for the same reason; the index is described as a whole."""
    found: dict[str, list[ChangeEntry]] = {}
    for entry in entries:
        if entry.files[0].name != INDEX_NAME:
            found.setdefault(entry.reason, []).append(entry)
    for alike in found.values():
        files = tuple(dict.fromkeys(path for entry in alike for path in entry.files))
        yield replace(alike[0], files=files)


def count_changes(entries: Iterable[ChangeEntry]) -> str:
    """Return the number of entries by group: `7 learned, 5 corrected, 2 removed, 3 tidied`."""
    groups = [entry.group for entry in entries]
    return ", ".join(f"{groups.count(group):,} {group}" for group in ChangeGroup if group in groups)


def explain_removed(plan: ScopePlan) -> dict[str, str]:
    """Return the reason of the operation that really removed a line, by the text of the line."""
    texts: dict[PurePosixPath, str | None] = dict(plan.before)
    reasons: dict[str, str] = {}
    for operation in plan.operations:
        had, has = (
            {line.strip() for text in side for line in (text or "").split("\n")}
            for side in ((texts.get(path) for path in operation.texts), operation.texts.values())
        )
        quotes = [one.quote for one in operation.evidence if one.kind is EvidenceKind.FINDING]
        for line in had - has:
            proof = _find_proof(line, quotes)
            reasons[line] = operation.reason if proof in operation.reason else f"{operation.reason}: {proof}"
        texts.update(operation.texts)
    return reasons


def _find_proof(line: str, quotes: Sequence[str]) -> str:
    """Return the finding that begins with a name of the line, or the only one; "" if it is not clear which it is."""
    named = (quote for quote in quotes if quote.split(" ", 1)[0].strip("`\"'") in line)
    return next(named, quotes[0] if len(quotes) == 1 else "")


_POINTER = LazyPattern(r"\[[^\]\n]{0,400}\]\(([^()\s]{1,400})\)")
_Texts = Mapping[PurePosixPath, str]


def _is_pointer(statement: str) -> bool:
    """Tell whether a statement of an index begins with a link to a file."""
    return bool(_POINTER.match(statement))


def _describe_index(
    index: PurePosixPath, before: _Texts, after: _Texts, shown: set[PurePosixPath]
) -> Iterator[ChangeEntry]:
    """Yield what happens to pointers; those whose topic is new, changes or leaves are only counted."""
    old, new = (_read_pointers(index, texts.get(index, "")) for texts in (before, after))
    changed = [path for path in dict.fromkeys((*old, *new)) if old.get(path) != new.get(path)]
    following = {path for path in changed if before.get(path) != after.get(path)}
    led = _match_led(old, new)
    kinds: dict[str, list[PurePosixPath]] = {"pointer led to this topic": list(led.values())} if led else {}
    for path in changed:
        if path not in following and path not in led and path not in led.values():
            kinds.setdefault(_name_kind(path, old, new, after), []).append(path)
    yield from (ChangeEntry(ChangeGroup.TIDIED, tuple(paths), reason=what) for what, paths in kinds.items())
    # Those of topics that are told already need no line of their own.
    following -= shown
    if following:
        topics = "its topic" if len(following) == 1 else "their topics"
        what = f"{amount(len(following), 'pointer')} changed with {topics}"
        rows = (row for path, rows in new.items() if path in following for row in rows)
        pointers = tuple(_POINTER.sub(lambda link: link[0].partition("](")[0][1:], row, count=1) for row in rows)
        yield ChangeEntry(ChangeGroup.TIDIED, (index,), reason=what, pointers=pointers)


def _drop_target(row: str) -> str:
    return _POINTER.sub(lambda match: match[0].removesuffix(f"({match[1]})"), row, 1)


def _match_led(
    old: Mapping[PurePosixPath, list[str]], new: Mapping[PurePosixPath, list[str]]
) -> dict[PurePosixPath, PurePosixPath]:
    """Return where pointers lead now that differ from old ones in nothing but their target."""
    come = {_drop_target(row): path for path, rows in new.items() if path not in old for row in rows}
    gone = {path: _drop_target(row) for path, rows in old.items() if path not in new for row in rows}
    return {path: come[row] for path, row in gone.items() if row in come}


def _read_pointers(index: PurePosixPath, text: str) -> dict[PurePosixPath, list[str]]:
    found: dict[PurePosixPath, list[str]] = {}
    for line in split_lines(text):
        if match := _POINTER.search(line):
            found.setdefault(index.parent / match[1], []).append(line.strip())
    return found


def _name_kind(
    path: PurePosixPath, old: Mapping[PurePosixPath, list[str]], new: Mapping[PurePosixPath, list[str]], after: _Texts
) -> str:
    if path not in old:
        return "missing pointer added"
    if path not in new:
        return "pointer taken out of the index" if path in after else "dead pointer removed"
    return "pointer reworded" if len(old[path]) == len(new[path]) else "double pointer removed"
