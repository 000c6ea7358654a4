"""A small scope as the guards see it, and operations over it in a few words."""

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from memci.guards.context import Change, Context, Guard, Objection, group_findings
from memci.model.finding import Edit, Finding, Fix, Severity
from memci.model.memory import Guide, TopicType
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.model.session import Origin, Signal, SignalKind
from tests.build import SCOPE, topic_text

INDEX = SCOPE / "MEMORY.md"
# A Monday.
SAID_AT = dt.datetime(2026, 11, 9, 9, 0, tzinfo=dt.UTC)


def at(name: str) -> PurePosixPath:
    return SCOPE / name


FILES: Mapping[str, str] = {
    "MEMORY.md": (
        "# Memory\n\n"
        "- [Installing](feedback_installing.md) — npm only\n"
        "- [Commit messages](feedback_commits.md) — imperative, short subject\n"
        "- [Coverage](project_coverage.md) — threshold in ci\n"
        "- [Invoices](project_invoices.md) — how they are rendered\n"
        "- [Search](project_search.md) — where queries are built\n"
        "- [Tracker](reference_tracker.md) — where bugs are\n"
        "- [Freeze](project_freeze.md) — mobile release\n"
        "- [Errors](feedback_errors.md) — wrap with %w\n"
        "- [Error wrapping](feedback_error_wrapping.md) — wrap with %w\n"
        "- [Zone](user_zone.md) — time zone\n"
        "- [Queue](project_queue.md) — NATS\n"
        "- [Deploys](project_deploys.md) — who and when\n"
    ),
    "feedback_installing.md": topic_text(
        "Install dependencies with npm install, never with pnpm.\n\n**Why:** the lockfile of pnpm broke the image.",
        name="installing-dependencies",
        description="which package manager installs dependencies",
        kind="feedback",
    ),
    "feedback_commits.md": topic_text(
        "Commit messages: imperative mood, subject under 60 characters.",
        name="commit-messages",
        description="how commit messages are written in this repo",
        kind="feedback",
    ),
    "project_coverage.md": topic_text(
        "The coverage threshold in ci is 80%.",
        name="coverage-threshold",
        description="coverage threshold that ci enforces",
        kind="project",
    ),
    "project_invoices.md": topic_text(
        "Invoices are rendered by `billing/render_pdf.py`. The layout was agreed with accounting and must stay A4.",
        name="invoice-rendering",
        description="where invoices are turned into PDF",
        kind="project",
    ),
    "project_search.md": topic_text(
        "Queries are built in `lib/search.ex`.\n\n**Why:** stemming differs per tenant.",
        name="search",
        description="where search queries are built",
        kind="project",
    ).replace("metadata:", "pinned: true\nmetadata:"),
    "reference_tracker.md": topic_text(
        "Bugs of the mobile app are tracked in Jira, project MOB.",
        name="tracker",
        description="where bugs of the mobile app are tracked",
        kind="reference",
    ),
    "project_freeze.md": topic_text(
        "Merge freeze until 2026-03-05 for the mobile release.\n\nRelease manager for mobile is Ana.",
        name="merge-freeze",
        description="merge freeze for the mobile release",
        kind="project",
    ),
    "feedback_errors.md": topic_text(
        'Wrap errors with `%w` and add the operation name, e.g. `fmt.Errorf("load cart: %w", err)`.',
        name="error-wrapping",
        description="how errors are wrapped in go code",
        kind="feedback",
    ),
    "feedback_error_wrapping.md": topic_text(
        'Wrap errors with `%w` and add the operation name, e.g. `fmt.Errorf("load cart: %w", err)`.\n'
        "Sentinel errors are compared with `errors.Is`.",
        name="errors-in-go",
        description="wrapping of errors in go code, sentinel errors",
        kind="feedback",
    ),
    "user_zone.md": topic_text(
        "Works from Lisbon, starts late.",
        name="zone",
        description="time zone of the person",
        kind="user",
    ),
    "project_queue.md": topic_text(
        "The queue is NATS since 2026-09-01.\n\nThe old queue moved from `mq/client.go` to `queue/client.go`.",
        name="queue",
        description="which message queue is used",
        kind="project",
    ),
    "project_deploys.md": topic_text(
        "- Deploys need an approval by Marta.\n- Deploys never run during the bank holidays of the customer.\n"
        "- Alerts go to the night shift, not to the team.\n- The weekly job is `jobs/weekly.py`; it may fail silently.",
        name="deploys",
        description="who approves deploys and when they run",
        kind="project",
    ),
}


