"""A good model through the same path: guards that stand in its way would be switched off by their users."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.build import topic_text
from tests.engines.model.scene import Scene, Told, answer_with, consolidate, make_scene, operation, write_scope
from tests.fakes.anthropic_api import FakeApi
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


@dataclass(frozen=True)
class Good:
    """What a person said, and what a good model makes of it."""

    said: str
    told: Told
    kind: str = "correction"


def read_topics() -> Iterator[Good]:
    for made in tomllib.loads(Path(helpful.__file__).with_name("helpful.toml").read_text("utf-8"))["create"]:
        rule, *rest = _PARTS.split(made["body"])
        parts = dict(zip(rest[::2], rest[1::2], strict=True))
        yield Good(
            made["said"],
            operation(
                name=made["name"],
                description=made["description"],
                type=made["type"],
                rule=rule,
                why=parts.get("Why", ""),
                how=parts.get("How to apply", ""),
            ),
        )


def edit(kind: str, file: str, **fields: object) -> Told:
    return operation(kind, file=file, **fields)


EDITS = [
    Good(
        "commit messages also need the ticket (PAY-123) in the body, always",
        edit("update", "feedback_commits.md", rule="Commit messages always need the ticket (PAY-123) in the body."),
    ),
    Good(
        "note: the coverage threshold in ci is 85% now, not 80% anymore",
        edit(
            "update",
            "project_coverage.md",
            replaces="The coverage threshold in ci is 80%.",
            rule="The coverage threshold in ci is 85%.",
            type="project",
        ),
    ),
    Good(
        "we switched. from now on install dependencies with pnpm, never with npm. forget the old rule",
        edit(
            "update",
            "feedback_installing.md",
            replaces="Install dependencies with npm install, never with pnpm.",
            rule="Install dependencies with pnpm, never with npm.",
        ),
    ),
    Good(
        "alerts go to the team now, no longer to the night shift",
        edit(
            "update",
            "project_deploys.md",
            replaces="- Alerts go to the night shift, not to the team.",
            rule="Alerts go to the team, no longer to the night shift.",
            type="project",
        ),
    ),
    Good(
        "bugs of the mobile app also have a dashboard: https://dash.example.org/mob",
        edit(
            "update",
            "reference_tracker.md",
            rule="Bugs of the mobile app also have a dashboard: https://dash.example.org/mob.",
            type="reference",
        ),
    ),
    Good(
        "forget the rule about the merge freeze for the mobile release, it does not hold any more",
        edit("retire", "project_freeze.md", type="project"),
        "forget",
    ),
    Good("forget that deploys need an approval by Marta, that rule is gone",
        edit("retire", "project_deploys.md", replaces="- Deploys need an approval by Marta.", type="project"), "forget",
    ),
    Good(
        "i never want two notes about wrapping errors again",
        edit("merge", "feedback_wrapping.md", merged=["feedback_errors.md"]),
    ),
]  # fmt: skip


def put_names(told: Told, material: Told) -> Told:
    """Put the ids of topics in the place of what the cases call them."""
    ids = {topic["name"]: topic["file"] for topic in material["topics"]}
    names = {name: re.findall("name: (.*)", text)[0] for name, text in TOPICS.items()}
    file = ids.get(names.get(told["file"], ""), told["file"])
    return {**told, "file": file, "merged": [ids[names[name]] for name in told["merged"]]}


def help_with(cases: list[Good]) -> Any:
    def gather(_: str, told: Told) -> object:
        by_text = {case.said: case for case in cases}
        return {
            "signals": [
                {
                    "message": m["message"],
                    "quote": m["said"],
                    "why": "",
                    "how": "",
                    "own": True,
                    "kind": by_text[m["said"]].kind,
                }
                | {"type": by_text[m["said"]].told["type"]}
                for m in told["messages"]
                if m["said"] in by_text
            ]
        }

    return gather


def count_accepted(scene: Scene, cases: list[Good]) -> tuple[int, list[str]]:
    """Return how many of the model's operations passed, and what was said of the others."""
    write_scope(scene.repo, topics=TOPICS)
    for case in cases:
        scene.say(case.said)
    proposed = 0

    def propose(_: str, told: Told) -> object:
        nonlocal proposed
        entries = []
        for case in cases:
            signals = [signal for signal in told["signals"] if signal["said"] in case.said]
            cited = [{"signal": signal["signal"], "quote": signal["said"]} for signal in signals[:1]]
            entries.append(put_names({**case.told, "evidence": cited}, material))
        proposed = len(entries)
        return consolidate(entries)

    material: Told = {}

    def answer(params: dict[str, Any]) -> object:
        blocks = params["messages"][0]["content"]
        material.update(json.loads(blocks[0]["text"]) if len(blocks) > 1 else {})
        return answer_with(gather=help_with(cases), consolidate=propose)(params)

    scene.api.answer = answer
    (scope,) = scene.dream_json()["scopes"]
    lost = [f"{refused['file']}: {refused['why']}" for refused in scope["rejected"]]
    lost += [need["reason"] for need in scope["needs_person"] if "meant nothing" in need["reason"]]
    dropped = sum(int(need["reason"].split()[0]) for need in scope["needs_person"] if "meant nothing" in need["reason"])
    return proposed - len(scope["rejected"]) - dropped, lost


CASES = [*list(read_topics())[:52], *EDITS]


def test_a_good_model_is_let_through(tmp_path: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(CASES) == 60
    accepted, lost = 0, list[str]()
    # A reply holds at most 40 operations.
    for part in (0, 1):
        count, reasons = count_accepted(make_scene(tmp_path / str(part), api, capsys), CASES[part::2])
        accepted, lost = accepted + count, [*lost, *reasons]
    assert accepted >= _ENOUGH, (accepted, lost)
