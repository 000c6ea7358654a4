"""`memci collect` from end to end, also as a hook and from two clones at once."""

import io
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memci.git.repository import find_repository
from memci.runs.collect import collect
from memci.runs.collect_hook import Destination
from memci.runs.digest import make_digests
from memci.sessions.read_result import Reading
from memci.sessions.read_turns import read_transcripts
from memci.signals.find import find_signals
from tests.commands.run import memci
from tests.digest.private_tape import CANARIES, canary, make_private
from tests.digest.tape import SESSION, Tape, make_shift
from tests.repository import Repo, make_repository

REF = "memci/sessions"


def make_canaries(number: int) -> list[str]:
    chance = random.Random(11)
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789"
    return ["ghp_" + "".join(chance.choices(letters, k=36)) for _ in range(number)]


def plant(tape: Tape, canaries: list[str]) -> None:
    one, two, three, four, five = canaries
    tape.say(f"from now on always use {one} for the registry")
    tape.run(f"curl -H 'Authorization: token {two}' https://forge.example", f"error: {three}", error=True)
    tape.call("Bash", "x\n" * 3_000 + four, command="env")
    tape.add("progress", data={"type": "bash_progress", "output": five})


def read(root: Path, *places: str) -> Reading:
    repository = find_repository(root)
    assert repository is not None
    return read_transcripts(places, repository=repository)


def find_spool(home: Path) -> Path:
    (found,) = (home / ".local" / "state" / "memci" / "spool").iterdir()
    return found


def run_hook(root: Path, transcript: Path, *options: str, session: str = SESSION) -> "subprocess.CompletedProcess[str]":
    told = {
        "session_id": session,
        "transcript_path": str(transcript),
        "cwd": str(root),
        "hook_event_name": "SessionEnd",
        "reason": "exit",
    }
    command = [sys.executable, "-m", "memci", "collect", *options]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        command, input=json.dumps(told), cwd=root, env=environment, capture_output=True, text=True, check=False
    )


def wait_for_log(home: Path) -> str:
    """Wait as long as it takes: what never happens ends at the time limit of a test."""
    log = find_spool(home) / "collect.log"
    while not log.read_text().endswith("\n"):
        time.sleep(0.01)
    return log.read_text()


