"""Checks of `memci doctor` on workflow files: schedule, permissions, checkout and uploads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from memci import HOMEPAGE
from memci.memory.strict_yaml import Entries, Items, Node, Scalar, StrictYamlError, parse_yaml
from memci.patterns import LazyPattern
from memci.runs.doctor.result import Diagnosis, ok, problem, unknown

_DIRECTORY = PurePosixPath(".github/workflows")
# GitHub's own limit for a workflow file.
_MAX_BYTES = 512 * 1024
_ACTION = HOMEPAGE.removeprefix("https://github.com/")
_COMMAND = LazyPattern(r"\bmemci (?:-\S+ )*(dream|publish|check)\b")
# What the commands of the action need; any other command only reads.
_ROLES = {"dream": {"dream", "publish"}, "bundle": {"dream"}, "publish": {"publish"}, "check": {"check"}}
_TO_READ = {"contents": "read"}
_TO_PUBLISH = {"contents": "write", "pull-requests": "write"}
# GitHub does not start a called workflow that needs more permissions than its caller has.
_TO_CALL = {"actions": "read"}


@dataclass(frozen=True, slots=True)
class Workflow:
    """A workflow file."""

    path: PurePosixPath
    text: str


def read_workflows(root: Path) -> tuple[Workflow, ...]:
    """Read the workflows of a repository."""
    return tuple(
        Workflow(_DIRECTORY / place.name, place.read_bytes().decode("utf-8", "replace"))
        for place in sorted((root / _DIRECTORY).glob("*.y*ml"))
        if place.is_file() and not place.is_symlink() and place.stat().st_size <= _MAX_BYTES
    )


def find_workflow(root: Path) -> Workflow | None:
    """Return the workflow that dreams, if there is one."""
    return next((workflow for workflow in read_workflows(root) if dreams(workflow)), None)


def dreams(workflow: Workflow) -> bool:
    """Whether a workflow dreams, even if it cannot be parsed."""
    return any(sign in workflow.text for sign in (f"{_ACTION}@", f"{_ACTION}/.github/workflows/dream.yml@")) or (
        "dream" in _COMMAND.findall(workflow.text)
    )


def examine_workflow(workflow: Workflow) -> Iterator[Diagnosis]:
    """Yield the diagnoses of a workflow that runs memci."""
    try:
        top = _simplify(parse_yaml(workflow.text, max_bytes=_MAX_BYTES))
    except StrictYamlError as error:
        # GitHub supports more of YAML than this parser.
        broken = error.__cause__ is not None or "twice" in error.problem.message
        say = problem if broken else unknown
        yield say("workflow", f"{workflow.path}:{error.problem.line}: {error.problem.message}")
        return
    jobs = top.get("jobs") if isinstance(top, dict) else None
    if not isinstance(jobs, dict) or not all(isinstance(job, dict) for job in jobs.values()):
        yield problem("workflow", f"{workflow.path} has no jobs", "memci init writes a workflow")
        return
    roles = {name: _classify_job(job) for name, job in jobs.items()}
    if any("dream" in role for role in roles.values()):
        yield _examine_schedule(workflow.path, top.get("on"))
    for name, job in jobs.items():
        if roles[name]:
            where = f"{workflow.path}, job {name}"
            yield from _examine_permissions(where, roles[name], job, top.get("permissions"))
            yield from _examine_steps(where, job)


def _simplify(node: Node) -> Any:
    match node:
        case Scalar():
            return node.value
        case Items():
            return [_simplify(item) for item in node.items]
        case Entries():
            return {key.value: _simplify(value) for key, value in node.entries}


def _list_steps(job: object) -> list[Mapping[str, Any]]:
    steps = job.get("steps") if isinstance(job, dict) else None
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _get_map(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _classify_job(job: Mapping[str, Any]) -> set[str]:
    """Return the commands of memci that a job runs."""
    used = str(job.get("uses", ""))
    if used.startswith(f"{_ACTION}/.github/workflows/"):
        return {"dream", "publish"} if "/dream.yml@" in used else {"check"}
    roles: set[str] = set()
    for step in _list_steps(job):
        if str(step.get("uses", "")).startswith(f"{_ACTION}@"):
            roles |= _ROLES.get(_get_map(step, "with").get("command", "dream"), set())
        roles |= set(_COMMAND.findall(str(step.get("run", ""))))
    return roles


def _examine_schedule(path: PurePosixPath, events: object) -> Diagnosis:
    times = events.get("schedule") if isinstance(events, dict) else None
    if not isinstance(times, list) or not times:
        hint = 'on: schedule: [{cron: "17 3 * * *"}]'
        return problem("schedule", f"{path} has no schedule, so no dream begins by itself", hint)
    crons = [str(time.get("cron", "")) if isinstance(time, dict) else "" for time in times]
    if any(len(cron.split()) != 5 for cron in crons):
        return problem("schedule", f"{path} has a schedule that is no cron line", '"17 3 * * *"')
    return ok("schedule", f"{path}: {', '.join(crons)} (UTC)")


def _examine_permissions(where: str, roles: set[str], job: Mapping[str, Any], default: object) -> Iterator[Diagnosis]:
    given = job.get("permissions", default)
    needed = _TO_READ | (_TO_PUBLISH if "publish" in roles else {})
    if "uses" in job and "dream" in roles:
        needed |= _TO_CALL
    if given is None:
        hint = f"write them down: permissions: {_show(needed)}"
        yield unknown("permissions", f"{where} has those that are usual in this repository", hint)
        return
    if given == "write-all" or (given == "read-all" and needed == _TO_READ):
        return
    levels = given if isinstance(given, dict) else {}
    if given == "read-all":
        levels = dict.fromkeys(needed, "read")
    missing = {name: level for name, level in needed.items() if levels.get(name) not in {level, "write"}}
    own_token = any("token" in _get_map(step, "with") for step in _list_steps(job)) or "token" in _get_map(
        job, "secrets"
    )
    if missing and own_token:
        yield unknown("permissions", f"{where} uses a token of its own; it needs {_show(missing)}")
    elif missing:
        hint = f"add to its permissions: {_show(missing)}"
        yield problem("permissions", f"{where} lacks {_show(missing)}", hint)


def _show(permissions: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {level}" for name, level in permissions.items())


def _examine_steps(where: str, job: Mapping[str, Any]) -> Iterator[Diagnosis]:
    if "uses" in job:
        # The workflows of memci set all of this.
        return
    if "timeout-minutes" not in job:
        hint = "timeout-minutes: 30; otherwise a job that hangs runs for six hours"
        yield problem("timeout", f"{where} has no limit of time", hint)
    checkouts = [step for step in _list_steps(job) if str(step.get("uses", "")).startswith("actions/checkout@")]
    if not checkouts:
        yield unknown("checkout", f"{where} has no step that uses actions/checkout")
    elif not any(_get_map(step, "with").get("fetch-depth") == "0" for step in checkouts):
        hint = "with: {fetch-depth: 0}; what moved is found in the history"
        yield problem("checkout", f"{where} checks out one commit without its history", hint)
