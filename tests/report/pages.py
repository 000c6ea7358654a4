"""Reports for the tests of the page: small, large, and with hostile text in every place that others can write to."""

import datetime as dt
import html.parser
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path, PurePosixPath

from memci.model.finding import Severity
from memci.model.memory import Scope, TopicType, Trust
from memci.model.plan import (
    Evidence,
    EvidenceKind,
    Fate,
    Ledger,
    LedgerEntry,
    LeftOut,
    NeedsPerson,
    Operation,
    OperationKind,
    PlanStatus,
    Refused,
    ScopePlan,
)
from memci.model.session import Origin, Signal, SignalKind, TurnedDown
from memci.model.use import TopicUse
from memci.report.dream_result import CostReport, DreamResult, PhaseReport
from memci.report.page.charts import ScopeHealth, TopicHealth
from memci.report.page.render import Report
from memci.report.page.run import tell_run
from memci.report.status_result import ScopeStatus
from memci.report.summary_parts import ForgeLinks
from tests.build import NOW, SCOPE, topic_text

DAY = dt.date(2026, 11, 1)
WEB = "https://forge.example/o/r/"
LINKS = ForgeLinks("github", WEB.rstrip("/"), "", "0" * 40)
_KINDS = (OperationKind.CREATE, OperationKind.UPDATE, OperationKind.MERGE, OperationKind.REPAIR)
# What every page has; everything else would come from a text.
TAGS = frozenset(
    {"html", "head", "meta", "title", "style", "script", "body", "header", "main", "footer", "nav", "section"}
    | {
        "h1",
        "h2",
        "h3",
        "a",
        "div",
        "p",
        "span",
        "strong",
        "small",
        "b",
        "code",
        "time",
        "blockquote",
        "del",
        "ins",
        "i",
    }
    | {"ul", "ol", "li", "dl", "dt", "dd", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"}
    | {"label", "input", "select", "option", "button", "output"}
    | {"figure", "figcaption", "svg", "desc", "rect", "line", "text", "polyline", "circle"}
)


class Parsed(html.parser.HTMLParser):
    """The elements of a page, the text of style and script, and all other text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, str] = {}
        self.text = ""
        self.broken: list[str] = []
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._open:
            self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in {"style", "script"}:
            self.raw[self._open] = self.raw.get(self._open, "") + data
        else:
            self.text += data

    def handle_comment(self, data: str) -> None:
        self.broken.append(data)

    def unknown_decl(self, data: str) -> None:
        self.broken.append(data)

    def count(self, tag: str) -> int:
        """Return how many elements have this tag."""
        return sum(name == tag for name, _ in self.elements)

    def values(self, attribute: str) -> list[str]:
        """Return the values of an attribute, in order."""
        return [attributes[attribute] or "" for _, attributes in self.elements if attribute in attributes]


def make_plan(text: str, *, operations: int = 1) -> ScopePlan:
    """Return a plan in which every place that others can write to holds this text."""
    signal = Signal("s" + text, "u", NOW, Origin.PERSON, SignalKind.CORRECTION, TopicType.FEEDBACK, text, text)
    # A path cannot hold everything.
    name = text.replace("\0", "").replace("/", "")[:80].strip(".") or "a"
    proofs = (
        Evidence(EvidenceKind.SIGNAL, signal.id, text),
        Evidence(EvidenceKind.FINDING, "f", f"found {text}"),
        Evidence(EvidenceKind.MEMORY, str(SCOPE / f"{name}.md"), f"old {text}"),
    )
    made = [
        _make_operation(_KINDS[number % len(_KINDS)], SCOPE / f"{name}-{number}.md", text, proofs)
        for number in range(operations)
    ]
    before = {one.file: topic_text(f"The old line.\n\n{text}\n\nThe last.") for one in made[1::2]}
    after = {**before, **{path: new for one in made for path, new in one.texts.items() if new is not None}}
    entries = [
        LedgerEntry(made[0].file, 1, text, Fate.RETIRED, None, text),
        LedgerEntry(made[0].file, 2, text, Fate.KEPT),
    ]
    return ScopePlan(
        Scope("agent:reviewer", SCOPE, Trust.COMMITTED, Path("/nowhere")),
        PlanStatus.CHANGED,
        operations=tuple(made),
        refused=(Refused(made[0], "supported", text),),
        needs_person=(NeedsPerson(text, None, proofs[:1]), NeedsPerson(text, made[0].file, proofs)),
        signals=(signal,),
        ledger=Ledger((*entries, LedgerEntry(made[0].file, 3, text, Fate.MOVED, made[-1].file))),
        before=before,
        after=after,
        left_out=(LeftOut(text, "a joke", "2026-11-12"),),
    )


def _make_operation(kind: OperationKind, file: PurePosixPath, text: str, proofs: tuple[Evidence, ...]) -> Operation:
    new = topic_text(f"The new line.\n\n{text}\n\nThe last, and one more.", kind="feedback")
    return Operation(kind, file, {file: new}, f"because {text}", proofs)


def make_result(*plans: ScopePlan, text: str = "why") -> DreamResult:
    """Return a dream with these plans, its notes, failures and cost."""
    cost = CostReport(
        Decimal("0.0123"), Decimal("0.001"), (PhaseReport(text, 2, 1_000, 50, 0.5, Decimal("0.01")),), (text,)
    )
    down = TurnedDown("s", "u", NOW, Origin.PERSON, text, text)
    return DreamResult(
        NOW,
        "local",
        plans,
        (down,),
        ((text, text),),
        sessions=3,
        why=text,
        failures=(text,),
        cost=cost,
        rules={"f": "path-moved"},
    )


def make_scope(text: str, *, topics: int = 2, number: int = 1) -> ScopeHealth:
    """Return a scope in which every place that others can write to holds this text."""
    rows = tuple(_make_topics(text, topics))
    problems = tuple(
        {"rule": rule, "severity": severity, "line": line, "type": "project", "link": _link(text, line)}
        | dict.fromkeys(("file", "message", "suggestion"), text)
        for line, (rule, severity) in enumerate((("path-moved", Severity.WARNING), ("secret", Severity.ERROR)), 1)
    )
    status = ScopeStatus(
        scope=Scope(f"scope {number} {text}", SCOPE, Trust.COMMITTED, Path("/nowhere")),
        types={TopicType.PROJECT: topics - 1, TopicType.FEEDBACK: 1},
        logs=1,
        has_index=True,
        lines=210,
        size=9_000,
        pointers=topics,
        lost_from=201,
        lost=(text,) * 14,
        newest=DAY,
        oldest=DAY - dt.timedelta(days=90),
        uncommitted=1,
        problems={Severity.ERROR: 1, Severity.WARNING: 1},
        rules={"secret": 1, "path-moved": 1},
        claims={"verified": 5, "missing": 1, "unverifiable": 2},
    )
    return ScopeHealth(
        status=status,
        topics=rows,
        problems=problems,
        reasons={"planned": 2},
        false_claims=(
            {"day": DAY, "commit": "d" * 10, "commit_link": LINKS.commit("d" * 10), "verdict": "missing"}
            | {"text": text, "file": text, "line": 3, "link": _link(text, 3)},
        ),
    )


def _link(text: str, line: int) -> str:
    return LINKS.file(SCOPE / text[:200].lstrip("/"), str(line or ""), old=True)


def _make_topics(text: str, count: int) -> Iterator[TopicHealth]:
    for number in range(count):
        yield TopicHealth(
            file=f"{text}-{number}.md",
            type=("project", "feedback", "")[number % 3],
            about=f"{number} {text}",
            size=400 + number,
            written=DAY - dt.timedelta(days=number) if number % 5 else None,
            pointed=True,
            loaded=number < 200,
            claims={"verified": 2, "missing": number % 2},
            rank=number % 3 - 1,
            use=TopicUse(loaded=3, opened=number % 2),
            link=_link(f"{text[:100]}-{number}.md", 0) if number % 5 else "",
        )


def make_report(text: str = "plain text", *, operations: int = 3, topics: int = 2) -> Report:
    """Return a report with a run."""
    plan = make_plan(text, operations=operations)
    run = tell_run(make_result(plan, text=text))
    return Report(text, NOW, f"headline {text}", (make_scope(text, topics=topics),), ((text, text),), run)
