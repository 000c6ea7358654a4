import json
import os
import pty
import random
import shutil
import signal
import string
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from memci.errors import Exit
from memci.publish.read_bundle import read_bundle
from memci.stores.lock import hold_lock
from memci.stores.state_directory import resolve_state_directory
from tests.build import topic_text
from tests.commands.dreams import (
    CREATED,
    INDEX,
    NOW,
    RULE,
    SAID,
    SCOPE,
    TOPIC,
    make_shop,
    read_tree,
    write_session,
)
from tests.commands.run import Done, memci
from tests.dream.scenes import make_key_id
from tests.gate import in_gate
from tests.repository import Repo, make_repository

Capture = pytest.CaptureFixture[str]
MEMCI = (sys.executable, "-m", "memci")


@pytest.fixture
def shop(tmp_path: Path) -> Repo:
    write_session(tmp_path / "sessions", "s1", SAID)
    return make_shop(tmp_path / "shop")


def dream(capsys: Capture, repo: Repo, *arguments: str) -> Done:
    sessions = repo.root.parent / "sessions"
    places = ("--transcripts", str(sessions)) if sessions.exists() else ()
    return memci(capsys, repo.root, "dream", *NOW, *places, *arguments)


def find_state(repo: Repo, scope: str = SCOPE) -> Path:
    return resolve_state_directory(repo.root / scope, repo.root / ".git")


# Nothing to do.


@pytest.mark.parametrize("files", [{}, {"README.md": "# Shop\n"}])
def test_a_repository_without_memory_has_nothing_to_do(capsys: Capture, tmp_path: Path, files: dict[str, str]) -> None:
    repo = make_repository(tmp_path)
    for name, text in files.items():
        repo.write(name, text)
    done = memci(capsys, tmp_path, "dream", *NOW)
    assert (done.code, done.out) == (Exit.DONE, "nothing to do: no memory here\n")


def test_a_directory_without_git_dreams_too(capsys: Capture, tmp_path: Path) -> None:
    write_session(tmp_path / "sessions", "s1", SAID)
    scope = tmp_path / "shop" / SCOPE
    scope.mkdir(parents=True)
    (scope / "MEMORY.md").write_text(INDEX)
    (scope / "warehouse.md").write_text(TOPIC)
    done = dream(capsys, Repo(tmp_path / "shop"))
    assert done.code == Exit.DONE
    assert (scope / CREATED).exists()


def test_clean_memory_stays_byte_for_byte(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path)
    before = read_tree(tmp_path)
    done = dream(capsys, repo)
    assert (done.code, "nothing to do" in done.out, read_tree(tmp_path)) == (Exit.DONE, True, before)
    assert repo.run("status", "--porcelain") == ""


def test_what_is_switched_off_is_not_looked_at(capsys: Capture, shop: Repo) -> None:
    shop.write(".memci.yml", "dream: false\n")
    before = read_tree(shop.root)
    done = dream(capsys, shop, "--force")
    assert (done.code, done.out) == (Exit.DONE, "nothing to do: switched off in the settings\n")
    assert read_tree(shop.root) == before
    assert dream(capsys, shop, "--format", "json").json["skipped"] == "switched off in the settings"


# A dream.


def test_what_a_person_said_becomes_a_topic_and_the_second_dream_changes_nothing(capsys: Capture, shop: Repo) -> None:
    done = dream(capsys, shop)
    assert done.code == Exit.DONE
    assert f"learned    {CREATED}" in done.out
    assert "Never mock the database" in (shop.root / SCOPE / CREATED).read_text()
    after = read_tree(shop.root)
    assert set(after) == {f"{SCOPE}/{name}" for name in ("MEMORY.md", "warehouse.md", CREATED, ".memci.json")}
    again = dream(capsys, shop, "--force")
    assert (again.code, "nothing to do" in again.out, read_tree(shop.root)) == (Exit.DONE, True, after)


def test_a_second_dream_too_soon_says_why_it_waits(capsys: Capture, shop: Repo) -> None:
    dream(capsys, shop)
    after = read_tree(shop.root)
    done = dream(capsys, shop)
    assert "skipped: the last dream was 0 hours ago, and 24 have to pass" in done.out
    later = memci(
        capsys, shop.root, "dream", "--now", "2026-11-18", "--transcripts", str(shop.root.parent / "sessions")
    )
    assert "skipped: 0 new sessions, and 5 have to come together" in later.out
    assert read_tree(shop.root) == after


