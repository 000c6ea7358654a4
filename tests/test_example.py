"""The example in examples/shop: the same everywhere, only the planted problems, and nothing real in it."""

import datetime as dt
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memci.errors import Exit
from memci.redaction.secrets import find_secrets
from tests.commands.run import check, memci
from tests.repository import Repo, make_repository

SHOP = Path(__file__).parent.parent / "examples" / "shop"
HISTORY = SHOP / "history"
TRANSCRIPTS = SHOP / "transcripts"
REVIEWER = ".claude/agent-memory/reviewer"
PROJECT = ".claude/memory"
PLANTED = {
    ("index-orphan", f"{REVIEWER}/reference_status_page.md"),
    ("duplicate-topic", f"{REVIEWER}/feedback_small_pull_requests.md"),
    ("path-moved", f"{REVIEWER}/project_payment_messages.md"),
    ("symbol-missing", f"{REVIEWER}/project_cart_totals.md"),
    ("index-long-entry", f"{PROJECT}/MEMORY.md"),
    ("path-moved", f"{PROJECT}/front-end.md"),
    ("script-missing", f"{PROJECT}/front-end-without-service.md"),
    ("topic-bad-yaml", f"{PROJECT}/stock-import.md"),
    ("flag-missing", f"{PROJECT}/stock-import.md"),
    ("date-relative", f"{PROJECT}/new-supplier.md"),
    ("date-expired", f"{PROJECT}/merge-freeze.md"),
}
# RFC 2606 keeps these names free: nobody can own them.
RESERVED = re.compile(r"(?:[a-z0-9-]+\.)*example\.(?:com|net|org)")
EXAMPLE_KEY = "AKIAIOSFODNN7EXAMPLE"


