"""Selects and downloads transcripts that other GitHub Actions runs uploaded as artifacts."""

import datetime as dt
import fnmatch
import io
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import IO

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.forge.answers import GitHubArtifact
from memci.forge.detect import classify_forge, make_forge, parse_address
from memci.forge.github import GitHub
from memci.git.remotes import open_remote
from memci.git.workspace import Workspace
from memci.sessions.json_lines import File
from memci.sessions.places import ARTIFACT_PREFIX, Input, Unopened
from memci.sessions.read_result import FileStatus
from memci.stores.state_directory import make_file

_MIB = 1 << 20
# Limits of one run, chosen for a job that takes minutes. A long session has about 10 MB, a tenth of that when zipped.
_MAX_COUNT = 50
_MAX_SIZE = 64 * _MIB
_MAX_TOTAL = 256 * _MIB
# GitHub keeps artifacts for 90 days; nightly runs have read what is older than a month.
_MAX_AGE = dt.timedelta(days=30)
# A job token is limited to 1,000 requests an hour, and each run takes one.
_MAX_RUNS = 200


@contextmanager
def fetch_artifacts(
    places: Sequence[str],
    workspace: Workspace,
    environment: Mapping[str, str],
    show: Callable[[str], None],
    tell: Callable[[str], None],
) -> Iterator[list[Input | Unopened]]:
    """Download the artifacts of these places into temporary files."""
    found: list[Input | Unopened] = []
    with ExitStack() as stack:
        source = _open(workspace, environment)
        listed = source.list_artifacts()
        for place in places:
            chosen, large, passed = _choose(place, listed, source)
            if passed:
                tell(f"{place}: passed over {', '.join(f'{count} {why}' for why, count in sorted(passed.items()))}")
            if not chosen and not large:
                found.append(Unopened(place, "no artifact to read"))
            found += (Unopened(_name(artifact), f"larger than {_MAX_SIZE // _MIB} MiB") for artifact in large)
            for number, artifact in enumerate(chosen, 1):
                show(f"gather: fetching artifact {number} of {len(chosen)}")
                found.append(_fetch(source, artifact, stack.enter_context(make_file())))
        yield found


def _choose(
    place: str, listed: Sequence[GitHubArtifact], source: GitHub
) -> tuple[list[GitHubArtifact], list[GitHubArtifact], Counter[str]]:
    """Choose among artifacts, the newest first: `artifact:PATTERN`, or `artifact:PATTERN@WORKFLOW.yml`.

    Return those to fetch, those that are too large, and the number of others by reason.
    """
    pattern, _, workflow = place.removeprefix(ARTIFACT_PREFIX).partition("@")
    if not pattern:
        raise UsageError(f"{place} names no artifact", hint="artifact:claude-*, or artifact:claude-*@review.yml")
    judge = _Judge(source, workflow, dt.datetime.now(dt.UTC) - _MAX_AGE)
    chosen: list[GitHubArtifact] = []
    large: list[GitHubArtifact] = []
    passed: Counter[str] = Counter()
    left = _MAX_TOTAL
    for artifact in listed:
        if not fnmatch.fnmatchcase(artifact.name, pattern):
            continue
        size = artifact.size_in_bytes
        # Nightly runs have read the older ones, so skipping them is no failure.
        full = size <= _MAX_SIZE and (len(chosen) == _MAX_COUNT or size > left)
        why = "beyond what one run reads" if full else judge.objection(artifact)
        if why:
            passed[why] += 1
        elif size > _MAX_SIZE:
            large.append(artifact)
        else:
            chosen.append(artifact)
            left -= size
    return chosen, large, passed


@dataclass(slots=True)
class _Judge:
    """Decides which artifacts are trusted, with as few requests as possible."""

    source: GitHub
    workflow: str
    oldest: dt.datetime
    _default: str = ""
    _workflows: dict[int, str] = field(default_factory=dict)

    def objection(self, artifact: GitHubArtifact) -> str:
        """Return why an artifact is passed over; "" if it is not."""
        if not artifact.ours:
            # Anybody can control what a run for a fork uploads.
            return "from forks"
        if artifact.expired is not False:
            return "expired"
        if artifact.created < self.oldest:
            return f"older than {self.oldest:%Y-%m-%d}"
        if not self.workflow:
            self._default = self._default or self.source.read_repository().default_branch
            is_default = (artifact.run.head_branch or "") == self._default
            return "" if is_default else f"of other branches than {self._default}"
        run = artifact.run.id or 0
        if run not in self._workflows:
            if len(self._workflows) == _MAX_RUNS:
                return "of runs beyond those that are looked at"
            self._workflows[run] = self.source.name_workflow(run)
        return "" if self._workflows[run] == self.workflow else "of other workflows"


def _open(workspace: Workspace, environment: Mapping[str, str]) -> GitHub:
    if workspace.repository is None:
        raise UsageError(f"{ARTIFACT_PREFIX} needs a git repository", hint="run memci inside it, or use -C")
    address = parse_address(open_remote(workspace.repository, "origin").url)
    kind = classify_forge(address, environment)
    forge = make_forge(kind, address, environment) if kind == "github" else None
    if not isinstance(forge, GitHub):
        raise UsageError(f"{ARTIFACT_PREFIX} works at GitHub only", hint="download them first, and name the directory")
    return forge


def _fetch(source: GitHub, artifact: GitHubArtifact, file: IO[bytes]) -> Input | Unopened:
    name = _name(artifact)
    try:
        # The size that GitHub reports is not reliable.
        digest = source.download_artifact(artifact, file, _MAX_SIZE)
    except (ServiceError, UnsafeError) as error:
        return Unopened(name, error.message)
    if artifact.sha256 and digest != artifact.sha256:
        return Unopened(name, "it is not what was uploaded: its SHA-256 differs", FileStatus.REFUSED)
    file.flush()
    return Input(name, PurePosixPath("artifact.zip"), file.tell(), partial(_reopen, file))


def _name(artifact: GitHubArtifact) -> str:
    return f"{ARTIFACT_PREFIX}{artifact.name}#{artifact.id}"


@contextmanager
def _reopen(file: IO[bytes]) -> Iterator[File]:
    with io.BufferedReader(io.FileIO(os.dup(file.fileno()))) as again:
        again.seek(0)
        yield again
