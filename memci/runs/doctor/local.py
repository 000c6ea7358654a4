"""What `memci doctor` can see from here: git, the clone, memory, settings, sessions, workflows, credentials, locks."""

import datetime as dt
import importlib.util
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci import __version__
from memci.config import Config
from memci.dream.gather import is_elsewhere
from memci.engines.claude.credentials import CredentialProblem, find_credentials
from memci.errors import ConfigError, MemciError
from memci.forge.detect import find_kind, find_token_name
from memci.git.repository import Repository, find_repository, read_version
from memci.git.workspace import Workspace, find_inside, open_workspace
from memci.model.memory import Scope
from memci.runs.collect_install import SETTINGS
from memci.runs.doctor.result import CheckState, Diagnosis
from memci.runs.doctor.workflows import dreams, examine_workflow, find_hidden_uploads, find_workflows
from memci.runs.init import GITLAB_PIPELINE, SESSIONS, find_address, is_pushed
from memci.runs.scopes import list_scopes
from memci.sessions.places import GIT_PREFIX, Input, find_inputs
from memci.sessions.reading import ReadLimits
from memci.settings import read_config
from memci.stores.journal import PENDING
from memci.stores.lock import judge_named, read_holders
from memci.stores.lock_owner import Life
from memci.stores.spool import find_spool, read_jobs
from memci.stores.state_directory import find_state_directory

OK, PROBLEM, UNKNOWN = CheckState.OK, CheckState.PROBLEM, CheckState.UNKNOWN
# What memci asks of git: `safe.bareRepository` is the newest of it.
_GIT = (2, 38)
# GitHub switches schedules of public repositories off after 60 days without a commit; a fortnight is time to act.
_SLEEPY_DAYS, _ASLEEP_DAYS = 46, 60
_EXTRAS = {"anthropic": "claude", "boto3": "Bedrock", "google.auth": "Vertex"}


@dataclass(frozen=True, slots=True)
class Here:
    """What is looked at."""

    workspace: Workspace
    config: Config
    scopes: tuple[Scope, ...]
    environment: Mapping[str, str]
    now: dt.datetime

    @property
    def repository(self) -> Repository | None:
        """The repository, None outside of git."""
        return self.workspace.repository


def examine(
    directory: Path, config_path: Path | None, environment: Mapping[str, str], now: dt.datetime
) -> tuple[list[Diagnosis], Here | None]:
    """Look at everything; what stops the rest from being looked at is the last thing said."""
    found = [_examine_memci()]
    try:
        found.append(_examine_git())
        repository = find_repository(directory.resolve())
        workspace = open_workspace(directory, repository)
    except MemciError as error:
        return [*found, Diagnosis("git", PROBLEM, error.message, error.hint)], None
    config, told = _read_settings(workspace, config_path)
    scopes = list_scopes(workspace, config)
    here = Here(workspace, config, scopes, environment, now)
    parts: tuple[Callable[[Here], Iterator[Diagnosis]], ...] = (
        _examine_clone,
        _examine_scopes,
        _examine_transcripts,
        _examine_hook,
        _examine_ci,
        _examine_credentials,
        _examine_locks,
    )
    found.append(told)
    for part in parts:
        try:
            found += part(here)
        except MemciError as error:
            found.append(Diagnosis(part.__name__.removeprefix("_examine_"), PROBLEM, error.message, error.hint))
    return found, here


def _examine_memci() -> Diagnosis:
    there = [name for module, name in _EXTRAS.items() if _is_installed(module)]
    parts = f"; can ask {', '.join(there)}" if there else ""
    return Diagnosis("memci", OK, f"{__version__}, Python {platform.python_version()}{parts}")


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _examine_git() -> Diagnosis:
    version = read_version()
    numbers = tuple(int(part) for part in version.split(" ")[0].split(".")[:2] if part.isdigit())
    if len(numbers) < 2:
        return Diagnosis("git", UNKNOWN, f"a version that calls itself {version}")
    if numbers < _GIT:
        return Diagnosis("git", PROBLEM, f"{version} is too old", f"install git {_GIT[0]}.{_GIT[1]} or newer")
    return Diagnosis("git", OK, version)


