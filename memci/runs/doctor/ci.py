"""Checks of `memci doctor` on the remote, the workflows and their schedules."""

import datetime as dt
from collections.abc import Iterator

from memci.forge.detect import classify_forge, token_name
from memci.git.repository import Repository
from memci.runs.doctor.result import Diagnosis, Here, ok, problem, unknown
from memci.runs.doctor.workflows import dreams, examine_workflow, read_workflows
from memci.runs.init import GITLAB_PIPELINE, is_pushed, read_address

# GitHub disables schedules of public repositories after 60 days without a commit; warn two weeks before.
_SLEEPY_DAYS, _ASLEEP_DAYS = 46, 60


def examine_ci(here: Here) -> Iterator[Diagnosis]:
    """Check the remote, and that a committed workflow dreams on a schedule."""
    repository = here.repository
    if repository is None:
        return
    address = read_address(repository)
    kind = classify_forge(address, here.environment)
    if address is None:
        yield unknown("remote", "none at a forge, so there is no place for pull requests", "git remote add origin URL")
    else:
        name = token_name(kind, here.environment)
        token = f"the token is in {name}" if name else "there is no token here, which only memci publish needs"
        yield ok("remote", f"{address.host}/{address.path}: {kind}; {token}")
    if kind == "gitlab":
        yield _examine_pipeline(here)
        return
    dreaming = [workflow for workflow in read_workflows(here.workspace.root) if dreams(workflow)]
    if not dreaming:
        say = unknown if address is None else problem
        yield say("workflow", "no workflow dreams", "memci init writes one")
    tracked = set(repository.list_tracked())
    for workflow in dreaming:
        if str(workflow.path) not in tracked:
            hint = "commit and push it; GitHub looks at the default branch only"
            yield problem("workflow", f"{workflow.path} is not in git", hint)
        elif address is not None and "CI" not in here.environment and not is_pushed(repository, workflow.path):
            hint = "git push; GitHub looks at the default branch only"
            yield unknown("workflow", f"{workflow.path} was not pushed, as far as this clone knows", hint)
        yield from examine_workflow(workflow)
    if dreaming and repository.has_commits():
        yield from _examine_activity(repository, here.now)


def _examine_pipeline(here: Here) -> Diagnosis:
    text = here.workspace.tree.read(GITLAB_PIPELINE)
    if isinstance(text, str) and "memci" in text:
        return ok("pipeline", f"{GITLAB_PIPELINE} runs memci; whether a schedule does, --online tells")
    return problem("pipeline", f"{GITLAB_PIPELINE} does not run memci", "memci init writes the jobs")


def _examine_activity(repository: Repository, now: dt.datetime) -> Iterator[Diagnosis]:
    newest = int(repository.run("log", "-1", "--format=%ct", "HEAD"))
    days = (now - dt.datetime.fromtimestamp(newest, dt.UTC)).days
    if days >= _SLEEPY_DAYS:
        when = "are switched off" if days >= _ASLEEP_DAYS else "will soon be switched off"
        message = f"the last commit is {days} days old; schedules of public repositories {when} after {_ASLEEP_DAYS}"
        yield problem("schedule", message, "Actions > the workflow > Enable; or commit something")
