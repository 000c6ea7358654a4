"""Corrections in other words: a model finds them, a second reading judges each, and a yes is at most a question."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memci.engines.model.repetitions import MAX_MESSAGES, MAX_RULES
from tests.build import topic_text
from tests.commands.run import memci
from tests.engines.model.scene import NOW, SCOPE, TOPICS, Scene, Told, answer_with, read_told, write_scope

PNPM = "Use pnpm in every package, never npm."
FILE = "feedback_packages.md"
FIRST = "no, packages get installed with pnpm here, don't take npm"
SECOND = "stop, that package must come from pnpm!"
LATER = "2026-11-18T03:00:00Z"


def deny(_: str, told: Told) -> object:
    """Find the rule in every message, but as nobody's own demand."""
    return {"pairs": [{"pair": pair["pair"], "says": True, "own": False} for pair in told["pairs"]]}


def link(_: str, told: Told) -> object:
    """Link every message with the lines about pnpm."""
    rules = [rule["rule"] for rule in told["rules"] if "pnpm" in rule["text"]]
    return {
        "repeated": [
            {"message": one["message"], "rule": rule, "quote": one["typed"]}
            for one in told["messages"]
            for rule in rules
        ]
    }


def correct(scene: Scene, *texts: str, did: str = "npm install left-pad") -> str:
    """Write a session in which the agent does something and a person answers."""
    block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": did}}
    records: list[dict[str, Any]] = [{"type": "assistant", "message": {"role": "assistant", "content": [block]}}]
    records += ({"type": "user", "message": {"role": "user", "content": text}} for text in texts)
    extra = [
        {
            "uuid": f"22222222-0000-4000-8000-{scene.sessions:06d}{number:06d}",
            "timestamp": f"2026-11-12T09:{30 + number // 60:02}:{number % 60:02}Z",
        }
        | record
        for number, record in enumerate(records)
    ]
    return scene.say("let us go on with the basket page", extra=extra)


def list_shown(scene: Scene) -> list[Told]:
    """Return what a model saw that was asked for messages which say a rule again."""
    return [told for seen in scene.api.posts() if "rules" in (told := read_told(seen.params))]


def list_asked(scene: Scene) -> list[Told]:
    """Return the pairs of all calls about repetitions."""
    found = [read_told(seen.params) for seen in scene.api.posts()]
    return [pair for told in found for pair in told.get("pairs", ()) if "rule" in pair]


def list_repeated(scene: Scene) -> dict[str, int]:
    """Return how often the rules of each file were said again, as the state has it."""
    state = json.loads((scene.repo.root / SCOPE / ".memci.json").read_text())
    return {key.partition("#")[0]: len(found) for key, found in state.get("repeated", {}).items()}


def list_questions(scope: Told) -> list[Told]:
    """Return the questions about rules that people had to say again."""
    return [need for need in scope["needs_person"] if "say this again" in need["reason"]]


def list_changed(scene: Scene, before: dict[str, str]) -> list[str]:
    """Return the files that a dream changed."""
    after = scene.read()
    return [name for name in before | after if before.get(name) != after.get(name)]


def break_index(scene: Scene) -> None:
    """Give the next dream something to change, so that it writes the state."""
    index, gone = scene.repo.root / SCOPE / "MEMORY.md", f"gone_{scene.sessions}.md"
    index.write_text(f"{index.read_text()}- [gone]({gone}) — what is not there\n")
    scene.repo.write(f"{SCOPE}/{gone}", topic_text("Ports are above 9000.", name="gone"))
    scene.repo.commit()
    scene.repo.delete(f"{SCOPE}/{gone}")
    scene.repo.commit()


@pytest.fixture(autouse=True)
def rule(scene: Scene) -> None:
    """Commit a rule before the sessions begin."""
    said = topic_text(PNPM, name="packages", description="how packages are installed", kind="feedback")
    write_scope(scene.repo, topics=TOPICS | {FILE: said})
    break_index(scene)
    scene.api.answer = answer_with(repetitions=link)


def test_a_rule_said_twice_in_other_words_is_a_question_with_a_proposal(scene: Scene) -> None:
    correct(scene, FIRST)
    correct(scene, SECOND)
    before = scene.read()
    (scope,) = scene.dream_json()["scopes"]
    (need,) = list_questions(scope)
    assert need["reason"] == (
        f"{FILE}:7: people had to say this again in 2 sessions although memory has it; "
        f"make it a line of CLAUDE.md, which every session loads: {PNPM}"
    )
    assert [proof["quote"] for proof in need["evidence"]] == [FIRST, SECOND]
    assert (scene.asked(), list_repeated(scene)) == (["repetitions", "verify", "consolidate"], {FILE: 2})
    assert list_changed(scene, before) == ["MEMORY.md"]


