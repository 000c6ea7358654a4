"""The changes of one reply: judged, proposed, corrected, and in the end made or asked about."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from memci.engines.model.desk import Desk
from memci.engines.model.drafts import (
    Group,
    Hunk,
    Moved,
    NewStatement,
    TopicDraft,
    read_indexes,
    read_topics,
    tidy_text,
)
from memci.engines.model.judge_statements import Lead, StatementJudge
from memci.engines.model.phases import REPLACED
from memci.engines.model.plan_changes import plan_creation, plan_hunk, refresh
from memci.engines.model.pointers import describe_anew, group_pointers, point_anew
from memci.engines.model.questions import ask_about_change
from memci.engines.protocol import OpenDraft
from memci.memory.compose import describe, make_name, tidy
from memci.memory.units import BodyUnit
from memci.model.plan import Evidence, EvidenceKind, Flag, FlagKind, NeedsPerson, Operation, OperationKind, Refusal
from memci.prose.similar import normalise

# Tables, code and headings describe nothing.
_NO_WORDS = ("|", "```", "~~~", "#")
# The guards that object when a line leaves.
_LOSING = frozenset(("retire-proof", "index"))
# One part is the change itself.
_MIN_PARTS = 2


@dataclass(slots=True, eq=False)
class _DraftChange:
    """A hunk of a topic or of an index, or a new topic."""

    told: TopicDraft | None
    hunk: Hunk
    # Why it is not in the draft, by statement; None stands for the change as a whole.
    refused: list[tuple[NewStatement | None, Refusal]] = field(default_factory=list)
    operation: Operation | None = None
    done: bool = False

    @property
    def is_new(self) -> bool:
        """Whether it makes a topic."""
        return self.told is not None and self.told.topic is None

    @property
    def field(self) -> str:
        """The field of a new topic that is refused, such as its name; "" if something else is."""
        return next((why.field for entry, why in self.refused if entry is None), "") if self.is_new else ""


class DraftChanges:
    """What a reply changes, as far as the guards agree."""

    def __init__(self, desk: Desk, judge: StatementJudge, tally: Counter[str]) -> None:
        self._desk = desk
        self._judge = judge
        # How many statements were proposed, refused at first, and left to people.
        self._tally = tally
        self._changes: list[_DraftChange] = []
        self._groups: list[tuple[OpenDraft, list[Group]]] = []
        # Descriptions and pointers that were refused: what the topic is, and which field of it.
        self._leads: list[tuple[TopicDraft, Refusal]] = []
        self._dropped: Counter[str] = Counter()
        # Each draft of a topic with its file, and the evidence of what changed in it.
        self._topics: dict[int, tuple[TopicDraft, PurePosixPath, tuple[Evidence, ...]]] = {}

    @property
    def waiting(self) -> list[_DraftChange]:
        """The changes that are not in the draft yet."""
        return [change for change in self._changes if not change.done]

    @property
    def refused(self) -> bool:
        """Whether there is something to correct."""
        return bool(self.waiting or self._leads)

    @property
    def cited(self) -> frozenset[str]:
        """The sources of everything that is in the draft."""
        made = (change.operation for change in self._changes if change.done and change.operation)
        return frozenset(proof.source for operation in made for proof in operation.evidence)

    def read(self, reply: Mapping[str, Any]) -> None:
        """Read the drafts of a reply, and propose what passes."""
        for told in read_topics(reply, self._desk):
            if isinstance(told, str):
                self._dropped[told] += 1
                continue
            self._changes += (_DraftChange(told, hunk) for hunk in told.hunks)
            if told.topic is not None:
                self._topics[id(told)] = (told, told.topic.path, ())
        # What leaves an index has to be in a topic first.
        for draft, hunks, groups in read_indexes(reply, self._desk):
            self._changes += (_DraftChange(None, hunk) for hunk in hunks)
            self._groups.append((draft, groups))
        self._propose()
        self._tally["statements"] += sum(max(1, len(change.hunk.new)) for change in self._changes)
        self._tally["refused at first"] += len(self._list_refused())

    def _propose(self) -> None:
        """Judge the statements of what is waiting, and propose the changes without a problem."""
        waiting = self.waiting
        problems = self._judge.judge([change.hunk for change in waiting])
        for change in waiting:
            change.refused = [(entry, problems[id(entry)]) for entry in change.hunk.new if id(entry) in problems]
        self._try_all([change for change in waiting if not change.refused])
        # What code cannot prove wrong may be ended by what was said all the same.
        unproved = [change for change in self.waiting if any(why.guard in _LOSING for _, why in change.refused)]
        self._judge.confirm_ends([change.hunk for change in unproved], self._list_restating())
        self._try_all([change for change in unproved if change.hunk.ended])
        unsure = [(change.told, why) for change in self.waiting for _, why in change.refused if change.told]
        self._confirm(unsure)
        self._try_all([change for change in self.waiting if any(why.soft for _, why in change.refused)])
        self._follow_all()

    def _follow_all(self) -> None:
        """Let descriptions and pointers follow their topics; they wait for the statements."""
        unsure = {id(change.told) for change in self.waiting}
        for asks in (True, False):
            followed = [self._follow(*each) for each in list(self._topics.values()) if id(each[0]) not in unsure]
            self._leads = [lead for leads in followed for lead in leads]
            if not asks or not self._confirm(self._leads):
                return

    def _confirm(self, refused: Sequence[tuple[TopicDraft, Refusal]]) -> bool:
        """Ask a reader about descriptions and hooks in words that code cannot compare; tell whether one passes."""
        asked = {
            Lead(why.text, tuple(self._list_lines(told))): told
            for told, why in refused
            if why.soft and why.field in {"description", "hook"}
        }
        confirmed = self._judge.confirm_leads(list(asked))
        for lead in confirmed:
            asked[lead].flags.append(Flag(lead.text, FlagKind.REWORDED))
        return bool(confirmed)

    def _list_lines(self, told: TopicDraft) -> list[str]:
        """Return what a topic says: the lines of its file, or the statements of one that is not written yet."""
        _, path, _ = self._topics.get(id(told), (None, None, ()))
        if path in self._desk.files:
            return [unit.text for unit in self._desk.files[path][0]]
        entries = told.hunks[0].entries
        return [entry.text if isinstance(entry, NewStatement) else entry.unit.text for entry in entries]

    def _list_restating(self) -> dict[str, list[str]]:
        """Return the new statements by the lines that they cite."""
        restating: dict[str, list[str]] = {}
        for entry in (entry for change in self._changes for entry in change.hunk.new):
            for name, _ in entry.cited:
                restating.setdefault(name, []).append(entry.text)
        return restating

    def _try_all(self, ready: Sequence[_DraftChange]) -> None:
        # A change may need another one that comes later: what leaves here arrives there.
        while made := [change for change in ready if self._try(change)]:
            ready = [change for change in ready if change not in made]
        for change, other in itertools.permutations(ready, 2):
            if not (change.done or other.done) and self._takes_over(change, other):
                self._try_both(change, other)

    def _try(self, change: _DraftChange) -> bool:
        operation = plan_creation(change.told, self._desk) if change.told and change.is_new else None
        operation = operation or plan_hunk(change.hunk, self._desk)
        if isinstance(operation, str):
            change.refused = [(None, Refusal("proposal", operation))]
            return False
        change.operation = operation
        refusal = change.hunk.draft.propose(operation)
        if refusal:
            change.refused = [(None, refusal)]
            return not change.field and self._split(change)
        refresh(self._desk, change.hunk.draft, operation.texts)
        self._settle(change, operation)
        return True

    def _takes_over(self, change: _DraftChange, other: _DraftChange) -> bool:
        """Tell whether a new statement cites a line that another change takes out of another topic."""
        gone = {id(unit) for unit in other.hunk.removed}
        lines = (self._desk.lines.get(name) for entry in change.hunk.new for name, _ in entry.cited)
        near = change.hunk.draft is other.hunk.draft and change.hunk.path != other.hunk.path
        return near and any(line and id(line.unit) in gone for line in lines)

    def _try_both(self, change: _DraftChange, other: _DraftChange) -> None:
        """Propose two changes that are refused alone as one: what leaves here arrives there."""
        if change.is_new or other.is_new:
            return
        one, two = (plan_hunk(each.hunk, self._desk) for each in (change, other))
        if not one.texts.keys().isdisjoint(two.texts):
            return
        evidence = tuple(dict.fromkeys((*one.evidence, *two.evidence)))
        texts, flags = {**one.texts, **two.texts}, (*one.flags, *two.flags)
        operation = Operation(OperationKind.MERGE, one.file, texts, one.reason, evidence, flags)
        if not self._make(change.hunk.draft, operation):
            self._settle(change, operation)
            self._settle(other, operation)

    def _settle(self, change: _DraftChange, operation: Operation) -> None:
        """Record that a change is in the draft."""
        change.operation, change.done, change.refused = operation, True, []
        for entry in change.hunk.new:
            for name, _ in entry.cited:
                self._desk.restated.setdefault(name, []).append((operation.file, entry))
        if change.told:
            _, _, known = self._topics.get(id(change.told), (None, None, ()))
            cited = tuple(proof for proof in operation.evidence if proof.kind is not EvidenceKind.MEMORY)
            path = operation.file if change.is_new else change.hunk.path
            self._topics[id(change.told)] = (change.told, path, (*known, *cited))

    def _list_refused(self) -> list[tuple[_DraftChange, NewStatement | None, Refusal]]:
        """Return what can be corrected: statements; for a change that is refused as a whole, each of its statements."""
        listed: list[tuple[_DraftChange, NewStatement | None, Refusal]] = []
        for change in self.waiting:
            for entry, problem in change.refused:
                entries: Sequence[NewStatement | None] = (
                    [entry] if entry else _blame(problem, change.hunk.new) or [None]
                )
                listed += ((change, each, problem) for each in entries)
        return listed

    def show_refused(self) -> list[dict[str, object]]:
        """Return what is refused, with the words and what would pass."""
        shown = [(_show(entry, change, self._desk), problem) for change, entry, problem in self._list_refused()]
        shown += [
            (
                {
                    "topic": told.name or _name_file(told),
                    "part": why.field,
                    "text": getattr(told, why.field),
                    "evidence": [],
                },
                why,
            )
            for told, why in self._leads
        ]
        return [
            {"refused": f"r{number}", **told, "guard": problem.guard, "why": problem.why}
            for number, (told, problem) in enumerate(shown, 1)
        ]

    def repair(self, reply: Mapping[str, Any]) -> None:
        """Put corrected statements in their place, and propose again."""
        listed = self._list_refused()
        for told in reply["repairs"]:
            number = told["refused"].removeprefix("r")
            place = int(number) - 1 if number.isdigit() else -1
            if 0 <= place < len(listed):
                change, entry, _ = listed[place]
                _correct(change, entry, told)
            elif len(listed) <= place < len(listed) + len(self._leads):
                lead, why = self._leads[place - len(listed)]
                setattr(lead, why.field, "" if told["withdraw"] else tidy_text(told["text"]))
        self._changes = [each for each in self._changes if each.done or each.hunk.entries or each.hunk.removed]
        self._propose()

    def finish(self) -> None:
        """Save what can be saved of refused changes, ask about the rest, and let pointers follow their topics."""
        given_up = self._give_up_waiting()
        for told, path, evidence in list(self._topics.values()):
            own = self._describe_changed(told, path) if evidence else ""
            if id(told) in given_up:
                # What the model says of the topic may be what was refused.
                told.hook = told.description = own
            for _, refusal in self._follow(told, path, evidence):
                setattr(told, refusal.field, own if refusal.field in {"description", "hook"} else "")
                # Without a title of its own the pointer has words of the topic.
                told.title = "" if refusal.field != "description" else told.title
            self._follow(told, path, evidence)
        names = {name: topic.path for name, (_, topic) in self._desk.topics.items()}
        names |= {told.name: path for told, path, _ in self._topics.values() if told.topic is None}
        for draft, groups in self._groups:
            if operation := group_pointers(draft, groups, self._desk, names):
                self._make(draft, operation)
        for why, count in self._dropped.items():
            self._desk.request.drafts[0].propose(NeedsPerson(f"{count} of the model's drafts were dropped: {why}"))

    def _give_up_waiting(self) -> set[int]:
        """Save what can be saved of refused changes and ask about the rest; return the topics of that."""
        given_up: set[int] = set()
        for change in self.waiting:
            while change.field and change.told and _name_anew(change.told, change.field) and not self._try(change):
                continue
        for change in self.waiting:
            refused = list(change.refused)
            if not self._save_rest(change):
                given_up.add(id(change.told))
                self._tally["left to people"] += max(1, len(refused))
                self._give_up(change, refused)
        return given_up

    def _follow(
        self, told: TopicDraft, path: PurePosixPath, evidence: tuple[Evidence, ...]
    ) -> list[tuple[TopicDraft, Refusal]]:
        """Let the description and the pointer follow a topic; return which field of it is refused, and why."""
        refused: list[tuple[TopicDraft, Refusal]] = []
        # The description first: the pointer of a new topic may show it.
        if evidence and (operation := describe_anew(told, path, evidence)):
            refused += ((told, why._replace(field="description")) for why in self._make(told.draft, operation))
        if operation := point_anew(told, path, self._desk):
            refused += ((told, why._replace(field=why.field or "hook")) for why in self._make(told.draft, operation))
        return refused

    def _make(self, draft: OpenDraft, operation: Operation) -> list[Refusal]:
        """Propose an operation, and read what it changed again; return why it is refused."""
        if refusal := draft.propose(operation):
            return [refusal]
        refresh(self._desk, draft, operation.texts)
        return []

    def _describe_changed(self, told: TopicDraft, path: PurePosixPath) -> str:
        """Return the main statement of a topic if it is new: then what pointed to the old one cannot stay."""
        units, _ = self._desk.files.get(path, ([], ""))
        lead = next((unit.words for unit in units if not unit.text.startswith(_NO_WORDS)), "")
        return "" if told.topic and lead in " ".join(told.topic.text.split()) else describe(lead)

    def _save_rest(self, change: _DraftChange) -> bool:
        """Propose a change without the reasons that were refused; the statements themselves must stand."""
        refused = [entry for entry, _ in change.refused if entry is not None]
        if not refused or any(entry.part == "statement" for entry in refused):
            return False
        whole = change.hunk.entries
        change.hunk.entries = [entry for entry in whole if entry not in refused]
        if (change.hunk.entries or change.hunk.removed) and self._try(change):
            self._tally["left to people"] += len(refused)
            ask_about_change(change.hunk, refused, Refusal("supported", "its evidence does not give it"), self._desk)
            return True
        change.hunk.entries = whole
        return False

    def _split(self, change: _DraftChange) -> bool:
        """Propose the parts of a change one by one, if it was refused as a whole; tell whether any was made."""
        parts = (
            [] if change.is_new else [_DraftChange(change.told, part) for part in _split_hunk(change.hunk, self._desk)]
        )
        if len(parts) < _MIN_PARTS:
            return False
        made = [part for part in parts if self._try(part)]
        if made:
            # What is left of it is corrected or asked about on its own.
            self._changes += parts
            change.done, change.operation = True, None
        return bool(made)

    def _give_up(self, change: _DraftChange, refused: Sequence[tuple[NewStatement | None, Refusal]]) -> None:
        problem = refused[0][1] if refused else Refusal("proposal", "it could not be made")
        entries = [entry for entry, _ in refused if entry is not None] or change.hunk.new
        ask_about_change(change.hunk, entries, problem, self._desk)
        if change.operation:
            change.hunk.draft.refuse(change.operation, problem)


def _blame(problem: Refusal, entries: Sequence[NewStatement]) -> Sequence[NewStatement]:
    """Return the statements that a guard refuses; all of them if it refuses something else."""
    words = normalise(problem.text)
    return [entry for entry in entries if words and words in normalise(entry.text)] or entries


def _name_file(told: TopicDraft) -> str:
    return told.topic.path.name if told.topic else ""


def _name_anew(told: TopicDraft, field_name: str) -> bool:
    """Derive the name or the description of a topic from its statement if the model finds none that passes."""
    entries = told.hunks[0].entries
    texts = [entry.text if isinstance(entry, NewStatement) else entry.unit.words for entry in entries]
    lead = next((text for text in texts if text and not text.startswith(_NO_WORDS)), "")
    derived = describe(tidy(lead)) if field_name == "description" else make_name(lead).replace("-", " ")
    if not lead or getattr(told, field_name) == derived:
        return False
    setattr(told, field_name, derived)
    return True


def _split_hunk(hunk: Hunk, desk: Desk) -> list[Hunk]:
    """Return the parts of a hunk: entries with their reasons and the lines they replace, then lines that only go.

    Statements that cite the same line replace it together: if one of them fails, the line stays, and the others would
    repeat it.
    """
    free = list(hunk.removed)
    groups: list[tuple[list[NewStatement | Moved], list[BodyUnit]]] = []
    for entry in hunk.entries:
        explains = isinstance(entry, NewStatement) and entry.part != "statement"
        cited = [unit for unit in _list_restated(entry, desk) if unit in hunk.removed]
        home = next((group for group in groups if any(unit in group[1] for unit in cited)), None)
        home = home or (groups[-1] if explains and groups else None)
        if home is None:
            home = ([], [])
            groups.append(home)
        home[0].append(entry)
        old = [unit for unit in cited if unit in free]
        old += () if cited else [unit for unit in free if bool(unit.label) == explains][:1]
        home[1].extend(old)
        free = [unit for unit in free if unit not in old]
    parts = [Hunk(hunk.draft, hunk.path, hunk.above, old, group, hunk.retired) for group, old in groups]
    parts += (Hunk(hunk.draft, hunk.path, hunk.above, [unit], [], hunk.retired) for unit in free)
    return parts


def _list_restated(entry: NewStatement | Moved, desk: Desk) -> list[BodyUnit]:
    """Return the lines that a new statement cites."""
    if isinstance(entry, Moved):
        return []
    return [line.unit for name, _ in entry.cited if (line := desk.lines.get(name))]


def _correct(change: _DraftChange, entry: NewStatement | None, told: Mapping[str, Any]) -> None:
    """Change a hunk as a repair says."""
    hunk = change.hunk
    cited = [(proof["id"], proof["quote"]) for proof in told["evidence"]]
    text = tidy_text(told["text"])
    if change.told and told["description"].strip():
        change.told.description = " ".join(told["description"].split())
    if told["withdraw"]:
        hunk.entries = [other for other in hunk.entries if other is not entry]
        if not hunk.new:
            # What only the new statement would have replaced stays; other reasons hold without it.
            hunk.entries, hunk.removed = [], [] if REPLACED in hunk.reasons or not hunk.reasons else hunk.removed
    elif change.field and text:
        setattr(change.told, change.field, text)
    elif entry is None:
        _cite_for_removed(hunk, cited)
    elif text:
        entry.text, entry.cited = text, cited or entry.cited
        # What is cited for the new words may also be what ends the old ones.
        _cite_for_removed(hunk, cited)


def _cite_for_removed(hunk: Hunk, cited: Sequence[tuple[str, str]]) -> None:
    for unit in hunk.removed:
        reason, known = hunk.retired.get(id(unit), (REPLACED, []))
        hunk.retired[id(unit)] = (reason, list(dict.fromkeys((*known, *cited))))


def _show(entry: NewStatement | None, change: _DraftChange, desk: Desk) -> dict[str, object]:
    hunk = change.hunk
    names = {id(line.unit): name for name, line in desk.lines.items()}
    cited = entry.cited if entry else hunk.cited
    lines = [names[id(unit)] for unit in hunk.removed if id(unit) in names]
    new = change.told if change.told and change.is_new else None
    return {
        "topic": new.name if new else hunk.path.name,
        **({"description": new.description} if new else {}),
        **({"part": entry.part, "text": entry.text} if entry else {}),
        **({"part": change.field, "text": getattr(change.told, change.field)} if change.field else {}),
        "evidence": [{"id": name, "quote": quote} for name, quote in cited],
        **({"retires": lines} if lines else {}),
    }
