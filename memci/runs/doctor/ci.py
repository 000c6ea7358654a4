"""Checks of `memci doctor` on the remote, the workflows and their schedules."""

import datetime as dt
from collections.abc import Iterator

from memci.forge.detect import classify_forge, token_name
from memci.git.repository import Repository
from memci.runs.doctor.here import Here
from memci.runs.doctor.result import CheckState, Diagnosis
from memci.runs.doctor.workflows import dreams, examine_uploads, examine_workflow, read_workflows
from memci.runs.init import GITLAB_PIPELINE, is_pushed, read_address

OK, PROBLEM, UNKNOWN = CheckState.OK, CheckState.PROBLEM, CheckState.UNKNOWN
# GitHub disables schedules of public repositories after 60 days without a commit; warn two weeks before.
_SLEEPY_DAYS, _ASLEEP_DAYS = 46, 60


def examine_ci(here: Here) -> Iterator[Diagnosis]:
    """Check the remote, and that a committed workflow dreams on a schedule."""
    repository = here.repository
    address = read_address(repository) if repository else None
    kind = classify_forge(address, here.environment)
    if repository is None:
        return
    if address is None:
        yield Diagnosis(
            "remote", UNKNOWN, "none at a forge, so there is no place for pull requests", "git remote add origin URL"
        )
    else:
        name = token_name(kind, here.environment)
        token = f"the token is in {name}" if name else "there is no token here, which only memci publish needs"
        yield Diagnosis("remote", OK, f"{address.host}/{address.path}: {kind}; {token}")
    if kind == "gitlab":
        yield _examine_pipeline(here)
        return
    workflows = read_workflows(here.workspace.root)
    dreaming = [workflow for workflow in workflows if dreams(workflow)]
    if not dreaming:
        state = UNKNOWN if address is None else PROBLEM
        yield Diagnosis("workflow", state, "no workflow dreams", "memci init writes one")
    tracked = set(repository.list_tracked())
    for workflow in dreaming:
        if str(workflow.path) not in tracked:
            hint = "commit and push it; GitHub looks at the default branch only"
            yield Diagnosis("workflow", PROBLEM, f"{workflow.path} is not in git", hint)
        elif address is not None and "CI" not in here.environment and not is_pushed(repository, workflow.path):
            hint = "git push; GitHub looks at the default branch only"
            yield Diagnosis("workflow", UNKNOWN, f"{workflow.path} was not pushed, as far as this clone knows", hint)
        yield from examine_workflow(workflow)
    for workflow in workflows:
        yield from examine_uploads(workflow)
    if dreaming and repository.has_commits():
        yield from _examine_activity(repository, here.now)


def _examine_pipeline(here: Here) -> Diagnosis:
    text = here.workspace.tree.read(GITLAB_PIPELINE)
    if isinstance(text, str) and "memci" in text:
        return Diagnosis("pipeline", OK, f"{GITLAB_PIPELINE} runs memci; whether a schedule does, --online tells")
    return Diagnosis("pipeline", PROBLEM, f"{GITLAB_PIPELINE} does not run memci", "memci init writes the jobs")


def _examine_activity(repository: Repository, now: dt.datetime) -> Iterator[Diagnosis]:
    newest = int(repository.run("log", "-1", "--format=%ct", "HEAD").decode().strip() or 0)
    days = (now - dt.datetime.fromtimestamp(newest, dt.UTC)).days
    if days >= _SLEEPY_DAYS:
        when = "are switched off" if days >= _ASLEEP_DAYS else "will soon be switched off"
        message = f"the last commit is {days} days old; schedules of public repositories {when} after {_ASLEEP_DAYS}"
        yield Diagnosis("schedule", PROBLEM, message, "Actions > the workflow > Enable; or commit something")
