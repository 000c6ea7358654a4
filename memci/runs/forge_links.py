"""The addresses of files and commits at the forge of a repository."""

import urllib.parse
from collections.abc import Mapping

from memci.forge.detect import KINDS, Address, classify_forge
from memci.git.workspace import Workspace
from memci.report.summary_parts import ForgeLinks
from memci.runs.init import read_address


def make_links(address: Address | None, kind: str, branch: str, base: str) -> ForgeLinks | None:
    """Return the links of a repository at a forge of a known kind."""
    if address is None or kind not in KINDS:
        return None
    return ForgeLinks(kind, f"{address.web}/{urllib.parse.quote(address.path)}", branch, base)


def find_links(workspace: Workspace, environment: Mapping[str, str]) -> ForgeLinks | None:
    """Return the links to what is checked out, if the remote is at a known forge."""
    repository = workspace.repository
    if repository is None or not repository.has_commits():
        return None
    address = read_address(repository)
    return make_links(address, classify_forge(address, environment), "", repository.resolve("HEAD"))
