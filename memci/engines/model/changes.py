"""The changes of one reply: judged, proposed, corrected, and in the end made or asked about."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memci.engines.model.desk import Desk
from memci.engines.model.draft_change import DraftChange, name_anew, split_hunk
from memci.engines.model.drafts import LABELS, Group, Hunk, NewStatement, read_indexes, read_topics
from memci.engines.model.follow_topics import TopicFollower, make
from memci.engines.model.judge_statements import StatementJudge
from memci.engines.model.plan_changes import plan_creation, plan_hunk, refresh
from memci.engines.model.pointers import group_pointers
from memci.engines.model.questions import ask_about_change
from memci.engines.model.repairs import correct, find_blamed, list_refused, show
from memci.engines.protocol import OpenDraft
from memci.guards.rules.supported import CORRECTS_NOTHING
from memci.guards.same_subject import is_same_subject
from memci.memory.units import BodyUnit
from memci.model.plan import NeedsPerson, Operation, OperationKind, Refusal

# One part is the change itself.
_MIN_PARTS = 2
# The guards that object when a line leaves.
_LOSING = frozenset(("retire-proof", "index"))


def _plain_label(label: str) -> str:
    return label.strip("*: ").lower()


class DraftChanges:
    """What a reply changes, as far as the guards agree."""

    def __init__(self, desk: Desk, judge: StatementJudge, tally: Counter[str]) -> None:
        self._desk = desk
        self._judge = judge
        # How many statements were proposed, refused at first, and left to people.
        self._tally = tally
        self._changes: list[DraftChange] = []
        self._groups: list[tuple[OpenDraft, list[Group]]] = []
        self._dropped: Counter[str] = Counter()
        self._follower = TopicFollower(desk, judge)

    @property
    def waiting(self) -> list[DraftChange]:
        """The changes that are not in the draft yet."""
        return [change for change in self._changes if not change.done]

    @property
    def refused(self) -> bool:
        """Whether there is something to correct."""
        return bool(self.waiting or self._follower.refused)

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
            self._changes += (DraftChange(told, hunk) for hunk in told.hunks)
            if told.topic is not None:
                self._follower.add(told, told.topic.path)
        # What leaves an index has to be in a topic first.
        for draft, hunks, groups in read_indexes(reply, self._desk):
            self._changes += (DraftChange(None, hunk) for hunk in hunks)
            self._groups.append((draft, groups))
        self._propose()
        self._tally["statements"] += sum(max(1, len(change.hunk.new)) for change in self._changes)
        self._tally["refused at first"] += len(list_refused(self.waiting))

    def _propose(self) -> None:
        """Judge the statements of what is waiting, and propose the changes without a problem."""
        waiting = self.waiting
        problems = self._judge.judge([change.hunk for change in waiting])
        for change in waiting:
            change.refused = [(entry, problems[id(entry)]) for entry in change.hunk.new if id(entry) in problems]
        self._try_all([change for change in waiting if not change.refused])
        self._confirm_ends()
        unsure = [(change.told, why) for change in self.waiting for _, why in change.refused if change.told]
        self._follower.confirm(unsure)
        self._try_all([change for change in self.waiting if any(why.soft for _, why in change.refused)])
        self._follower.follow({id(change.told) for change in self.waiting})

    def _confirm_ends(self) -> None:
        """Let a reader tell what code cannot prove: that lines are ended by what was said all the same.

        A line that a statement of another change restates waits for that change: if it fails, the line is all there is.
        """
        asked: list[DraftChange] = []
        while unproved := [change for change in self._list_unproved() if change not in asked]:
            ready = [change for change in unproved if not self._is_restated_later(change)] or unproved
            asked += ready
            self._judge.confirm_ends([change.hunk for change in ready], self._list_restating())
            self._try_all([change for change in ready if change.hunk.ended])

    def _list_unproved(self) -> list[DraftChange]:
        return [
            change
            for change in self.waiting
            if any(why.guard in _LOSING or why.why.endswith(CORRECTS_NOTHING) for _, why in change.refused)
        ]

    def _is_restated_later(self, change: DraftChange) -> bool:
        """Tell whether a change that is not made yet has a statement that cites a line of this one."""
        gone = {id(unit) for unit in change.hunk.removed}
        names = (
            name for other in self.waiting if other is not change for entry in other.hunk.new for name, _ in entry.cited
        )
        return any(name in self._desk.lines and id(self._desk.lines[name].unit) in gone for name in names)

    def _list_restating(self) -> dict[str, list[str]]:
        """Return the statements that are in the drafts by the lines that they cite."""
        restating: dict[str, list[str]] = {}
        for entry in (entry for change in self._changes if change.done for entry in change.hunk.new):
            for name, _ in entry.cited:
                restating.setdefault(name, []).append(entry.text)
        return restating

    def _try_all(self, ready: Sequence[DraftChange]) -> None:
        # A change may need another one that comes later: what leaves here arrives there.
        while made := [change for change in ready if self._try(change)]:
            ready = [change for change in ready if change not in made]
        for change, other in itertools.permutations(ready, 2):
            if not (change.done or other.done) and self._takes_over(change, other):
                self._try_both(change, other)

    def _try(self, change: DraftChange) -> bool:
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

    def _takes_over(self, change: DraftChange, other: DraftChange) -> bool:
        """Tell whether a new statement cites a line that another change takes out of another topic."""
        gone = {id(unit) for unit in other.hunk.removed}
        lines = (self._desk.lines.get(name) for entry in change.hunk.new for name, _ in entry.cited)
        near = change.hunk.draft is other.hunk.draft and change.hunk.path != other.hunk.path
        return near and any(line and id(line.unit) in gone for line in lines)

    def _try_both(self, change: DraftChange, other: DraftChange) -> None:
        """Propose two changes that are refused alone as one: what leaves here arrives there."""
        if change.is_new or other.is_new:
            return
        one, two = (plan_hunk(each.hunk, self._desk) for each in (change, other))
        if not one.texts.keys().isdisjoint(two.texts):
            return
        evidence = tuple(dict.fromkeys((*one.evidence, *two.evidence)))
        texts, flags = {**one.texts, **two.texts}, (*one.flags, *two.flags)
        operation = Operation(OperationKind.MERGE, one.file, texts, one.reason, evidence, flags)
        if not make(change.hunk.draft, operation, self._desk):
            self._settle(change, operation)
            self._settle(other, operation)

    def _settle(self, change: DraftChange, operation: Operation) -> None:
        """Record that a change is in the draft."""
        change.operation, change.done, change.refused = operation, True, []
        for entry in change.hunk.new:
            for name, _ in entry.cited:
                self._desk.restated.setdefault(name, []).append((operation.file, entry))
        if change.told:
            self._follower.add(change.told, operation.file if change.is_new else change.hunk.path, operation)

    def show_refused(self) -> list[dict[str, object]]:
        """Return what is refused, with the words and what would pass."""
        shown = [(show(entry, change, self._desk), problem) for change, entry, problem in list_refused(self.waiting)]
        shown += self._follower.show_refused()
        return [
            {"refused": f"r{number}", **told, "guard": problem.guard, "why": problem.why}
            for number, (told, problem) in enumerate(shown, 1)
        ]

    def repair(self, reply: Mapping[str, Any]) -> None:
        """Put corrected statements in their place, and propose again."""
        listed = list_refused(self.waiting)
        for told in reply["repairs"]:
            number = told["refused"].removeprefix("r")
            place = int(number) - 1 if number.isdigit() else -1
            if 0 <= place < len(listed):
                change, entry, _ = listed[place]
                correct(change, entry, told)
            elif len(listed) <= place < len(listed) + len(self._follower.refused):
                self._follower.correct(place - len(listed), told)
        self._changes = [each for each in self._changes if each.done or each.hunk.entries or each.hunk.removed]
        self._propose()

    def finish(self) -> None:
        """Save what can be saved of refused changes, ask about the rest, and let pointers follow their topics."""
        self._follower.finish(self._give_up_waiting())
        names = {name: topic.path for name, (_, topic) in self._desk.topics.items()} | self._follower.new
        for draft, groups in self._groups:
            if operation := group_pointers(draft, groups, self._desk, names):
                make(draft, operation, self._desk)
        for why, count in self._dropped.items():
            self._desk.request.drafts[0].propose(NeedsPerson(f"{count} of the model's drafts were dropped: {why}"))

    def _give_up_waiting(self) -> set[int]:
        """Save what can be saved of refused changes and ask about the rest; return the topics of that."""
        given_up: set[int] = set()
        for change in self.waiting:
            while change.field and change.told and name_anew(change.told, change.field) and not self._try(change):
                continue
        for change in self.waiting:
            refused = list(change.refused)
            if not self._save_rest(change):
                given_up.add(id(change.told))
                self._tally["left to people"] += max(1, len(refused))
                self._give_up(change, refused)
        return given_up

    def _save_rest(self, change: DraftChange) -> bool:
        """Propose a change without its reasons that were refused; what these would have replaced stays."""
        refused = [entry for entry, _ in change.refused if entry is not None]
        if change.is_new and not refused:
            return False
        hunk, problem = change.hunk, change.refused[0][1]
        whole = (hunk.entries, hunk.removed)
        left, back = list(refused), list[BodyUnit]()
        while not any(entry.part == "statement" for entry in left):
            hunk.entries = [entry for entry in whole[0] if entry not in left]
            hunk.removed = [unit for unit in whole[1] if unit not in back]
            # What replaces nothing here may belong elsewhere.
            replaces = bool(hunk.removed) or not back
            if (left or back) and hunk.entries and replaces and self._try(change):
                self._tally["left to people"] += max(1, len(left))
                ask_about_change(replace(hunk, removed=back), left, problem, self._desk)
                return True
            refusal = change.refused[0][1]
            stays = [unit for unit in hunk.removed if self._may_stay(unit, hunk, refusal)]
            # An old reason that stays leaves no room for the new one.
            labels = {_plain_label(unit.label) for unit in stays}
            more = [entry for entry in find_blamed(refusal, hunk.new) if entry.part != "statement"]
            more += [entry for entry in hunk.new if _plain_label(LABELS[entry.part]) in labels]
            if not (more or stays) or ((left or back) and not hunk.entries):
                break
            left, back = [*dict.fromkeys((*left, *more))], [*back, *stays]
        hunk.entries, hunk.removed = whole
        return False

    def _may_stay(self, unit: BodyUnit, hunk: Hunk, refusal: Refusal) -> bool:
        """Tell whether an old reason that nothing proves wrong may stay below the new rule."""
        lines = {name for name, line in self._desk.lines.items() if line.unit is unit}
        new = [entry for entry in hunk.new if entry.part == "statement"]
        restated = any(name in lines for entry in new for name, _ in entry.cited)
        near = restated or any(is_same_subject(entry.text, unit.words) for entry in new)
        blamed = bool(refusal.text) and refusal.text in unit.text
        return refusal.guard == "retire-proof" and bool(unit.label) and blamed and not near

    def _split(self, change: DraftChange) -> bool:
        """Propose the parts of a change one by one, if it was refused as a whole; tell whether any was made."""
        parts = (
            [] if change.is_new else [DraftChange(change.told, part) for part in split_hunk(change.hunk, self._desk)]
        )
        if len(parts) < _MIN_PARTS:
            return False
        made = [part for part in parts if self._try(part)]
        if made:
            # What is left of it is corrected or asked about on its own.
            self._changes += parts
            change.done, change.operation = True, None
        return bool(made)

    def _give_up(self, change: DraftChange, refused: Sequence[tuple[NewStatement | None, Refusal]]) -> None:
        problem = refused[0][1] if refused else Refusal("proposal", "it could not be made")
        entries = [entry for entry, _ in refused if entry is not None] or change.hunk.new
        ask_about_change(change.hunk, entries, problem, self._desk)
        if change.operation:
            change.hunk.draft.refuse(change.operation, problem)
