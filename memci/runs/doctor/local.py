"""The offline checks of `memci doctor`: git, the clone, memory, settings, sessions, CI, credentials, locks."""

import datetime as dt
import platform
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from memci import __version__
from memci.config import Config
from memci.dream.gather import is_elsewhere
from memci.engines.claude.credentials import CredentialError, resolve_credentials
from memci.errors import ConfigError, MemciError
from memci.forge.detect import classify_forge, token_name
from memci.git.history import is_partial
from memci.git.repository import find_repository, read_version
from memci.git.workspace import Workspace, open_workspace, resolve_inside
from memci.memory.scopes import find_scopes
from memci.runs.collect_install import SETTINGS
from memci.runs.doctor.result import Diagnosis, Here, ok, problem, unknown
from memci.runs.init import GITLAB_PIPELINE, SESSIONS, find_workflows, is_pushed, read_address
from memci.sessions.places import GIT_PREFIX, Input, find_inputs
from memci.sessions.read_result import ReadLimits
from memci.settings_file import read_config
from memci.stores.journal import PENDING
from memci.stores.lock import find_holders
from memci.stores.lock_owner import Life
from memci.stores.state_directory import resolve_state_directory

# The oldest git with `safe.bareRepository`.
_MIN_GIT = (2, 38)


def examine(
    directory: Path, config_path: Path | None, environment: Mapping[str, str]
) -> tuple[list[Diagnosis], Here | None]:
    """Run all offline checks; the last diagnosis is the error if one stops the others."""
    found = [_examine_memci()]
    try:
        found.append(_examine_git())
        repository = find_repository(directory.resolve())
        workspace = open_workspace(directory, repository)
    except MemciError as error:
        return [*found, problem("git", error.message, error.hint)], None
    config, settings = _read_settings(workspace, config_path)
    scopes = find_scopes(workspace.tree, workspace.root, config.scopes)
    here = Here(workspace, config, scopes, environment)
    parts: dict[str, Callable[[Here], Iterator[Diagnosis]]] = {
        "clone": _examine_clone,
        "scopes": _examine_scopes,
        "transcripts": _examine_transcripts,
        "hook": _examine_hook,
        "ci": _examine_ci,
        "credentials": _examine_credentials,
        "locks": _examine_locks,
    }
    found.append(settings)
    for name, part in parts.items():
        try:
            found += part(here)
        except MemciError as error:
            found.append(problem(name, error.message, error.hint))
    return found, here


def _examine_memci() -> Diagnosis:
    return ok("memci", f"{__version__}, Python {platform.python_version()}")


def _examine_git() -> Diagnosis:
    version = read_version()
    numbers = tuple(int(part) for part in version.split(" ")[0].split(".")[:2] if part.isdigit())
    if len(numbers) < 2:
        return unknown("git", f"a version that calls itself {version}")
    if numbers < _MIN_GIT:
        return problem("git", f"{version} is too old", f"install git {_MIN_GIT[0]}.{_MIN_GIT[1]} or newer")
    return ok("git", version)


def _read_settings(workspace: Workspace, named: Path | None) -> tuple[Config, Diagnosis]:
    try:
        config = read_config(workspace.tree, resolve_inside(workspace, named) if named else None)
    except ConfigError as error:
        return Config(), problem("settings", error.message, error.hint)
    if not config.dream:
        return config, ok("settings", f"{config.path}: dreams are switched off")
    return config, ok("settings", str(config.path) if config.path else "none, so the defaults hold")


def _examine_clone(here: Here) -> Iterator[Diagnosis]:
    repository = here.repository
    if repository is None:
        hint = "git init; outside of git memci cannot tell what moved, and can open no pull request"
        yield problem("repository", f"{here.workspace.root} is in no git repository", hint)
        return
    if not repository.has_commits():
        yield problem("repository", "nothing is committed yet", "commit, so that there is a history to ask")
    elif repository.shallow:
        hint = "fetch-depth: 0 in the checkout, or git fetch --unshallow"
        yield problem("repository", "a shallow clone: what moved cannot be found", hint)
    elif is_partial(repository):
        hint = "git fetch --refetch --no-filter, or clone without --filter"
        yield problem("repository", "a partial clone: old files are not here", hint)
    else:
        yield ok("repository", f"{repository.root}, with its whole history")


def _examine_scopes(here: Here) -> Iterator[Diagnosis]:
    from memci.dream.check_memory import read_snapshot

    if not here.scopes:
        hint = "agents with `memory: project` make it in .claude/agent-memory; other places: `scopes` in the settings"
        yield problem("memory", "none found", hint)
        return
    ids = [scope.id for scope in here.scopes]
    if here.config.route and here.config.route not in ids:
        yield problem("route", f"no scope is called {here.config.route}", f"one of {', '.join(ids)}")
    snapshot = read_snapshot(here.workspace.tree, here.scopes)
    unread = [text for scope in snapshot.scopes for text in scope.unread]
    if unread:
        first = unread[0]
        yield problem("memory", f"{first.path} cannot be read: {first.reason}", "memci check names all")
        return
    topics = sum(len(scope.topics) for scope in snapshot.scopes)
    yield ok("memory", f"scopes: {len(here.scopes)}, topics: {topics}")