def run_build(target: Path, umask: int = 0o022, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run build.py as a user does."""
    command = [sys.executable, str(SHOP / "build.py"), str(target)]
    return subprocess.run(
        command, env=os.environ | environment, umask=umask, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Return the example, built once; tests that change it take a clone."""
    target = tmp_path_factory.mktemp("example") / "shop"
    done = run_build(target)
    assert done.returncode == 0, done.stderr
    return Repo(target.resolve())


def read_files() -> Iterator[tuple[Path, str]]:
    for path in sorted(SHOP.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(SHOP), path.read_text(encoding="utf-8")


def read_records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def test_a_directory_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    done = run_build(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "not an empty directory" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["note"]


def test_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    assert run_build(tmp_path / "note").returncode == 2
    assert (tmp_path / "note").read_text() == "mine"


def test_an_empty_directory_is_used(tmp_path: Path) -> None:
    done = run_build(tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "CLAUDE.md").is_file()


def test_the_commits_are_the_same_whatever_the_machine_is_set_to(shop: Repo, tmp_path: Path) -> None:
    settings = tmp_path / "home" / "git"
    settings.mkdir(parents=True)
    (settings / "attributes").write_text("* text eol=crlf\n")
    # Git runs this one whenever a branch changes.
    hook = settings / "reference-transaction"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    (settings / "config").write_text(
        "[user]\nname = Somebody\nemail = somebody@example.org\n[core]\nautocrlf = true\nfileMode = false\n"
        f'hooksPath = "{settings}"\n'
        "[init]\ndefaultBranch = trunk\ndefaultObjectFormat = sha256\n[commit]\ngpgSign = true\n"
        "[i18n]\ncommitEncoding = latin1\n"
    )
    target = tmp_path / "a place with spaces and ü" / "shop"
    done = run_build(
        target,
        umask=0o077,
        TZ="Pacific/Auckland",
        LC_ALL="tr_TR.ISO-8859-9",
        XDG_CONFIG_HOME=str(tmp_path / "home"),
        GIT_CONFIG_GLOBAL=str(settings / "config"),
        GIT_AUTHOR_NAME="Somebody",
        GIT_COMMITTER_DATE="2001-01-01T00:00:00Z",
        GIT_DIR=str(tmp_path / "elsewhere"),
        GIT_DEFAULT_HASH="sha256",
    )
    assert done.returncode == 0, done.stderr
    other = Repo(target)
    assert other.run("log", "--format=%H") == shop.run("log", "--format=%H")
    assert other.run("status", "--porcelain") == ""
    assert other.run("config", "core.autocrlf") == "false"
    assert not (tmp_path / "elsewhere").exists()


def test_the_last_commit_is_the_one_in_the_readme(shop: Repo) -> None:
    assert f"`{shop.run('rev-parse', '--short=12', 'HEAD')}`" in (SHOP / "README.md").read_text(encoding="utf-8")


def test_what_was_built_is_said_in_three_lines(tmp_path: Path) -> None:
    done = run_build(tmp_path / "shop")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.removesuffix("\n").split("\n")
    assert [line.split()[0] for line in lines] == ["shop", "memory", "transcripts"]
    assert f"{len(list(HISTORY.glob('*.commit')))} commits" in lines[0]


def test_every_commit_has_a_header_and_files() -> None:
    headers = {path.stem for path in HISTORY.glob("*.commit")}
    assert headers == {path.name for path in HISTORY.iterdir() if path.is_dir()}


def test_the_history_goes_forward_and_is_of_the_people_of_the_example(shop: Repo) -> None:
    times = [int(line) for line in shop.run("log", "--reverse", "--format=%ct").split("\n")]
    assert times == sorted(set(times))
    assert set(shop.run("log", "--format=%an <%ae>|%cn <%ce>").split("\n")) == {
        "Mara Lind <mara@example.com>|Mara Lind <mara@example.com>",
        "Ilya Sand <ilya@example.com>|Ilya Sand <ilya@example.com>",
    }


def test_git_sees_the_renames(shop: Repo) -> None:
    renamed = shop.run("log", "--find-renames", "--diff-filter=R", "--name-status", "--format=")
    assert "R100\tshop/payments/webhook.py\tshop/payments/notifications.py" in renamed
    assert "R100\tweb/src/components/PriceTag.tsx\tweb/src/ui/PriceTag.tsx" in renamed


def test_the_tests_of_the_shop_pass(shop: Repo) -> None:
    command = [sys.executable, "-B", "-m", "unittest", "discover", "-s", "tests"]
    done = subprocess.run(command, cwd=shop.root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Ran 3 tests" in done.stderr


def test_check_finds_what_is_planted_and_nothing_else(capsys: pytest.CaptureFixture[str], shop: Repo) -> None:
    done = check(capsys, shop.root)
    found = [(rule, file) for rule, file, _ in done.findings]
    assert set(found) == PLANTED
    assert len(found) == len(PLANTED)
    assert done.json["skipped"] == []


def test_the_readme_names_every_planted_problem() -> None:
    readme = (SHOP / "README.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| ([a-z-]+) \| ([RP]) `([^`]+)` \|", readme, re.MULTILINE))
    scopes = {"R": REVIEWER, "P": PROJECT}
    assert {(rule, f"{scopes[scope]}/{file}") for rule, scope, file in rows} == PLANTED


def test_both_scopes_and_the_logs_are_read(capsys: pytest.CaptureFixture[str], shop: Repo) -> None:
    done = memci(capsys, shop.root, "status", "--now", "2026-11-16")
    assert f"agent:reviewer  {REVIEWER}" in done.out
    assert f"project  {PROJECT}" in done.out
    assert len(list((shop.root / PROJECT / "logs").rglob("*.md"))) == 2


def test_the_transcripts_are_json_lines_of_one_session_each() -> None:
    paths = sorted(TRANSCRIPTS.glob("*.jsonl"))
    assert len(paths) == 7
    readme = (SHOP / "README.md").read_text(encoding="utf-8")
    for path in paths:
        records = read_records(path)
        assert {record["sessionId"] for record in records} == {path.stem}
        assert f"`{path.stem[:13]}`" in readme
        for record in records:
            if "timestamp" in record:
                moment = dt.datetime.fromisoformat(record["timestamp"])
                assert path.stem.startswith(f"{moment:%Y%m%d}-")
                assert dt.date(2026, 11, 9) <= moment.date() <= dt.date(2026, 11, 14)


def test_every_record_follows_one_that_exists_and_no_id_is_used_twice() -> None:
    seen: set[str] = set()
    for path in sorted(TRANSCRIPTS.rglob("*.jsonl")):
        here: set[str | None] = {None}
        for record in read_records(path):
            if "uuid" in record:
                assert record["parentUuid"] in here
                assert record["uuid"] not in seen
                here.add(record["uuid"])
                seen.add(record["uuid"])


def test_every_tool_result_answers_a_call() -> None:
    for path in TRANSCRIPTS.rglob("*.jsonl"):
        blocks = [
            block
            for record in read_records(path)
            if isinstance(content := record.get("message", {}).get("content"), list)
            for block in content
        ]
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        assert calls == [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]


def test_the_transcripts_are_small() -> None:
    assert sum(path.stat().st_size for path in TRANSCRIPTS.rglob("*") if path.is_file()) < 40_000


def test_nothing_in_the_example_looks_like_a_secret_but_the_key_from_the_documentation() -> None:
    assert [(path, secret.kind) for path, text in read_files() for secret in find_secrets(text)] == []
    holders = [path for path, text in read_files() if re.search(r"\bA[KS]IA[A-Z0-9]{16}\b", text)]
    assert [path.parts[0] for path in holders] == ["transcripts"]
    for path in holders:
        assert set(re.findall(r"\bA[KS]IA\w+", (SHOP / path).read_text(encoding="utf-8"))) == {EXAMPLE_KEY}


def test_every_host_and_address_in_the_example_is_reserved_for_examples() -> None:
    hosts: set[str] = set()
    for _, text in read_files():
        hosts.update(re.findall(r"https?://([^/\s\"'`)>,;|]+)", text))
        hosts.update(re.findall(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)", text))
        assert not re.search(r"\b(?:\d{1,3}\.){3}\d{1,3}\b", text)
    assert {"example.com", "grafana.example.com"} <= hosts
    assert {host for host in hosts if not RESERVED.fullmatch(host.rstrip("."))} == set()


def test_the_memory_of_the_example_is_not_taken_for_that_of_the_repository_it_lies_in(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    repo = make_repository(tmp_path)
    shutil.copytree(SHOP, tmp_path / "examples" / "shop")
    repo.commit()
    done = memci(capsys, tmp_path, "check")
    # The guide of the example is one of this repository, too.
    assert (done.code, "checked 0 scopes, 0 topics, 1 guide" in done.out) == (Exit.DONE, True), done.out


def dream_with_replies(shop: Repo, target: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Repo, dict[str, bytes]]:
    """Dream over a copy of the example with the recorded replies of a model; return the memory after it."""
    shutil.copytree(shop.root, target, symlinks=True)
    done = memci(
        capsys, target, "dream", "--replay", str(SHOP / "replies"), "--force", "--now", "2026-11-16T03:00:00Z",
        "--transcripts", str(TRANSCRIPTS),
    )  # fmt: skip
    assert (done.code, "no recorded reply" in done.out) == (0, False)
    files = sorted(path for path in (target / ".claude").rglob("*") if path.is_file())
    return Repo(target), {str(path.relative_to(target)): path.read_bytes() for path in files}


def test_a_recorded_night_with_a_model_is_the_same_everywhere_and_still_the_second_time(
    shop: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo, memory = dream_with_replies(shop, tmp_path / "one", capsys)
    _, again = dream_with_replies(shop, tmp_path / "two", capsys)
    assert memory == again
    told = b"\n".join(memory.values()).decode()
    for text in (
        "Releases go out on Tuesday morning",
        "`price_after_voucher()`",
        "gone by 2026-11-20",
        "Mara Lind is",
    ):
        assert text in told
    for text in ("Thursday morning", "port 4010", "--legacy-csv", "merge-freeze", EXAMPLE_KEY):
        assert text not in told
    arguments = ("--force", "--now", "2026-11-18T03:00:00Z", "--transcripts", str(TRANSCRIPTS))
    done = memci(capsys, repo.root, "dream", "--replay", str(SHOP / "replies"), *arguments)
    assert done.code == 0
    assert "no changes" in done.out