def test_what_a_person_deleted_after_a_dream_does_not_come_back(capsys: Capture, shop: Repo) -> None:
    dream(capsys, shop)
    (shop.root / SCOPE / CREATED).unlink()
    (shop.root / SCOPE / "MEMORY.md").write_text(INDEX)
    assert "nothing to do" in dream(capsys, shop, "--force").out
    write_session(shop.root.parent / "sessions", "s1", SAID, "always use pnpm in the web folder, never npm")
    done = dream(capsys, shop, "--force")
    assert (CREATED in done.out, "pnpm" in done.out) == (False, True)


def test_a_line_that_is_added_to_a_daily_log_is_read(capsys: Capture, tmp_path: Path) -> None:
    log = "# 2026-11-12\n\n- 09:10 user: never mock the database in integration tests\n"
    name = "logs/2026/11/2026-11-12.md"
    repo = make_shop(tmp_path, {"MEMORY.md": INDEX, "warehouse.md": TOPIC, name: log})
    assert CREATED in dream(capsys, repo).out
    repo.write(f"{SCOPE}/{name}", f"{log}- 10:20 user: always use pnpm in the web folder, never npm\n")
    assert "pnpm" in dream(capsys, repo, "--force").out


def tell_reviewer(repo: Repo, session: str, text: str) -> None:
    write_session(repo.root.parent / "sessions", session, text, agent="reviewer")


def test_only_the_scope_that_is_named_changes_and_others_keep_what_is_theirs(capsys: Capture, shop: Repo) -> None:
    agent = ".claude/agent-memory/reviewer"
    shop.write(f"{agent}/MEMORY.md", "# Memory\n")
    tell_reviewer(shop, "s2", "no, always squash the commits of a branch before merging")
    done = dream(capsys, shop, SCOPE)
    assert CREATED in done.out
    assert "squash" not in done.out
    assert (shop.root / agent / "MEMORY.md").read_text() == "# Memory\n"
    assert "squash" in dream(capsys, shop, agent).out


def test_a_scope_that_waits_is_still_the_place_for_what_concerns_it(capsys: Capture, shop: Repo) -> None:
    agent = ".claude/agent-memory/reviewer"
    shop.write(f"{agent}/MEMORY.md", "# Memory\n")
    tell_reviewer(shop, "s2", "no, always squash the commits of a branch before merging")
    assert dream(capsys, shop, agent).code == Exit.DONE
    tell_reviewer(shop, "s3", "no, never rebase a branch that others have checked out")
    done = dream(capsys, shop)
    assert CREATED in done.out
    assert "rebase" not in "".join(path.read_text() for path in (shop.root / SCOPE).glob("*.md"))


def test_a_signal_without_a_place_is_asked_about_until_it_was_seen(capsys: Capture, tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "shop")
    for agent in ("reviewer", "tester"):
        repo.write(f".claude/agent-memory/{agent}/MEMORY.md", "# Memory\n")
    repo.commit()
    write_session(tmp_path / "sessions", "s1", SAID)
    done = dream(capsys, repo)
    assert "no scope is the place for this; set `route:`" in done.out
    repo.write(".memci.yml", "route: agent:tester\n")
    assert (dream(capsys, repo).code, (repo.root / ".claude/agent-memory/tester" / CREATED).exists()) == (0, True)


# Printing.


