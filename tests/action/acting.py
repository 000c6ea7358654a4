"""Running the action as GitHub does: `act` in host mode, real git over HTTP, a forge that holds the repository."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from action.stages import STAGES
from tests.fakes.forge import FakeForge
from tests.repository import Repo, make_repository

ROOT = Path(__file__).parents[2]
CHECKOUT = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683"
# What an action needs of its repository.
_PARTS = ("action", "action.yml", "memci", "pyproject.toml", "README.md", "LICENSE")
# What a machine has of itself; everything else would be ours.
_KEPT = ("PATH", "LANG", "GIT_CONFIG_GLOBAL", "SSL_CERT_FILE")
# In place of actions that need the network or a toolkit; each is given what the real one would do to files.
_SHIMS = {
    # Act itself checks out the repository that a workflow is in, but no other.
    CHECKOUT: """
inputs:
  repository: {description: repository}
  token: {description: token}
runs:
  using: composite
  steps:
    - shell: bash
      run: |
        export GIT_TERMINAL_PROMPT=0
        git init --quiet
        git remote add origin "$GITHUB_SERVER_URL/$REPOSITORY.git"
        login="$(printf 'x-access-token:%s' "$TOKEN" | base64 --wrap=0)"
        header="http.extraHeader=Authorization: Basic $login"
        git -c "$header" fetch --quiet origin '+refs/heads/*:refs/remotes/origin/*'
        git checkout --quiet -B main origin/main
      env:
        REPOSITORY: ${{ inputs.repository }}
        TOKEN: ${{ inputs.token }}
""",
    "actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065": """
outputs:
  python-path: {description: the interpreter, value: "${{ steps.python.outputs.path }}"}
runs:
  using: composite
  steps:
    - id: python
      shell: bash
      run: echo "path=$(command -v python3)" >> "$GITHUB_OUTPUT"
""",
    "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02": """
inputs:
  name: {description: name}
  path: {description: path}
runs:
  using: composite
  steps:
    - shell: bash
      # Hidden files stay behind, as with the real one.
      run: |
        cd "$UPLOAD"
        find . -type f -not -path '*/.*' | while read -r file; do
          mkdir -p "$ARTIFACTS/$NAME/$(dirname "$file")"
          cp "$file" "$ARTIFACTS/$NAME/$file"
        done
      env:
        NAME: ${{ inputs.name }}
        UPLOAD: ${{ inputs.path }}
""",
    "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093": """
inputs:
  pattern: {description: pattern}
  path: {description: path}
