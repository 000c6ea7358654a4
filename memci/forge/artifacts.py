"""What runs of GitHub Actions left behind; what a fork left is marked as such."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO

from memci.forge.http import Client, quote, reading

# A busy repository makes some hundred a day; what is older than these is not looked for.
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
        with reading("artifacts"):
            pages = self._client.pages(f"{self._root}/actions/artifacts", key="artifacts")
            found = [_read(item) for item in islice(pages, _MAX_LISTED)]
        return sorted(found, key=lambda artifact: (artifact.created, artifact.id), reverse=True)

    def find_default_branch(self) -> str:
        """Return the branch whose runs nobody can start without write access."""
        with reading("the repository"):
            return str(self._client.get(self._root).value["default_branch"])

    def find_workflow(self, run: int) -> str:
        """Return the name of the file that a run follows."""
        with reading("a run"):
            path = str(self._client.get(f"{self._root}/actions/runs/{quote(str(run))}").value["path"])
        # `.github/workflows/review.yml@refs/heads/main`
        return path.partition("@")[0].rpartition("/")[2]

    def download(self, artifact: Artifact, into: IO[bytes], limit: int) -> str:
        """Write the zip into a file and return its SHA-256."""
        return self._client.download(f"{self._root}/actions/artifacts/{artifact.id}/zip", into, limit)


def _read(item: dict[str, object]) -> Artifact:
    # Absent for artifacts of runs that were deleted: nobody knows any more whose they were.
    run = item.get("workflow_run") or {}
    if not isinstance(run, dict):
        raise TypeError("a run is an object")
    digest = str(item.get("digest") or "")
    created = dt.datetime.fromisoformat(str(item["created_at"] or "1970-01-01T00:00:00Z"))
    home = run.get("repository_id")
    return Artifact(
        int(str(item["id"])),
        str(item["name"]),
        int(str(item["size_in_bytes"])),
        created if created.tzinfo else created.replace(tzinfo=dt.UTC),
        item["expired"] is not False,
        digest.removeprefix(_DIGEST) if digest.startswith(_DIGEST) else "",
        int(run.get("id") or 0),
        str(run.get("head_branch") or ""),
        home is not None and home == run.get("head_repository_id"),
    )
