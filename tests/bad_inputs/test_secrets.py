"""Secrets in every place that text comes from; the ids are those of the case list. All of them are made up here."""

import base64
import json
import random
import string

import pytest

from memci.errors import Exit
from tests.bad_inputs.stage import Make, Stage, body, examine, find_leaks, person, read_files, secret, tool, topic
from tests.build import topic_text
from tests.engines.model.scene import GOOD, PUSH, Scene, Told, answer_with, by_message, cite, good, insist, state
from tests.fakes.anthropic_api import FakeApi
from tests.repository import Repo

PASSWORD = f"{secret(5, '', 1)}-{secret(5, '', 2)}!{secret(4, '', 3)}"
LOGIN = secret(14, "", 4)
BASIC = base64.b64encode(f"svc:{LOGIN}".encode()).decode()
SEED = "".join(random.Random(5).choices(string.ascii_uppercase + "234567", k=32))
ENCODED = secret(36, "", 6)
API_KEY = secret(93, "sk-ant-api03-") + "AA"
OAUTH = secret(93, "sk-ant-oat01-") + "AA"
# Case, what a tool printed or a person pasted, and what of it nobody may ever see.
SAID: dict[str, tuple[str, list[str]]] = {
    "S01": (f"ANTHROPIC_API_KEY={API_KEY}", [API_KEY]),
    "S02": (f"CLAUDE_CODE_OAUTH_TOKEN={OAUTH}", [OAUTH]),
    "S09": (f"curl 'https://forge.example/x?access_token=%67%68%70%5F{ENCODED}'", [ENCODED]),
    "S10": (f"The staging database password is {PASSWORD}, ask Dana.", [PASSWORD]),
    "S12 basic": (f"Authorization: Basic {BASIC}", [BASIC]),
    "S12 curl": (f"curl -u admin:{LOGIN} https://x.example", [LOGIN]),
    "S12 netrc": (f"machine h login d password {LOGIN}", [LOGIN]),
    "S12 otpauth": (f"otpauth://totp/x?secret={SEED}", [SEED]),
}
# Case, what is done to the memory, the exit code, and the rules that must be among the findings.
FILES: list[tuple[str, Make, int, set[str]]] = [
    (
        "S13",
        body("toolu_01A2b3C4d5E6f7G8h9J0kLmN 3f2504e0-4f89-41d3-9a0c-0305e82c3301 sha256:" + "0123456789abcdef" * 4),
        0,
        set(),
    ),
    ("S14", body("AKIAIOSFODNN7EXAMPLE"), 0, set()),
    ("S16", body(f"token {secret()}"), 1, {"secret"}),
    ("S21", topic(topic_text("x", name="a", description=secret())), 1, {"secret"}),
]


@pytest.mark.parametrize(("make", "code", "rules"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_a_secret_in_memory_is_reported_and_what_looks_like_one_is_not(
    repo: Repo, capsys: pytest.CaptureFixture[str], make: Make, code: int, rules: set[str]
) -> None:
    make(repo)
    done = examine(capsys, repo, code, rules)
    assert rules or done.findings == []


def assert_sealed(stage: Stage, api: FakeApi, canaries: list[str]) -> None:
    """No part of a canary is printed, written, or sent to the model, whatever reads the transcripts."""
    pieces = [canary[len(canary) // 3 :][:12] for canary in canaries]
    shown = {"claude": stage.dream("--dry-run", "--engine", "claude")} | stage.run_everything()
    assert find_leaks(pieces, shown, stage) == []
    sent = [json.dumps(seen.params, ensure_ascii=False) for seen in api.posts()]
    assert sent
    assert not any(piece in text for text in sent for piece in pieces)


@pytest.mark.parametrize("case", SAID)
def test_a_secret_that_was_said_goes_nowhere(stage: Stage, api: FakeApi, case: str) -> None:
    text, canaries = SAID[case]
    stage.write("s.jsonl", person(f"never print this again: {text}"), tool(text), person(text, number=3))
    stage.write("w.jsonl", person(f"always start the importer as follows, because it is slow otherwise: {text}", "two"))
    assert_sealed(stage, api, canaries)


def test_s15_a_secret_in_the_name_of_a_transcript_is_shown_nowhere(stage: Stage, api: FakeApi) -> None:
    stage.write(f"log_{secret()}.jsonl", person("hello"))
    stage.write(f"{secret(seed=8)}.jsonl", "no record")
    stage.write(f"{secret(seed=9)}.jsonl.gz", "no gzip")
    # Without a session of its own, a record belongs to the one that the file is named after.
    nameless = {key: value for key, value in person("always squash feature branches").items() if key != "sessionId"}
    stage.write(f"{secret(seed=10)}.jsonl", nameless)
    assert_sealed(stage, api, [secret(seed=seed) for seed in (7, 8, 9, 10)])


def test_s19_the_value_of_a_token_is_redacted_whatever_it_looks_like(
    stage: Stage, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = secret(30, "canary ")
    monkeypatch.setenv("GITHUB_TOKEN", token)
    stage.write("s.jsonl", tool(f"x {token}"), person(f"always call the service with {token}, because it asks"))
    assert_sealed(stage, api, [token])


def test_s20_a_secret_is_found_wherever_a_block_ends(stage: Stage) -> None:
    texts = [f"{'x' * (size - 1)} {secret()} {'y' * 100}" for size in range(65_536 - 41, 65_537)]
    stage.write("s.jsonl", *(tool(text) | {"uuid": f"t{number}"} for number, text in enumerate(texts)))
    stage.write("p.jsonl", *(person(text, "two", uuid=f"p{number}") for number, text in enumerate(texts)))
    out = stage.place.parent / "collected"
    shown = {
        "collect": stage.run("collect", "--transcript", str(stage.place), "--to", str(out)),
        "digest": stage.run("digest", str(stage.place)),
        "dream": stage.dream(),
    }
    assert find_leaks([secret()[9:21]], shown, stage) == []
    collected = b"".join(path.read_bytes() for path in out.rglob("*.jsonl"))
    # Of what tools printed only the beginning is kept.
    assert collected.count(b"REDACTED") == len(texts)


def test_s17_a_secret_in_a_reply_of_the_model_is_refused_and_shown_nowhere(scene: Scene) -> None:
    def leak(message: Told) -> Told:
        text = f"{GOOD} The token is {secret()}."
        return {**good(message), "statements": [state(text, cite(message["id"], message["said"]))]}

    scene.say(PUSH)
    scene.api.answer = answer_with(consolidate=by_message("push", leak), repair=insist)
    before = scene.read()
    kept = scene.repo.root.parent / "replies"
    shown = [scene.dream("--dry-run", "--record", str(kept)), scene.dream("--format", "json")]
    # The case stops the run; memci refuses the operation and does what needs no model.
    assert [done.code for done in shown] == [Exit.DONE, Exit.DONE]
    (need,) = shown[1].json["scopes"][0]["needs_person"]
    assert need["reason"].startswith("not written")
    after = scene.read()
    assert all(after[name] == text for name, text in before.items() if name != "MEMORY.md")
    texts = [done.out + done.err for done in shown]
    texts += [data.decode("utf-8", "replace") for _, data in read_files(scene.repo.root.parent)]
    assert not any(secret() in text for text in texts)
