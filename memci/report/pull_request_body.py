"""The text of a pull request: what changes and why, for a person with two minutes.

Everything that comes from memory, sessions or an engine is shown literally: the template only ever places it.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memci.model.plan import Fate, Ledger, PlanStatus, ScopePlan
from memci.patterns import LazyPattern
from memci.report.change_entries import ChangeGroup, count_changes, list_changes
from memci.report.check_result import amount
from memci.report.dream_result import redact_line
from memci.report.fit_text import Level, fit
from memci.report.headline import describe_waiting
from memci.report.summary_parts import HTML, ForgeLinks, Summary, read_summary
from memci.report.use_text import list_use

if TYPE_CHECKING:
    import jinja2

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
_TEMPLATES = Path(__file__).parent / "templates"


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

    @property
    def changed(self) -> tuple[ScopePlan, ...]:
        """The plans that change something."""
        return tuple(plan for plan in self.plans if plan.status is PlanStatus.CHANGED)


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
    return fit(lambda level: _render(story, content, level), _LEVELS, MAX_LENGTH)


def _render(story: Story, content: Summary, level: Level) -> str:
    failed = [f"{plan.scope.path}: {plan.reason}" for plan in story.plans if plan.status is PlanStatus.FAILED]
    lost = [*story.lost, *failed]
    offered = _list_offered(story, level)
    wide = level._replace(name=level.quote)
    refused = Counter(line for writer in content.writers for line in writer.tell_refused(level))
    return _template().render(
        headline=_summarise(content),
        first=story.first,
        proposed=story.proposed,
        questions=[writer.tell_question(one, level) for writer, one in content.questions[: level.rows]],
        more_questions=max(0, len(content.questions) - level.rows),
        offered=offered[: level.rows],
        more_offered=max(0, len(offered) - level.rows),
        groups=[_tell_group(group, content, level) for group in ChangeGroup],
        ledger=_tell_ledger(content, level),
        waiting=describe_waiting(story.plans),
        waiting_files=_tell_waiting(story, level),
        left_out=_tell_left_out(story, level),
        use=[(heading, HTML.short(files, wide)) for heading, files in list_use(story.plans)],
        refused=list(refused.items())[: level.rows],
        refused_total=refused.total(),
        lost=[HTML.name(what, level) for what in lost[:_MAX_LOST]],
        more_lost=max(0, len(lost) - _MAX_LOST),
        kept=[HTML.name(what, level) for what in story.kept[:_MAX_LOST]],
        more_kept=max(0, len(story.kept) - _MAX_LOST),
        engine=HTML.short(story.engine, level),
        day=HTML.short(story.day, level),
        cost=f"{story.cost_usd:.2f}",
    )


def _summarise(content: Summary) -> str:
    counts = count_changes(entry for _, entry in content.entries) or "No changes"
    questions = len(content.questions)
    return f"{counts}; {amount(questions, 'question')} for you" if questions else counts


def _list_offered(story: Story, level: Level) -> list[dict[str, object]]:
    """Describe the candidates, each once: several shards may offer the same."""
    every = {signal.id: signal for plan in story.plans for signal in plan.offered}
    written = frozenset().union(*(plan.cited_signals for plan in story.plans))
    quoted = level._replace(name=level.quote)
    return [
        {
            "id": name,
            "box": render_box(name, ticked=name in written) if story.proposed else "-",
            "written": name in written,
            "said": HTML.short(redact_line(signal.text), quoted),
            "when": signal.timestamp.date().isoformat() if signal.timestamp else "undated",
        }
        for name, signal in every.items()
    ]


def _tell_group(group: ChangeGroup, content: Summary, level: Level) -> dict[str, object]:
    entries = [(writer, entry) for writer, entry in content.entries if entry.group is group]
    return {
        "name": group.value.capitalize(),
        "total": len(entries),
        "entries": [writer.tell_entry(entry, level) for writer, entry in entries[: level.rows]],
        "more": max(0, len(entries) - level.rows),
    }


def _tell_waiting(story: Story, level: Level) -> list[str]:
    named = Counter(str(one.file) for plan in story.plans for one in plan.waiting)
    return [HTML.name(name, level) for name in list(named)[: level.rows]]


def _tell_left_out(story: Story, level: Level) -> list[tuple[str, list[str]]]:
    """Return what was not written on purpose, by reason."""
    by_reason: dict[str, list[str]] = {}
    quoted = level._replace(name=level.quote)
    for one in [one for plan in story.plans for one in plan.left_out][: level.rows]:
        words = f"“{HTML.short(redact_line(one.words), quoted)}”" + (f" ({HTML.short(one.day, level)})" * bool(one.day))
        by_reason.setdefault(HTML.short(_WARNINGS.get(one.why, one.why), level), []).append(words)
    return list(by_reason.items())


def _tell_ledger(content: Summary, level: Level) -> dict[str, object]:
    changed = [writer for writer in content.writers if writer.plan.status is PlanStatus.CHANGED]
    retired = [(writer, entry) for writer in changed for entry in writer.plan.ledger.retired]
    shown = changed[: max(level.rows, _MIN_SCOPES)]
    return {
        "counts": _count_lines(writer.plan.ledger for writer in changed),
        "scopes": [(HTML.name(str(one.plan.scope.path), level), _count_lines([one.plan.ledger])) for one in shown],
        "more_scopes": len(changed) - len(shown),
        "removed": [writer.tell_removed(entry, level) for writer, entry in retired[: level.rows]],
        "more": max(0, len(retired) - level.rows),
    }


def _count_lines(ledgers: Iterable[Ledger]) -> str:
    fates = Counter(entry.fate for ledger in ledgers for entry in ledger.entries)
    counts = ", ".join(f"{fates[fate]:,} {fate.value}" for fate in Fate if fates[fate])
    return f"{amount(fates.total(), 'old line')}: {counts}" if counts else "no old lines"


@functools.cache
def _template() -> "jinja2.Template":
    import jinja2
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Markdown: `report.escape` does the escaping, before anything comes here.
        autoescape=False,
    )
    return environment.get_template("pull_request.md.j2")


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
