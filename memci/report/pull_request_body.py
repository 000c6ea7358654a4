"""The text of a pull request: what changes and why, taken from the plans and the real texts.

Everything that comes from memory, sessions or an engine is shown literally: the template only ever places it.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from memci.model.plan import Evidence, EvidenceKind, Fate, NeedsPerson, Operation, PlanStatus, ScopePlan
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.escape import markdown, shorten, visible

if TYPE_CHECKING:
    import jinja2

# A body may have 65,536 characters; 58,000 leave room for additions by forges and people, and 500 of these are for the
# marker behind the text.
MAX_LENGTH = 57_500
# Named even where nothing else is.
_MIN_SCOPES = 10
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

    @property
    def changed(self) -> tuple[ScopePlan, ...]:
        """The plans that change something."""
        return tuple(plan for plan in self.plans if plan.status is PlanStatus.CHANGED)


@dataclass(frozen=True, slots=True)
class _Level:
    """How much is shown: characters of a quotation and of a name, rows of each list, proofs of an operation."""

    quote: int
    name: int
    rows: int
    proofs: int


# From everything that a person would read to the counts alone; the first that fits is taken.
_LEVELS = (
    _Level(400, 200, 200, 3),
    _Level(200, 200, 100, 2),
    _Level(160, 120, 50, 1),
    _Level(120, 80, 25, 1),
    _Level(80, 60, 12, 1),
    _Level(60, 40, 6, 1),
    _Level(40, 40, 3, 1),
    # Escaping makes a character up to 14 long: 10 scopes, 20 lost and 20 kept parts take 28,000.
    _Level(0, 40, 0, 0),
)


def render_title(plans: Sequence[ScopePlan]) -> str:
    """Return the title, which is also the first line of the commit: counts in fixed words."""
    changed = [plan for plan in plans if plan.status is PlanStatus.CHANGED]
    operations = sum(len(plan.operations) for plan in changed)
    return f"Consolidate memory: {amount(operations, 'change')} in {amount(len(changed), 'scope')}"


def render_body(story: Story) -> str:
    """Return the body in at most MAX_LENGTH characters; lists become shorter before anything is left out."""
    texts = (_render(story, level) for level in _LEVELS[:-1])
    return next((text for text in texts if len(text) <= MAX_LENGTH), None) or _render(story, _LEVELS[-1])


def _render(story: Story, level: _Level) -> str:
    # Each scope gets its share of the rows, and one at least.
    share = replace(level, rows=max(level.rows // max(len(story.changed), 1), min(level.rows, 1)))
    scopes = [_tell_scope(plan, share) for plan in story.changed[: max(level.rows, _MIN_SCOPES)]]
    needs = [(plan, need) for plan in story.plans for need in plan.needs_person]
    refused = [(plan, one) for plan in story.plans for one in plan.refused]
    failed = [f"{plan.scope.path}: {plan.reason}" for plan in story.plans if plan.status is PlanStatus.FAILED]
    lost = [*story.lost, *failed]
    return _template().render(
        summary=_summarise(story),
        scopes=scopes,
        more_scopes=len(story.changed) - len(scopes),
        needs=[_tell_need(plan, need, level) for plan, need in needs[: level.rows]],
        more_needs=max(0, len(needs) - level.rows),
        refused=[
            {
                "kind": one.operation.kind.value,
                "file": _name(_shorten_path(one.operation.file, plan), level),
                "why": _say(one.why, level),
                "guard": _name(one.guard, level),
            }
            for plan, one in refused[: level.rows]
        ],
        more_refused=max(0, len(refused) - level.rows),
        lost=[_name(what, level) for what in lost[:_MAX_LOST]],
        more_lost=max(0, len(lost) - _MAX_LOST),
        kept=[_name(what, level) for what in story.kept[:_MAX_LOST]],
        more_kept=max(0, len(story.kept) - _MAX_LOST),
        engine=_name(story.engine, level),
        day=_name(story.day, level),
        cost=f"{story.cost_usd:.2f}",
    )


def _summarise(story: Story) -> str:
    changed = story.changed
    operations = [operation for plan in changed for operation in plan.operations]
    files = sum(
        plan.before.get(path) != plan.after.get(path) for plan in changed for path in {*plan.before, *plan.after}
    )
    drift = sum(any(proof.kind is EvidenceKind.FINDING for proof in one.evidence) for one in operations)
    said = sum(any(proof.kind is EvidenceKind.SIGNAL for proof in one.evidence) for one in operations)
    lines = sum(len(plan.ledger.entries) for plan in changed)
    retired = sum(plan.ledger.count(Fate.RETIRED) for plan in changed)
    needs = sum(len(plan.needs_person) for plan in story.plans)
    parts = [
        f"{amount(len(operations), 'change')} to {amount(files, 'file')} in {amount(len(changed), 'scope')}",
        f"{said} from what people said, {drift} from what the rules and the repository say",
        f"of {amount(lines, 'old line')} {retired} {'leaves' if retired == 1 else 'leave'}",
    ]
    parts += [f"{amount(needs, 'question')} for a person"] if needs else []
    return "; ".join(parts)


def _tell_scope(plan: ScopePlan, level: _Level) -> dict[str, object]:
    retired = plan.ledger.retired
    counts = ", ".join(f"{plan.ledger.count(fate)} {fate.value}" for fate in Fate if plan.ledger.count(fate))
    return {
        "path": _name(str(plan.scope.path), level),
        "operations": [_tell_operation(plan, operation, level) for operation in plan.operations[: level.rows]],
        "more": max(0, len(plan.operations) - level.rows),
        "lines": amount(len(plan.ledger.entries), "old line"),
        "counts": counts or "none",
        "retired": [
            {
                "place": _name(f"{_shorten_path(entry.file, plan)}:{entry.line}", level),
                "text": _say(entry.text, level),
                "reason": _say(entry.reason, level),
            }
            for entry in retired[: level.rows]
        ],
        "more_retired": max(0, len(retired) - level.rows),
    }


def _tell_operation(plan: ScopePlan, operation: Operation, level: _Level) -> dict[str, object]:
    return {
        "kind": operation.kind.value,
        "file": _name(_shorten_path(operation.file, plan), level),
        "reason": _say(operation.reason, level),
        "proofs": [_tell_proof(plan, operation, proof, level) for proof in operation.evidence[: level.proofs]],
        "more": max(0, len(operation.evidence) - level.proofs),
    }


def _tell_proof(plan: ScopePlan, operation: Operation, proof: Evidence, level: _Level) -> dict[str, str]:
    # A rule's message often is the reason, word for word.
    quote = _say(proof.quote, level) if proof.quote not in operation.reason else ""
    match proof.kind:
        case EvidenceKind.SIGNAL:
            signal = next((signal for signal in plan.signals if signal.id == proof.source), None)
            day = signal.timestamp.date().isoformat() if signal and signal.timestamp else ""
            often = f", {signal.strength} times" if signal and signal.strength > 1 else ""
            return {"source": f"said {day}{often}".strip() if day or often else "said", "quote": quote}
        case EvidenceKind.FINDING:
            return {"source": "found", "quote": quote}
        case EvidenceKind.LOOKUP:
            return {"source": f"in the repository, {_say(proof.source, level)}", "quote": quote}
        case EvidenceKind.MEMORY:
            return {"source": f"in {_name(_shorten_path(PurePosixPath(proof.source), plan), level)}", "quote": quote}


def _tell_need(plan: ScopePlan, need: NeedsPerson, level: _Level) -> dict[str, str]:
    # For a file the reason is enough; a person's words are quoted beside it.
    quote = need.evidence[0].quote if need.evidence and need.file is None else ""
    return {
        "scope": _name(str(plan.scope.path), level),
        "reason": _say(need.reason, level),
        "quote": _say(quote, level) if quote else "",
    }


def _shorten_path(path: PurePosixPath, plan: ScopePlan) -> str:
    return str(path.relative_to(plan.scope.path) if path.is_relative_to(plan.scope.path) else path)


def _say(text: str, level: _Level) -> str:
    return markdown(shorten(_clean(text), level.quote)) if text else ""


def _name(text: str, level: _Level) -> str:
    return markdown(shorten(_clean(text), level.name))


# Every level shows the same texts again; the size bounds memory use.
@functools.lru_cache(maxsize=1024)
def _clean(text: str) -> str:
    return visible(redact(text))


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
