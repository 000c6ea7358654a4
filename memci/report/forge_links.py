"""Addresses of files and commits at a forge, for the text of a pull request."""

import urllib.parse
from dataclasses import dataclass
from pathlib import PurePosixPath

# Between the repository and the ref: of a branch, of a commit; what comes before the second line of a range.
_FORMS = {
    "github": ("blob", "blob", "commit", "L"),
    "gitea": ("src/branch", "src/commit", "commit", "L"),
    "gitlab": ("-/blob", "-/blob", "-/commit", ""),
}


@dataclass(frozen=True, slots=True)
class ForgeLinks:
    """The repository at a forge: its kind and page, the branch with the changes, and the commit without them."""

    kind: str
    web: str
    branch: str
    base: str

    def file(self, path: PurePosixPath, lines: str = "", *, old: bool = False) -> str:
        """Return the address of a file on the branch, or of the old one; "" if the path leads out of the repository."""
        branch, commit, _, mark = _FORMS[self.kind]
        if path.is_absolute() or ".." in path.parts:
            return ""
        ref = f"{commit}/{self.base}" if old else f"{branch}/{self.branch}"
        first, _, last = lines.partition("-")
        anchor = f"#L{first}" if first.isdigit() else ""
        anchor += f"-{mark}{last}" if anchor and last.isdigit() else ""
        return f"{self.web}/{urllib.parse.quote(f'{ref}/{path}', errors='replace')}{anchor}"

    def commit(self, commit: str) -> str:
        """Return the address of a commit."""
        return f"{self.web}/{_FORMS[self.kind][2]}/{urllib.parse.quote(commit)}"
