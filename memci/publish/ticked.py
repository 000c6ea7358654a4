"""Reads the checklist of the latest pull request: which candidates people accepted.

The forges let only the author of a pull request and people with write access edit its text. memci relies on that, and
on the branch being in the repository itself. Where the forge says what the author is to the repository, an author who
has no part in it counts for nothing.
"""

from memci.forge.protocol import Forge, PullRequest, PullState
from memci.publish.pr_marker import find_marker
from memci.report.pull_request_body import list_ticked


def read_ticked(forge: Forge, branch: str, base: str) -> tuple[str, ...]:
    """Return the candidates that are ticked in the latest pull request of a branch, if it is open or merged.

    Closing it declines all of it, and what was merged before it counts no longer.
    """
    pulls = [pull for state in PullState for pull in forge.list_pulls(branch, state) if pull.base == base]
    latest = max((pull for pull in pulls if not _is_withdrawn(pull)), key=lambda pull: pull.number, default=None)
    if latest is None or latest.state is PullState.CLOSED or not latest.trusted or not find_marker(latest.body):
        return ()
    return list_ticked(latest.body)


def _is_withdrawn(pull: PullRequest) -> bool:
    """Whether memci itself closed a pull request."""
    marker = find_marker(pull.body)
    return pull.state is PullState.CLOSED and marker is not None and marker.closed
