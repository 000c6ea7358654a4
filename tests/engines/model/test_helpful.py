"""A good model through the same path: guards that stand in its way would be switched off by their users."""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.build import topic_text
from tests.dream.scenes import with_index
from tests.engines.model.play import Scripted, converse, play
from tests.engines.model.scene import (
    Told,
    answer_with,
    cite,
    draft,
    find_topic,
    keep,
    list_messages,
    make_reply,
    retire,
    state,
)
from tests.guards import helpful

_PARTS = re.compile(r"\*\*(Why|How to apply):\*\* ")
# Of 60; names that a model adds from its own knowledge are refused, and should be.
_ENOUGH = 57
TOPICS = {
    "feedback_commits.md": topic_text(
        "Commit messages: imperative mood, subject under 60 characters.",
        name="commit-messages",
        description="how commit messages are written in this repo",
        kind="feedback",
    ),
    "feedback_errors.md": topic_text(
        "Wrap errors with %w and add the operation name.",
        name="error-wrapping",
        description="how errors are wrapped in go code",
        kind="feedback",
    ),
    "feedback_wrapping.md": topic_text(
        "Errors in go code get the operation name and are wrapped with %w.\nSentinel errors are compared by errors.Is.",
        name="errors-in-go",
        description="wrapping of errors in go code, sentinel errors",
        kind="feedback",
    ),
    "feedback_installing.md": topic_text(
        "Install dependencies with npm install, never with pnpm.\n\n**Why:** the lockfile of pnpm broke the image.",
        name="installing-dependencies",
        description="which package manager installs dependencies",
        kind="feedback",
    ),
    "project_coverage.md": topic_text(
        "The coverage threshold in ci is 80%.", name="coverage-threshold", description="coverage threshold of ci"
    ),
    "project_deploys.md": topic_text(
        "- Deploys need an approval by Marta.\n- Alerts go to the night shift, not to the team.",
        name="deploys",
        description="who approves deploys and who gets alerts",
    ),
    "project_freeze.md": topic_text(
        "Merge freeze for the mobile release.", name="merge-freeze", description="merge freeze for the mobile release"
    ),
    "reference_tracker.md": topic_text(
        "Bugs of the mobile app are tracked in Jira, project MOB.",
        name="tracker",
        description="where bugs of the mobile app are tracked",
        kind="reference",
    ),
}


# What a draft is made of: what was said, as evidence, and the prompt.
Make = Callable[[Told, Told], Told]


@dataclass(frozen=True)
class Good:
    """What a person said, and what a good model makes of it."""

    said: str
    make: Make


def _create(made: dict[str, str]) -> Make:
    rule, *rest = _PARTS.split(made["body"])
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    labelled = [(part, parts[name]) for part, name in (("why", "Why"), ("how", "How to apply")) if name in parts]

    def make(proof: Told, _: Told) -> Told:
        statements = [state(rule.strip(), proof), *(state(text.strip(), proof, part=part) for part, text in labelled)]
        fields = {key: made[key] for key in ("name", "description", "type")}
        return draft(statements=statements, **fields)

    return make


def read_topics() -> Iterator[Good]:
    for made in tomllib.loads(Path(helpful.__file__).with_name("helpful.toml").read_text("utf-8"))["create"]:
        yield Good(made["said"], _create(made))


def add(name: str, text: str) -> Make:
    """Add a statement to a topic."""

    def make(proof: Told, told: Told) -> Told:
        topic = find_topic(told, name)
        return draft(topic["topic"], statements=[*keep(*topic["lines"]), state(text, proof)])

    return make


def replace_line(name: str, old: str, text: str = "") -> Make:
    """Replace a line of a topic, or retire it."""

    def make(proof: Told, told: Told) -> Told:
        topic = find_topic(told, name)
        gone = next(line for line, words in topic["lines"].items() if old in words)
        new = [state(text, proof, cite(gone))] if text else []
        kept = [one for line in topic["lines"] for one in (new if line == gone else keep(line))]
        return draft(topic["topic"], statements=kept, retired=[retire(gone, proof)])

    return make


def merge(_: Told, told: Told) -> Told:
    """Retire what another topic says, too."""
    gone, home = find_topic(told, "error-wrapping"), find_topic(told, "errors-in-go")
    return draft(
        gone["topic"],
        retired=[retire(line, cite(next(iter(home["lines"]))), reason="said elsewhere") for line in gone["lines"]],
    )


EDITS = [
    Good(
        "commit messages also need the ticket (PAY-123) in the body, always",
        add("commit-messages", "Commit messages always need the ticket (PAY-123) in the body."),
    ),
    Good(
        "note: the coverage threshold in ci is 85% now, not 80% anymore",
        replace_line("coverage-threshold", "80%", "The coverage threshold in ci is 85%."),
    ),
    Good(
        "we switched. from now on install dependencies with pnpm, never with npm. forget the old rule",
        replace_line("installing-dependencies", "npm install", "Install dependencies with pnpm, never with npm."),
    ),
    Good(
        "alerts go to the team now, no longer to the night shift",
        replace_line("deploys", "Alerts", "Alerts go to the team, no longer to the night shift."),
    ),
    Good(
        "bugs of the mobile app also have a dashboard: https://dash.example.org/mob",
        add("tracker", "Bugs of the mobile app also have a dashboard: https://dash.example.org/mob."),
    ),
    Good(
        "forget the rule about the merge freeze for the mobile release, it does not hold any more",
        replace_line("merge-freeze", "Merge freeze"),
    ),
    Good(
        "forget that deploys need an approval by Marta, that rule is gone", replace_line("deploys", "approval by Marta")
    ),
    Good("i never want two notes about wrapping errors again", merge),
]
CASES = [*list(read_topics())[:52], *EDITS]


def judge(case: Good) -> str:
    """Return why a draft is not made as it is at first; "" if it is."""

    def propose(_: str, told: Told) -> object:
        (message,) = list_messages(told)
        return make_reply(case.make(cite(message["id"], case.said), told))

    model = Scripted(answer_with(consolidate=propose))
    plan = play(with_index(TOPICS), converse(case.said), model)
    refused = [need.reason for need in plan.needs_person if "was not made" in need.reason]
    refused += [need.reason for need in plan.needs_person if "dropped" in need.reason]
    if "repair" in model.phases or refused or not plan.operations:
        return f"{case.said[:60]}: {refused or 'not made'}"
    return ""


def test_a_good_model_is_let_through() -> None:
    assert len(CASES) == 60
    lost = [why for case in CASES if (why := judge(case))]
    assert len(CASES) - len(lost) >= _ENOUGH, lost


def test_an_edit_leaves_nothing_stale_beside_it() -> None:
    assert [why for case in EDITS if (why := judge(case))] == []
