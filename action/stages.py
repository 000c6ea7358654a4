"""The stages of the action: each runs memci once or twice and keeps the output for the report."""

import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from action.inputs import PREFIX, InputError, bundle_directory, out_directory, read, read_flag, read_list, sarif_file
from memci.errors import Exit
from memci.report.escape import workflow_data, workflow_line

_CREDENTIALS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_FEDERATION_RULE_ID",
    "ANTHROPIC_ORGANIZATION_ID",
    "ANTHROPIC_SERVICE_ACCOUNT_ID",
    "ANTHROPIC_WORKSPACE_ID",
)
# Done, perhaps partially; the report names the missing part.
_GOOD = (Exit.DONE, Exit.DEGRADED)


def say(text: str) -> None:
    """Print a line to the log of the job."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def annotate(level: str, text: str) -> None:
    """Put a message where people see it without opening the log."""
    say(f"::{level} title=memci::{workflow_data(text)}")


def _memci_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what memci sees: the job's own variables, and the secrets that this stage was given."""
    own = {name: value for name, value in environment.items() if not name.startswith(PREFIX)}
    given = {name: read(environment, name) for name in _CREDENTIALS} | {"MEMCI_TOKEN": read(environment, "token")}
    return own | {name: value for name, value in given.items() if value}


def _run(environment: Mapping[str, str], arguments: Sequence[str], target: Path) -> int:
    """Run memci in the repository; what it prints goes to a file, what it reports on the way to the log."""
    config = read(environment, "config")
    command = [
        *(sys.executable, "-P", "-m", "memci", "-C", read(environment, "working-directory") or "."),
        *(("--config", config) if config else ()),
        *arguments,
    ]
    # Messages may quote names of files: none of them is a command to the runner.
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            done = subprocess.run(command, env=_memci_environment(environment), stdout=file, check=False)
    finally:
        # On a line of its own, even after an incomplete line.
        say(f"\n::{token}::")
    return done.returncode


def _keep(environment: Mapping[str, str], stage: str, code: int) -> None:
    (out_directory(environment) / f"{stage}.code").write_text(str(code), encoding="ascii")


def load(target: Path) -> Any:
    """Return what memci printed as JSON; None if it is not JSON."""
    try:
        return json.loads(target.read_bytes())
    except (OSError, ValueError):
        return None


def _fail(target: Path, stage: str, code: int) -> int:
    """Annotate why a stage failed."""
    problem = (load(target) or {}).get("error") or {"message": f"memci {stage} ended with {code}", "hint": ""}
    annotate("error", f"{stage}: {problem['message']}" + (f"\n{problem['hint']}" if problem["hint"] else ""))
    # Below zero it is the signal that ended memci.
    return code if code > 0 else 1


def ticked(environment: Mapping[str, str]) -> int:
    """Before stage 1: read the checklist of the pull request; the dream itself is given no token."""
    target = out_directory(environment) / "ticked.json"
    arguments = ["publish", "--ticked", "--format", "json", *_name_branches(environment)]
    code = _run(environment, arguments, target)
    if code not in _GOOD:
        annotate("warning", f"the checklist of the pull request was not read; memci publish --ticked ended with {code}")
    return 0


def list_ticked(out: Path) -> str:
    """Return the ids that the checklist gave, with blanks between them."""
    return " ".join((load(out / "ticked.json") or {}).get("ticked", ()))


def _name_branches(environment: Mapping[str, str]) -> list[str]:
    named = ((f"--{name}", read(environment, name)) for name in ("base", "branch"))
    return [word for option, value in named if value for word in (option, value)]


def dream(environment: Mapping[str, str]) -> int:
    """Stage 1: read and plan; the only one that may ask a model."""
    target = out_directory(environment) / "dream.json"
    arguments = ["dream", "--format", "json", "--bundle", str(bundle_directory(environment).resolve())]
    arguments += ["--engine", read(environment, "engine") or "auto"]
    arguments += ["--max-cost", read(environment, "max-cost-usd") or "1"]
    arguments += ["--max-time", read(environment, "max-minutes") or "20"]
    for place in read_list(environment, "transcripts"):
        arguments += ["--transcripts", place]
    if shard := read(environment, "shard"):
        arguments += ["--shard", shard]
    if ids := read(environment, "ticked") or list_ticked(out_directory(environment)):
        arguments += ["--ticked", ids]
    if read_flag(environment, "force"):
        arguments.append("--force")
    code = _run(environment, [*arguments, "--", *read_list(environment, "scopes")], target)
    _keep(environment, "dream", code)
    if code not in _GOOD:
        return _fail(target, "dream", code)
    for scope in load(target)["scopes"]:
        count = len(scope["operations"])
        say(workflow_line(f"scope {scope['path']}: {scope['status']}, {count} operations {scope['reason']}".rstrip()))
    return 0