def _examine_credentials(here: Here) -> Iterator[Diagnosis]:
    found = resolve_credentials(here.environment)
    if isinstance(found, CredentialError):
        if found.kind == "absent":
            yield ok("engine", f"the embedded one: {found.message}")
        else:
            yield problem("engine", found.message, found.hint)
        return
    yield ok("engine", f"claude ({found.provider}), with what {found.source} holds")


def _examine_locks(here: Here) -> Iterator[Diagnosis]:
    common = here.repository.common if here.repository else None
    found: list[Diagnosis] = []
    for scope in here.scopes:
        state = resolve_state_directory(scope.target, common)
        if (state / PENDING).exists():
            hint = "`memci status` or any other command that reads memory there rolls it back"
            found.append(problem("journal", f"a dream over {scope.path} was cut off", hint))
        for named in find_holders(scope.target, state):
            when = dt.datetime.fromtimestamp(named.since, dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
            message = f"{scope.path} is held by {named.holder} since {when}"
            if named.life is Life.ALIVE:
                found.append(unknown("lock", f"{message}, which is at work", "wait until it ends"))
            elif named.life is not Life.DEAD:
                hint = f"if that process does not dream any more, remove {named.path}"
                found.append(problem("lock", f"{message}, which cannot be seen from here", hint))
    yield from found or [ok("locks", "none is left over")] if here.scopes else ()


def _examine_ci(here: Here) -> Iterator[Diagnosis]:
    """Check the remote, and that a committed workflow dreams."""
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
    dreaming = find_workflows(here.workspace.root)
    if not dreaming:
        say = unknown if address is None else problem
        yield say("workflow", "no workflow dreams", "memci init writes one")
    tracked = set(repository.list_tracked())
    for workflow in dreaming:
        if str(workflow) not in tracked:
            hint = "commit and push it; GitHub looks at the default branch only"
            yield problem("workflow", f"{workflow} is not in git", hint)
        elif address is not None and "CI" not in here.environment and not is_pushed(repository, workflow):
            hint = "git push; GitHub looks at the default branch only"
            yield unknown("workflow", f"{workflow} was not pushed, as far as this clone knows", hint)
        else:
            yield ok("workflow", f"{workflow} dreams")


def _examine_pipeline(here: Here) -> Diagnosis:
    text = here.workspace.tree.read(GITLAB_PIPELINE)
    if isinstance(text, str) and "memci" in text:
        return ok("pipeline", f"{GITLAB_PIPELINE} runs memci; whether a schedule does, --online tells")
    return problem("pipeline", f"{GITLAB_PIPELINE} does not run memci", "memci init writes the jobs")


def _examine_transcripts(here: Here) -> Iterator[Diagnosis]:
    """Check that the configured places have transcripts which jobs can read."""
    if not here.config.transcripts:
        hint = "memci init --collect; or `transcripts` in the settings, or in the workflow"
        yield unknown("transcripts", "the settings name none; dreams may learn nothing new", hint)
    for place in here.config.transcripts:
        yield _examine_place(here, place)


def _examine_place(here: Here, place: str) -> Diagnosis:
    if is_elsewhere(place) and not place.startswith(GIT_PREFIX):
        return unknown("transcripts", f"{place} is looked at by the dream only")
    where = place if is_elsewhere(place) else str(here.workspace.root / place)
    try:
        count = sum(isinstance(item, Input) for item in find_inputs(where, here.repository, ReadLimits()))
    except MemciError as error:
        hint = error.hint
        if place.startswith(GIT_PREFIX):
            hint = f"it comes with the first `memci collect --to {place} --push`; if it is there: git fetch origin"
        return problem("transcripts", f"{place}: {error.message}", hint)
    if not count:
        return problem("transcripts", f"{place} holds no transcript", "memci collect puts them there")
    return ok("transcripts", f"{place}: {count} to read")


def _examine_hook(here: Here) -> Iterator[Diagnosis]:
    """Check the hook that collects sessions; jobs have no such hook."""
    if "CI" in here.environment:
        return
    # Other branches are written by other tools.
    wanted = any(place.startswith(SESSIONS) for place in here.config.transcripts)
    settings = here.workspace.tree.read(SETTINGS)
    if wanted and not (isinstance(settings, str) and "memci collect" in settings):
        yield problem("hook", f"{SETTINGS} collects no sessions", "memci init --collect")
