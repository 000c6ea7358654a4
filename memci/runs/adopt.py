"""Runs `memci adopt`: takes topics of a person's own memory over into a shared scope; never changes the former."""

import contextlib
import datetime as dt
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from memci.checks.rule import Material
from memci.checks.rules.index_orphan import find_unsafe
from memci.config import Config
from memci.dream.adopt import adopt_topics, ask_about_gone, make_signal
from memci.dream.check_memory import read_snapshot
from memci.dream.consolidate import open_draft
from memci.dream.inputs import Sources
from memci.errors import ServiceError, UnsafeError, UsageError
from memci.forge.detect import parse_address
from memci.git.repository import Repository, find_repository
from memci.git.workspace import Workspace
from memci.memory.topic import fold_name, list_names
from memci.memory.user_scopes import find_auto_scopes
from memci.model.memory import IndexLineKind, Scope, ScopeSnapshot, Snapshot, Topic, TopicType, Trust
from memci.model.plan import ScopePlan
from memci.model.session import Signal
from memci.publish.bundle import BundleRun
from memci.report.check_result import amount
from memci.report.dream_json import render_scope
from memci.report.dream_result import DreamResult
from memci.report.dream_text import render_diff, render_dream
from memci.report.escape import json_text, visible
from memci.runs.dream import lock_scopes, write_all, write_proposal
from memci.runs.scopes import Prepared
from memci.stores.files import make_directory
from memci.stores.state_directory import make_temporary

# The forge and its HTTP client are loaded only if there is something to publish.
if TYPE_CHECKING:
    from memci.publish.target import PublishRequest
    from memci.runs.publish import Published

_PROJECT = PurePosixPath(".claude/memory")


class LeftTopic(NamedTuple):
    """A file of the person's memory that is not adopted, and why."""

    file: PurePosixPath
    why: str


@dataclass(frozen=True, slots=True)
class AdoptRequest:
    """The options of `memci adopt`; without `scope` it is that of the project."""

    scope: Path | None
    # Names of topics about the person that are adopted all the same.
    include: tuple[str, ...]
    write: bool
    now: dt.datetime
    # Propose the result as a pull request instead of writing files.
    pull: "PublishRequest | None" = None


@dataclass(frozen=True, slots=True)
class Adoption:
    """The plan, where its topics come from, and what was left there."""

    plan: ScopePlan
    sources: tuple[ScopeSnapshot, ...]
    left: tuple[LeftTopic, ...]
    request: AdoptRequest
    published: "Published | None" = None


def adopt(
    found: Prepared,
    request: AdoptRequest,
    environment: Mapping[str, str],
    show: Callable[[str], None],
) -> Adoption:
    """Plan what the scope gets from the person's memory, and write or propose it if asked to."""
    workspace, config, repository = found.workspace, found.config, found.workspace.repository
    if repository is None:
        raise UsageError("there is no git repository here", hint="-C DIRECTORY")
    scope = _choose_scope(found, request.scope)
    if scope.target.resolve() != workspace.root.resolve() / scope.path:
        raise UnsafeError(f"{scope.path} is, or is below, a symbolic link", hint="make it a directory")
    if request.pull:
        from memci.publish.target import open_places

        open_places(workspace, request.pull, environment)
    addresses = set(_list_addresses(repository))
    own = find_auto_scopes(repository, environment, lambda place: _is_clone(place, repository, addresses))
    sources = read_snapshot(workspace.tree, (), own).scopes
    topics, left = _select(sources, request, config)
    if request.write:
        make_directory(scope.target)
    with lock_scopes((scope,) if request.write else (), workspace) as locks:
        snapshot = read_snapshot(workspace.tree, (scope,))
        signals = tuple({signal.id: signal for signal in map(make_signal, topics)}.values())
        draft = open_draft(snapshot.scopes[0], Sources(snapshot, config, request.now, ()), signals)
        draft.work(lambda current: adopt_topics(current, topics))
        plan = draft.plan(())
        gone = ask_about_gone(plan.operations, snapshot.scopes[0], repository)
        plan = replace(plan, needs_person=(*plan.needs_person, *gone))
        if request.write:
            (plan,) = write_all((plan,), {}, locks)
    done = Adoption(plan, sources, tuple(left), request)
    if request.pull is None or not sources:
        return done
    return replace(done, published=_propose(workspace, request.pull, plan, frozenset(signals), environment, show))


def _propose(
    workspace: Workspace,
    pull: "PublishRequest",
    plan: ScopePlan,
    signals: frozenset[Signal],
    environment: Mapping[str, str],
    show: Callable[[str], None],
) -> "Published":
    """Propose the plan as `memci publish` does; the state stays, because no session was read."""
    from memci.publish.replay import OwnNotes
    from memci.runs.publish import run_publish

    with make_temporary() as directory:
        bundle = directory / "bundle"
        write_proposal(bundle, workspace, (plan,), {}, BundleRun("", pull.now, "local"))
        own = OwnNotes(plan.scope, signals)
        return run_publish(workspace, replace(pull, bundles=(bundle,)), environment, show, own)