runs:
  using: composite
  steps:
    - shell: bash
      run: |
        mkdir -p "$TARGET"
        for name in "$ARTIFACTS"/*; do
          # shellcheck disable=SC2053
          if [[ "$(basename "$name")" == $PATTERN ]]; then cp -r "$name" "$TARGET/"; fi
        done
      env:
        PATTERN: ${{ inputs.pattern }}
        TARGET: ${{ inputs.path }}
""",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """A process of Python that a job started."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Run:
    """How a run of a workflow ended."""

    code: int
    log: str
    records: Sequence[Mapping[str, Any]]
    outputs: Mapping[str, str]
    processes: Sequence[Seen]

    @property
    def operation(self) -> str:
        return self.outputs["operation"]

    def find_outputs(self, job: str) -> dict[str, str]:
        """Return what one of several jobs told the others."""
        mine = (record for record in self.records if str(record.get("job", "")).strip().endswith(f"/{job}"))
        return {record["name"]: record["arg"] for record in mine if record.get("command") == "set-output"}

    def find_secrets(self, names: Mapping[str, str]) -> dict[str, set[str]]:
        """Return which secrets each stage of the action, and memci in it, could see; `names` is by secret."""
        seen: dict[str, set[str]] = {}
        for process in self.processes:
            words = [word for word in process.arguments if word in {*STAGES, "--validate", "memci", "report"}]
            values = process.environment.values()
            found = {name for secret, name in names.items() if any(secret in value for value in values)}
            seen.setdefault(" ".join(words) or "install", set()).update(found)
        return seen

    def annotations(self, level: str) -> list[str]:
        return [record["arg"] for record in self.records if record.get("command") == level]

    @property
    def summary(self) -> str:
        return "\n".join(str(record["content"]) for record in self.records if record.get("command") == "summary")


@dataclass
class Runner:
    """A machine that runs workflows for one forge."""

    home: Path
    forge: FakeForge
    token: str
    # Where artifacts of the runs are.
    artifacts: Path = field(init=False)

    def __post_init__(self) -> None:
        self.artifacts = self.home / "artifacts"
        self.artifacts.mkdir(parents=True)
        self._memci = _commit_tree(self.home / "memci", {part: ROOT / part for part in _PARTS})
        self._shims = {name: _commit_shim(self.home / name, text) for name, text in _SHIMS.items()}
        self.python = _make_python(self.home / "python")

    def start(
        self,
        repo: Repo,
        workflow: Path,
        *,
        event: str = "workflow_dispatch",
        payload: Mapping[str, object] = MappingProxyType({}),
        secrets: Mapping[str, str] = MappingProxyType({}),
        **variables: str,
    ) -> "subprocess.Popen[str]":
        """Start a workflow in the clone of a repository."""
        shims = [f"{name}={path}" for name, path in self._shims.items()]
        # A cache of its own: two runs on one machine would share their workspace.
        place = self.home / f"run-{len(list(self.home.iterdir()))}"
        place.mkdir()
        (place / "event.json").write_text(json.dumps(dict(payload)))
        variables = {
            "GITHUB_SERVER_URL": self.forge.web,
            "GITHUB_API_URL": f"{self.forge.web}{self.forge.api}",
            "ARTIFACTS": str(self.artifacts),
            "OUTPUTS": str(place / "outputs.json"),
            "RECORDS": str(place),
            **variables,
        }
        command = [
            *(
                str(Path(sys.executable).parent / "act"),
                event,
                "--eventpath",
                str(place / "event.json"),
                "--json",
                "--workflows",
                str(workflow),
            ),
            *("--platform", "ubuntu-24.04=-self-hosted", "--no-cache-server"),
            *(
                word
                for name, value in {"GITHUB_TOKEN": self.token, **secrets}.items()
                for word in ("--secret", f"{name}={value}")
            ),
            *(word for shim in [*shims, f"memci/memci@main={self._memci}"] for word in ("--local-repository", shim)),
            *(word for name, value in variables.items() for word in ("--env", f"{name}={value}")),
        ]
        environment = {
            **{name: value for name, value in os.environ.items() if name in _KEPT or name.startswith("PIP_")},
            "HOME": str(place),
            "XDG_CACHE_HOME": str(place / "cache"),
        }
        process = subprocess.Popen(
            command, cwd=repo.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._places[process.pid] = place
        return process

    _places: dict[int, Path] = field(default_factory=dict)

    def wait(self, process: "subprocess.Popen[str]") -> Run:
        """Wait for the end of a run."""
        log, _ = process.communicate()
        place = self._places[process.pid]
        records = []
        for line in log.split("\n"):
            with contextlib.suppress(ValueError):
                records.append(json.loads(line))
        target = place / "outputs.json"
        outputs = json.loads(target.read_text()) if target.exists() else {}
        return Run(process.returncode, log, records, outputs, list(_read_processes(place)))

    def run(self, repo: Repo, workflow: Path, **options: Any) -> Run:
        """Run a workflow to its end."""
        return self.wait(self.start(repo, workflow, **options))

    def clone(self, target: Path) -> Repo:
        """Make a fresh clone, as a runner has it: the address of the forge, and no credentials."""
        repo = make_repository(target)
        repo.run("remote", "add", "origin", self.forge.url)
        repo.run("fetch", "--quiet", str(self.forge.bare), "+refs/heads/*:refs/remotes/origin/*")
        repo.run("reset", "--quiet", "--hard", "origin/main")
        return repo

    def write_workflow(
        self,
        name: str,
        inputs: Mapping[str, str],
        *,
        job: Mapping[str, object] = MappingProxyType({}),
        on: str = "workflow_dispatch",
    ) -> Path:
        """Write a workflow with one job that uses the action, and keeps its outputs."""
        target = self.home / name
        steps = [
            {"uses": CHECKOUT, "with": {"persist-credentials": False, "fetch-depth": 0}},
            {"id": "memci", "uses": "memci/memci@main", "with": {"python": str(self.python), **inputs}},
            {
                "if": "always()",
                "run": 'printf %s "$FOUND" > "$OUTPUTS"',
                "env": {"FOUND": "${{ toJSON(steps.memci.outputs) }}"},
            },
        ]
        jobs = {"memci": {"runs-on": "ubuntu-24.04", **job, "steps": steps}}
        target.write_text(yaml.safe_dump({"on": on, "jobs": jobs}))
        return target


def _commit_tree(target: Path, parts: Mapping[str, Path]) -> Path:
    repo = make_repository(target)
    for name, source in parts.items():
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target / name)
    repo.commit()
    return target


def _commit_shim(target: Path, text: str) -> Path:
    repo = make_repository(target)
    repo.write("action.yml", f"name: shim\ndescription: in place of the real one\n{text}")
    repo.commit()
    return target


def _make_python(target: Path) -> Path:
    """Make an interpreter that notes what every process is started with."""
    (target / "bin").mkdir(parents=True)
    base = Path(sys.base_prefix) / "bin"
    (target / "pyvenv.cfg").write_text(f"home = {base}\ninclude-system-site-packages = false\n")
    (target / "lib").symlink_to(Path(sys.prefix) / "lib")
    python = target / "bin" / "python"
    python.write_text(
        '#!/bin/bash\nfile="$(mktemp "$RECORDS/process-XXXXXX")"\n'
        '{ env -0; printf "\\1"; printf "%s\\0" "$@"; } > "$file"\n'
        # A machine that dies in the middle of one shard.
        'if [ -n "${KILLED:-}" ] && [[ " $* " == *" --shard $KILLED "* ]]; then kill -9 $$; fi\n'
        f'exec -a "$0" "{base}/python{sys.version_info.major}.{sys.version_info.minor}" "$@"\n'
    )
    python.chmod(0o755)
    return python


def _read_processes(place: Path) -> Iterator[Seen]:
    for file in sorted(place.glob("process-*"), key=lambda path: path.stat().st_mtime_ns):
        head, _, tail = file.read_bytes().decode("utf-8", "replace").partition("\1")
        pairs = (item.partition("=") for item in head.split("\0") if item)
        yield Seen(tuple(tail.split("\0")[:-1]), {name: value for name, _, value in pairs})
