"""What is shipped: built the same twice, whole, and with nothing that was not looked at."""

import ast
import hashlib
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# Licences that allow to use and to pass on; a new one is a decision.
ALLOWED = ("MIT", "BSD", "Apache", "PSF")
LOCKED = re.compile(
    r"(?P<name>[\w.-]+)==(?P<version>[\w.]+)(?: ; (?P<marker>[^\\]+))?((?: \\\n +--hash=sha256:[0-9a-f]{64})+)\n"
)


def read_lock() -> dict[str, Version]:
    text = (ROOT / "action" / "requirements.txt").read_text("utf-8")
    # Every line belongs to a package that is pinned and has a hash.
    assert LOCKED.sub("", text) == ""
    return {match["name"]: Version(match["version"]) for match in LOCKED.finditer(text)}


def build(target: Path) -> dict[str, str]:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in target.iterdir()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    first = build(target)
    assert len(first) == 2
    assert build(tmp_path_factory.mktemp("again")) == first
    (found,) = target.glob("*.whl")
    return found


def test_what_the_action_installs_is_what_memci_asks_for() -> None:
    lock = read_lock()
    for line in PROJECT["dependencies"]:
        wanted = Requirement(line)
        assert wanted.specifier.contains(lock[canonicalize_name(wanted.name)]), line


def list_imports(source: str) -> set[str]:
    """Return the modules that a file imports anywhere."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_every_import_is_declared_and_every_declared_dependency_imported() -> None:
    files = [path for name in ("memci", "action") for path in (ROOT / name).rglob("*.py")]
    used = {name for path in files for name in list_imports(path.read_text("utf-8"))}
    foreign = {name for name in used if name.partition(".")[0] not in {*sys.stdlib_module_names, "memci", "action"}}
    # Python 3.14 has the backported module in its own library, as `compression.zstd`.
    backport = {"backports": ["backports.zstd"], "compression": ["backports.zstd"]}
    owners = {**importlib.metadata.packages_distributions(), **backport}
    imported = {canonicalize_name(owner) for name in foreign for owner in owners[name.partition(".")[0]]}
    assert imported == {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}


@pytest.mark.parametrize("name", sorted(read_lock()))
def test_what_memci_needs_may_be_used_and_passed_on(name: str) -> None:
    try:
        found = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("not needed on this platform")
    fields = ("License-Expression", "License", "Classifier")
    names = [said for field in fields for said in found.get_all(field) or ()]
    assert any(allowed in said for said in names for allowed in ALLOWED if "::" not in said or "License" in said)


def test_a_wheel_has_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.partition("/")[0].endswith(".dist-info")}
    tracked = subprocess.run(["git", "ls-files", "-z", "memci"], cwd=ROOT, check=True, capture_output=True).stdout
    # Files that are not added yet are built, too.
    assert {name for name in tracked.decode().split("\0") if name} <= names
    assert all(name.startswith("memci/") and "__pycache__" not in name for name in names)


@pytest.mark.slow
def test_a_wheel_does_the_main_job_without_the_sources(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    shop = tmp_path / "shop"
    subprocess.run([sys.executable, str(ROOT / "examples/shop/build.py"), str(shop)], check=True, capture_output=True)
    command = [sys.executable, "-P", "-m", "memci", "-C", str(shop), "dream", "--engine", "local", "--force"]
    options = ["--transcripts", str(ROOT / "examples/shop/transcripts"), "--report", str(tmp_path / "page.html")]
    done = subprocess.run(
        [*command, *options],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")


def test_the_image_is_made_of_the_wheel_and_of_what_is_pinned() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    bases = [line.split()[1] for line in text.splitlines() if line.startswith("FROM ")]
    assert all("@sha256:" in base or base == "base" for base in bases)
    assert "COPY action/requirements.txt dist/*.whl /install/" in text
    assert "--require-hashes --only-binary :all: -r /install/requirements.txt" in text
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == ["10001"]
    job = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]["image"]
    steps = [str(step.get("run", "")) for step in job["steps"]]
    order = [
        next(n for n, run in enumerate(steps) if word in run) for word in ("docker build", " check ", "docker push")
    ]
    assert order == sorted(order)
    assert job["needs"] == "attest"