def _read_settings(workspace: Workspace, named: Path | None) -> tuple[Config, Diagnosis]:
    try:
        config = read_config(workspace.tree, find_inside(workspace, named) if named else None)
    except ConfigError as error:
        return Config(), Diagnosis("settings", PROBLEM, error.message, error.hint)
    if not config.dream:
        return config, Diagnosis("settings", OK, f"{config.path}: dreams are switched off")
    return config, Diagnosis("settings", OK, str(config.path) if config.path else "none, so the defaults hold")


def _examine_clone(here: Here) -> Iterator[Diagnosis]:
    repository = here.repository
    if repository is None:
        hint = "git init; outside of git memci cannot tell what moved, and can open no pull request"
        yield Diagnosis("repository", PROBLEM, f"{here.workspace.root} is in no git repository", hint)
        return
    if not repository.has_commits():
        yield Diagnosis("repository", PROBLEM, "nothing is committed yet", "commit, so that there is a history to ask")
    elif repository.shallow:
        hint = "fetch-depth: 0 in the checkout, or git fetch --unshallow"
        yield Diagnosis("repository", PROBLEM, "a shallow clone: what moved cannot be found", hint)
    elif _get(repository, "--get-regexp", r"^remote\..*\.promisor$"):
        hint = "git fetch --refetch --no-filter, or clone without --filter"
        yield Diagnosis("repository", PROBLEM, "a partial clone: old files are not here", hint)
    else:
        yield Diagnosis("repository", OK, f"{repository.root}, with its whole history")
    if _get(repository, "--type=bool", "core.sparseCheckout") == "true":
        left = [
            line[2:]
            for line in repository.run("ls-files", "-t").decode("utf-8", "replace").split("\n")
            if line[:1] == "S"
        ]
        memory = [path for path in left if "memory/" in path.lower()]
        if memory:
            hint = f"git sparse-checkout add {PurePosixPath(memory[0]).parent}"
            yield Diagnosis("sparse checkout", PROBLEM, f"{memory[0]} is not checked out", hint)
        else:
            yield Diagnosis("sparse checkout", OK, f"{len(left)} files are not checked out; none is memory")


def _get(repository: Repository, *arguments: str) -> str:
    return repository.run("config", *arguments, accepted=(0, 1)).decode("utf-8", "replace").strip()


def _examine_scopes(here: Here) -> Iterator[Diagnosis]:
    from memci.dream.orient import read_snapshot

    if not here.scopes:
        hint = "agents with `memory: project` make it in .claude/agent-memory; other places: `scopes` in the settings"
        yield Diagnosis("memory", PROBLEM, "none found", hint)
        return
    ids = [scope.id for scope in here.scopes]
    if here.config.route and here.config.route not in ids:
        yield Diagnosis("route", PROBLEM, f"no scope is called {here.config.route}", f"one of {', '.join(ids)}")
    snapshot = read_snapshot(here.workspace.tree, here.scopes)
    unread = [text for scope in snapshot.scopes for text in scope.unread]
    if unread:
        first = unread[0]
        yield Diagnosis("memory", PROBLEM, f"{first.path} cannot be read: {first.reason}", "memci check names all")
        return
    topics = sum(len(scope.topics) for scope in snapshot.scopes)
    yield Diagnosis("memory", OK, f"scopes: {len(here.scopes)}, topics: {topics}")


def _examine_transcripts(here: Here) -> Iterator[Diagnosis]:
    if not here.config.transcripts:
        hint = "memci init --collect; or `transcripts` in the settings, or in the workflow"
        yield Diagnosis("transcripts", UNKNOWN, "the settings name none; dreams may learn nothing new", hint)
    for place in here.config.transcripts:
        yield _examine_place(here, place)


