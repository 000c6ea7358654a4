"""Transcripts from artifacts of other runs: whose are read, how many, and where the token does not go."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.commands.dreams import make_record
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge, Fault, Seen
from tests.fakes.forge_github import FakeGitHub, make_github
from tests.fakes.forge_github_data import Upload
from tests.publish.stage import make_token
from tests.repository import Repo

MIB = 1 << 20


def pack(*texts: str, session: str, member: str = "") -> bytes:
    """Return a zip with a transcript, as claude-code-action's file is uploaded."""
    records = [make_record(session, number, text, "2026-11-12") for number, text in enumerate(texts, 1)]
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member or f"{session}.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    return target.getvalue()


def upload(forge: FakeGitHub, number: int, **fields: Any) -> Upload:
    """Leave an artifact behind in which a person gives a rule with the number in it."""
    data = pack(f"Always keep service {number} on port {9000 + number}.", session=f"s{number}")
    made = Upload(**{"id": number, "name": f"claude-{number}", "data": data, **fields})
    forge.actions.uploads.append(made)
    return made


def read(capsys: pytest.CaptureFixture[str], repo: Repo, *places: str) -> Done:
    named = [part for place in places for part in ("--transcripts", place)]
    return memci(capsys, repo.root, "signals", "--format", "json", *named)


def find_sessions(done: Done) -> set[str]:
    return {signal["session"] for signal in done.json["signals"]}


def test_what_runs_of_the_default_branch_left_is_read(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub, tmp_path: Path
) -> None:
    upload(forge, 1)
    upload(forge, 2, age=20)
    upload(forge, 3, name="coverage")
    before = set(tmp_path.rglob("*"))
    done = read(capsys, repo, "artifact:claude-*")
    assert (done.code, find_sessions(done), done.err) == (0, {"s1", "s2"}, "")
    assert {file["name"] for file in done.json["files"]} == {
        "artifact:claude-1#1!s1.jsonl",
        "artifact:claude-2#2!s2.jsonl",
    }
    assert set(tmp_path.rglob("*")) == before
    assert forge.writes() == []
    # The storage is told neither the token nor who asks for more than the bytes.
    fetched = [seen for seen in forge.seen if seen.path.startswith("/storage/")]
    assert len(fetched) == 2
    assert not any({"authorization", "cookie"} & set(seen.headers) for seen in fetched)


def test_a_dream_reads_them_from_the_settings(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub
) -> None:
    upload(forge, 1)
    repo.write(".memci.yml", "transcripts: ['artifact:claude-*']\n")
    done = memci(capsys, repo.root, "dream", "--engine", "local", "--force", "--dry-run", "--format", "json")
    assert done.code == 0
    assert [signal["session"] for scope in done.json["scopes"] for signal in scope["signals"]] == ["s1"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"head_repository": 666}, "1 from forks"),
        ({"expired": True}, "1 expired"),
        ({"age": 31}, "1 older than 20"),
        ({"branch": "feature"}, "1 of other branches than main"),
    ],
)
def test_what_is_passed_over_is_told(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub, fields: dict[str, Any], why: str
) -> None:
    upload(forge, 1)
    upload(forge, 2, **fields)
    done = read(capsys, repo, "artifact:claude-*")
    assert (done.code, find_sessions(done)) == (0, {"s1"})
    assert why in done.err
    assert not any("/2/zip" in seen.path for seen in forge.seen)


def test_a_named_workflow_may_run_on_any_branch_but_not_for_a_fork(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub
) -> None:
    upload(forge, 1, branch="feature", workflow="review.yml")
    upload(forge, 2, branch="feature", workflow="other.yml")
    upload(forge, 3, branch="feature", workflow="review.yml", head_repository=666)
    done = read(capsys, repo, "artifact:claude-*@review.yml")
    assert find_sessions(done) == {"s1"}
    assert "1 from forks, 1 of other workflows" in done.err


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"digest": f"sha256:{'0' * 64}"}, "SHA-256 differs"),
        ({"size": 65 * MIB}, "larger than 64 MiB"),
        ({"data": b"no zip"}, "broken"),
        ({"data": pack("Always x.", session="s2", member="../../s2.jsonl")}, "leads out of it"),
        ({"location": "http://forge.example/zip"}, "not fetched from"),
        ({"location": "ftp://127.0.0.1/zip"}, "not fetched from"),
        ({"location": "file:///etc/passwd"}, "not fetched from"),
        ({"location": "https://user:pass@forge.example/zip"}, "not fetched from"),
        ({"location": "/relative"}, "not fetched from"),
        ({"location": "https://[::1/zip"}, "not fetched from"),
        ({"location": "https://forge.example:port/zip"}, "not fetched from"),
        ({"location": "https://forge.ex\u00e4mple/zip"}, "not fetched from"),
    ],
)
def test_one_that_must_not_be_read_is_named_and_the_others_are_read(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub, fields: dict[str, Any], why: str
) -> None:
    upload(forge, 1)
    upload(forge, 2, **fields)
    done = read(capsys, repo, "artifact:claude-*")
    assert find_sessions(done) == {"s1"}
    (reason,) = (file["reason"] for file in done.json["files"] if file["name"].startswith("artifact:claude-2#2"))
    assert why in reason
    assert "secret-signature" not in done.out + done.err