def test_what_was_collected_reads_as_before(capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    transcript = make_shift().write(tmp_path / f"{SESSION}.jsonl")
    done = memci(capsys, repo.root, "collect", "--transcript", str(transcript), "--format", "json")
    assert done.code == 0
    (item,) = done.json["collected"]
    assert item["target"] == str(find_spool(home) / "sessions" / "2026-11" / f"{SESSION}.jsonl")
    before, after = read(repo.root, str(transcript)), read(repo.root, str(find_spool(home)))
    assert before.turns
    assert (after.turns, after.sessions, after.writes) == (before.turns, before.sessions, before.writes)
    assert repo.run("status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize(
    ("login", "options", "person"),
    [("ines", [], "Inês Duarte"), ("ines", ["--no-name"], "ines"), ("jonas", [], "ines")],
)
def test_the_name_of_git_is_recorded_for_sessions_of_the_same_login(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, login: str, options: list[str],
    person: str,
) -> None:  # fmt: skip
    repo = make_repository(tmp_path / "shop")
    repo.run("config", "user.name", "Inês Duarte")
    transcript = str(make_shift().write(tmp_path / f"{SESSION}.jsonl"))
    monkeypatch.setenv("HOME", f"/home/{login}")
    assert memci(capsys, repo.root, "collect", "--transcript", transcript, "--to", "out", *options).code == 0
    once = str(repo.root / "out")
    assert [session.person for session in read(repo.root, once).sessions] == [person]
    assert read(repo.root, once).turns == read(repo.root, transcript).turns


def test_a_session_that_is_collected_again_keeps_its_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    place = str(make_shift().write(tmp_path / f"{SESSION}.jsonl"))
    for name, to in (("Inês Duarte", "once"), ("Somebody Else", "again")):
        repo.run("config", "user.name", name)
        assert memci(capsys, repo.root, "collect", "--transcript", place, "--to", to).code == 0
        place = str(repo.root / to)
        assert [session.person for session in read(repo.root, place).sessions] == ["Inês Duarte"]


def test_the_file_of_a_workflow_becomes_an_artifact(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    tape = make_shift()
    records = [{key: value for key, value in record.items() if key != "timestamp"} for record in tape.records]
    target = tmp_path / "claude-execution-output.json"
    target.write_text(json.dumps(records, indent=2))
    done = memci(capsys, repo.root, "collect", "--transcript", str(target), "--to", "memci-sessions")
    assert done.code == 0
    assert (repo.root / "memci-sessions" / "undated" / f"{SESSION}.jsonl").is_file()
    assert repo.run("status", "--porcelain") == ""
    assert len(read(repo.root, str(repo.root / "memci-sessions")).turns) == 2


@pytest.mark.parametrize("place", [".sessions", "a/.b/c", "."])
def test_a_directory_that_would_not_be_uploaded_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, place: str
) -> None:
    repo = make_repository(tmp_path / "shop")
    transcript = str(make_shift().write(tmp_path / "a.jsonl"))
    assert memci(capsys, repo.root, "collect", "--transcript", transcript, "--to", place).code == 2
    assert list(repo.root.iterdir()) == [repo.root / ".git"]


def test_a_directory_behind_a_link_of_the_repository_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    repo = make_repository(tmp_path / "shop")
    (tmp_path / "elsewhere").mkdir()
    repo.link("sessions", tmp_path / "elsewhere")
    transcript = str(make_shift().write(tmp_path / "a.jsonl"))
    assert memci(capsys, repo.root, "collect", "--transcript", transcript, "--to", "sessions").code == 5
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_exit_codes_tell_what_went_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    repo.write("a.txt", "a")
    repo.commit()
    good = str(make_shift().write(tmp_path / "a.jsonl"))
    (tmp_path / "empty.jsonl").write_text("not json\n")
    assert memci(capsys, repo.root, "collect", "--transcript", str(tmp_path / "none.jsonl")).code == 2
    assert memci(capsys, repo.root, "collect", "--transcript", good, "--push").code == 2
    assert memci(capsys, repo.root, "collect", "--transcript", good, "--to", "git:main").code == 5
    assert memci(capsys, repo.root, "collect", "--transcript", good, "--to", f"git:{REF}", "--push").code == 4
    assert memci(capsys, tmp_path, "collect", "--transcript", good, "--to", f"git:{REF}").code == 2
    done = memci(capsys, repo.root, "collect", "--transcript", good, "--transcript", str(tmp_path / "empty.jsonl"))
    assert (done.code, "not collected" in done.out) == (3, True)
    assert memci(capsys, repo.root, "collect", "--write").code == 2


def test_no_object_of_the_ref_and_no_output_holds_a_secret(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    canaries = make_canaries(5)
    tape = make_shift()
    plant(tape, canaries)
    transcript = str(tape.write(tmp_path / f"{SESSION}.jsonl"))
    done = memci(capsys, repo.root, "collect", "--transcript", transcript, "--to", f"git:{REF}")
    assert done.code == 0
    everything = done.out + done.err
    for line in repo.run("cat-file", "--batch-all-objects", "--batch-check").split("\n"):
        oid, kind, _ = line.split(" ")
        everything += repo.run("cat-file", kind if kind != "tree" else "-p", oid)
    assert "[REDACTED:" in everything
    assert [canary for canary in canaries if canary in everything or canary[4:] in everything] == []
    before, after = read(repo.root, transcript), read(repo.root, f"git:{REF}")
    assert after.turns == before.turns
    assert any("[REDACTED:" in turn.text for turn in after.turns)


def test_the_hook_returns_and_the_rest_is_done_in_the_background(tmp_path: Path, home: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    canaries = make_canaries(5)
    tape = make_shift()
    plant(tape, canaries)
    done = run_hook(repo.root, tape.write(tmp_path / f"{SESSION}.jsonl"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    spool = find_spool(home)
    assert f"{SESSION}.jsonl" in wait_for_log(home)
    assert (spool / "sessions" / "2026-11" / f"{SESSION}.jsonl").is_file()
    everything = b"".join(path.read_bytes() for path in spool.rglob("*") if path.is_file()).decode()
    assert [canary for canary in canaries if canary[4:] in everything] == []


@pytest.mark.parametrize("to", ["spool", "memci-sessions", f"git:{REF}"])
def test_nothing_private_arrives_anywhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path, to: str
) -> None:
    repo = make_repository(tmp_path / "shop")
    transcript = str(make_private().write(tmp_path / f"{SESSION}.jsonl"))
    done = memci(capsys, repo.root, "collect", "--transcript", transcript, "--to", to)
    assert done.code == 0
    target = {"spool": home, "memci-sessions": repo.root / "memci-sessions"}.get(to)
    place = str(find_spool(home)) if to == "spool" else str(target) if target else to
    everything = read_everything(repo, target) + done.out + done.err
    assert "always run the linter" in everything
    assert [name for name in CANARIES if canary(name) in everything] == []
    before, after = read(repo.root, transcript), read(repo.root, place)
    assert (after.turns, after.writes) == (before.turns, before.writes)
    assert len(after.turns) == 7
    assert find_signals(after.turns) == find_signals(before.turns)
    assert "not collected, unknown record types: some-later-kind (2)" in done.out


def read_everything(repo: Repo, target: Path | None) -> str:
    if target is not None:
        return "".join(path.read_text() for path in target.rglob("*") if path.is_file())
    objects = [line.split(" ") for line in repo.run("cat-file", "--batch-all-objects", "--batch-check").split("\n")]
    return "".join(repo.run("cat-file", kind if kind != "tree" else "-p", oid) for oid, kind, _ in objects)


def make_long() -> Tape:
    """Make a session with texts that are too long to be collected whole."""
    tape = make_shift()
    noise = [f"line {number}" for number in range(1_500)]
    tape.run(
        "make all", "\n".join([*noise, "E   error: no such table", *noise, "1 failed in 3.0s", *noise]), error=True
    )
    tape.run("make most", "\n".join([*noise, "12 passed in 3.0s", *noise, "[main 1234567] Add a table", *noise]))
    tape.run("cat > b.sh <<'E'\n" + "true\n" * 700 + "E")
    code = "\n".join(f"def step_{number}():\n    return {'1 + ' * 60}1" for number in range(12))
    tape.call("Write", file_path="/home/ines/shop/src/steps.py", content=code)
    tape.refuse("no, shorter", "Write", file_path="/home/ines/shop/src/steps.py", content=code)
    tape.reply("One sentence after the other. " * 200)
    tape.say("go on like that")
    return tape


@pytest.mark.parametrize("make", [make_shift, make_private, make_long])
def test_a_collected_session_has_the_same_digest(tmp_path: Path, make: Callable[[], Tape]) -> None:
    transcript = make().write(tmp_path / f"{SESSION}.jsonl")
    (done,) = collect([str(transcript)], tmp_path, Destination(str(tmp_path / "out"))).collected
    (before,) = make_digests([str(transcript)], None, lambda _: None).digests
    (after,) = make_digests([done.target], None, lambda _: None).digests
    assert replace(after, name=before.name) == before


def test_what_is_before_a_message_is_the_same_after_collecting(tmp_path: Path) -> None:
    transcript = make_long().write(tmp_path / f"{SESSION}.jsonl")
    (done,) = collect([str(transcript)], tmp_path, Destination(str(tmp_path / "out"))).collected
    before, after = (read_transcripts([place], repository=None).turns for place in (str(transcript), done.target))
    assert before == after
    assert "now. [Write src/steps.py: def step_0(): return 1 + " in after[-2].before
    assert after[-1].before == "… " + " ".join(["One sentence after the other."] * 13)


def test_records_without_an_id_are_known_by_the_same_one(tmp_path: Path) -> None:
    tape = make_private()
    for record in tape.records:
        record.pop("uuid", None)
    transcript = tape.write(tmp_path / f"{SESSION}.jsonl")
    (done,) = collect([str(transcript)], tmp_path, Destination(str(tmp_path / "out"))).collected
    before, after = (read_transcripts([place], repository=None) for place in (str(transcript), done.target))
    assert (after.turns, after.writes) == (before.turns, before.writes)


def test_unknown_types_are_counted_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tape = make_private()
    tape.add("my private notes")
    for number in range(30):
        tape.add(f"kind-{number}")
    transcript = str(tape.write(tmp_path / f"{SESSION}.jsonl"))
    done = memci(capsys, tmp_path, "collect", "--transcript", transcript, "--to", "out", "--format", "json")
    (item,) = done.json["collected"]
    assert (item["unknown"]["some-later-kind"], item["unknown"]["(not a name)"]) == (2, 1)
    assert (len(item["unknown"]), sum(item["unknown"].values())) == (21, 33)
    assert "private notes" not in done.out


def test_files_beside_a_session_are_not_collected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_shift().write(tmp_path / "in" / f"{SESSION}.jsonl")
    output = make_private().write(tmp_path / "in" / SESSION / "tool-results" / "b1.json")
    agent = make_private().write(tmp_path / "in" / SESSION / "subagents" / "agent-1.jsonl")
    found = memci(capsys, tmp_path, "collect", "--transcript", str(tmp_path / "in"), "--to", "out", "--format", "json")
    assert (found.code, len(found.json["collected"]), found.json["skipped"]) == (0, 1, [])
    assert found.json["others"] == [{"name": str(output), "reason": "stored output of a tool, not a session"}]
    for path, reason in ((output, "stored output of a tool"), (agent, "the work of a sub-agent")):
        named = memci(capsys, tmp_path, "collect", "--transcript", str(path), "--to", "other")
        assert (named.code, reason in named.out) == (3, True)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    "told", ["", "{", "[]", '{"transcript_path": 3}', '{"transcript_path": "/nowhere", "cwd": "/"}']
)
def test_a_hook_never_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(told))
    done = memci(capsys, tmp_path, "collect")
    assert (done.code, done.out) == (0, "")
    said, *hint = done.err.removesuffix("\n").split("\n")
    assert said.startswith("memci: session not collected: ")
    assert hint in ([], ["  hint: memci collect --transcript PATH"])


def test_what_a_hook_cannot_push_goes_with_the_next_session(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    repo = make_repository(tmp_path / "shop")
    transcript = make_shift().write(tmp_path / f"{SESSION}.jsonl")
    options = ("--to", f"git:{REF}", "--push")
    assert run_hook(repo.root, transcript, *options).returncode == 0
    assert f"{SESSION}: failed: " in wait_for_log(home)
    repo.run("init", "--quiet", "--bare", str(tmp_path / "bare.git"))
    repo.run("remote", "add", "origin", str(tmp_path / "bare.git"))
    later = Tape("later")
    later.say("please look at the cart again")
    later_transcript = str(later.write(tmp_path / "later.jsonl"))
    assert memci(capsys, repo.root, "collect", "--transcript", later_transcript, *options).code == 0
    pushed = Repo(tmp_path / "bare.git").run("ls-tree", "-r", "--name-only", REF)
    assert SESSION in pushed
    assert "later" in pushed


def test_a_session_in_a_worktree_is_collected_for_its_repository(tmp_path: Path, home: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    repo.write("a.txt", "a")
    repo.commit()
    repo.run("worktree", "add", "--quiet", str(tmp_path / "side"))
    run_hook(tmp_path / "side", make_shift().write(tmp_path / f"{SESSION}.jsonl"), "--to", f"git:{REF}")
    assert find_spool(home).name.startswith("shop-")
    wait_for_log(home)
    assert SESSION in repo.run("ls-tree", "-r", "--name-only", REF)


@pytest.mark.slow
def test_two_clones_that_collect_at_once_lose_nothing(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git")
    first = make_repository(tmp_path / "first")
    first.write("a.txt", "a")
    first.commit()
    first.run("clone", "--quiet", "--bare", str(first.root), str(bare.root))
    running = []
    for at in range(2):
        first.run("clone", "--quiet", str(bare.root), str(tmp_path / f"clone{at}"))
    for at in range(4):
        tape = make_shift()
        for record in tape.records:
            record["sessionId"] = f"session-{at}"
        transcript = tape.write(tmp_path / f"session-{at}.jsonl")
        options = ["--transcript", str(transcript), "--to", f"git:{REF}", "--push"]
        command = [sys.executable, "-m", "memci", "-C", str(tmp_path / f"clone{at % 2}"), "collect", *options]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
        running.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    for process in running:
        _, said = process.communicate()
        assert process.returncode == 0, said.decode()
    names = bare.run("ls-tree", "-r", "--name-only", REF).split("\n")
    assert names == [*(f"2026-11/session-{at}.jsonl" for at in range(4)), "README.md"]
    assert bare.run("fsck", "--strict") == ""


def test_the_hook_is_printed_and_added_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    old = '{\n    "permissions": {"allow": ["Bash(make:*)"]},\n    "hooks": {"Stop": []}\n}\n'
    settings = repo.write(".claude/settings.json", old)
    shown = memci(capsys, repo.root, "collect", "--install").out
    assert "SessionEnd" in shown
    # A tag can move, a commit cannot.
    used = re.findall(r"uses: (\S+)", shown)
    assert used
    assert all(re.fullmatch(r"actions/upload-artifact@[0-9a-f]{40}", one) for one in used)
    assert settings.read_text() == old
    options = ("collect", "--install", "--write", "--to", f"git:{REF}", "--push", "--no-name")
    assert memci(capsys, repo.root, *options).code == 0
    new = json.loads(settings.read_text())
    (hook,) = new["hooks"].pop("SessionEnd")[0]["hooks"]
    assert f"memci collect --to git:{REF} --push --no-name" in hook["command"]
    assert new == json.loads(old)
    after = settings.read_text()
    assert "already" in memci(capsys, repo.root, *options).out
    assert settings.read_text() == after


def test_the_hook_is_added_where_there_are_no_settings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    assert memci(capsys, repo.root, "collect", "--install", "--write").code == 0
    assert "SessionEnd" in json.loads((repo.root / ".claude" / "settings.json").read_text())["hooks"]


@pytest.mark.parametrize(
    "text", ["// comment\n{}", "[]", '{"hooks": []}', '{"hooks": {"SessionEnd": {}}}', '{"a": 1, "a": 2}', '{"x": ']
)
def test_settings_that_are_not_understood_are_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    repo = make_repository(tmp_path / "shop")
    settings = repo.write(".claude/settings.json", text)
    assert memci(capsys, repo.root, "collect", "--install", "--write").code == 5
    assert settings.read_text() == text


def test_settings_behind_a_link_are_left_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    other = tmp_path / "other.json"
    other.write_text("{}")
    repo.link(".claude/settings.json", other)
    assert memci(capsys, repo.root, "collect", "--install", "--write").code == 5
    assert other.read_text() == "{}"


def test_what_only_people_read_has_no_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = memci(capsys, tmp_path, "collect", "--install", "--format", "json")
    assert (done.code, done.json["error"]["message"]) == (2, "--format json needs --transcript")
