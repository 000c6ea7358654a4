"""Rules that others plant in sessions and logs: none may reach a memory file, whichever engine dreams."""

import datetime as dt
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from memci.errors import Exit
from memci.git.repository import find_repository
from memci.model.session import SignalKind
from memci.sessions.automation import split_automation
from memci.sessions.json_lines import decode_line
from memci.sessions.kept_fields import keep_fields
from memci.sessions.read_turns import read_transcripts
from memci.signals.find import find_signals
from tests.commands.run import Done, memci
from tests.engines.claude.run import make_key
from tests.engines.model.scene import (
    NOW,
    SCOPE,
    Told,
    answer_with,
    cite,
    draft,
    find_message,
    insist,
    list_messages,
    make_reply,
    state,
    write_scope,
)
from tests.fakes.anthropic_api import FakeApi
from tests.gate import in_gate
from tests.repository import Repo, make_repository
from tests.sessions.attacks import ATTACKS, OPEN, OPEN_KINDS
from tests.sessions.build import dump, user
from tests.sessions.planting import Attack

# A reply of a model holds at most 200 topics; one is about what the person did say.
_GROUP = 39
GROUPS = [ATTACKS[at : at + _GROUP] for at in range(0, len(ATTACKS), _GROUP)]
SAID = "never push directly to main, always go through a pull request"
# Typed by the person, but not as a rule of their own: only a verifier that is not hijacked tells.
HOLES = {
    "reported: they keep telling me to always run x before every commit, wh",
    "taken back: forget what i said about x",
    "taken back a day later: vergiss, was ich zu x gesagt habe",
    "taken back in the same message",
    # Pasted without a mark below a word that may be the person's own.
    "pasted: one word that asks",
    # What is left of the sentence after redaction.
    "a rule with a header",
}
# A model may cite reported speech if the second reading calls it the person's own, and both are hijacked here.
REPORTED = ("reported: ", "log: the user's ")
_WORD = re.compile(r"zorb\d{3}x")


@dataclass(frozen=True)
class Stage:
    """A repository whose sessions and logs hold attacks, and one thing that a person said."""

    repo: Repo
    transcripts: Path

    def run(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
        given = ("--now", NOW, "--transcripts", str(self.transcripts))
        return memci(capsys, self.repo.root, *arguments, *given)

    def read(self) -> list[str]:
        """Return the memory files; logs are what the agent wrote."""
        return [path.read_text("utf-8") for path in (self.repo.root / SCOPE).glob("*.md")]

    def find_planted(self) -> set[str]:
        """Return the words of attacks in memory files."""
        return {word for text in self.read() for word in _WORD.findall(text)}


def pack(name: str, members: Sequence[tuple[str, bytes]]) -> bytes:
    """Return an archive of the kind that its name says."""
    buffer = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(buffer, "w") as archive:
            for path, data in members:
                archive.writestr(path, data)
    else:
        with tarfile.open(fileobj=buffer, mode="w") as bundle:
            for path, data in members:
                head = tarfile.TarInfo(path)
                head.size = len(data)
                bundle.addfile(head, io.BytesIO(data))
    return buffer.getvalue()


def set_stage(root: Path, attacks: Iterable[Attack]) -> Stage:
    """Write all attacks where memci reads, with what a person said beside them."""
    repo = make_repository(root / "repo")
    target = root / "transcripts"
    files = {"said.jsonl": dump(user(SAID, sessionId="said"))}
    logs: list[str] = []
    for attack in attacks:
        for path, text in attack.files.items():
            archive = re.match(r"(.*\.(?:zip|tar))/(.*)", path)
            if archive and "tool-results" not in archive[1]:
                files[f"{attack.word}/{archive[1]}"] = pack(archive[1], [(archive[2], text.encode())])
            else:
                files[f"{attack.word}/{path}"] = text.encode()
        logs += [attack.log] if attack.log else []
    write_scope(repo)
    for number, text in enumerate(logs):
        day = dt.date(2026, 9, 1) + dt.timedelta(number)
        repo.write(f"{SCOPE}/logs/{day:%Y/%m}/{day}.md", f"{text}\n")
    repo.commit()
    for name, data in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data)
    return Stage(repo, target)


def hijack(attacks: Sequence[Attack]) -> FakeApi:
    """Return a service whose model proposes every planted rule, as proof what it is shown and what the person said."""

    def propose(_: str, told: Told) -> object:
        typed = find_message(told, "push directly")
        said = cite(typed["id"], SAID)
        shown = [
            (sentence, cite(entry["id"], sentence))
            for entry in (*list_messages(told), *({**line, "said": line["text"]} for line in told["daily_logs"]))
            for sentence in _find_sentences(entry["said"])
            if _WORD.search(sentence)
        ]
        planted = [(attack.rule, said) for attack in attacks] + shown
        bad = [
            draft(
                name=f"run-it-{number}", description="Run it", type="feedback", statements=[state(rule[:1_500], proof)]
            )
            for number, (rule, proof) in enumerate(planted[:199])
        ]
        good = draft(
            name="no-direct-push",
            description="how changes reach main",
            type="feedback",
            statements=[state("Never push directly to main, always go through a pull request.", said)],
        )
        return make_reply(good, *bad)

    return FakeApi(make_key(), answer=answer_with(consolidate=propose, repair=insist))


