"""One change of a reply: a part of a file, or a new topic, and why it is not made yet."""

from dataclasses import dataclass, field

from memci.engines.model.desk import Desk
from memci.engines.model.drafts import Hunk, Moved, NewStatement, TopicDraft
from memci.memory.compose import describe, make_name, tidy
from memci.memory.units import BodyUnit
from memci.model.plan import Operation, Refusal
from memci.patterns import LazyPattern

# Tables, code and headings describe nothing.
# "(Ida Brandt, 2026-05-06)" at the end of a statement.
_SOURCE = LazyPattern(r"\s*\([^()]*\d{4}-\d\d-\d\d\)(?=\.?$)")
NO_WORDS = ("|", "```", "~~~", "#")


@dataclass(slots=True, eq=False)
class DraftChange:
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


def drop_source(text: str) -> str:
    """Return a statement without who said it and when, which no name and no hook needs."""
    return _SOURCE.sub("", text)


def name_anew(told: TopicDraft, field_name: str) -> bool:
    """Derive the name or the description of a topic from its statement if the model finds none that passes."""
    entries = told.hunks[0].entries
    texts = [entry.text if isinstance(entry, NewStatement) else entry.unit.words for entry in entries]
    lead = next((drop_source(text) for text in texts if text and not text.startswith(NO_WORDS)), "")
    derived = describe(tidy(lead)) if field_name == "description" else make_name(lead).replace("-", " ")
    if not lead or getattr(told, field_name) == derived:
        return False
    setattr(told, field_name, derived)
    return True


def split_hunk(hunk: Hunk, desk: Desk) -> list[Hunk]:
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