def test_a_reader_sees_the_rule_and_the_message_and_nothing_else(scene: Scene) -> None:
    correct(scene, f"{SECOND} then show me the page.\n> pasted: use yarn", did="npm install left-pad")
    linked = {"repeated": [{"message": 1, "rule": 2, "quote": SECOND}]}
    scene.api.answer = answer_with(repetitions=linked)
    scene.dream("--dry-run")
    (told,) = list_shown(scene)
    # Facts of a project, people and pinned topics demand nothing.
    assert [rule["text"] for rule in told["rules"]] == [
        "Commit messages: imperative mood, subject under 60 characters.",
        PNPM,
    ]
    assert [set(one) for one in told["messages"]] == [{"message", "agent_before", "typed"}]
    assert "yarn" not in str(told)
    (pair,) = list_asked(scene)
    assert (pair["rule"], pair["said"]) == (PNPM, SECOND)
    assert set(pair) == {"pair", "rule", "said", "message", "agent_before"}
    assert "yarn" not in str(pair)
    assert "npm install left-pad" in pair["agent_before"]
    assert "Lisbon" not in scene.api.posts()[0].body.decode()


def test_each_session_is_asked_about_once_and_the_question_quotes_all(scene: Scene) -> None:
    correct(scene, FIRST)
    (first,) = scene.dream_json()["scopes"]
    assert (list_questions(first), list_repeated(scene)) == ([], {FILE: 1})
    correct(scene, SECOND)
    break_index(scene)
    (second,) = scene.dream_json("--now", LATER)["scopes"]
    assert [pair["said"] for pair in list_asked(scene)] == [FIRST, SECOND]
    assert [[proof["quote"] for proof in need["evidence"]] for need in list_questions(second)] == [[FIRST, SECOND]]
    (third,) = scene.dream_json("--now", "2026-11-20T03:00:00Z")["scopes"]
    assert (list_questions(third), len(list_asked(scene)), list_repeated(scene)) == ([], 2, {FILE: 2})


def test_what_is_denied_counts_nowhere_and_is_not_asked_again(scene: Scene) -> None:
    correct(scene, FIRST)
    correct(scene, SECOND)
    scene.api.answer = answer_with(repetitions=link, verify=deny)
    (scope,) = scene.dream_json()["scopes"]
    assert (list_questions(scope), list_repeated(scene), len(list_asked(scene))) == ([], {}, 2)
    third = "no, a package never comes from npm"
    correct(scene, third)
    scene.dream("--now", LATER)
    assert [pair["said"] for pair in list_asked(scene)[2:]] == [third]


def test_a_hijacked_reader_only_makes_a_question(scene: Scene) -> None:
    for text in ("never install a package without a look at its npm page", "npm must not be in the list of packages"):
        correct(scene, text, "no, the coverage in ci must not be a badge")
    before = scene.read()
    every = {"pairs": [{"pair": number, "says": True, "own": True} for number in range(60)]}
    made_up = [{"message": 1, "rule": 2, "quote": quote} for quote in ("", "never install", "delete the tests")]
    unknown = [{"message": m, "rule": r, "quote": "npm"} for m, r in ((0, 1), (1, 0), (99, 1), (1, 99), (-1, -1))]
    scene.api.answer = answer_with(verify=every, repetitions={"repeated": [*made_up, *unknown]})
    (scope,) = scene.dream_json()["scopes"]
    # The pointer that leads nowhere goes without a model, too.
    assert list_changed(scene, before) == ["MEMORY.md"]
    # Only what a person typed is quoted, and only rules that are there can be repeated.
    assert (list_questions(scope), list_repeated(scene)) == ([], {FILE: 1})
    assert [pair["said"] for pair in list_asked(scene)] == ["never install"]


@pytest.mark.parametrize("reply", [{}, {"pairs": "all"}, {"pairs": [{"pair": 1, "says": True}]}])
def test_without_an_answer_none_is_confirmed(scene: Scene, reply: object) -> None:
    correct(scene, FIRST)
    correct(scene, SECOND)
    scene.api.answer = answer_with(repetitions=link, verify=reply)
    done = scene.dream()
    assert "not done  repetitions: " in done.out
    assert "say this again" not in done.out
    assert list_repeated(scene) == {}


def test_without_money_none_is_confirmed(scene: Scene) -> None:
    correct(scene, FIRST)
    correct(scene, SECOND)
    done = scene.dream("--max-cost", "0.000001")
    assert "not done  repetitions: budget" in done.out
    assert (scene.asked(), list_repeated(scene)) == ([], {})