@pytest.mark.parametrize(
    "files",
    [
        {"MEMORY.md": INDEX, "warehouse.md": TOPIC},
        {"MEMORY.md": INDEX.replace("\n", "\r\n"), "warehouse.md": TOPIC},
        {"MEMORY.md": INDEX.rstrip("\n"), "warehouse.md": TOPIC},
        {"MEMORY.md": INDEX, "warehouse.md": TOPIC, "ware house.md": TOPIC},
        {"warehouse.md": TOPIC},
        {"MEMORY.md": f"{INDEX}\nÄltere Lager sind in Köln und Łódź.\n", "warehouse.md": TOPIC},
    ],
)
def test_a_dry_run_prints_a_diff_that_git_applies_and_changes_nothing(
    capsys: Capture, tmp_path: Path, files: dict[str, str]
) -> None:
    repo = make_shop(tmp_path / "shop", files)
    write_session(tmp_path / "sessions", "s1", SAID)
    before = read_tree(repo.root)
    done = dream(capsys, repo, "--dry-run", "--diff")
    assert (done.code, read_tree(repo.root)) == (Exit.DONE, before)
    assert (repo.run("status", "--porcelain"), find_state(repo).exists()) == ("", False)
    patch = tmp_path / "patch"
    patch.write_bytes(done.out.encode())
    repo.run("apply", "--check", str(patch))
    repo.run("apply", str(patch))
    patched = {name: entry[0] for name, entry in read_tree(repo.root).items()}
    for name in set(patched) - set(before):
        (repo.root / name).unlink()
    repo.run("checkout", "--", ".")
    dream(capsys, repo)
    dreamt = {name: entry[0] for name, entry in read_tree(repo.root).items() if not name.endswith(".memci.json")}
    assert patched == dreamt


def test_json_is_one_object_with_everything_in_it(capsys: Capture, shop: Repo) -> None:
    done = dream(capsys, shop, "--format", "json")
    result = done.json
    assert result["schema"] == "memci/dream/1"
    assert {"now", "engine", "scopes", "cost", "timings"} <= set(result)
    (scope,) = result["scopes"]
    assert set(scope) >= {
        "id", "path", "status", "reason", "operations", "rejected", "needs_person", "signals", "ledger", "index",
    }  # fmt: skip
    assert (scope["id"], scope["path"], scope["status"]) == ("project", SCOPE, "changed")
    (create, reindex) = scope["operations"]
    assert (create["kind"], create["file"], reindex["kind"]) == ("create", f"{SCOPE}/{CREATED}", "reindex")
    (said,) = scope["signals"]
    assert set(said) >= {"id", "session", "uuid", "timestamp", "origin", "kind", "text"}
    assert (said["text"], said["origin"]) == (SAID.removeprefix("no, "), "person")
    assert said["id"] in json.dumps(create["evidence"])
    assert (scope["ledger"]["kept"], scope["ledger"]["retired"]) == (9, [])
    index = (shop.root / SCOPE / "MEMORY.md").read_text(encoding="utf-8")
    assert scope["index"] == {"lines": index.count("\n"), "characters": len(index)}


def test_no_colour_and_no_progress_where_nobody_looks(capsys: Capture, shop: Repo) -> None:
    done = dream(capsys, shop)
    assert "\x1b" not in done.out + done.err


def test_quiet_prints_only_what_went_wrong(capsys: Capture, shop: Repo) -> None:
    places = ("--transcripts", str(shop.root.parent / "sessions"))
    shown = memci(capsys, shop.root, "-q", "dream", *NOW, *places, "--dry-run", "--diff")
    assert shown.out.startswith("--- ")
    assert "sessions  " not in shown.out
    (shop.root.parent / "sessions/broken.zip").write_bytes(b"no zip")
    done = memci(capsys, shop.root, "-q", "dream", *NOW, *places)
    assert (done.code, done.err) == (3, "")
    (line,) = done.out.removesuffix("\n").split("\n")
    assert line.startswith("not read  ")
    assert (shop.root / SCOPE / CREATED).exists()


def run_on_terminal(command: list[str], environment: dict[str, str]) -> str:
    """Run a command with a terminal as its standard output."""
    master, slave = pty.openpty()
    with subprocess.Popen(command, stdout=slave, stderr=subprocess.DEVNULL, env=os.environ | environment) as process:
        os.close(slave)
        parts: list[bytes] = []
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            parts.append(part)
        process.wait()
    os.close(master)
    return b"".join(parts).decode()


@pytest.mark.slow
def test_a_terminal_gets_colour_unless_it_asks_for_none(shop: Repo) -> None:
    command = [*MEMCI, "-C", str(shop.root), "dream", "--dry-run", *NOW]
    assert "\x1b[1m" in run_on_terminal(command, {"TERM": "xterm"})
    assert "\x1b" not in run_on_terminal(command, {"TERM": "xterm", "NO_COLOR": "1"})


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error(shop: Repo) -> None:
    shop.write(f"{SCOPE}/MEMORY.md", INDEX + "\n" + "The shop sells spare parts.\n" * 150)
    line = f"{sys.executable} -m memci -C {shop.root} dream --dry-run {' '.join(NOW)} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "Traceback" not in done.stderr


