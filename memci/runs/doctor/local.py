"""The offline checks of `memci doctor`: git, the clone, memory, settings, sessions, CI, credentials, locks."""

import datetime as dt
import importlib.util
import platform
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from memci import __version__
from memci.config import Config
from memci.engines.claude.credentials import CredentialProblem, resolve_credentials
from memci.errors import ConfigError, MemciError
from memci.git.repository import Repository, find_repository, read_version
from memci.git.workspace import Workspace, open_workspace, resolve_inside
from memci.runs.doctor.ci import examine_ci
from memci.runs.doctor.here import Here
from memci.runs.doctor.result import CheckState, Diagnosis
from memci.runs.doctor.sessions import examine_hook, examine_transcripts
from memci.runs.scopes import list_scopes
from memci.settings_file import read_config
from memci.stores.journal import PENDING
from memci.stores.lock import judge_named, read_holders
from memci.stores.lock_owner import Life
from memci.stores.state_directory import resolve_state_directory

OK, PROBLEM, UNKNOWN = CheckState.OK, CheckState.PROBLEM, CheckState.UNKNOWN
# The oldest git with `safe.bareRepository`.
_MIN_GIT = (2, 38)
_EXTRAS = {"anthropic": "claude", "boto3": "Bedrock", "google.auth": "Vertex"}


def examine(
    directory: Path, config_path: Path | None, environment: Mapping[str, str], now: dt.datetime
) -> tuple[list[Diagnosis], Here | None]:
    """Run all offline checks; the last diagnosis is the error if one stops the others."""
    found = [_examine_memci()]
    try:
        found.append(_examine_git())
        repository = find_repository(directory.resolve())
        workspace = open_workspace(directory, repository)
    except MemciError as error:
        return [*found, Diagnosis("git", PROBLEM, error.message, error.hint)], None
    config, settings = _read_settings(workspace, config_path)
    scopes = list_scopes(workspace, config)
    here = Here(workspace, config, scopes, environment, now)
    parts: dict[str, Callable[[Here], Iterator[Diagnosis]]] = {
        "clone": _examine_clone,
        "scopes": _examine_scopes,
        "transcripts": examine_transcripts,
        "hook": examine_hook,
        "ci": examine_ci,
        "credentials": _examine_credentials,
        "locks": _examine_locks,
    }
    found.append(settings)
    for name, part in parts.items():
        try:
            found += part(here)
        except MemciError as error:
            found.append(Diagnosis(name, PROBLEM, error.message, error.hint))
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
    if numbers < _MIN_GIT:
        return Diagnosis("git", PROBLEM, f"{version} is too old", f"install git {_MIN_GIT[0]}.{_MIN_GIT[1]} or newer")
    return Diagnosis("git", OK, version)


def _read_settings(workspace: Workspace, named: Path | None) -> tuple[Config, Diagnosis]:
    try:
        config = read_config(workspace.tree, resolve_inside(workspace, named) if named else None)
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
    elif _read_option(repository, "--get-regexp", r"^remote\..*\.promisor$"):
        hint = "git fetch --refetch --no-filter, or clone without --filter"
        yield Diagnosis("repository", PROBLEM, "a partial clone: old files are not here", hint)
    else:
        yield Diagnosis("repository", OK, f"{repository.root}, with its whole history")
    if _read_option(repository, "--type=bool", "core.sparseCheckout") == "true":
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


def _read_option(repository: Repository, *arguments: str) -> str:
    return repository.run("config", *arguments, accepted=(0, 1)).decode("utf-8", "replace").strip()


def _examine_scopes(here: Here) -> Iterator[Diagnosis]:
    from memci.dream.check_memory import read_snapshot

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


def _examine_credentials(here: Here) -> Iterator[Diagnosis]:
    found = resolve_credentials(here.environment)
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
        state = resolve_state_directory(scope.target, common)
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
