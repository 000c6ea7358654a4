"""Having the forge make the commit, so that it signs it; what it made is fetched and looked at before it is pushed.

The branch is moved by git with its lease, as for any other commit: what GitHub's API has for that overwrites whatever
came in between, peter-evans/create-pull-request with `sign-commits` among others.
"""

import os
from dataclasses import dataclass

from memci.errors import UnsafeError
from memci.forge.git_data import GitData, MadeCommit, NewFile
from memci.git.remotes import Remote
from memci.publish.commit import Proposal, read_changes, read_message, read_proposal

_UNSIGNED = "the forge does not sign for this token, so the commit is memci's own: only tokens of apps are signed for"


@dataclass(frozen=True, slots=True)
class Signer:
    """A forge that makes commits."""

    remote: Remote
    data: GitData

    def sign(self, proposal: Proposal) -> tuple[str, str]:
        """Return a commit that is like the proposal and signed; if it is not, the proposal and why."""
        repository = self.remote.repository
        files = {
            path: None if entry is None else NewFile(*entry)
            for path, entry in read_changes(repository, proposal.parent, proposal.commit).items()
        }
        base = os.fsdecode(repository.run("rev-parse", f"{proposal.parent}^{{tree}}")).strip()
        message = read_message(repository, proposal.commit)
        made = self.data.make_commit(message, proposal.parent, base, files)
        if not made.verified:
            return proposal.commit, _UNSIGNED
        self.remote.fetch_commit(made.commit)
        self._compare(made, proposal)
        return made.commit, ""

    def _compare(self, made: MadeCommit, proposal: Proposal) -> None:
        """Refuse a commit that is another one than was asked for."""
        got = read_proposal(self.remote.repository, made.commit)
        wanted = (proposal.tree, proposal.parent, proposal.digest)
        if got is None or (got.tree, got.parent, got.digest) != wanted or made.tree != proposal.tree:
            raise UnsafeError(f"the forge made another commit than memci asked for: {made.commit[:12]}")
