"""Correct operations as a good model writes them: tidied grammar, third person, a description of its own making."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from memci.guards.context import Context
from memci.model.plan import Operation, OperationKind
from memci.model.session import SignalKind
from tests.build import topic_text
from tests.guards.scene import FILES, by, change, create, edit, finding, make_context, said


@dataclass(frozen=True)
class Case:
    name: str
    operation: Operation
    context: Context


_TOPICS = Path(__file__).with_name("helpful.toml")


def _creates() -> list[Case]:
    cases = []
    for made in tomllib.loads(_TOPICS.read_text(encoding="utf-8"))["create"]:
        signal = said(made["said"])
        name, kind = made["name"], made["type"]
        # File names are ASCII; what a person said in another script is named after its signal.
        stem = name.replace("-", "_") if name.isascii() else signal.id[:8]
        file = f"{kind}_{stem}.md"
        title = name.replace("-", " ").capitalize()
        operation = create(
            signal,
            file,
            name,
            json.dumps(made["description"], ensure_ascii=False),
            made["body"],
            kind,
            f"- [{title}]({file}) — {made['hook']}",
        )
        cases.append(Case(f"create {name}", operation, make_context(signal)))
    return cases


def _deadlines() -> list[Case]:
    friday = said(
        "deadline for the csv exporter is this friday, its in the customer contract. so no gold plating",
        kind=SignalKind.DEADLINE,
        rule="deadline for the csv exporter is 2026-11-13, its in the customer contract",
    )
    body = "The deadline for the CSV exporter is 2026-11-13 (customer contract); no gold plating."
    freeze = said("code freeze starts tomorrow and ends on thursday", kind=SignalKind.DEADLINE)
    return [
        Case(
            "create a deadline",
            create(friday, "project_csv_deadline.md", "csv-deadline", "Deadline for the CSV exporter", body, "project"),
            make_context(friday),
        ),
        Case(
            "create a freeze from relative days",
            create(
                freeze,
                "project_code_freeze.md",
                "code-freeze",
                "When the code freeze starts and ends",
                "The code freeze starts on 2026-11-10 and ends on 2026-11-12.",
                "project",
            ),
            make_context(freeze),
        ),
    ]


def _updates() -> list[Case]:
    def update(
        name: str,
        file: str,
        text: str,
        *changes: tuple[str, str],
        hook: tuple[str, str] | None = None,
        reverses: bool = False,
    ) -> Case:
        signal = said(text, reverses=reverses)
        texts: dict[str, str | None] = {file: edit(file, *changes)}
        if hook:
            texts["MEMORY.md"] = edit("MEMORY.md", hook)
        return Case(f"update {name}", change(OperationKind.UPDATE, file, texts, by(signal)), make_context(signal))

    return [
        update(
            "commit messages with a ticket",
            "feedback_commits.md",
            "commit messages: imperative mood, subject under 60 characters, and always put the ticket (PAY-123) "
            "in the body",
            (
                "subject under 60 characters.",
                "subject under 60 characters. Always put the ticket (e.g. PAY-123) in the body.",
            ),
        ),
        update(
            "a changed number",
            "project_coverage.md",
            "note: the coverage threshold in ci is 85% now, not 80% anymore",
            ("The coverage threshold in ci is 80%.", "The coverage threshold in ci is 85%."),
            reverses=True,
        ),
        update(
            "a changed number that nobody marked as reversal",
            "project_coverage.md",
            "note: the coverage threshold in ci is 85% now, not 80% anymore",
            ("The coverage threshold in ci is 80%.", "The coverage threshold in ci is 85% (not 80% anymore)."),
        ),
        update(
            "the opposite rule",
            "feedback_installing.md",
            "we switched. from now on install dependencies with pnpm, never with npm. forget the old rule",
            (
                (
                    "Install dependencies with npm install, never with pnpm.\n\n"
                    "**Why:** the lockfile of pnpm broke the image."
                ),
                "Install dependencies with pnpm, never with npm.",
            ),
            hook=("npm only", "pnpm, never npm"),
            reverses=True,
        ),
        update(
            "a new owner",
            "project_freeze.md",
            "Ben is the release manager for mobile now, no longer Ana",
            ("Release manager for mobile is Ana.", "Release manager for mobile is Ben."),
            reverses=True,
        ),
        update(
            "one more fact",
            "reference_tracker.md",
            "bugs of the web app go to jira too, project WEB",
            ("project MOB.", "project MOB.\nBugs of the web app go to Jira, project WEB."),
        ),
        update(
            "one more fact and a description",
            "reference_tracker.md",
            "bugs of the web app go to jira too, project WEB",
            ("project MOB.", "project MOB.\nBugs of the web app go to Jira, project WEB."),
            ("where bugs of the mobile app are tracked", "where bugs of the mobile app and the web app are tracked"),
        ),
        update(
            "a reason",
            "feedback_commits.md",
            "the subject has to stay under 60 characters because the changelog tool cuts it off",
            ("60 characters.", "60 characters.\n\n**Why:** The changelog tool cuts off the subject."),
        ),
        update(
            "an exception",
            "project_deploys.md",
            "deploys may run on bank holidays if it is a security fix",
            (
                "holidays of the customer.\n",
                "holidays of the customer.\n- Exception: deploys may run on bank holidays for a security fix.\n",
            ),
        ),
        update(
            "a person's habit",
            "user_zone.md",
            "I don't work on fridays, so nothing for me on that day",
            ("starts late.", "starts late.\nDoes not work on Fridays."),
        ),
    ]


def _findings() -> list[Case]:
    gone = finding(
        "path-missing",
        "project_invoices.md",
        7,
        "`billing/render_pdf.py` is gone: removed in 3f9c2ab001 on 2026-10-01 (drop local pdf rendering)",
        key="billing/render_pdf.py",
    )
    weekly = finding("path-missing", "project_deploys.md", 10, "`jobs/weekly.py` is gone", key="jobs/weekly.py")
    over = finding("date-expired", "project_freeze.md", 7, "stated as valid until 2026-03-05, and that day is over")
    invoices = "Invoices are rendered by `billing/render_pdf.py`. "
    return [
        Case(
            "retire a dead sentence",
            change(
                OperationKind.RETIRE,
                "project_invoices.md",
                {"project_invoices.md": edit("project_invoices.md", (invoices, ""))},
                by(gone),
            ),
            make_context(findings=[gone]),
        ),
        Case(
            "reword a dead sentence as history",
            change(
                OperationKind.UPDATE,
                "project_invoices.md",
                {
                    "project_invoices.md": edit(
                        "project_invoices.md",
                        (
                            invoices,
                            "Invoices were rendered by `billing/render_pdf.py`, which was removed on 2026-10-01. ",
                        ),
                    )
                },
                by(gone),
            ),
            make_context(findings=[gone]),
        ),
        Case(
            "retire one dead line of four",
            change(
                OperationKind.RETIRE,
                "project_deploys.md",
                {
                    "project_deploys.md": edit(
                        "project_deploys.md", ("\n- The weekly job is `jobs/weekly.py`; it may fail silently.", "")
                    )
                },
                by(weekly),
            ),
            make_context(findings=[weekly]),
        ),
        Case(
            "retire an expired freeze",
            change(
                OperationKind.RETIRE,
                "project_freeze.md",
                {
                    "project_freeze.md": edit(
                        "project_freeze.md", ("Merge freeze until 2026-03-05 for the mobile release.\n\n", "")
                    )
                },
                by(over),
            ),
            make_context(findings=[over]),
        ),
        Case(
            "reword an expired freeze",
            change(
                OperationKind.UPDATE,
                "project_freeze.md",
                {
                    "project_freeze.md": edit(
                        "project_freeze.md",
                        (
                            "Merge freeze until 2026-03-05 for the mobile release.",
                            "The merge freeze for the mobile release ended; it was valid until 2026-03-05.",
                        ),
                    )
                },
                by(over),
            ),
            make_context(findings=[over]),
        ),
    ]


def _retires() -> list[Case]:
    forget = said(
        "forget what I said about the commit messages, imperative mood and the 60 characters don't matter",
        kind=SignalKind.FORGET,
    )
    no_commits = edit("MEMORY.md", ("- [Commit messages](feedback_commits.md) — imperative, short subject\n", ""))
    same = FILES["feedback_errors.md"].split("\n")[6]
    no_errors = edit("MEMORY.md", ("- [Errors](feedback_errors.md) — wrap with %w\n", ""))
    guided = finding("duplicates-claude-md", "feedback_commits.md", 7, "says only what CLAUDE.md:3 already says")
    return [
        Case(
            "retire what the person takes back",
            change(
                OperationKind.RETIRE,
                "feedback_commits.md",
                {"feedback_commits.md": None, "MEMORY.md": no_commits},
                by(forget),
            ),
            make_context(forget),
        ),
        Case(
            "retire a duplicate",
            change(
                OperationKind.RETIRE,
                "feedback_errors.md",
                {"feedback_errors.md": None, "MEMORY.md": no_errors},
                by(("feedback_error_wrapping.md", same)),
            ),
            make_context(),
        ),
        Case(
            "retire what a guide says",
            change(
                OperationKind.RETIRE,
                "feedback_commits.md",
                {"feedback_commits.md": None, "MEMORY.md": no_commits},
                by(guided),
            ),
            make_context(findings=[guided]),
        ),
    ]


def _merges() -> list[Case]:
    same = FILES["feedback_errors.md"].split("\n")[6]
    no_errors = edit("MEMORY.md", ("- [Errors](feedback_errors.md) — wrap with %w\n", ""))
    no_wrapping = edit("MEMORY.md", ("- [Error wrapping](feedback_error_wrapping.md) — wrap with %w\n", ""))
    twice = finding(
        "duplicate-topic", "feedback_errors.md", 7, "says only what is already said in `feedback_error_wrapping.md`"
    )
    kept = edit("feedback_errors.md", ("err)`.\n", "err)`.\nSentinel errors are compared with `errors.Is`.\n"))
    described = edit(
        "feedback_error_wrapping.md",
        ("wrapping of errors in go code, sentinel errors", "how errors are wrapped in go code, and sentinel errors"),
    )
    pair = {
        **FILES,
        "feedback_squash.md": topic_text(
            "Always squash the commits before merging a branch.",
            name="squash",
            description="squash before merging",
            kind="feedback",
        ),
        "feedback_squashing.md": topic_text(
            "Always squash commits before merging the branch, please.\n\n**Why:** bisect.",
            name="squashing",
            description="squashing commits before a merge",
            kind="feedback",
        ),
    }
    pair["MEMORY.md"] += (
        "- [Squash](feedback_squash.md) — squash before merging\n"
        "- [Squashing](feedback_squashing.md) — before a merge\n"
    )
    nearly = finding("duplicate-topic", "feedback_squashing.md", 7, "says nearly the same as `feedback_squash.md`")
    left = pair["MEMORY.md"].replace("- [Squash](feedback_squash.md) — squash before merging\n", "")
    fuller = pair["feedback_squashing.md"].replace("branch, please.", "branch.")
    return [
        Case(
            "merge into the longer topic",
            change(
                OperationKind.MERGE,
                "feedback_error_wrapping.md",
                {"feedback_error_wrapping.md": described, "feedback_errors.md": None, "MEMORY.md": no_errors},
                by(twice, ("feedback_errors.md", same)),
            ),
            make_context(findings=[twice]),
        ),
        Case(
            "merge into the shorter topic",
            change(
                OperationKind.MERGE,
                "feedback_errors.md",
                {"feedback_errors.md": kept, "feedback_error_wrapping.md": None, "MEMORY.md": no_wrapping},
                by(twice, ("feedback_error_wrapping.md", same)),
            ),
            make_context(findings=[twice]),
        ),
        Case(
            "merge two phrasings",
            change(
                OperationKind.MERGE,
                "feedback_squashing.md",
                {"feedback_squashing.md": fuller, "feedback_squash.md": None, "MEMORY.md": left},
                by(nearly, ("feedback_squash.md", "Always squash the commits before merging a branch.")),
            ),
            make_context(findings=[nearly], files=pair),
        ),
    ]


def _repairs() -> list[Case]:
    line = "The old queue moved from `mq/client.go` to `queue/client.go`.\n"
    moved = finding(
        "path-moved",
        "project_queue.md",
        9,
        "`queue/client.go` is now `pkg/queue/client.go`",
        key="queue/client.go",
        fix=(line, line.replace("`queue/", "`pkg/queue/")),
    )
    first = finding(
        "path-moved",
        "project_queue.md",
        9,
        "`mq/client.go` is now `old/client.go`",
        key="mq/client.go",
        fix=(line, line.replace("`mq/", "`old/")),
    )
    both = line.replace("`mq/", "`old/").replace("`queue/", "`pkg/queue/")
    pinned_line = "Queries are built in `lib/search.ex`.\n"
    pinned = finding(
        "path-moved",
        "project_search.md",
        8,
        "`lib/search.ex` is now `lib/query/builder.ex`",
        fix=(pinned_line, pinned_line.replace("lib/search.ex", "lib/query/builder.ex")),
    )
    broken = {
        **FILES,
        "feedback_linter.md": "---\nname: linter\ndescription: one linter only: ruff, not flake8\n"
        "type: feedback\n---\nLint with ruff.\n",
    }
    quoted = finding(
        "topic-bad-yaml",
        "feedback_linter.md",
        3,
        "not valid",
        fix=("description: one linter only: ruff, not flake8\n", 'description: "one linter only: ruff, not flake8"\n'),
    )
    bare = {
        **FILES,
        "feedback_reviews.md": "# Reviews\n\nKeep review comments short and concrete, at most three per file.\n",
    }
    headless = finding("topic-no-frontmatter", "feedback_reviews.md", 1, "there is none")
    headed = (
        "---\nname: reviews\ndescription: Review comments are short and concrete\nmetadata:\n  type: feedback\n---\n"
        + bare["feedback_reviews.md"]
    )
    odd = {
        **FILES,
        "reference_board.md": "---\nname: board\ndescription: where the board is\n"
        "type: note\n---\nThe board is in Jira, project MOB.\n",
    }
    mistyped = finding("topic-bad-type", "reference_board.md", 4, "`note` is none of the four types")
    return [
        Case(
            "repair a moved path",
            change(
                OperationKind.REPAIR,
                "project_queue.md",
                {"project_queue.md": edit("project_queue.md", (line, line.replace("`queue/", "`pkg/queue/")))},
                by(moved),
            ),
            make_context(findings=[moved]),
        ),
        Case(
            "repair two paths of one line",
            change(
                OperationKind.REPAIR,
                "project_queue.md",
                {"project_queue.md": edit("project_queue.md", (line, both))},
                by(moved, first),
            ),
            make_context(findings=[moved, first]),
        ),
        Case(
            "repair a moved path in a pinned topic",
            change(
                OperationKind.REPAIR,
                "project_search.md",
                {"project_search.md": edit("project_search.md", ("lib/search.ex", "lib/query/builder.ex"))},
                by(pinned),
            ),
            make_context(findings=[pinned]),
        ),
        Case(
            "repair quoting",
            change(
                OperationKind.REPAIR,
                "feedback_linter.md",
                {
                    "feedback_linter.md": broken["feedback_linter.md"].replace(
                        "one linter only: ruff, not flake8", '"one linter only: ruff, not flake8"'
                    )
                },
                by(quoted),
            ),
            make_context(findings=[quoted], files=broken),
        ),
        Case(
            "repair a missing head",
            change(OperationKind.REPAIR, "feedback_reviews.md", {"feedback_reviews.md": headed}, by(headless)),
            make_context(findings=[headless], files=bare),
        ),
        Case(
            "repair a bad type",
            change(
                OperationKind.REPAIR,
                "reference_board.md",
                {"reference_board.md": odd["reference_board.md"].replace("type: note", "type: reference")},
                by(mistyped),
            ),
            make_context(findings=[mistyped], files=odd),
        ),
    ]


def _reindexes() -> list[Case]:
    orphan = {
        **FILES,
        "project_jobs.md": topic_text(
            "The nightly job belongs to Tariq.", name="jobs", description="schedule and owners of the jobs"
        ),
    }
    lost = finding("index-orphan", "project_jobs.md", 1, "no pointer")
    prose = {
        **FILES,
        "MEMORY.md": FILES["MEMORY.md"].replace(
            "# Memory\n\n",
            "# Memory\n\nThe importer must not run between 01:00 and 02:00 because of the bank's batch window.\n\n",
        ),
    }
    told = "The importer must not run between 01:00 and 02:00 because of the bank's batch window."
    moved = topic_text(told, name="importer-window", description="when the importer must not run", kind="project")
    long = {
        **FILES,
        "MEMORY.md": "# Memory\n\n"
        + "".join(f"- [Shop {n}](project_shop_{n}.md) — opening hours of shop {n}\n\n" for n in range(100)),
    }
    long |= {
        f"project_shop_{n}.md": topic_text(
            f"Shop {n} opens at {n} minutes past eight.", name=f"shop-{n}", description=f"opening hours of shop {n}"
        )
        for n in range(100)
    }
    packed = long["MEMORY.md"].replace("\n\n- ", "\n- ").rstrip("\n") + "\n"
    return [
        Case(
            "reindex an orphan",
            change(
                OperationKind.REINDEX,
                "MEMORY.md",
                {"MEMORY.md": FILES["MEMORY.md"] + "- [Jobs](project_jobs.md) — schedule and owners of the jobs\n"},
                by(("project_jobs.md", "The nightly job belongs to Tariq.")),
            ),
            make_context(findings=[lost], files=orphan),
        ),
        Case(
            "move prose of the index into a topic",
            change(
                OperationKind.CREATE,
                "project_importer_window.md",
                {
                    "project_importer_window.md": moved,
                    "MEMORY.md": FILES["MEMORY.md"]
                    + "- [Importer](project_importer_window.md) — when the importer must not run\n",
                },
                by(("MEMORY.md", told)),
            ),
            make_context(files=prose),
        ),
        Case(
            "make room by dropping blank lines",
            change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": packed}, by(("MEMORY.md", "# Memory"))),
            make_context(files=long),
        ),
        Case(
            "sort under a heading",
            change(
                OperationKind.REINDEX,
                "MEMORY.md",
                {"MEMORY.md": edit("MEMORY.md", ("- [Coverage]", "## Project\n\n- [Coverage]"))},
                by(("MEMORY.md", "# Memory")),
            ),
            make_context(),
        ),
    ]


CASES = [*_creates(), *_deadlines(), *_updates(), *_findings(), *_retires(), *_merges(), *_repairs(), *_reindexes()]
