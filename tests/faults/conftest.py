import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.scene import Scene


@pytest.fixture
def memory_directory(tmp_path: Path) -> Iterator[Path]:
    """Return a directory in memory where there is one: these tests wait for the disk thousands of times."""
    shared = Path("/dev/shm")  # noqa: S108 -- the directory made there has a name of its own
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else tmp_path) as name:
        yield Path(name)


@pytest.fixture
def scene(memory_directory: Path) -> Scene:
    """Return a scope that is ready for a change."""
    return Scene(memory_directory / "scene").build()
