"""Selects and downloads transcripts that other GitHub Actions runs uploaded as artifacts."""

import datetime as dt
import fnmatch
import io
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
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
# A job token is limited to 1,000 requests an hour, and each run takes one.
_MAX_RUNS = 200


@dataclass(frozen=True, slots=True)
class Bounds:
    """Download limits of one run, chosen for a job that takes minutes."""

    count: int = 50
    # A long session has about 10 MB, a tenth of that when zipped.
    size: int = 64 * _MIB
    total: int = 256 * _MIB
    # GitHub keeps artifacts for 90 days; nightly runs have read what is older than a month.
    age: dt.timedelta = dt.timedelta(days=30)


BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class ArtifactChoice:
    """Artifacts to fetch, those that are too large, and the number of others by reason."""

    chosen: tuple[GitHubArtifact, ...]
    large: tuple[GitHubArtifact, ...]
    passed: Mapping[str, int]


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
            choice = choose(place, listed, source, dt.datetime.now(dt.UTC))
            if choice.passed:
                tell(f"{place}: passed over {', '.join(f'{count} {why}' for why, count in choice.passed.items())}")
            if not choice.chosen and not choice.large:
                found.append(Unopened(place, "no artifact to read"))
            found += (Unopened(_name(artifact), f"larger than {BOUNDS.size // _MIB} MiB") for artifact in choice.large)
            for number, artifact in enumerate(choice.chosen, 1):
                show(f"gather: fetching artifact {number} of {len(choice.chosen)}")
                file = stack.enter_context(make_file())
                found.append(_fetch(source, artifact, file))
        yield found


def choose(
    place: str, listed: Sequence[GitHubArtifact], source: GitHub, now: dt.datetime, bounds: Bounds = BOUNDS
) -> ArtifactChoice:
    """Choose among artifacts, the newest first: `artifact:PATTERN`, or `artifact:PATTERN@WORKFLOW.yml`."""
    pattern, _, workflow = place.removeprefix(ARTIFACT_PREFIX).partition("@")
    if not pattern:
        raise UsageError(f"{place} names no artifact", hint="artifact:claude-*, or artifact:claude-*@review.yml")
    matching = [artifact for artifact in listed if fnmatch.fnmatchcase(artifact.name, pattern)]
    judge = _Judge(source, workflow, now - bounds.age)
    chosen: list[GitHubArtifact] = []
    large: list[GitHubArtifact] = []
    passed: Counter[str] = Counter()
    left = bounds.total
    for artifact in matching:
        # Nightly runs have read the older ones, so skipping them is no failure.
        full = len(chosen) == bounds.count or artifact.size_in_bytes > left
        why = (
            "beyond what one run reads" if full and artifact.size_in_bytes <= bounds.size else judge.objection(artifact)
        )
        if why:
            passed[why] += 1
        elif artifact.size_in_bytes > bounds.size:
            large.append(artifact)
        else:
            chosen.append(artifact)
            left -= artifact.size_in_bytes
    return ArtifactChoice(tuple(chosen), tuple(large), dict(sorted(passed.items())))


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
            return (
                "" if (artifact.run.head_branch or "") == self._default else f"of other branches than {self._default}"
            )
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
        digest = source.download_artifact(artifact, file, BOUNDS.size)
    except (ServiceError, UnsafeError) as error:
        return Unopened(name, error.message)
    if artifact.sha256 and digest != artifact.sha256:
        return Unopened(name, "it is not what was uploaded: its SHA-256 differs", FileStatus.REFUSED)
    file.flush()
    return Input(name, PurePosixPath("artifact.zip"), file.tell(), _opener(file))


def _name(artifact: GitHubArtifact) -> str:
    return f"{ARTIFACT_PREFIX}{artifact.name}#{artifact.id}"


def _opener(file: IO[bytes]) -> Callable[[], AbstractContextManager[File]]:
    @contextmanager
    def opener() -> Iterator[File]:
        with io.BufferedReader(io.FileIO(os.dup(file.fileno()))) as again:
            again.seek(0)
            yield again

    return opener
