"""`memci dream --format json`: the schema memci/dream/1."""

from collections.abc import Iterable
from dataclasses import replace

from memci.model.plan import Evidence, Fate, NeedsPerson, Operation, ScopePlan
from memci.model.session import Signal
from memci.report.dream_result import DreamResult, find_secret_lines, redact_line
from memci.report.escape import json_text, name_reasons
from memci.report.headline import measure_index
from memci.report.use_text import use_as_json


def render_dream_json(result: DreamResult) -> str:
    """Return one JSON object: the schema memci/dream/1."""
    return json_text(
        {
            "schema": "memci/dream/1",
            "now": result.now,
            "engine": result.engine,
            "dry_run": result.dry_run,
            "skipped": result.skipped,
            "scopes": [render_scope(plan) for plan in result.plans],
            "sessions": result.sessions,
            "newest_session": result.newest,
            "turned_down": len(result.turned_down),
            "notes": name_reasons(result.notes),
            "engine_reason": result.why,
            "failures": result.failures,
            "proposals": dict(result.proposals),
            "cost": result.cost,
            # What a pull request would say; the summary of a job shows it.
            "text": _render_text(result) if result.plans else "",
            "timings": {part: round(seconds, 3) for part, seconds in result.seconds.items()},
        }
    )


def _render_text(result: DreamResult) -> str:
    from memci.report.pull_request_body import Story, render_body

    day = result.now.date().isoformat()
    return render_body(Story(result.plans, result.engine, day, float(result.cost.usd), proposed=False))


def render_scope(plan: ScopePlan) -> dict[str, object]:
    """Return what was done in a scope as a JSON object."""
    lines, size = measure_index(plan)
    hidden = find_secret_lines(plan)
    return {
        "id": plan.scope.id,
        "path": plan.scope.path,
        "status": plan.status.value,
        "reason": plan.reason,
        "operations": [_operation(operation, hidden) for operation in plan.operations],
        "rejected": [
            {**_operation(r.operation, hidden), "guard": r.guard, "why": redact_line(r.why, hidden)}
            for r in plan.refused
        ],
        "needs_person": [_need(need, hidden) for need in plan.needs_person],
        "signals": [render_signal(signal) for signal in plan.signals],
        "offered": [render_signal(signal) for signal in plan.left_offered],
        "ledger": {
            **{fate.value: plan.ledger.count(fate) for fate in Fate if fate is not Fate.RETIRED},
            "retired": [
                {
                    "file": entry.file,
                    "line": entry.line,
                    "text": redact_line(entry.text, hidden),
                    "reason": entry.reason,
                }
                for entry in plan.ledger.retired
            ],
        },
        "index": {"lines": lines, "characters": size},
        "waiting": [{"file": one.file, "what": one.what} for one in plan.waiting],
        "use": use_as_json(plan.use),
        "left_out": [{**one._asdict(), "words": redact_line(one.words, hidden)} for one in plan.left_out],
    }


def _operation(operation: Operation, hidden: frozenset[str]) -> dict[str, object]:
    return {
        "kind": operation.kind.value,
        "file": operation.file,
        "reason": redact_line(operation.reason, hidden),
        "evidence": _quote(operation.evidence, hidden),
        "flags": [replace(flag, statement=redact_line(flag.statement, hidden)) for flag in operation.flags],
    }


def _quote(evidence: Iterable[Evidence], hidden: frozenset[str]) -> list[object]:
    return [replace(proof, quote=redact_line(proof.quote, hidden)) for proof in evidence]


def _need(need: NeedsPerson, hidden: frozenset[str]) -> dict[str, object]:
    return {
        "reason": redact_line(need.reason, hidden),
        "file": need.file,
        "evidence": _quote(need.evidence, hidden),
        "proposal": redact_line(need.proposal, hidden),
    }


def render_signal(signal: Signal) -> dict[str, object]:
    """Return a signal as a JSON object."""
    return {
        "id": signal.id,
        "session": signal.session,
        "uuid": signal.uuid,
        "timestamp": signal.timestamp,
        "origin": signal.origin.value,
        "kind": signal.kind.value,
        "type": signal.type.value,
        "strength": signal.strength,
        "text": redact_line(signal.text),
        "reason": signal.reason,
    }