def _is_off(environment: Mapping[str, str]) -> bool:
    """Whether the dream of this job was switched off, so that there is no bundle."""
    dream = load(out_directory(environment) / "dream.json")
    return bool(dream and dream["skipped"])


def plan(environment: Mapping[str, str]) -> int:
    """Divide the scopes among the jobs of a matrix."""
    target = out_directory(environment) / "matrix.json"
    options = [
        word
        for name in ("shards", "repositories")
        if (value := read(environment, name))
        for word in (f"--{name}", value)
    ]
    scopes = read_list(environment, "scopes")
    code = _run(environment, ["plan", "--format", "github-matrix", *options, "--", *scopes], target)
    _keep(environment, "plan", code)
    return 0 if code == 0 else _fail(target, "plan", code)


def validate(environment: Mapping[str, str]) -> int:
    """Stage 2: judge the bundle again, with no secret at all."""
    target = out_directory(environment) / "validate.json"
    if _is_off(environment):
        return 0
    bundle = str(bundle_directory(environment).resolve())
    code = _run(environment, ["publish", "--validate", "--format", "json", "--", bundle], target)
    _keep(environment, "validate", code)
    return 0 if code in _GOOD else _fail(target, "validate", code)


def publish(environment: Mapping[str, str]) -> int:
    """Stage 3: bring the bundle to the forge; the only one that may write there."""
    target = out_directory(environment) / "publish.json"
    if _is_off(environment):
        return 0
    arguments = ["publish", "--format", "json", *_name_branches(environment)]
    for option, name in (("--label", "labels"), ("--reviewer", "reviewers")):
        for value in read_list(environment, name, commas=True):
            arguments += [option, value]
    if read_flag(environment, "draft"):
        arguments.append("--draft")
    if read_flag(environment, "dry-run"):
        arguments.append("--dry-run")
    code = _run(environment, [*arguments, "--", str(bundle_directory(environment).resolve())], target)
    _keep(environment, "publish", code)
    # An outcome with a name, such as blocked, is for the report to judge.
    return 0 if "result" in (load(target) or {}) else _fail(target, "publish", code)


def check(environment: Mapping[str, str]) -> int:
    """Judge the memory: no token, no model, nothing that a fork would not have."""
    out = out_directory(environment)
    arguments = ["check"]
    base = environment.get("GITHUB_BASE_REF", "")
    if since := read(environment, "since") or (f"origin/{base}" if base else ""):
        arguments += ["--since", since]
    if level := read(environment, "fail-on"):
        arguments += ["--fail-on", level]
    scopes = ["--", *read_list(environment, "scopes")]
    code = _run(environment, [*arguments, "--format", "json", *scopes], out / "check.json")
    _keep(environment, "check", code)
    if code not in {*_GOOD, Exit.FINDINGS}:
        return _fail(out / "check.json", "check", code)
    wanted = {"github": out / "check.log", "markdown": out / "check.md"}
    if sarif := sarif_file(environment):
        wanted["sarif"] = sarif
    for style, target in wanted.items():
        _run(environment, [*arguments, "--format", style, *scopes], target)
    # Annotations: memci has made every text in it harmless.
    say((out / "check.log").read_text(encoding="utf-8", errors="replace"))
    return code if code == Exit.FINDINGS else 0


def _guard(stage: Callable[[Mapping[str, str]], int]) -> Callable[[Mapping[str, str]], int]:
    def run(environment: Mapping[str, str]) -> int:
        try:
            return stage(environment)
        except InputError as error:
            annotate("error", str(error))
            return Exit.USAGE
        except OSError as error:
            annotate("error", f"{error.filename}: {error.strerror}")
            return Exit.SERVICE

    return run


STAGES = {stage.__name__: _guard(stage) for stage in (ticked, dream, validate, publish, plan, check)}
