"""Lets the description and the pointer of a topic follow it, once its statements are in the draft."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from memci.engines.model.desk import Desk
from memci.engines.model.draft_change import NO_WORDS, drop_source
from memci.engines.model.drafts import NewStatement, TopicDraft, tidy_text
from memci.engines.model.judge_statements import Lead, StatementJudge
from memci.engines.model.plan_changes import refresh
from memci.engines.model.pointers import describe_anew, point_anew
from memci.engines.protocol import OpenDraft
from memci.memory.compose import describe
from memci.model.plan import Evidence, EvidenceKind, Flag, FlagKind, Operation, Refusal


class TopicFollower:
    """The topics of a reply, and which of their descriptions and pointers is refused."""

    def __init__(self, desk: Desk, judge: StatementJudge) -> None:
        self._desk = desk
        self._judge = judge
        # Each draft of a topic with its file, and the evidence of what changed in it.
        self._topics: dict[int, tuple[TopicDraft, PurePosixPath, tuple[Evidence, ...]]] = {}
        # What the topic is, and which field of it is refused.
        self._refused: list[tuple[TopicDraft, Refusal]] = []

    @property
    def refused(self) -> Sequence[tuple[TopicDraft, Refusal]]:
        """What can be corrected."""
        return self._refused

    @property
    def new(self) -> dict[str, PurePosixPath]:
        """The files of new topics by name."""
        return {told.name: path for told, path, _ in self._topics.values() if told.topic is None}

    def add(self, told: TopicDraft, path: PurePosixPath, operation: Operation | None = None) -> None:
        """Add a topic, or what changed in it."""
        _, _, known = self._topics.get(id(told), (None, None, ()))
        cited = operation.evidence if operation else ()
        new = tuple(proof for proof in cited if proof.kind is not EvidenceKind.MEMORY)
        self._topics[id(told)] = (told, path, (*known, *new))

    def show_refused(self) -> list[tuple[dict[str, object], Refusal]]:
        """Return the fields that are refused, as a model is shown them."""
        return [
            (
                {
                    "topic": told.name or (told.topic.path.name if told.topic else ""),
                    "part": why.field,
                    "text": getattr(told, why.field),
                    "evidence": [],
                },
                why,
            )
            for told, why in self._refused
        ]

    def correct(self, place: int, repaired: Mapping[str, Any]) -> None:
        """Change a refused field as a repair says."""
        told, why = self._refused[place]
        setattr(told, why.field, "" if repaired["withdraw"] else tidy_text(repaired["text"]))

    def finish(self, given_up: Collection[int]) -> None:
        """Let all topics be followed; where nothing that passes was found, by words of the topic."""
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

    def follow(self, unsure: Collection[int]) -> None:
        """Let descriptions and pointers follow their topics, but for those whose statements are not sure."""
        for asks in (True, False):
            followed = [self._follow(*each) for each in list(self._topics.values()) if id(each[0]) not in unsure]
            self._refused = [lead for leads in followed for lead in leads]
            if not asks or not self.confirm(self._refused):
                return

    def confirm(self, refused: Sequence[tuple[TopicDraft, Refusal]]) -> bool:
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

    def _follow(
        self, told: TopicDraft, path: PurePosixPath, evidence: tuple[Evidence, ...]
    ) -> list[tuple[TopicDraft, Refusal]]:
        """Let the description and the pointer follow a topic; return which field of it is refused, and why."""
        refused: list[tuple[TopicDraft, Refusal]] = []
        # The description first: the pointer of a new topic may show it.
        if evidence and (operation := describe_anew(told, path, evidence)):
            refused += ((told, why._replace(field="description")) for why in make(told.draft, operation, self._desk))
        if operation := point_anew(told, path, self._desk):
            refused += (
                (told, why._replace(field=why.field or "hook")) for why in make(told.draft, operation, self._desk)
            )
        return refused

    def _describe_changed(self, told: TopicDraft, path: PurePosixPath) -> str:
        """Return the main statement of a topic if it is new: then what pointed to the old one cannot stay."""
        units, _ = self._desk.files.get(path, ([], ""))
        lead = next((unit.words for unit in units if not unit.text.startswith(NO_WORDS)), "")
        return "" if told.topic and lead in " ".join(told.topic.text.split()) else describe(drop_source(lead))


def make(draft: OpenDraft, operation: Operation, desk: Desk) -> list[Refusal]:
    """Propose an operation, and read what it changed again; return why it is refused."""
    if refusal := draft.propose(operation):
        return [refusal]
    refresh(desk, draft, operation.texts)
    return []
