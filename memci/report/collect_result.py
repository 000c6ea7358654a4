"""The result of `memci collect`: what was put where, and what was not."""

from dataclasses import dataclass

from memci.report.escape import fields_of, json_text, name_reasons, visible


@dataclass(frozen=True, slots=True)
class Collected:
    """One session that was redacted and put away."""

    session: str
    # Where it came from, and where it is now: a file, or a path on a ref.
    name: str
    target: str
    records: int
    # Records of types that stay behind, and how many of them are of which unknown type.
    dropped: int
    unknown: tuple[tuple[str, int], ...]
    # Lines that are no records.
    broken: int
    bytes: int


@dataclass(frozen=True, slots=True)
class CollectOutcome:
    """What was collected, and what was not and why."""

    collected: tuple[Collected, ...]
    skipped: tuple[tuple[str, str], ...]
    # Files beside the sessions that contain no session.
    others: tuple[tuple[str, str], ...] = ()


def render_collected(outcome: CollectOutcome) -> str:
    """Return one line for each session, for a person at a terminal."""
    lines = []
    for item in outcome.collected:
        broken = f", {item.broken} broken lines left out" if item.broken else ""
        lines.append(f"{visible(item.session)}  {item.records} records, {item.bytes:,} bytes{broken}")
        lines.append(f"  → {visible(item.target)}")
        if item.unknown:
            names = ", ".join(f"{visible(kind)} ({count})" for kind, count in item.unknown)
            lines.append(f"  not collected, unknown record types: {names}")
    left = (*outcome.skipped, *outcome.others)
    lines += [f"not collected  {visible(name)}: {visible(reason)}" for name, reason in left]
    return "\n".join(lines or ["no transcript there"]) + "\n"


def render_collected_json(outcome: CollectOutcome) -> str:
    """Return one JSON object: the schema memci/collect/1."""
    return json_text(
        {
            "schema": "memci/collect/1",
            "collected": [fields_of(item) | {"unknown": dict(item.unknown)} for item in outcome.collected],
            "skipped": name_reasons(outcome.skipped, "name", "reason"),
            "others": name_reasons(outcome.others, "name", "reason"),
        }
    )
