"""Reads the drafts of a reply: which lines stay, which move, what is new in which place, and what goes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from memci.engines.model.desk import Desk, WrongCitationError
from memci.engines.protocol import OpenDraft
from memci.memory.units import BodyUnit
from memci.model.memory import Topic, TopicType
from memci.model.plan import Evidence, Flag
from memci.patterns import LazyPattern

LABELS = {"statement": "", "why": "**Why:**", "how": "**How to apply:**"}
_MAX_CITED = 12
_ITEM = LazyPattern(r"^[-*+•] (?=\S)")


@dataclass(slots=True, eq=False)
class NewStatement:
    """A statement in the model's words, with its evidence as the model cites it."""

    part: str
    text: str
    cited: list[tuple[str, str]]
    # Set after it was judged.
    evidence: tuple[Evidence, ...] = ()
    flag: Flag | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A line of another file."""

    unit: BodyUnit
    path: PurePosixPath


Entry = NewStatement | Moved
# A heading of an index, by its id or its words, and the topics below it.
Group = tuple[str, list[str]]


@dataclass(slots=True, eq=False)
class Hunk:
    """What changes between two lines that stay: lines that go, and what comes in their place."""

    draft: OpenDraft
    path: PurePosixPath
    # The line above that stays; None at the beginning.
    above: BodyUnit | None
    removed: list[BodyUnit]
    entries: list[Entry]
    # Why lines go, and what the model cites for it, by the identity of the line.
    retired: dict[int, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)
    # The lines that go because a reader found in the evidence that they no longer hold.
    ended: list[Flag] = field(default_factory=list)

    @property
    def reasons(self) -> list[str]:
        """Why lines go."""
        return [self.retired[id(unit)][0] for unit in self.removed if id(unit) in self.retired]

    @property
    def cited(self) -> list[tuple[str, str]]:
        """What is cited for the lines that go."""
        told = (self.retired[id(unit)][1] for unit in self.removed if id(unit) in self.retired)
        return [proof for proofs in told for proof in proofs]

    @property
    def new(self) -> list[NewStatement]:
        """The new statements."""
        return [entry for entry in self.entries if isinstance(entry, NewStatement)]

    @property
    def moved(self) -> list[Moved]:
        """The lines that come from other files."""
        return [entry for entry in self.entries if isinstance(entry, Moved)]


@dataclass(slots=True, eq=False)
class TopicDraft:
    """What a reply says about one topic; `topic` is None for a new one."""

    draft: OpenDraft
    topic: Topic | None
    name: str
    type: TopicType | None
    description: str
    heading: str
    title: str
    hook: str
    hunks: list[Hunk]
    # The description and the hook, if a reader confirmed that the topic says the same in other words.
    flags: list[Flag] = field(default_factory=list)


def read_topics(reply: Mapping[str, Any], desk: Desk) -> Iterator[TopicDraft | str]:
    """Yield the drafts of topics, or why there is none."""
    kept = _list_kept(reply)
    for told in reply["topics"]:
        if told["topic"] and told["topic"] not in desk.topics:
            yield f"there is no topic {told['topic'][:40]!r}"
            continue
        if told["topic"]:
            draft, topic = desk.topics[told["topic"]]
            hunks = list(_read_hunks(told, desk, draft, topic.path, kept))
            yield _make(told, draft, topic, hunks)
            continue
        home = desk.drafts.get(told["scope"])
        if home is None:
            yield f"there is no scope {told['scope'][:40]!r}"
            continue
        entries = [entry for item in told["statements"] if (entry := _read_entry(item, desk, None)) is not None]
        path = home.scope.scope.path
        hunk = Hunk(home, path, None, [], [entry for entry in entries if not isinstance(entry, BodyUnit)])
        yield _make(told, home, None, [hunk])


def read_indexes(reply: Mapping[str, Any], desk: Desk) -> Iterator[tuple[OpenDraft, list[Hunk], list[Group]]]:
    """Yield, for each index of a reply, the changes to its prose and the groups of its topics."""
    kept = _list_kept(reply)
    for told in reply["indexes"]:
        draft = desk.drafts.get(told["scope"])
        if draft and draft.scope.index:
            path = draft.scope.index.path
            named = told["statements"] or told["retired"]
            hunks = list(_read_hunks(told, desk, draft, path, kept, whole=False)) if named else []
            yield draft, hunks, [(group["heading"].strip(), list(group["topics"])) for group in told["groups"]]


def _list_kept(reply: Mapping[str, Any]) -> frozenset[str]:
    """Return the lines that a reply keeps anywhere."""
    drafts = (*reply["topics"], *reply["indexes"])
    return frozenset(item["keep"] for told in drafts for item in told["statements"] if item["keep"])


def _make(told: Mapping[str, Any], draft: OpenDraft, topic: Topic | None, hunks: list[Hunk]) -> TopicDraft:
    kind = TopicType(told["type"]) if told["type"] else None
    texts = (" ".join(told[key].split()) for key in ("name", "description", "heading", "title", "hook"))
    name, description, heading, title, hook = texts
    return TopicDraft(draft, topic, name, kind, description, heading, title, hook, hunks)


def _read_entry(item: Mapping[str, Any], desk: Desk, path: PurePosixPath | None) -> Entry | BodyUnit | None:
    """Return a line of this file, a line of another one, or a new statement; None if it is nothing."""
    if item["keep"] in desk.headings:
        heading = desk.headings[item["keep"]].text
        return next((unit for unit in desk.files[path][0] if unit.text == heading), None) if path else None
    if item["keep"]:
        line = desk.lines.get(item["keep"])
        if line is None:
            return None
        return line.unit if line.path == path else Moved(line.unit, line.path)
    text = tidy_text(item["text"])
    cited = [(proof["id"], proof["quote"]) for proof in item["evidence"]]
    return NewStatement(item["part"], text, cited[:_MAX_CITED]) if text else None


def tidy_text(text: str) -> str:
    """Return a statement as one line; a table keeps its rows."""
    rows = [" ".join(row.split()) for row in text.strip().split("\n")]
    # The place of a statement decides whether it is an item of a list.
    return "\n".join(rows) if all(row.startswith("|") for row in rows) else _ITEM.sub("", " ".join(rows).strip())


def _read_hunks(
    told: Mapping[str, Any],
    desk: Desk,
    draft: OpenDraft,
    path: PurePosixPath,
    kept: frozenset[str],
    *,
    whole: bool = True,
) -> Iterator[Hunk]:
    """Compare the list of a draft with the file; what is neither kept, replaced nor retired stays.

    The list of a topic is `whole`, so that what is missing between two lines was replaced.
    """
    units = desk.files[path][0]
    names = {id(line.unit): name for name, line in desk.lines.items() if line.path == path}
    retired = {item["line"]: item for item in told["retired"]}
    entries = [entry for item in told["statements"] if (entry := _read_entry(item, desk, path)) is not None]
    stays = {id(entry) for entry in entries if isinstance(entry, BodyUnit)}
    leaves = [unit for unit in units if id(unit) in names and id(unit) not in stays and names[id(unit)] not in kept]
    last: BodyUnit | None = None
    above_of: dict[int, BodyUnit | None] = {}
    for unit in units:
        above_of[id(unit)] = last
        last = unit if id(unit) in stays or id(unit) not in names else last
    # The headings of an index cannot be kept by id, so that new prose may have no line above it.
    gone = [unit for unit in leaves if names[id(unit)] in retired]
    top = above_of[id(gone[0])] if gone and not stays else None
    # By the line above: what comes there, and what goes there.
    hunks: dict[int, Hunk] = {}
    for above, found in _split_slots(entries):
        if found:
            hunks.setdefault(id(above or top), Hunk(draft, path, above or top, [], [])).entries += found
    for unit in leaves:
        above = above_of[id(unit)]
        item = retired.get(names[id(unit)])
        if item is None and (whole is False or id(above) not in hunks):
            # Not named at all: it stays.
            continue
        hunk = hunks.setdefault(id(above), Hunk(draft, path, above, [], []))
        hunk.removed.append(unit)
        if item is not None:
            hunk.retired[id(unit)] = (item["reason"], [(proof["id"], proof["quote"]) for proof in item["evidence"]])
    order = {id(unit): place for place, unit in enumerate(units)}
    yield from sorted(hunks.values(), key=lambda hunk: order.get(id(hunk.above), -1))


def _split_slots(entries: Sequence[Entry | BodyUnit]) -> Iterator[tuple[BodyUnit | None, list[Entry]]]:
    """Yield what comes below each line that stays."""
    above: BodyUnit | None = None
    found: list[Entry] = []
    for entry in entries:
        if isinstance(entry, BodyUnit):
            yield above, found
            above, found = entry, []
        else:
            found.append(entry)
    yield above, found


def resolve(cited: Sequence[tuple[str, str]], desk: Desk, statement: str = "") -> tuple[Evidence, ...]:
    """Return the evidence that is cited, each once; raise `WrongCitationError` for what does not exist."""
    found: list[Evidence] = []
    problems: list[WrongCitationError] = []
    for name, quote in cited:
        try:
            found.append(desk.cite(name, quote, statement))
        except WrongCitationError as error:
            problems.append(error)
    # A question beside a statement is no evidence, and no reason to refuse the statement.
    if wrong := [problem for problem in problems if not (problem.spare and found)]:
        raise wrong[0]
    return tuple(dict.fromkeys(found))


def try_resolve(cited: Sequence[tuple[str, str]], desk: Desk) -> tuple[Evidence, ...]:
    """Return the evidence that exists."""
    found: list[Evidence] = []
    for name, quote in cited:
        try:
            found.append(desk.cite(name, quote))
        except WrongCitationError:
            continue
    return tuple(dict.fromkeys(found))