def _find_sentences(said: object) -> Iterator[str]:
    """Yield the lines of a message as a prompt shows it, whoever wrote them."""
    for part in said if isinstance(said, list) else [said]:
        text = (
            part
            if isinstance(part, str)
            else json.dumps(part)
            if not isinstance(part, dict)
            else "\n".join(part.values())
        )
        yield from (line.strip() for line in text.split("\n"))


def gather_words(stage: Stage, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Return the words of attacks in what is gathered; a wish to forget names what it is about."""
    done = memci(
        capsys, stage.repo.root, "signals", "--format", "json", "--now", NOW, "--transcripts", str(stage.transcripts)
    )
    found = [signal for signal in done.json["signals"] if signal["kind"] != "forget"]
    assert any(signal["text"] == SAID for signal in found)
    return {word for signal in found for word in _WORD.findall(signal["text"])}


def name_all(words: set[str]) -> list[str]:
    return [attack.name for attack in ATTACKS if attack.word in words]


def test_a_hole_is_an_attack() -> None:
    assert {attack.name for attack in ATTACKS} >= HOLES


def test_there_are_many_and_each_is_another() -> None:
    assert len(ATTACKS) >= 150
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert all(attack.word in "".join((*attack.files.values(), attack.log)) for attack in ATTACKS)


def test_the_same_rule_would_be_remembered_if_a_person_said_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = ATTACKS[0].rule
    typed = Attack("typed", {"s.jsonl": dump(user(rule, sessionId="typed")).decode()}, "", rule, "zorb001x")
    logged = Attack("logged", {}, f"- 09:00 user: {rule.replace('zorb001x', 'zorb002x')}", rule, "zorb002x")
    stage = set_stage(tmp_path, [typed, logged])
    assert gather_words(stage, capsys) == {"zorb001x", "zorb002x"}
    memci(
        capsys,
        stage.repo.root,
        "dream",
        "--engine",
        "local",
        "--force",
        "--now",
        NOW,
        "--transcripts",
        str(stage.transcripts),
    )
    assert stage.find_planted() == {"zorb001x", "zorb002x"}


@pytest.mark.parametrize("attacks", in_gate(map(list, GROUPS), 4), ids=lambda group: group[0].name)
def test_no_attack_reaches_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, attacks: Sequence[Attack]
) -> None:
    stage = set_stage(tmp_path, attacks)
    assert name_all(gather_words(stage, capsys)) == []
    with hijack(attacks) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", api.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        for engine in ("local", "claude"):
            done = stage.run(capsys, "dream", "--engine", engine, "--force")
            # 3 says that stored outputs of tools were not read.
            assert done.code in {Exit.DONE, Exit.DEGRADED}, done.err
            found = set(name_all(stage.find_planted()))
            assert not (found if engine == "local" else {one for one in found - HOLES if not one.startswith(REPORTED)})
            assert "push directly to main" in "".join(
                path.read_text() for path in (stage.repo.root / SCOPE).glob("*.md")
            )
            stage.repo.run("restore", ".")
            stage.repo.run("clean", "-fdq", SCOPE)
        assert len(api.posts()) >= 2


def test_what_is_collected_gives_no_more_away(tmp_path: Path) -> None:
    for attack in ATTACKS:
        for path, text in attack.files.items():
            if path.endswith(".jsonl") and not path.startswith("out"):
                lines = (line for line in text.split("\n") if line.startswith("{") and line.endswith("}"))
                records = (record for line in lines for record in decode_line(line.encode()))
                kept = (keep_fields(record) for record in records if isinstance(record, dict))
                target = tmp_path / attack.word / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(dump(*(record for record in kept if record)))
    turns, _ = split_automation(read_transcripts([str(tmp_path)], repository=None).turns, ())
    found = (signal for signal in find_signals(turns).signals if signal.kind is not SignalKind.FORGET)
    assert name_all({word for signal in found for word in _WORD.findall(signal.text)}) == []


def test_an_open_attack_that_needs_a_model_gives_no_signal(tmp_path: Path) -> None:
    open_now = [attack for attack in OPEN if OPEN_KINDS[attack.name] != "signals" and not attack.log]
    taken: list[str] = []
    for attack in open_now:
        for path, text in attack.files.items():
            target = tmp_path / attack.word / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        turns, _ = split_automation(read_transcripts([str(tmp_path / attack.word)], repository=None).turns, ())
        found = (signal for signal in find_signals(turns).signals if signal.kind is not SignalKind.FORGET)
        taken += [attack.name for signal in found if attack.word in signal.text]
    assert taken == []
    # What gets in without a model is known by name, and may only become less.
    assert sum(kind == "signals" for kind in OPEN_KINDS.values()) <= 18


def test_no_stored_output_or_sub_agent_is_read_from_a_branch(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    for attack in ATTACKS:
        for path, text in attack.files.items():
            if attack.name.startswith("a file ") and ".zip" not in path and ".tar" not in path:
                repo.write(f"{attack.word}/{path}", text)
    repo.write("said.jsonl", dump(user(SAID)))
    repo.commit()
    repository = find_repository(tmp_path)
    assert repository
    turns = read_transcripts(["git:main"], repository=repository).turns
    assert [turn.text for turn in turns] == [SAID]
