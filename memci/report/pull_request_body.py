"""The text of a pull request: what changes and why, for a person with two minutes.

Everything that comes from memory, sessions or an engine is shown literally: the template only ever places it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memci.model.plan import LeftOut, PlanStatus, ScopePlan
from memci.patterns import LazyPattern
from memci.report.change_entries import ChangeGroup, count_changes, list_changes
from memci.report.check_result import amount
from memci.report.headline import count_lines, describe_waiting
from memci.report.summary_parts import HTML, ForgeLinks, Summary, read_summary
from memci.report.text_templates import Level, render_fitted
from memci.report.use_text import list_use

# A body may have 65,536 characters; 58,000 leave room for additions by forges and people, and 500 of these are for the
# marker behind the text.
MAX_LENGTH = 57_500
# Named even where nothing else is.
_MIN_SCOPES = 10
# Reasons that warn say what a reviewer has to know.
_WARNINGS = {
    "order in foreign text": "what was pasted there, or read for it, gives orders to agents; none was followed",
    "job against memory": "a job asks there for what memory forbids",
}
# Parts that did not arrive, or were not looked at; there are at most 256.
_MAX_LOST = 20


@dataclass(frozen=True, slots=True)
class Story:
    """The content of a pull request body."""

    plans: tuple[ScopePlan, ...]
    engine: str
    # As ISO date: the moment of the dream.
    day: str
    cost_usd: float = 0.0
    # Parts of the dream that did not arrive.
    lost: tuple[str, ...] = ()
    # Scopes that this run did not read; their earlier proposals are still part of it.
    kept: tuple[str, ...] = ()
    # No dream was merged into this repository before.
    first: bool = False
    # Whether it is the text of a pull request, and not of a job: then it says how to accept it.
    proposed: bool = True
    # None where files and commits have no address.
    links: ForgeLinks | None = None


# From everything that a person would read to the counts alone; the first that fits is taken.
_LEVELS = (
    Level(400, 200, 200, 3),
    Level(300, 200, 100, 2),
    Level(200, 120, 50, 1),
    Level(120, 80, 25, 1),
    Level(80, 60, 12, 1),
    Level(60, 40, 6, 1),
    Level(40, 40, 3, 1),
    # Escaping makes a character up to 14 long: 10 scopes, 20 lost and 20 kept parts take 28,000.
    Level(0, 40, 0, 0),
)


def render_title(plans: Sequence[ScopePlan], what: str = "Consolidate memory") -> str:
    """Return the title, which is also the first line of the commit: counts in fixed words."""
    entries = (entry for plan in plans if plan.status is PlanStatus.CHANGED for entry in list_changes(plan))
    return f"{what}: {count_changes(entries) or 'no changes'}"


def render_body(story: Story) -> str:
    """Return the body in at most MAX_LENGTH characters; lists become shorter before anything is left out."""
    content = read_summary(story.plans, story.links, HTML)
    changed = [writer for writer in content.writers if writer.plan.status is PlanStatus.CHANGED]
    failed = [f"{plan.scope.path}: {plan.reason}" for plan in story.plans if plan.status is PlanStatus.FAILED]
    return render_fitted(
        "pull_request.md.j2",
        _LEVELS,
        MAX_LENGTH,
        story=story,
        style=HTML,
        headline=_summarise(content),
        lost=(*story.lost, *failed),
        max_lost=_MAX_LOST,
        questions=content.questions,
        entries=content.entries,
        groups=list(ChangeGroup),
        offered=_list_offered(story),
        waiting=describe_waiting(story.plans),
        waiting_files=list(dict.fromkeys(str(one.file) for plan in story.plans for one in plan.waiting)),
        changed=changed,
        min_scopes=_MIN_SCOPES,
        count_lines=count_lines,
        retired=[(writer, entry) for writer in changed for entry in writer.plan.ledger.retired],
        use=list_use(story.plans),
        left_out=_group_left_out(story),
        count_refused=lambda level: Counter(line for one in content.writers for line in one.tell_refused(level)),
    )


def _summarise(content: Summary) -> str:
    counts = count_changes(entry for _, entry in content.entries) or "No changes"
    questions = len(content.questions)
    return f"{counts}; {amount(questions, 'question')} for you" if questions else counts


def _list_offered(story: Story) -> list[dict[str, object]]:
    """Describe the candidates, each once: several shards may offer the same."""
    every = {signal.id: signal for plan in story.plans for signal in plan.offered}
    written = frozenset().union(*(plan.cited_signals for plan in story.plans))
    return [
        {
            "id": name,
            "box": render_box(name, ticked=name in written) if story.proposed else "-",
            "written": name in written,
            "said": signal.text,
            "when": signal.timestamp.date().isoformat() if signal.timestamp else "undated",
        }
        for name, signal in every.items()
    ]


def _group_left_out(story: Story) -> dict[str, list[LeftOut]]:
    """Return what was not written on purpose, by reason."""
    by_reason: dict[str, list[LeftOut]] = {}
    for one in (one for plan in story.plans for one in plan.left_out):
        by_reason.setdefault(_WARNINGS.get(one.why, one.why), []).append(one)
    return by_reason


# At the beginning of a line, where no text of memory or of a session comes: it is escaped, and never begins a line.
_BOX = LazyPattern(r"(?m)^([-*+] \[)([ xX])(\] <!-- memci:candidate ([0-9a-f]{12}) -->)")


def render_box(candidate: str, *, ticked: bool) -> str:
    """Return the beginning of a list item with a box for a candidate."""
    return f"- [{'x' if ticked else ' '}] <!-- memci:candidate {candidate} -->"


def list_ticked(body: str) -> tuple[str, ...]:
    """Return the ids of the candidates whose boxes are ticked."""
    return tuple(dict.fromkeys(box[4] for box in _BOX.finditer(body) if box[2] != " "))


def keep_ticks(body: str, old: str) -> str:
    """Tick the boxes that are ticked in an older text: somebody may have ticked one since it was read."""
    ticked = set(list_ticked(old))
    return _BOX.sub(lambda box: f"{box[1]}{'x' if box[4] in ticked else box[2]}{box[3]}", body)