def _examine_place(here: Here, place: str) -> Diagnosis:
    if is_elsewhere(place) and not place.startswith(GIT_PREFIX):
        return Diagnosis("transcripts", UNKNOWN, f"{place} is looked at by the dream only")
    where = place if is_elsewhere(place) else str(here.workspace.root / place)
    try:
        count = sum(isinstance(item, Input) for item in find_inputs(where, here.repository, ReadLimits()))
    except MemciError as error:
        hint = error.hint
        if place.startswith(GIT_PREFIX):
            hint = f"it comes with the first `memci collect --to {place} --push`; if it is there: git fetch origin"
        return Diagnosis("transcripts", PROBLEM, f"{place}: {error.message}", hint)
    if not count:
        return Diagnosis("transcripts", PROBLEM, f"{place} holds no transcript", "memci collect puts them there")
    hidden = not is_elsewhere(place) and any(
        part.startswith(".") and part != ".." for part in PurePosixPath(place).parts
    )
    if hidden and not _is_tracked(here.repository, place):
        hint = "artifacts leave hidden files out: use a directory without a dot, or include-hidden-files: true"
        return Diagnosis("transcripts", PROBLEM, f"{place} is hidden and not in git, so jobs will not have it", hint)
    return Diagnosis("transcripts", OK, f"{place}: {count} to read")


def _is_tracked(repository: Repository | None, place: str) -> bool:
    return repository is not None and bool(repository.run("ls-files", "-z", "--", place))


def _examine_hook(here: Here) -> Iterator[Diagnosis]:
    """Look at what brings sessions of people to the dream; jobs have no such hook."""
    if "CI" in here.environment:
        return
    # Other branches are filled by other tools.
    wanted = any(place.startswith(SESSIONS) for place in here.config.transcripts)
    settings = here.workspace.tree.read(SETTINGS)
    if wanted and not (isinstance(settings, str) and "memci collect" in settings):
        yield Diagnosis("hook", PROBLEM, f"{SETTINGS} collects no sessions", "memci init --collect")
    common = here.repository.common if here.repository else None
    waiting = len(read_jobs(find_spool(here.workspace.root, common, here.environment)))
    if waiting:
        yield Diagnosis("hook", PROBLEM, f"{waiting} collected sessions wait", "memci collect --pending says why")


def _examine_ci(here: Here) -> Iterator[Diagnosis]:
    repository = here.repository
    address = find_address(repository) if repository else None
    kind = find_kind(address, here.environment)
    if repository is None:
        return
    if address is None:
        yield Diagnosis(
            "remote", UNKNOWN, "none at a forge, so there is no place for pull requests", "git remote add origin URL"
        )
    else:
        name = find_token_name(kind, here.environment)
        token = f"the token is in {name}" if name else "there is no token here, which only memci publish needs"
        yield Diagnosis("remote", OK, f"{address.host}/{address.path}: {kind}; {token}")
    if kind == "gitlab":
        yield _examine_pipeline(here)
        return
    workflows = find_workflows(here.workspace.root)
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
        yield from find_hidden_uploads(workflow)
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


def _examine_credentials(here: Here) -> Iterator[Diagnosis]:
    found = find_credentials(here.environment)
    if isinstance(found, CredentialProblem):
        if found.kind == "absent":
            yield Diagnosis("engine", OK, f"the embedded one: {found.message}")
        else:
            yield Diagnosis("engine", PROBLEM, found.message, found.hint)
        return
    yield Diagnosis("engine", OK, f"claude ({found.provider}), with what {found.source} holds")


def _examine_locks(here: Here) -> Iterator[Diagnosis]:
    common = here.repository.common if here.repository else None
    found: list[Diagnosis] = []
    for scope in here.scopes:
        state = find_state_directory(scope.target, common, here.environment)
        if (state / PENDING).exists():
            hint = "`memci status` or any other command that reads memory there rolls it back"
            found.append(Diagnosis("journal", PROBLEM, f"a dream over {scope.path} was cut off", hint))
        for path, holder, since in read_holders(scope.target, state):
            when = dt.datetime.fromtimestamp(since, dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
            message = f"{scope.path} is held by {holder} since {when}"
            life = judge_named(path, holder, since)
            if life is Life.ALIVE:
                found.append(Diagnosis("lock", UNKNOWN, f"{message}, which is at work", "wait until it ends"))
            elif life is not Life.DEAD:
                hint = f"if that process does not dream any more, remove {path}"
                found.append(Diagnosis("lock", PROBLEM, f"{message}, which cannot be seen from here", hint))
    yield from found or [Diagnosis("locks", OK, "none is left over")] if here.scopes else ()
