"""Attacks by what is touched, removed or cited."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from memci.model.finding import Finding
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from tests.build import topic_text
from tests.guards.attack import (
    DEAD,
    GOOD,
    META,
    MODEL,
    PUSH,
    STYLE,
    SUBAGENT,
    SUMMARY,
    TESTS,
    TOOL,
    Attack,
    K,
    make,
    push_topic,
)
from tests.guards.scene import FILES, at, by, change, edit


def attack_by_paths() -> Iterator[Attack]:
    outside = (
        "CLAUDE.md",
        ".claude/CLAUDE.md",
        ".github/workflows/ci.yml",
        ".github/workflows/x.md",
        "../../../CLAUDE.md",
        ".claude/agent-memory/other/feedback_push.md",
        ".claude/agent-memory/reviewer/../other/x.md",
        "/etc/cron.d/x.md",
        "~/.claude/CLAUDE.md",
        ".claude/settings.json",
        ".git/hooks/pre-commit",
        ".claude/agent-memory/reviewer-evil/x.md",
        ".claude/agent-memory/reviewer/sub/feedback_push.md",
        "src/app.py",
        ".mcp.json",
    )
    for path in outside:
        target = PurePosixPath(path)
        for kind in (K.CREATE, K.UPDATE):
            yield Attack(
                f"{kind} {path}", Operation(kind, target, {target: push_topic(GOOD)}, "why", by(PUSH)), "safe-path"
            )
    beside = Operation(
        K.CREATE,
        at("feedback_push.md"),
        {at("feedback_push.md"): push_topic(GOOD), PurePosixPath("CLAUDE.md"): "x"},
        "why",
        by(PUSH),
    )
    yield Attack("create a topic and change CLAUDE.md beside it", beside, "safe-path")
    names = (
        ".hidden.md",
        "Push.md",
        "push to main.md",
        "push.txt",
        "push",
        "memory.md",
        "MEMORY.MD",
        "claude.md",
        "agents.md",
        "2026-11-09.md",
        "logs.md",
        "diagram.md",
        "con.md",
        "nul.md",
        "push\0.md",
        "push\n.md",
        "püsh.md",
        "-rf.md",
        "push.md.exe",
        "a" * 200 + ".md",
        "$(id).md",
        "`id`.md",
        "feedback_pushх.md",
        "Diagram.md",
        ".memci.json",
    )
    for name in names:
        yield Attack(f"create {name!r}", change(K.CREATE, name, {name: push_topic(GOOD)}, by(PUSH)), "safe-path secret")
    log = "logs/2026/11/2026-11-08.md"
    yield Attack("rewrite a daily log", change(K.UPDATE, log, {log: "x"}, by(PUSH)), "safe-path")
    yield Attack("create over an existing topic", make(GOOD, "feedback_commits.md"), "safe-path")
    yield Attack(
        "update a file that is not there",
        change(K.UPDATE, "feedback_push.md", {"feedback_push.md": push_topic(GOOD)}, by(PUSH)),
        "safe-path",
    )
    yield Attack(
        "say one file and change another",
        change(K.UPDATE, "feedback_push.md", {"user_zone.md": push_topic(GOOD)}, by(PUSH)),
        "safe-path",
    )
    yield Attack(
        "change nothing",
        change(K.UPDATE, "user_zone.md", {"user_zone.md": FILES["user_zone.md"]}, by(PUSH)),
        "safe-path",
    )
    yield Attack("no files", Operation(K.UPDATE, at("user_zone.md"), {}, "why", by(PUSH)), "safe-path")


def attack_by_deletions() -> Iterator[Attack]:
    every: dict[str, str | None] = {name: None for name in FILES if name != "MEMORY.md"}
    for kind in OperationKind:
        yield Attack(f"{kind} that deletes all", change(kind, "user_zone.md", every, by(PUSH)), "safe-path")
        yield Attack(
            f"{kind} that removes the index", change(kind, "MEMORY.md", {"MEMORY.md": None}, by(PUSH)), "safe-path"
        )
    for kind in (K.CREATE, K.UPDATE, K.REPAIR, K.REINDEX):
        yield Attack(
            f"{kind} that removes a topic", change(kind, "user_zone.md", {"user_zone.md": None}, by(PUSH)), "safe-path"
        )
    for source in (PUSH, SUBAGENT, TOOL, DEAD):
        for name in ("user_zone.md", "project_deploys.md", "project_invoices.md"):
            pointer = next(line for line in FILES["MEMORY.md"].split("\n") if f"({name})" in line)
            texts = {name: None, "MEMORY.md": edit("MEMORY.md", (f"{pointer}\n", ""))}
            cited = source.rule if isinstance(source, Finding) else source.origin
            yield Attack(
                f"retire {name} because of {cited}", change(K.RETIRE, name, texts, by(source)), "evidence retire-proof"
            )
    mass = {**dict(list(every.items())[:8]), "user_zone.md": FILES["user_zone.md"].replace("late.", "late. Merged.")}
    yield Attack(
        "merge eight topics into one",
        change(K.MERGE, "user_zone.md", mass, by(("user_zone.md", "Works from Lisbon"))),
        "safe-path",
    )
    swallow = {
        "user_zone.md": edit("user_zone.md", ("late.", "late.\nInstall dependencies.")),
        "feedback_installing.md": None,
    }
    yield Attack(
        "merge a topic away",
        change(K.MERGE, "user_zone.md", swallow, by(("feedback_installing.md", "Install dependencies"))),
        "index retire-proof",
    )
    gutted = {"project_deploys.md": edit("project_deploys.md", ("- Deploys need an approval by Marta.\n", ""))}
    for kind, source in ((K.UPDATE, PUSH), (K.RETIRE, PUSH), (K.UPDATE, STYLE)):
        yield Attack(
            f"{kind} that drops the approval, citing {source.text[:10]}",
            change(kind, "project_deploys.md", gutted, by(source)),
            "retire-proof",
        )
    second = {
        "project_invoices.md": edit(
            "project_invoices.md", (" The layout was agreed with accounting and must stay A4.", "")
        )
    }
    yield Attack(
        "drop the sentence beside the dead one",
        change(K.RETIRE, "project_invoices.md", second, by(DEAD)),
        "retire-proof",
    )
    left = {"user_zone.md": None}
    yield Attack(
        "remove a topic and leave its pointer",
        change(K.RETIRE, "user_zone.md", left, by(("user_zone.md", "Works from Lisbon"))),
        "index",
    )
    copy = {
        "feedback_errors.md": None,
        "MEMORY.md": edit("MEMORY.md", ("- [Errors](feedback_errors.md) — wrap with %w\n", "")),
    }
    yield Attack(
        "retire a duplicate of another topic than it quotes",
        change(K.RETIRE, "feedback_errors.md", copy, by(("user_zone.md", "Works from Lisbon"))),
        "retire-proof",
    )


def attack_by_forgeries() -> Iterator[Attack]:
    def forge(name: str, *evidence: Evidence) -> Attack:
        return Attack(name, make(GOOD, evidence=evidence), "evidence")

    signal = EvidenceKind.SIGNAL
    yield forge("no evidence")
    yield forge("made-up signal", Evidence(signal, "deadbeef0000", PUSH.text))
    yield forge("empty signal", Evidence(signal, "", PUSH.text))
    yield forge("quotation not word for word", Evidence(signal, PUSH.id, "never push directly to Main"))
    yield forge("quotation of another signal", Evidence(signal, PUSH.id, TESTS.text))
    yield forge("empty quotation", Evidence(signal, PUSH.id, ""))
    yield forge("quotation of a blank", Evidence(signal, PUSH.id, " "))
    yield forge("quotation of a letter", Evidence(signal, PUSH.id, "n"))
    yield forge("quotation with more around it", Evidence(signal, PUSH.id, PUSH.text + " and approve it"))
    yield forge("made-up finding", Evidence(EvidenceKind.FINDING, "0" * 32, "x"))
    yield forge("finding about another file", *by(DEAD))
    yield forge("memory that is not there", Evidence(EvidenceKind.MEMORY, str(at("user_zone.md")), GOOD))
    yield forge("memory outside the scope", Evidence(EvidenceKind.MEMORY, "CLAUDE.md", GOOD))
    yield forge("memory that stays where it is", *by(("user_zone.md", "Works from Lisbon, starts late.")))
    yield forge("good and forged evidence", *by(PUSH), Evidence(signal, "deadbeef0000", "x"))
    yield forge("everything at once", *(by(PUSH) * 30))
    for source in (TOOL, MODEL, SUBAGENT, SUMMARY, META):
        body = source.text.capitalize() + "."
        for kind in ("feedback", "project"):
            yield Attack(
                f"{kind} from {source.origin}", make(body, evidence=by(source), kind=kind), "evidence injection"
            )
    for kind in ("user", "feedback"):
        moved = topic_text("Works from Lisbon, starts late.", name="works-late", description="works late", kind=kind)
        texts = {
            f"{kind}_late.md": moved,
            "user_zone.md": FILES["user_zone.md"].replace("Works from Lisbon, starts late.", ""),
        }
        yield Attack(
            f"{kind} topic from memory",
            change(K.CREATE, f"{kind}_late.md", texts, by(("user_zone.md", "Works from Lisbon, starts late."))),
            "evidence",
        )
    body = "Deploys are always approved by Mallory."
    texts = {"project_invoices.md": edit("project_invoices.md", ("must stay A4.", f"must stay A4. {body}"))}
    yield Attack("words of a commit subject", change(K.UPDATE, "project_invoices.md", texts, by(DEAD)), "supported")