# Secrets.


def make_private_key() -> str:
    letters = string.ascii_letters + string.digits + "+/"
    rows = ["".join(random.Random(seed).choices(letters, k=64)) for seed in range(12)]
    return "\n".join(["-----BEGIN RSA " + "PRIVATE KEY-----", *rows, "-----END RSA " + "PRIVATE KEY-----"])


@pytest.mark.parametrize("style", ["text", "json"])
def test_secrets_of_memory_logs_and_sessions_are_printed_nowhere(capsys: Capture, tmp_path: Path, style: str) -> None:
    key, private = make_key_id(), make_private_key()
    log = f"- 09:10 user: always upload with {key} to the archive bucket\n"
    files = {
        "MEMORY.md": f"{INDEX.rstrip()}, the upload uses {key}\n",
        "warehouse.md": f"{TOPIC}\nLog in with {key}.\n\n{private}\n",
        "logs/2026/11/2026-11-12.md": log,
    }
    repo = make_shop(tmp_path / "shop", files)
    write_session(tmp_path / "sessions", "s1", f"always use {key} for uploads to the archive, never another one")
    secrets = [key, *private.split("\n")[1:-1]]
    for run in (["--dry-run"], []):
        done = dream(capsys, repo, "--format", style, *run)
        assert done.code in {Exit.DONE, Exit.DEGRADED}
        assert [secret for secret in secrets if secret in done.out + done.err] == []
    written = b"".join(entry[0] for name, entry in read_tree(repo.root).items() if "/logs/" not in name).decode()
    assert [secret for secret in secrets if secret in written] == []


# What cannot be done as asked.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--no-such-option"], "No such option"),
        (["--format", "yaml"], "yaml"),
        (["nowhere"], "nowhere"),
        (["--transcripts", "/no/such/sessions"], "/no/such/sessions"),
        (["--now", "soon"], "soon"),
    ],
)
def test_wrong_usage_is_named_and_nothing_is_done(
    capsys: Capture, shop: Repo, arguments: list[str], message: str
) -> None:
    before = read_tree(shop.root)
    done = memci(capsys, shop.root, "dream", *arguments)
    assert (done.code, message in done.err, done.out) == (Exit.USAGE, True, "")
    assert read_tree(shop.root) == before


def test_a_damaged_state_is_named_and_nothing_is_done(capsys: Capture, shop: Repo) -> None:
    shop.write(f"{SCOPE}/.memci.json", "<<<<<<< ours\n")
    before = read_tree(shop.root)
    done = dream(capsys, shop)
    assert (done.code, f"{SCOPE}/.memci.json is damaged" in done.err) == (Exit.USAGE, True)
    assert "delete the file to start anew" in done.err
    assert read_tree(shop.root) == before


