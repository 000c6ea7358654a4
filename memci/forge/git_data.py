"""Commits that GitHub makes, and signs if the token is that of an app; no branch is touched here."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memci.errors import UnsafeError
from memci.forge.answers import convert
from memci.forge.http import Client

# GitHub takes no larger ones.
MAX_BLOB = 40 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class NewFile:
    """The mode and content of a file in a new commit."""

    mode: str
    data: bytes


@dataclass(frozen=True, slots=True)
class MadeCommit:
    """A commit that a forge made, and whether its signature is verified."""

    commit: str
    tree: str
    verified: bool


class GitData:
    """The objects of one repository at GitHub."""

    def __init__(self, client: Client, root: str) -> None:
        self._client = client
        self._root = f"{root}/git"

    def make_commit(self, message: str, parent: str, tree: str, files: Mapping[str, NewFile | None]) -> MadeCommit:
        """Make a commit on `parent`, whose tree is `tree`; None takes a file away."""
        entries = [
            # All are regular files; the mode marks executables.
            {"path": path, "mode": file.mode if file else "100644", "type": "blob", "sha": self._write(path, file)}
            for path, file in sorted(files.items())
        ]
        made = self._post("trees", {"base_tree": tree, "tree": entries})
        # Without author and committer: GitHub signs only commits of its own.
        body = {"message": message, "tree": convert(made, str, "new trees", "sha"), "parents": [parent]}
        commit, what = self._post("commits", body), "new commits"
        own, content = convert(commit, str, what, "sha"), convert(commit, str, what, "tree", "sha")
        return MadeCommit(own, content, convert(commit, bool, what, "verification", "verified"))

    def _write(self, path: str, file: NewFile | None) -> str | None:
        if file is None:
            return None
        if len(file.data) > MAX_BLOB:
            raise UnsafeError(f"{path} is larger than GitHub takes through its API", hint="--commit-mode git")
        body = {"content": base64.b64encode(file.data).decode(), "encoding": "base64"}
        return convert(self._post("blobs", body), str, "new blobs", "sha")

    def _post(self, what: str, body: Mapping[str, object]) -> Any:
        # Unreferenced objects are harmless, so each may be created twice.
        return self._client.send("POST", f"{self._root}/{what}", body)