def test_without_a_digest_it_is_read_as_it_is(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub
) -> None:
    upload(forge, 1, digest=None)
    assert find_sessions(read(capsys, repo, "artifact:claude-*")) == {"s1"}


def test_the_newest_come_first_and_not_more_than_fit(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub
) -> None:
    for number in range(1, 54):
        upload(forge, number, age=1 if number > 3 else 5)
    done = read(capsys, repo, "artifact:claude-*")
    assert (done.code, find_sessions(done)) == (0, {f"s{number}" for number in range(4, 54)})
    assert "3 beyond what one run reads" in done.err


def test_a_named_workflow_is_looked_for_among_so_many_runs_only(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub
) -> None:
    for number in range(1, 204):
        upload(forge, number, workflow="other.yml")
    done = read(capsys, repo, "artifact:claude-*@review.yml")
    assert "200 of other workflows, 3 of runs beyond" in done.err
    assert sum("/actions/runs/" in seen.path for seen in forge.seen) == 200


def test_the_storage_may_not_point_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, repo: Repo, forge: FakeGitHub, tmp_path: Path
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    upload(forge, 1)
    with make_github(tmp_path / "thief", make_token()) as thief:
        forge.faults.append(Fault("GET", "^/storage/", 302, {"Location": thief.web}, times=9))
        done = read(capsys, repo, "artifact:claude-*")
        assert ("302" in done.out, thief.seen) == (True, [])


FAULTS = {
    "401": (Fault("GET", "/actions/artifacts$", 401), 4),
    "403": (Fault("GET", "/actions/artifacts$", 403, message="Resource not accessible by integration"), 4),
    "429": (Fault("GET", "/actions/artifacts$", 429, {"Retry-After": "0"}), 0),
    "502": (Fault("GET", "/zip$", 502), 0),
    "no answer": (Fault("GET", "^/storage/", "drop"), 0),
    "the address is too old": (Fault("GET", "^/storage/", 403), 0),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_may_be_tried_again_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, repo: Repo, forge: FakeGitHub, name: str
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    upload(forge, 1)
    fault, code = FAULTS[name]
    forge.faults.append(Fault(fault.method, fault.path, fault.what, fault.headers, fault.message, fault.times))
    done = read(capsys, repo, "artifact:claude-*")
    assert done.code == code
    if code == 0:
        assert find_sessions(done) == {"s1"}
    assert make_token() not in done.out + done.err


def test_nothing_there_is_said(capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub) -> None:
    upload(forge, 1, head_repository=666)
    done = read(capsys, repo, "artifact:claude-*")
    assert [(file["name"], file["reason"]) for file in done.json["files"]] == [
        ("artifact:claude-*", "no artifact to read")
    ]
    assert read(capsys, repo, "artifact:").code == 2


def test_what_is_needed_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, repo: Repo, forge: FakeGitHub
) -> None:
    monkeypatch.delenv("MEMCI_TOKEN")
    done = read(capsys, repo, "artifact:claude-*")
    assert (done.code, "GITHUB_TOKEN" in done.err) == (2, True)
    assert forge.seen == []
    # Commands that read everything whole do not fetch.
    assert memci(capsys, repo.root, "digest", "artifact:claude-*").code == 2


@pytest.mark.parametrize("forge", ["gitea", "gitlab"], indirect=True)
def test_other_forges_have_none(capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge) -> None:
    done = read(capsys, repo, "artifact:claude-*")
    assert (done.code, "at GitHub only" in done.err, forge.seen) == (2, True, [])


def test_an_endless_download_ends(capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeGitHub) -> None:
    def flood(_: Seen) -> tuple[int, bytes]:
        return 200, b"\0" * (65 * MIB)

    upload(forge, 1)
    forge.pages["/storage/"] = flood
    done = read(capsys, repo, "artifact:claude-*")
    assert [file["reason"] for file in done.json["files"]] == [f"more than {64 * MIB} bytes from 127.0.0.1"]
