"""What GitHub makes through its Git data API, and what Actions left behind; refuses what the real one refuses."""

import base64
import binascii
import datetime as dt
import hashlib
import re
import subprocess
from dataclasses import dataclass
from typing import Any

from tests.fakes.forge import NAME, OWNER, FakeForge, RefusedError, Seen

_ROOT = f"/repos/{OWNER}/{NAME}"
_MAX_BLOB = 40 * 1024 * 1024
_MODES = ("100644", "100755", "040000", "160000", "120000")
_BOT = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"
_WEB = "GitHub <noreply@github.com>"
_PERSON = "Mara <mara@example.org>"
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


class GitDataRoutes:
    """Blobs, trees and commits, written into the real repository; no branch moves."""

    def __init__(self, forge: FakeForge) -> None:
        self.forge = forge
        # Whether the token is an app's: GitHub signs for no other.
        self.signs = True
        forge.routes += [
            ("POST", f"{_ROOT}/git/blobs", self.make_blob),
            ("POST", f"{_ROOT}/git/trees", self.make_tree),
            ("POST", f"{_ROOT}/git/commits", self.make_commit),
        ]

    def write(self, kind: str, content: bytes) -> str:
        command = ["git", "hash-object", "-t", kind, "-w", "--stdin", "--literally"]
        done = subprocess.run(command, cwd=self.forge.bare, input=content, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def kind(self, oid: object) -> str:
        if not isinstance(oid, str) or not re.fullmatch(r"[0-9a-f]{40}", oid):
            return ""
        command = ["git", "cat-file", "-t", oid]
        return subprocess.run(command, cwd=self.forge.bare, capture_output=True, check=False).stdout.decode().strip()

    def check_writable(self) -> None:
        if not self.forge.git("for-each-ref", "--count=1"):
            raise RefusedError(409, "Git Repository is empty.")

    def make_blob(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "content", "encoding")
        self.check_writable()
        if fields.get("encoding", "utf-8") == "base64":
            try:
                data = base64.b64decode(fields["content"], validate=True)
            except binascii.Error:
                raise RefusedError(422, "content is not valid Base64") from None
        else:
            data = fields["content"].encode()
        if len(data) > _MAX_BLOB:
            raise RefusedError(422, "Sorry, your input was too large to process.")
        oid = self.write("blob", data)
        return 201, {"sha": oid, "url": f"{self.forge.web}{self.forge.api}{_ROOT}/git/blobs/{oid}"}

    def make_tree(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "tree", "base_tree")
        self.check_writable()
        if "base_tree" in fields and self.kind(fields["base_tree"]) != "tree":
            raise RefusedError(422, "base_tree is not a valid tree oid")
        index = self.forge.root / "index"
        index.unlink(missing_ok=True)
        if "base_tree" in fields:
            self.index("read-tree", fields["base_tree"])
        for entry in fields["tree"]:
            self.check_entry(entry)
            if entry["sha"] is None:
                self.index("rm", "--cached", "--quiet", "--", entry["path"])
            else:
                self.index("update-index", "--add", "--cacheinfo", f"{entry['mode']},{entry['sha']},{entry['path']}")
        oid = self.index("write-tree")
        lines = self.forge.git("ls-tree", oid).split("\n")
        parts = [re.fullmatch(r"(\d+) (\w+) (\w+)\t(.*)", line) for line in lines if line]
        items = [{"mode": p[1], "type": p[2], "sha": p[3], "path": p[4]} for p in parts if p]
        return 201, {"sha": oid, "url": f"{self.forge.web}/trees/{oid}", "tree": items, "truncated": False}

    def check_entry(self, entry: dict[str, Any]) -> None:
        if set(entry) != {"path", "mode", "type", "sha"}:
            raise RefusedError(422, "Must supply either tree.sha or tree.content")
        if entry["mode"] not in _MODES or entry["path"].startswith("/") or ".." in entry["path"].split("/"):
            raise RefusedError(422, "tree.path contains a malformed path component")
        if entry["sha"] is not None and self.kind(entry["sha"]) != entry["type"]:
            raise RefusedError(422, f"tree.sha {entry['sha']} is not a valid {entry['type']}")

    def index(self, *arguments: str) -> str:
        index = self.forge.root / "index"
        work = self.forge.root / "work"
        work.mkdir(exist_ok=True)
        places = [f"--git-dir={self.forge.bare}", f"--work-tree={work}"]
        command = ["env", f"GIT_INDEX_FILE={index}", "git", *places, *arguments]
        done = subprocess.run(command, cwd=work, capture_output=True, check=False)
        if done.returncode:
            raise RefusedError(422, "GitRPC::BadObjectState")
        return done.stdout.decode().strip()

    def make_commit(self, seen: Seen, _: "re.Match[str]") -> tuple[int, Any]:
        fields = self.forge.fields(seen, "message", "tree", "parents", "author", "committer", "signature")
        self.check_writable()
        if self.kind(fields["tree"]) != "tree":
            raise RefusedError(422, "Tree SHA does not exist")
        if any(self.kind(parent) != "commit" for parent in fields["parents"]):
            raise RefusedError(422, "Parent SHA does not exist or is not a commit object")
        signed = self.signs and not {"author", "committer"} & set(fields)
        author, committer = (_BOT, _WEB) if signed else (_PERSON, _PERSON)
        stamp = "1794798000 +0000"
        lines = [f"tree {fields['tree']}", *(f"parent {parent}" for parent in fields["parents"])]
        lines += [f"author {author} {stamp}", f"committer {committer} {stamp}"]
        if signed:
            lines += ["gpgsig -----BEGIN PGP SIGNATURE-----", " ", " made-up", " -----END PGP SIGNATURE-----"]
        # GitHub takes away what stands at the end.
        oid = self.write("commit", "\n".join([*lines, "", fields["message"].rstrip("\n")]).encode())
        return 201, self.show_commit(oid, fields, signed=signed)

    def show_commit(self, oid: str, fields: dict[str, Any], *, signed: bool) -> dict[str, Any]:
        url = f"{self.forge.web}{self.forge.api}{_ROOT}/git"
        who = {"date": "2026-11-16T03:00:00Z", "name": "GitHub", "email": "noreply@github.com"}
        parents = [
            {"sha": parent, "url": f"{url}/commits/{parent}", "html_url": f"{url}/commits/{parent}"}
            for parent in fields["parents"]
        ]
        return {
            "sha": oid,
            "node_id": "C_1",
            "url": f"{url}/commits/{oid}",
            "html_url": f"{self.forge.web}/{OWNER}/{NAME}/commit/{oid}",
            "author": who,
            "committer": who,
            "message": fields["message"],
            "tree": {"sha": fields["tree"], "url": f"{url}/trees/{fields['tree']}"},
            "parents": parents,
            "verification": {
                "verified": signed,
                "reason": "valid" if signed else "unsigned",
                "signature": "made-up" if signed else None,
                "payload": "made-up" if signed else None,
                "verified_at": "2026-11-16T03:00:00Z" if signed else None,
            },
        }


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
