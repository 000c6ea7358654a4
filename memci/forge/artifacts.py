"""Artifacts of GitHub Actions; those of forks are marked."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO

from memci.forge.answers import GitHubArtifact, GitHubRepository, WorkflowRun
from memci.forge.http import Client, quote

# A busy repository makes a few hundred a day; older ones are ignored.
_MAX_LISTED = 1_000
_DIGEST = "sha256:"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A zip that a run uploaded."""

    id: int
    name: str
    size: int
    created: dt.datetime
    expired: bool
    # SHA-256 of the zip; "" if GitHub does not know it.
    digest: str
    run: int
    branch: str
    # Whether the run was about a commit of this repository, not of a fork.
    ours: bool


class Artifacts:
    """The artifacts of one repository at GitHub; needs `actions: read`."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def list_newest(self) -> Sequence[Artifact]:
        """Return the artifacts of all runs, the newest first."""
        pages = self._client.list(f"{self._root}/actions/artifacts", GitHubArtifact, "artifacts", within="artifacts")
        found = [_read(item) for item in islice(pages, _MAX_LISTED)]
        return sorted(found, key=lambda artifact: (artifact.created, artifact.id), reverse=True)

    def read_default_branch(self) -> str:
        """Return the default branch: its runs need write access."""
        return self._client.read(self._root, GitHubRepository, "the repository").default_branch

    def read_workflow(self, run: int) -> str:
        """Return the file name of the workflow of a run."""
        found = self._client.read(f"{self._root}/actions/runs/{quote(str(run))}", WorkflowRun, "a run")
        # `.github/workflows/review.yml@refs/heads/main`
        return found.path.partition("@")[0].rpartition("/")[2]

    def download(self, artifact: Artifact, into: IO[bytes], limit: int) -> str:
        """Write the zip into a file and return its SHA-256."""
        return self._client.download(f"{self._root}/actions/artifacts/{artifact.id}/zip", into, limit)


def _read(item: GitHubArtifact) -> Artifact:
    # Absent for artifacts of deleted runs: their origin is unknown.
    run = item.workflow_run or WorkflowRun()
    digest = item.digest or ""
    created = item.created_at or dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    return Artifact(
        item.id,
        item.name,
        item.size_in_bytes,
        created if created.tzinfo else created.replace(tzinfo=dt.UTC),
        item.expired is not False,
        digest.removeprefix(_DIGEST) if digest.startswith(_DIGEST) else "",
        run.id or 0,
        run.head_branch or "",
        run.repository_id is not None and run.repository_id == run.head_repository_id,
    )