def test_a_lock_that_another_process_holds_is_respected(capsys: Capture, shop: Repo) -> None:
    before = read_tree(shop.root)
    script = textwrap.dedent(
        f"""
        import pathlib, sys
        from memci.stores.lock import hold_lock
        with hold_lock(pathlib.Path({str(shop.root / SCOPE)!r}), pathlib.Path({str(find_state(shop))!r})):
            print("held", flush=True)
            sys.stdin.read()
        """
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        done = dream(capsys, shop)
        assert (done.code, done.out, read_tree(shop.root)) == (Exit.UNSAFE, "", before)
        assert done.err
        # Looking is always allowed.
        assert dream(capsys, shop, "--dry-run").code == Exit.DONE
        holder.communicate()
    assert dream(capsys, shop).code == Exit.DONE


def test_a_scope_that_cannot_be_written_stays_as_it_is(capsys: Capture, shop: Repo) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is read-only for root")
    before = read_tree(shop.root)
    scope = shop.root / SCOPE
    scope.chmod(0o555)
    try:
        done = dream(capsys, shop)
    finally:
        scope.chmod(0o755)
    assert (done.code in {Exit.SERVICE, Exit.UNSAFE}, read_tree(shop.root)) == (True, before)


# Interrupts and edits in the middle: real processes, stopped where it hurts.

# The journal is made under such a name, before anything else is written.
JOURNAL = ".memci-"
DRIVER = """
import os, signal, sys
from pathlib import Path

def look(event, arguments):
    made = event == "open" and arguments[2] & os.O_CREAT
    if event == "open" and {place!r} in str(arguments[0]) and (made or not {new}) and not done:
        done.append(1)
        {action}

done = []
sys.addaudithook(look)
sys.argv = ["memci", *sys.argv[1:]]
from memci.cli import run
run()
"""


def drive(repo: Repo, place: str, action: str) -> subprocess.CompletedProcess[str]:
    """Run a dream in which something happens when a session is read, or the journal is about to be made."""
    script = DRIVER.format(place=place, new=place == JOURNAL, action=action)
    command = [sys.executable, "-c", script, "-C", str(repo.root), "dream", *NOW]
    command += ["--transcripts", str(repo.root.parent / "sessions")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("number", "place"), in_gate([(signal.SIGINT, JOURNAL), (signal.SIGTERM, "s1.jsonl")]))
def test_an_interrupted_dream_leaves_old_memory_and_a_free_lock(
    capsys: Capture, shop: Repo, number: signal.Signals, place: str
) -> None:
    before = read_tree(shop.root)
    done = drive(shop, place, f"os.kill(os.getpid(), {int(number)})")
    assert (done.returncode, done.stdout) == (Exit.INTERRUPTED, "")
    assert done.stderr.endswith("memci: interrupted\n")
    assert "Traceback" not in done.stderr
    assert read_tree(shop.root) == before
    with hold_lock(shop.root / SCOPE, find_state(shop)):
        pass
    assert f"learned    {CREATED}" in dream(capsys, shop).out
    assert shop.run("status", "--porcelain", "--ignored").count("\n") <= 3


@pytest.mark.parametrize("name", ["MEMORY.md"])
def test_what_somebody_writes_during_the_dream_is_never_overwritten(shop: Repo, name: str) -> None:
    target = shop.root / SCOPE / name
    done = drive(shop, JOURNAL, f"Path({str(target)!r}).write_text('mine\\n')")
    assert done.returncode == Exit.UNSAFE, done.stderr
    assert name in done.stderr
    after = {path: entry[0] for path, entry in read_tree(shop.root).items()}
    expected = {f"{SCOPE}/MEMORY.md": INDEX.encode(), f"{SCOPE}/warehouse.md": TOPIC.encode()}
    assert after == expected | {f"{SCOPE}/{name}": b"mine\n"}


def test_a_scope_that_fails_does_not_take_the_others_along(shop: Repo) -> None:
    agent = ".claude/agent-memory/reviewer"
    shop.write(f"{agent}/MEMORY.md", "# Memory\n")
    shop.write(f"{agent}/push.md", topic_text("Never push to main."))
    target = shop.root / agent / "MEMORY.md"
    done = drive(shop, JOURNAL, f"Path({str(target)!r}).write_text('mine\\n')")
    assert done.returncode == Exit.DEGRADED, done.stderr
    assert f"{agent}: failed: " in done.stdout
    assert (target.read_text(), (shop.root / SCOPE / CREATED).exists()) == ("mine\n", True)


def test_a_clone_elsewhere_dreams_the_same_bytes(capsys: Capture, shop: Repo, tmp_path: Path) -> None:
    shutil.copytree(shop.root, tmp_path / "copy")
    dream(capsys, shop)
    dream(capsys, Repo(tmp_path / "copy"))
    assert read_tree(tmp_path / "copy") == read_tree(shop.root)
    assert RULE[:-1] in (shop.root / SCOPE / CREATED).read_text()


def test_a_bundle_is_written_instead_of_the_memory(capsys: Capture, shop: Repo, tmp_path: Path) -> None:
    before = read_tree(shop.root)
    done = dream(capsys, shop, "--bundle", str(tmp_path / "bundle"))
    assert done.code == Exit.DONE
    assert read_tree(shop.root) == before
    assert read_bundle(tmp_path / "bundle").scopes[0].operations
    assert done.out.endswith(f"bundle    {tmp_path / 'bundle'}; memci publish makes one pull request of it\n")


def test_a_bundle_and_a_dry_run_exclude_each_other(capsys: Capture, shop: Repo, tmp_path: Path) -> None:
    done = dream(capsys, shop, "--bundle", str(tmp_path / "bundle"), "--dry-run")
    assert done.code == Exit.USAGE
    assert not (tmp_path / "bundle").exists()