def said(
    text: str,
    *,
    kind: SignalKind = SignalKind.CORRECTION,
    origin: Origin = Origin.PERSON,
    rule: str = "",
    why: str = "",
    reverses: bool = False,
) -> Signal:
    """Return a signal of one session; `rule` is what the gather phase made of it."""
    return Signal(
        "s1", f"u-{text[:20]}", SAID_AT, origin, kind, TopicType.FEEDBACK, text, rule or text, why, reverses=reverses
    )


def finding(
    rule: str, file: str, line: int, message: str, *, key: str = "", fix: tuple[str, str] | None = None
) -> Finding:
    edits = (Edit(at(file), line, *fix),) if fix else ()
    made = Fix("fix", edits) if fix else None
    return Finding(rule, Severity.WARNING, at(file), message, line, fix=made, key=key)


def make_context(
    *signals: Signal,
    findings: Iterable[Finding] = (),
    files: Mapping[str, str] = FILES,
    draft: Mapping[str, str | None] | None = None,
    guides: str = "",
    taken: Iterable[str] = ("logs/2026/11/2026-11-08.md", "Diagram.md", ".memci.json"),
) -> Context:
    original = {at(name): text for name, text in files.items()}
    later = {name: text for name, text in {**files, **(draft or {})}.items() if text is not None}
    return Context(
        scope=SCOPE,
        original=original,
        draft={at(name): text for name, text in later.items()},
        taken=frozenset(map(at, taken)),
        signals={signal.id: signal for signal in signals},
        findings=group_findings(findings),
        guides=(Guide(PurePosixPath("CLAUDE.md"), guides),) if guides else (),
    )


def check(guard: Guard, operation: Operation, context: Context) -> str | None:
    """Ask one guard."""
    objection = guard.check(Change(operation, context))
    return objection.why if isinstance(objection, Objection) else objection


def by(*things: Signal | Finding | tuple[str, str]) -> tuple[Evidence, ...]:
    """Return evidence: a signal, a finding, or file and line of the memory."""
    return tuple(_cite(thing) for thing in things)


def _cite(thing: Signal | Finding | tuple[str, str]) -> Evidence:
    match thing:
        case Signal():
            return Evidence(EvidenceKind.SIGNAL, thing.id, thing.text)
        case Finding():
            return Evidence(EvidenceKind.FINDING, thing.fingerprint, thing.message)
        case (file, quote):
            return Evidence(EvidenceKind.MEMORY, str(at(file)), quote)


def change(
    kind: OperationKind,
    file: str,
    texts: Mapping[str, str | None],
    evidence: tuple[Evidence, ...] = (),
    reason: str = "said by the person",
) -> Operation:
    return Operation(kind, at(file), {at(name): text for name, text in texts.items()}, reason, evidence)


def create(
    source: Signal, file: str, name: str, description: str, body: str, kind: str = "feedback", pointer: str = ""
) -> Operation:
    """Return the operation that makes a topic and its pointer."""
    texts: dict[str, str | None] = {file: topic_text(body, name=name, description=description, kind=kind)}
    if pointer:
        texts["MEMORY.md"] = FILES["MEMORY.md"] + f"{pointer}\n"
    return change(OperationKind.CREATE, file, texts, by(source))


def edit(file: str, *changes: tuple[str, str], files: Mapping[str, str] = FILES) -> str:
    """Return a file of the scope with replacements made; each must fit."""
    text = files[file]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
