"""What Actions left behind at GitHub; refuses what the real one refuses."""

import datetime as dt
import hashlib
import re
from dataclasses import dataclass
from typing import Any

from tests.fakes.forge import NAME, OWNER, FakeForge, RefusedError, Seen

_ROOT = f"/repos/{OWNER}/{NAME}"
REPOSITORY_ID = 42


@dataclass
class Upload:
    """An artifact as somebody uploaded it."""

    id: int
    name: str
    data: bytes
    # How many days ago.
    age: int = 1
    expired: bool = False
    branch: str = "main"
    head_repository: int = REPOSITORY_ID
    workflow: str = "review.yml"
    digest: str | None = "right"
    # What GitHub says of its size, if that is another one.
    size: int | None = None
    # Where the bytes lie, if not where this server keeps them.
    location: str | None = None


class ActionsRoutes:
    """Artifacts of runs; the bytes lie at another address, which must not be sent the token."""

    def __init__(self, forge: FakeForge) -> None:
        self.forge = forge
        self.uploads: list[Upload] = []
        forge.routes += [
            ("GET", _ROOT, self.show_repository),
            ("GET", f"{_ROOT}/actions/artifacts", self.list_artifacts),
            ("GET", rf"{_ROOT}/actions/artifacts/(\d+)/zip", self.locate),
            ("GET", rf"{_ROOT}/actions/runs/(\d+)", self.show_run),
        ]
        forge.pages["/storage/"] = self.send

    def find(self, number: str) -> Upload:
        found = [upload for upload in self.uploads if upload.id == int(number)]
        if not found:
            raise RefusedError(404, "Not Found")
        return found[0]

    def show_repository(self, _: Seen, __: "re.Match[str]") -> tuple[int, Any]:
        return 200, {"id": REPOSITORY_ID, "full_name": f"{OWNER}/{NAME}", "default_branch": "main"}

    def list_artifacts(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        items = [self.show(upload) for upload in self.uploads]
        return 200, {"total_count": len(items), "artifacts": self.forge.page(seen, items, "per_page")}

    def show(self, upload: Upload) -> dict[str, Any]:
        url = f"{self.forge.web}{self.forge.api}{_ROOT}/actions/artifacts/{upload.id}"
        created = (dt.datetime.now(dt.UTC) - dt.timedelta(days=upload.age)).strftime("%Y-%m-%dT%H:%M:%SZ")
        right = f"sha256:{hashlib.sha256(upload.data).hexdigest()}"
        return {
            "id": upload.id,
            "node_id": "A_1",
            "name": upload.name,
            "size_in_bytes": len(upload.data) if upload.size is None else upload.size,
            "url": url,
            "archive_download_url": f"{url}/zip",
            "expired": upload.expired,
            "created_at": created,
            "expires_at": "2027-02-15T03:00:00Z",
            "updated_at": created,
            "digest": right if upload.digest == "right" else upload.digest,
            "workflow_run": {
                "id": 100 + upload.id,
                "repository_id": REPOSITORY_ID,
                "head_repository_id": upload.head_repository,
                "head_branch": upload.branch,
                "head_sha": "0" * 40,
            },
        }

    def locate(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        upload = self.find(match[1])
        if upload.expired:
            raise RefusedError(410, "Artifact has expired")
        place = upload.location or f"{self.forge.web}/storage/{upload.id}?sig=secret-signature"
        return 302, {"Location": place}

    def show_run(self, _: Seen, match: "re.Match[str]") -> tuple[int, Any]:
        upload = self.find(str(int(match[1]) - 100))
        return 200, {"id": int(match[1]), "path": f".github/workflows/{upload.workflow}@refs/heads/{upload.branch}"}

    def send(self, seen: Seen) -> tuple[int, bytes]:
        if "authorization" in seen.headers:
            # The real storage refuses a request with two kinds of credentials, too.
            self.forge.surprises.append("the token went to the storage")
            return 400, b""
        return 200, self.find(seen.path.rpartition("/")[2]).data
