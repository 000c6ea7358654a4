"""The online checks of `memci doctor`: the token and the repository settings at the forge."""

from collections.abc import Iterator

from memci.errors import MemciError
from memci.forge.answers import GitHubRepository, GitLabProject
from memci.forge.detect import classify_forge, make_forge, token_name
from memci.forge.github import GitHub
from memci.forge.gitlab import GitLab
from memci.forge.pull_requests import DeniedError
from memci.runs.doctor.result import Diagnosis, Here, ok, problem, unknown
from memci.runs.init import find_workflows, read_address

_ALLOW = "Settings > Actions > General: Allow GitHub Actions to create and approve pull requests"


def examine_forge(here: Here) -> Iterator[Diagnosis]:
    """Query the forge with the token of the environment; nothing is changed there."""
    address = read_address(here.repository) if here.repository else None
    kind = classify_forge(address, here.environment)
    if address is None or kind == "none":
        yield unknown("forge", "the remote is at no forge that memci knows")
        return
    try:
        forge = make_forge(kind, address, here.environment)
    except MemciError as error:
        yield problem("forge", error.message, error.hint)
        return
    name = token_name(kind, here.environment)
    try:
        rights = forge.read_repository()
    except DeniedError as error:
        yield problem("token", f"{name}: {error.message}", "the token does not see this repository")
        return
    except MemciError as error:
        yield problem("token", f"{name}: {error.message}", error.hint)
        return
    yield from _judge_rights(rights, name)
    if isinstance(forge, GitLab):
        yield _judge_schedules(forge)
    elif kind == "github":
        yield from _judge_github(here, forge)


def _judge_rights(rights: GitHubRepository | GitLabProject, name: str) -> Iterator[Diagnosis]:
    if rights.archived:
        yield problem("forge", "the repository is archived: nothing can be pushed", "unarchive it")
    if rights.push is None:
        yield unknown("token", f"{name} sees the repository; whether it may push, the forge does not say")
    elif rights.push:
        yield ok("token", f"{name} may push")
    else:
        hint = "give it contents: write and pull-requests: write (GitLab: Developer, scopes api and write_repository)"
        yield problem("token", f"{name} may not push", hint)


def _judge_github(here: Here, source: GitHub) -> Iterator[Diagnosis]:
    allowed = source.may_open_pulls()
    if allowed is None:
        yield unknown("pull requests", "only an administrator can see whether jobs may open them", _ALLOW)
    elif allowed:
        yield ok("pull requests", "jobs may open them")
    else:
        yield problem("pull requests", "GitHub Actions is not permitted to open them", _ALLOW)
    yield from _judge_workflow(here, source)


def _judge_workflow(here: Here, source: GitHub) -> Iterator[Diagnosis]:
    workflow = next(iter(find_workflows(here.workspace.root)), None)
    if workflow is None:
        return
    state = source.read_workflow_state(workflow.name)
    if state is None:
        yield unknown("schedule", "the token may not see workflows", "it needs actions: read")
    elif state == "active":
        yield ok("schedule", f"{workflow.name} is switched on")
    elif state:
        hint = "Actions > the workflow > Enable workflow"
        yield problem("schedule", f"{workflow.name} is switched off ({state})", hint)
    else:
        hint = "push it to the default branch"
        yield problem("schedule", f"GitHub does not know {workflow.name}", hint)


def _judge_schedules(source: GitLab) -> Diagnosis:
    active = source.list_schedules()
    if active is None:
        return unknown("schedule", "the token may not see schedules")
    if not any(active):
        hint = "Build > Pipeline schedules: one every night, with the variable MEMCI_DREAM = 1"
        return problem("schedule", "no schedule is active", hint)
    return ok("schedule", "one is active; it needs the variable MEMCI_DREAM = 1")
