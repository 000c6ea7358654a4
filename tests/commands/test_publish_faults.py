"""A forge that fails: whatever happens and however often, there is one pull request and nobody's commit is lost."""

import contextlib
import io
import itertools
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memci.cli import main
from memci.publish.pr_marker import find_marker
from tests.fakes.forge import FakeForge, Fault
from tests.gate import slow_but
from tests.publish.scenes import PNPM, TABS, dream_into
from tests.publish.stage import BRANCH, KINDS, clone_memory, make_token, publish, push_as_person, run_forge
from tests.repository import Repo

# For each kind of forge; `make faults` takes more.
SEQUENCES = int(os.environ.get("MEMCI_PUBLISHES", max(1, settings().max_examples // 25)))
LIST, CREATE, PUSH = "list", "create", "push"
# Where the fault meets a run, what it is, and how the run ends.
FAULTS: dict[str, tuple[str, dict[str, Any], int]] = {
    "401": (LIST, {"what": 401}, 4),
    "401 when it is made": (CREATE, {"what": 401}, 4),
    "403 for good": (CREATE, {"what": 403, "message": "Resource not accessible by integration"}, 4),
    "403 for a minute": (CREATE, {"what": 403, "headers": {"Retry-After": "0"}, "message": "secondary rate limit"}, 0),
    "404": (CREATE, {"what": 404}, 4),
    "409": (CREATE, {"what": 409}, 0),
    "422": (CREATE, {"what": 422}, 4),
    "429": (LIST, {"what": 429, "headers": {"Retry-After": "0"}, "times": 2}, 0),
    "429 when it is made": (CREATE, {"what": 429, "headers": {"Retry-After": "7"}}, 0),
    "429 for an hour": (LIST, {"what": 429, "headers": {"Retry-After": "3600"}}, 4),
    "500 again and again": (LIST, {"what": 500, "times": 9}, 4),
    "502 before": (CREATE, {"what": 502}, 0),
    "502 again and again": (CREATE, {"what": 502, "times": 9}, 4),
    "no answer before": (CREATE, {"what": "drop"}, 0),
    "no answer after it was made": (CREATE, {"what": "lost"}, 0),
    "no answer after it was made, nor to any question": (CREATE, {"what": "lost", "times": 9}, 0),
    "labels lost": ("label", {"what": 403}, 3),
    "labels without an answer": ("label", {"what": "lost"}, 0),
    "labels too early": ("label", {"what": 422, "message": "Could not resolve to a node with the global id"}, 0),
    "moved": (LIST, {"what": 301, "headers": {"Location": "http://127.0.0.1:9/steal"}}, 4),
    "push refused": (PUSH, {"what": 403}, 4),
    "push without an answer": (PUSH, {"what": "drop", "times": 9}, 4),
    "pushed without an answer": (PUSH, {"what": "lost"}, 0),
}


# The gate runs one fault of each place at one forge (of the push, where most is at stake, two), and at each forge the
# one in which forges differ most.
# The statuses are told apart by the HTTP client that all forges share, which has tests of its own.
CASES = slow_but(
    itertools.product(FAULTS, KINDS),
    {
        *itertools.product(["401", "labels lost", "push refused", "pushed without an answer"], ["github"]),
        *itertools.product(["no answer after it was made"], KINDS),
    },
)


def make_fault(kind: str, where: str, **fields: Any) -> Fault:
    """Return a fault as it meets the requests of one kind of forge."""
    pulls = "/merge_requests" if kind == "gitlab" else "/pulls"
    label = ("PUT", rf"{pulls}/\d+$") if kind == "gitlab" else ("POST", "/labels$")
    places = {LIST: ("GET", f"{pulls}$"), CREATE: ("POST", f"{pulls}$"), PUSH: ("POST", "/git-receive-pack$")}
    return Fault(*{**places, "label": label}[where], **fields)


@pytest.mark.parametrize(("name", "forge"), CASES, indirect=["forge"])
def test_after_any_fault_and_a_rerun_there_is_exactly_one_pull_request(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    repo: Repo,
    forge: FakeForge,
    name: str,
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    where, fields, code = FAULTS[name]
    forge.faults.append(make_fault(request.node.callspec.params["forge"], where, **fields))
    bundle = dream_into(tmp_path / "bundle", repo, PNPM)
    done = publish(capsys, repo, bundle, "--label", "memory")
    # Gitea has to make a label before it can be added, and may not do so twice.
    assert done.code == (3 if name == "labels without an answer" and forge.api == "/api/v1" else code), done.err
    forge.faults.clear()
    rerun = publish(capsys, repo, bundle, "--label", "memory")
    assert rerun.code == 0
    assert rerun.json["result"] in {"created", "not-updated"}
    (pull,) = forge.pulls
    assert find_marker(pull.body) is not None
    assert forge.head(BRANCH) == rerun.json["commit"]
    assert make_token() not in done.out + done.err
    forge.seen.clear()
    assert publish(capsys, repo, bundle, "--label", "memory").json["result"] == "not-updated"
    assert forge.writes() == []


class Publishing(RuleBasedStateMachine):
    """Runs of memci, faults of the forge and people who do as they like, in any order."""

    kind = "github"

    @initialize()
    def begin(self) -> None:
        self.stack = contextlib.ExitStack()
        self.root = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.environment = self.stack.enter_context(pytest.MonkeyPatch.context())
        self.environment.setattr("time.sleep", lambda _: None)
        self.forge = self.stack.enter_context(run_forge(self.kind, self.root / "forge", self.environment))
        self.repo = clone_memory(self.root / "repo", self.forge)
        signals = {"nothing": (), "one": (PNPM,), "other": (TABS,), "both": (PNPM, TABS)}
        self.prepared = {name: dream_into(self.root / name, self.repo, *said) for name, said in signals.items()}
        # The commit of a person that must stay, and whether they allowed to overwrite it.
        self.theirs = ""

    def run(self, what: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as err:
            code = main(["-C", str(self.repo.root), "publish", "--format", "json", str(self.prepared[what])])
        result = str(json.loads(out.getvalue()).get("result", "")) if out.getvalue() else ""
        assert code in {0, 3, 4, 5}, err.getvalue()
        return code, result

    @rule(
        where=st.sampled_from((LIST, CREATE, PUSH)),
        times=st.integers(1, 3),
        status=st.sampled_from((401, 403, 404, 409, 422, 502, "drop", "lost")),
    )
    def fail(self, where: str, status: int | str, times: int) -> None:
        self.forge.faults.append(make_fault(self.kind, where, what=status, times=times))

    @rule()
    def recover(self) -> None:
        self.forge.faults.clear()

    @rule(what=st.sampled_from(("nothing", "one", "other", "both")))
    def publish(self, what: str) -> None:
        _, result = self.run(what)
        if result == "updated" and self.theirs:
            assert self.allowed
            self.theirs = ""

    @property
    def allowed(self) -> bool:
        return any("memci:rebase" in pull.labels for pull in self.forge.pulls) or not self.theirs

    @precondition(lambda self: self.forge.head(BRANCH))
    @rule()
    def commit(self) -> None:
        self.theirs = push_as_person(self.forge, self.root)

    @precondition(lambda self: self.forge.open_pulls())
    @rule()
    def close(self) -> None:
        self.forge.open_pulls()[0].state = "closed"

    @invariant()
    def one_pull_request_and_nothing_lost(self) -> None:
        assert len(self.forge.open_pulls()) <= 1
        if self.theirs:
            assert self.forge.head(BRANCH) == self.theirs

    def teardown(self) -> None:
        try:
            self.settle()
        finally:
            self.stack.close()

    def settle(self) -> None:
        """Without faults the next run ends well, and the one after that finds nothing to do."""
        self.forge.faults.clear()
        code, result = self.run("both")
        if self.theirs:
            assert (code, result) == (5, "blocked")
            return
        declined = [marker.digest for pull in self.forge.pulls if (marker := find_marker(pull.body))]
        assert (code, result in {"created", "updated", "not-updated", "declined"}) == (0, True), (
            code,
            result,
            declined,
        )
        assert len(self.forge.open_pulls()) == (result != "declined")
        self.forge.seen.clear()
        assert self.run("both")[1] in {"not-updated", "declined"}
        assert self.forge.writes() == []


def make_case(kind: str) -> Any:
    """Return the test of one kind of forge."""
    machine = type(f"Publishing_{kind}", (Publishing,), {"kind": kind})
    # Hypothesis makes it.
    case = machine.TestCase  # type: ignore[attr-defined]
    # Each step runs git and talks over sockets, so there are few.
    case.settings = settings(
        max_examples=SEQUENCES, stateful_step_count=7, deadline=None, suppress_health_check=list(HealthCheck)
    )
    return case


TestGitHub, TestGitea, TestGitLab = map(make_case, KINDS)
TestGitea, TestGitLab = map(pytest.mark.slow, (TestGitea, TestGitLab))