def _choose_scope(found: Prepared, named: Path | None) -> Scope:
    if named is not None:
        scopes = found.select([named])
        if len(scopes) > 1:
            raise UsageError(f"{named} has several scopes", hint=", ".join(str(scope.path) for scope in scopes[:5]))
        return scopes[0]
    project = (scope for scope in found.scopes if scope.path == _PROJECT)
    return next(project, Scope("project", _PROJECT, Trust.COMMITTED, found.workspace.root / _PROJECT))


def _is_clone(place: Path, repository: Repository, addresses: set[str]) -> bool:
    """Tell whether a directory is in a worktree of this repository, or in a clone from the same remote."""
    if not place.is_dir():
        return False
    with contextlib.suppress(ServiceError):
        other = find_repository(place)
        return other is not None and (other.common == repository.common or bool(addresses & {*_list_addresses(other)}))
    return False


def _list_addresses(repository: Repository) -> Iterator[str]:
    found = repository.run("config", "--get-regexp", r"^remote\..*\.url$", accepted=(0, 1))
    for line in os.fsdecode(found).split("\n"):
        url = line.partition(" ")[2]
        address = parse_address(url)
        if address:
            yield f"{address.host}/{address.path}".lower()
        elif url:
            # The same directory can be written in many ways.
            yield str((repository.root / url.removeprefix("file://")).resolve())


def _select(
    sources: Iterable[ScopeSnapshot], request: AdoptRequest, config: Config
) -> tuple[list[Topic], list[LeftTopic]]:
    """Divide the topics into those to adopt and those that stay, with the reason."""
    wanted = {fold_name(name.removesuffix(".md")): name for name in request.include}
    known = {name for source in sources for topic in source.topics for name in list_names(topic)}
    if unknown := sorted(wanted.keys() - known):
        raise UsageError(f"there is no topic {wanted[unknown[0]]!r} in your memory of this repository")
    chosen: list[Topic] = []
    left: list[LeftTopic] = []
    for source in sources:
        material = Material(Snapshot((source,)), request.now, config=config)
        unsafe = find_unsafe(source, source.topics, material)
        for topic in source.topics:
            why = _object(topic, unsafe.get(topic.path, ""), included=bool(list_names(topic) & wanted.keys()))
            chosen += [] if why else [topic]
            left += [LeftTopic(topic.path, why)] if why else []
        lines = source.index.lines if source.index else ()
        if prose := sum(line.kind is IndexLineKind.PROSE for line in lines):
            left.append(LeftTopic(source.index_path, f"{amount(prose, 'line')} outside of topics"))
    return chosen, left


def _object(topic: Topic, unsafe: str, *, included: bool) -> str:
    if unsafe:
        return f"{unsafe} finds something in it; take that out first"
    if topic.type is TopicType.USER and not included:
        return f"about you; --include {topic.path.stem} adopts it"
    if topic.type is None or not topic.name or not topic.description or not topic.body.strip():
        return "it has no name, description, type or text; memci check --user shows what is missing"
    return ""


def render_adoption(done: Adoption, *, diff: bool, colour: bool, width: int) -> str:
    """Return the result as text."""
    if not done.sources:
        return "nothing to adopt: you have no memory of this repository\n"
    lines = [f"from      {visible(str(one.scope.path))}: {amount(len(one.topics), 'topic')}" for one in done.sources]
    result = DreamResult(done.request.now, "local", (done.plan,), dry_run=not done.request.write)
    told = render_dream(result, colour=colour, width=width).rstrip("\n").split("\n")
    # Sessions are no part of this.
    lines += [line for line in told if not line.startswith("sessions ")]
    lines += [f"left      {visible(str(one.file))}: {visible(one.why)}" for one in done.left]
    if done.plan.operations and not done.request.write and not done.published:
        lines.append("write     add --write to change the files (memci undo takes it back), or --pr for a pull request")
    text = "\n".join(lines) + "\n" + (render_diff(done.plan) if diff else "")
    if done.published is None:
        return text
    from memci.runs.publish import render_published

    return text + render_published(done.published)


def render_adoption_json(done: Adoption) -> str:
    """Return the result as JSON: the schema memci/adopt/1."""
    content = {
        "schema": "memci/adopt/1",
        "now": done.request.now,
        "written": done.request.write and bool(done.plan.operations),
        "sources": [{"path": one.scope.path, "topics": len(one.topics)} for one in done.sources],
        "left_out": [one._asdict() for one in done.left],
        "scope": render_scope(done.plan),
    }
    if done.published:
        from memci.runs.publish import published_as_json

        content["publish"] = published_as_json(done.published)
    return json_text(content)
