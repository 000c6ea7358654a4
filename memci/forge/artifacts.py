"""Artifacts of GitHub Actions; those of forks are marked."""

from collections.abc import Sequence
from itertools import islice
from typing import IO

from memci.forge.answers import GitHubArtifact, GitHubRepository, WorkflowRun
from memci.forge.http import Client, quote

# A busy repository makes a few hundred a day; older ones are ignored.
_MAX_LISTED = 1_000


class Artifacts:
    """The artifacts of one repository at GitHub; needs `actions: read`."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = root

    def list_newest(self) -> Sequence[GitHubArtifact]:
        """Return the artifacts of all runs, the newest first."""
        pages = self._client.list(f"{self._root}/actions/artifacts", GitHubArtifact, "artifacts", within="artifacts")
        return sorted(islice(pages, _MAX_LISTED), key=lambda artifact: (artifact.created, artifact.id), reverse=True)

    def read_default_branch(self) -> str:
        """Return the default branch: its runs need write access."""
        return self._client.read(self._root, GitHubRepository, "the repository").default_branch

    def read_workflow(self, run: int) -> str:
        """Return the file name of the workflow of a run."""
        found = self._client.read(f"{self._root}/actions/runs/{quote(str(run))}", WorkflowRun, "a run")
        # `.github/workflows/review.yml@refs/heads/main`
        return found.path.partition("@")[0].rpartition("/")[2]

    def download(self, artifact: GitHubArtifact, into: IO[bytes], limit: int) -> str:
        """Write the zip into a file and return its SHA-256."""
        return self._client.download(f"{self._root}/actions/artifacts/{artifact.id}/zip", into, limit)
