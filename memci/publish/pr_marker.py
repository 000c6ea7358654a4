"""The marker and the checklist in a pull request: state that people can read, change and rarely delete."""

import json
from dataclasses import asdict, dataclass

from memci.forge.detect import Forge
from memci.forge.pull_requests import PullRequest, PullState
from memci.patterns import LazyPattern
from memci.report.pull_request_body import list_ticked

# The last one is used: text above it comes from other people, even though it is escaped.
_MARKER = LazyPattern(r"<!-- memci:v1 (\{[^<>{}]{0,1000}\}) -->")
_HEX = LazyPattern(r"[0-9a-f]{0,64}")


@dataclass(frozen=True, slots=True)
class Marker:
    """What a pull request proposes: digest, base and head are hexadecimal."""

    digest: str
    base: str = ""
    head: str = ""
    # Whether memci closed the pull request itself, so that nobody declined it.
    closed: bool = False

    def __post_init__(self) -> None:
        """Refuse names that are not hexadecimal."""
        if not all(map(_HEX.fullmatch, (self.digest, self.base, self.head))):
            raise ValueError("not a marker")


def render_marker(marker: Marker) -> str:
    """Return the marker as an HTML comment."""
    return f"<!-- memci:v1 {json.dumps(asdict(marker), sort_keys=True)} -->"


def find_marker(body: str) -> Marker | None:
    """Return the marker of a pull request; None if it has none that memci could have written."""
    found = _MARKER.findall(body)
    if not found:
        return None
    import msgspec

    try:
        return msgspec.json.decode(found[-1], type=Marker)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def replace_marker(body: str, marker: Marker) -> str:
    """Return the body with another marker."""
    return f"{_MARKER.sub('', body).rstrip()}\n\n{render_marker(marker)}\n"


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
