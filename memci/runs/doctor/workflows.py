"""Finds the workflows of a repository that dream."""

from pathlib import Path, PurePosixPath

from memci import HOMEPAGE
from memci.patterns import LazyPattern

_DIRECTORY = PurePosixPath(".github/workflows")
# GitHub's own limit for a workflow file.
_MAX_BYTES = 512 * 1024
_ACTION = HOMEPAGE.removeprefix("https://github.com/")
_COMMAND = LazyPattern(r"\bmemci (?:-\S+ )*dream\b")


def find_workflows(root: Path) -> list[PurePosixPath]:
    """Return the workflows of a repository that dream."""
    places = sorted((root / _DIRECTORY).glob("*.y*ml"))
    files = [place for place in places if place.is_file() and not place.is_symlink()]
    small = [place for place in files if place.stat().st_size <= _MAX_BYTES]
    return [_DIRECTORY / place.name for place in small if dreams(place.read_bytes().decode("utf-8", "replace"))]


def dreams(text: str) -> bool:
    """Whether the text of a workflow runs a dream."""
    signs = (f"{_ACTION}@", f"{_ACTION}/.github/workflows/dream.yml@")
    return any(sign in text for sign in signs) or _COMMAND.search(text) is not None