@pytest.mark.parametrize("text", ["yes", "2.", "> no, packages get installed with pnpm here, don't take npm"])
def test_a_night_without_reactions_asks_nothing(scene: Scene, text: str) -> None:
    correct(scene, text)
    scene.say(FIRST)
    scene.dream()
    assert scene.asked() == ["consolidate"]


@pytest.mark.parametrize("text", ["npm again", "why is there a package-lock.json?", "bitte pnpm nehmen"])
def test_complaints_questions_and_other_languages_reach_the_model(scene: Scene, text: str) -> None:
    correct(scene, text)
    scene.dream()
    assert [pair["said"] for pair in list_asked(scene)] == [text]


def test_a_rule_that_is_younger_than_the_session_was_not_disobeyed(scene: Scene) -> None:
    correct(scene, FIRST)
    text = (scene.repo.root / SCOPE / FILE).read_text()
    scene.repo.write(f"{SCOPE}/{FILE}", text.replace(PNPM, f"Please {PNPM}"))
    scene.repo.commit(date="2026-11-13T12:00:00Z")
    scene.dream()
    assert list_repeated(scene) == {}


def test_a_topic_that_the_session_did_not_load_was_not_disobeyed(scene: Scene) -> None:
    # Another agent's index, and a topic without a pointer.
    write_scope(scene.repo, ".claude/agent-memory/reviewer", {FILE: scene.read()[FILE]})
    write_scope(scene.repo)
    scene.repo.commit()
    correct(scene, FIRST)
    scene.dream()
    assert list_asked(scene) == []


def test_a_guide_is_loaded_always(scene: Scene) -> None:
    write_scope(scene.repo)
    scene.repo.delete(f"{SCOPE}/{FILE}")
    scene.repo.write("CLAUDE.md", f"# Shop\n\n- {PNPM}\n")
    scene.repo.commit(date="2026-11-02T12:00:00Z")
    correct(scene, FIRST)
    correct(scene, SECOND)
    (scope,) = scene.dream_json()["scopes"]
    assert [need["reason"].partition(":")[0] for need in list_questions(scope)] == ["CLAUDE.md"]


def test_nearly_equal_wording_needs_no_reader(scene: Scene) -> None:
    correct(scene, f"no, {PNPM}", FIRST)
    correct(scene, PNPM)
    scene.api.answer = answer_with()
    (scope,) = scene.dream_json()["scopes"]
    assert (len(list_questions(scope)), list_repeated(scene)) == (1, {FILE: 2})


def test_only_the_newest_messages_and_so_many_rules_are_shown(scene: Scene) -> None:
    rules = "".join(f"- Never ship part {number} of the shop without its label.\n" for number in range(MAX_RULES))
    scene.repo.write("CLAUDE.md", rules)
    scene.repo.commit(date="2026-11-02T12:00:00Z")
    correct(scene, *(f"the page of part {number} is gone" for number in range(MAX_MESSAGES)), FIRST)
    scene.api.answer = answer_with()
    scene.dream()
    (told,) = list_shown(scene)
    assert (len(told["rules"]), len(told["messages"])) == (MAX_RULES, MAX_MESSAGES)
    assert (told["rules"][1]["text"], told["messages"][-1]["typed"]) == (PNPM, FIRST)


def test_a_scope_that_is_not_due_asks_nothing(scene: Scene) -> None:
    assert scene.dream().code == 0
    correct(scene, FIRST)
    scene.dream_json("--now", LATER)
    calls = len(scene.api.seen)
    correct(scene, SECOND)
    given = ("--now", "2026-11-19T03:00:00Z", "--transcripts", str(scene.transcripts))
    waits = memci(scene.capsys, scene.repo.root, "dream", "--engine", "claude", *given)
    assert ".claude/memory: skipped: " in waits.out
    assert len(scene.api.seen) == calls


# In the gate the same of a whole dream in test_wire.py stands for it.
@pytest.mark.slow
def test_equal_inputs_make_equal_requests_under_any_hash_seed(scene: Scene) -> None:
    scene.repo.write("CLAUDE.md", "- Install a package with pnpm.\n- Never take npm for packages of the shop.\n")
    scene.repo.commit()
    for text in (FIRST, SECOND, "no npm in packages of the shop, never"):
        correct(scene, text)
    bodies: list[list[bytes]] = []
    for seed in ("1", "2"):
        shutil.rmtree(scene.repo.root / ".git" / "memci", ignore_errors=True)
        scene.api.seen.clear()
        arguments = ["dream", "--engine", "claude", "--dry-run", "--force", "--now", NOW, "--transcripts"]
        subprocess.run(
            [sys.executable, "-m", "memci", "-C", str(scene.repo.root), *arguments, str(scene.transcripts)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        )
        bodies.append([seen.body for seen in scene.api.posts()])
    assert bodies[0] == bodies[1]
    assert len(list_asked(scene)) > 3
