"""The client against servers that others wrote: Prism with GitHub's description, and an emulator of GitHub."""

import contextlib
import io
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memci.errors import ServiceError
from memci.forge.github import GitHub
from memci.forge.http import Client
from memci.forge.pull_requests import Draft, PullState, UncertainError
from tests.e2e.packages import install, install_node
from tests.forge.openapi import slim

PRISM, EMULATOR, DESCRIPTION = "@stoplight/prism-cli@5.16.0", "emulate@0.12.2", "@octokit/openapi@23.0.2"
TOKEN = "made-up"  # noqa: S105 -- the emulator is told of it below
SEED = {
    "tokens": {TOKEN: {"login": "acme"}},
    "github": {
        "users": [{"login": name, "name": name, "email": f"{name}@example.org"} for name in ("acme", "mara")],
        "repos": [{"owner": "acme", "name": "shop", "auto_init": True}],
    },
}

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(500)]


@pytest.fixture(scope="module")
def packages() -> Iterator[Path]:
    with install(PRISM, EMULATOR, DESCRIPTION) as root:
        yield root


@contextlib.contextmanager
def serve(command: list[str], log: Path) -> Iterator[str]:
    """Run a server on a free port until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with log.open("wb") as file:
        process = subprocess.Popen([part.format(port=port) for part in command], stdout=file, stderr=file)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def make_client(api: str) -> GitHub:
    client = Client(api, ("Authorization", f"Bearer {TOKEN}"), sleep=lambda _: None)
    return GitHub(client, "acme/shop", "http://forge.example/acme/shop")


def prism(packages: Path, mode: str) -> list[str]:
    return [str(packages / "node_modules/.bin/prism"), mode, "-p", "{port}", "-h", "127.0.0.1"]


def write_slim(packages: Path, tmp_path: Path) -> Path:
    """Write GitHub's description of what memci asks for."""
    whole = json.loads((packages / "node_modules/@octokit/openapi/generated/api.github.com.json").read_text("utf-8"))
    target = tmp_path / "slim.json"
    target.write_text(json.dumps(slim(whole)))
    return target


def test_prism_finds_no_fault_with_any_request(packages: Path, tmp_path: Path) -> None:
    command = [*prism(packages, "mock"), str(write_slim(packages, tmp_path))]
    with serve(command, tmp_path / "log") as api:
        forge = make_client(api)
        assert [forge.list_pulls("memci/dream", state) for state in (PullState.OPEN, PullState.CLOSED)] == [[], []]
        # What comes back is GitHub's own example.
        assert forge.create_pull(Draft("title", "body", "main", "memci/dream", draft=True)).number == 1347
        forge.edit_pull(1, title="title", body="body", base="main")
        forge.comments.keep(1, "<!-- mark -->", "<!-- mark --> new")
        forge.comments.keep(1, "Me", "Me edited")
        forge.add_labels(1, ["memory", "memci: dream"])
        forge.remove_label(1, "memci: dream")
        forge.request_reviews(1, ["mara", "acme/docs"])
        forge.close_pull(1, body="body")
        assert forge.comments.read_user() == "octocat"
        assert forge.comments.list(1)[0].author == "octocat"
        forge.comments.create(1, "new")
        forge.comments.edit(1, 2, "edited")
        forge.comments.delete(1, 2)
        assert forge.read_repository().default_branch == "master"
        assert forge.may_open_pulls() is not None
        assert forge.read_workflow_state("memci.yml") == "active"
        artifact = forge.list_artifacts()[0]
        assert forge.read_repository().default_branch == "master"
        assert forge.name_workflow(5).endswith(".yml")
        with pytest.raises(UncertainError, match="no answer from pipelines"):
            forge.download_artifact(artifact, io.BytesIO(), 100)
    log = (tmp_path / "log").read_text()
    received, passed = (len(re.findall(words, log)) for words in ("Request received", "passed the validation rules"))
    assert received == passed > 20
    assert "Violation: request" not in log


@contextlib.contextmanager
def emulate(packages: Path, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Run the emulator; give its address, and that of Prism in front of it, which looks at every request."""
    # JSON is YAML, too.
    (tmp_path / "seed.yaml").write_text(json.dumps(SEED))
    program = str(packages / "node_modules/emulate/dist/index.js")
    with install_node() as node, contextlib.ExitStack() as stack:
        start = [node, program, "start", "--service", "github", "--port", "{port}", "--seed"]
        behind = stack.enter_context(serve([*start, str(tmp_path / "seed.yaml")], tmp_path / "emulator.log"))
        proxy = [*prism(packages, "proxy"), str(write_slim(packages, tmp_path)), behind]
        yield behind, stack.enter_context(serve(proxy, tmp_path / "log"))


def test_an_emulator_of_github_understands_everything(packages: Path, tmp_path: Path) -> None:
    with emulate(packages, tmp_path) as (behind, api):
        forge = make_client(api)
        client = Client(behind, ("Authorization", f"Bearer {TOKEN}"))
        base: Any = client.get("/repos/acme/shop/commits/main").value
        body = {"message": "a dream", "tree": base["commit"]["tree"]["sha"], "parents": [base["sha"]]}
        made: Any = client.send("POST", "/repos/acme/shop/git/commits", body)
        client.send("POST", "/repos/acme/shop/git/refs", {"ref": "refs/heads/memci/dream", "sha": made["sha"]})

        pull = forge.create_pull(Draft("title", "body", "main", "memci/dream", draft=True))
        assert [one.number for one in forge.list_pulls("memci/dream", PullState.OPEN)] == [pull.number]
        forge.add_labels(pull.number, ["memory", "memci: dream"])
        forge.remove_label(pull.number, "memci: dream")
        forge.comments.keep(pull.number, "<!-- mark -->", "one")
        forge.comments.keep(pull.number, "<!-- mark -->", "two")
        forge.request_reviews(pull.number, ["mara"])
        forge.edit_pull(pull.number, title="another", body="text", base="main")
        (shown,) = forge.list_pulls("memci/dream", PullState.OPEN)
        assert (shown.title, shown.body, shown.labels) == ("another", "text", frozenset(("memory",)))
        comments: Any = client.get(f"/repos/acme/shop/issues/{pull.number}/comments").value
        assert [comment["body"] for comment in comments] == ["<!-- mark -->\ntwo"]
        forge.close_pull(pull.number, body="over")
        assert forge.list_pulls("memci/dream", PullState.OPEN) == []
        (closed,) = forge.list_pulls("memci/dream", PullState.CLOSED)
        assert (closed.number, closed.body) == (pull.number, "over")
        assert forge.list_artifacts() == []
        assert forge.read_repository().default_branch == "main"
        log = (tmp_path / "log").read_text()
        assert log.count("Request received") > 15
        # What it says of answers is about the emulator.
        assert "Violation: request" not in log
        # It would have said so.
        with contextlib.suppress(ServiceError):
            Client(api, ("Authorization", f"Bearer {TOKEN}")).send("POST", "/repos/acme/shop/pulls", {"head": "x"})
        assert (tmp_path / "log").read_text().count("Violation: request") == 1
