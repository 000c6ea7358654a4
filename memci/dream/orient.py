"""The first phase: reads memory, runs the rules over it, and checks its claims against the repository."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from memci.checks.registry import RULES
from memci.checks.rule import Material
from memci.checks.run import CheckOutcome, run_rules
from memci.citations.cache import MAX_BYTES, parse_cache, render_cache
from memci.citations.extract.claims import find_claims
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History
from memci.citations.history.renamed_files import Renamed
from memci.citations.verdict import JudgedClaims, judge_claims
from memci.config import Config
from memci.dream.absolute_dates import Place, add_dates, list_undated
from memci.dream.inputs import DreamTask, Sources
from memci.dream.state import STATE_NAME, DreamState, parse_state
from memci.errors import ConfigError, UnsafeError
from memci.git.file_tree import Tree, WorkTree
from memci.git.workspace import Workspace
from memci.memory.read_guides import read_guides
from memci.memory.snapshot import read_scope, read_scopes
from memci.model.citation import Claim, ClaimKind
from memci.model.finding import Finding
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, TopicType, Unreadable
from memci.stores.caches import read_cached, write_cached

# Searching fewer files takes less time than asking git which of them have changed.
_MIN_CACHED = 1_000
_CACHE_NAME = "names"


def orient(task: DreamTask, show: Callable[[str], None]) -> Sources:
    """Read the scopes of a dream, their states, and the findings of all rules with dates and renames from git."""
    workspace = task.workspace
    show("orient: reading memory")
    snapshot = read_snapshot(workspace.tree, task.scopes, task.own)
    others = read_snapshot(workspace.tree, task.others).scopes
    show("orient: asking the repository")
    findings = check_snapshot(snapshot, task.config, task.now, verify_claims(workspace, snapshot)).findings
    states = {scope.scope.path: read_state(scope) for scope in snapshot.scopes}
    renamed: dict[PurePosixPath, PurePosixPath] = {}
    if workspace.repository is not None and workspace.repository.has_commits():
        history = History(workspace.repository)
        findings = date_findings(findings, snapshot, history)
        renamed = dict(_trace_pointers(history, snapshot))
    return Sources(snapshot, task.config, task.now, findings, states=states, others=others, renamed=renamed)


def read_snapshot(tree: Tree, scopes: Sequence[Scope], own: Sequence[Scope] = ()) -> Snapshot:
    """Read the scopes of a tree with the guides beside them, and the person's own scopes."""
    outside = tuple(read_scope(WorkTree(scope.target, shown=scope.path), scope) for scope in own)
    return Snapshot((*read_scopes(tree, scopes), *outside), read_guides(tree, scopes))


def read_state(scope: ScopeSnapshot) -> DreamState:
    """Read the state file of a scope; a scope that never dreamt has none."""
    path = scope.scope.path / STATE_NAME
    text = WorkTree(scope.scope.target, shown=scope.scope.path).read(path)
    if isinstance(text, str):
        return parse_state(text, path)
    if text.reason is not Unreadable.ABSENT:
        raise UnsafeError(f"cannot read {path}: {text.reason}", hint="memci would propose again what was settled")
    return DreamState()


def verify_claims(workspace: Workspace, snapshot: Snapshot) -> JudgedClaims:
    """Check every claim of the scopes inside the workspace against the repository and its history."""
    mine = [scope for scope in snapshot.scopes if scope.scope.target.is_relative_to(workspace.root)]
    claims = [claim for scope in mine for claim in list_claims(scope)]
    memory = [str(scope.scope.path) for scope in mine]
    paths, repository = workspace.tree.paths(), workspace.repository
    if repository is None or len(paths) < _MIN_CACHED:
        return judge_claims(claims, workspace.root, repository, paths, memory)
    cache = parse_cache(read_cached(repository.common, _CACHE_NAME, MAX_BYTES))
    judged = judge_claims(claims, workspace.root, repository, paths, memory, cache)
    if judged.kept and (data := render_cache(judged.kept)):
        write_cached(repository.common, _CACHE_NAME, data)
    return judged


def list_claims(scope: ScopeSnapshot) -> Iterator[Claim]:
    """Yield the claims of a scope about the repository, without code symbols in user and feedback topics."""
    if scope.index:
        pointers = {(pointer.line, pointer.target) for pointer in scope.index.pointers}
        for claim in find_claims(scope.index.path, scope.index.text):
            # Pointers have rules of their own.
            if (claim.line, claim.text) not in pointers:
                yield claim
    for topic in scope.topics:
        personal = topic.type in {TopicType.USER, TopicType.FEEDBACK}
        for claim in find_claims(topic.path, topic.body, topic.body_line):
            if not (personal and claim.kind is ClaimKind.SYMBOL):
                yield claim


def check_snapshot(
    snapshot: Snapshot,
    config: Config,
    now: dt.datetime,
    truth: JudgedClaims,
    show: Callable[[str], None] = lambda _: None,
) -> CheckOutcome:
    """Run every rule over a snapshot."""
    validate_rules(config)
    material = Material(snapshot, now, verdicts=truth.verdicts, config=config)
    return run_rules(material, config, RULES, lambda rule: show(f"checking {rule.id}"))


def validate_rules(config: Config) -> None:
    """Refuse settings that ignore a rule which does not exist."""
    known = {rule.id for rule in RULES}
    for entry in config.ignore:
        if entry.rule not in known:
            raise ConfigError(f"{config.path}:{entry.line}: there is no rule {entry.rule!r}", hint="see docs/rules.md")


def date_findings(findings: Sequence[Finding], snapshot: Snapshot, history: History) -> tuple[Finding, ...]:
    """Add a fix to findings about relative dates, from the day git says the line was written on."""
    texts = {text.path: text.text for scope in snapshot.scopes for text in scope.texts}
    wanted: dict[str, dict[int, str]] = {}
    for (path, number), row in list_undated(findings, texts):
        wanted.setdefault(str(path), {})[number] = row.rstrip("\r\n")
    days: dict[Place, dt.date] = {}
    for (name, line), writer in (history.find_written(wanted) if wanted else {}).items():
        if writer is not None:
            days[PurePosixPath(name), line] = dt.datetime.fromtimestamp(writer.time, dt.UTC).date()
    return tuple(add_dates(findings, texts, days))


def _trace_pointers(history: History, snapshot: Snapshot) -> Iterator[tuple[PurePosixPath, PurePosixPath]]:
    """Yield the old and new path of topics that git renamed while a pointer kept the old name."""
    pointed = {p.path: scope for scope in snapshot.scopes if scope.index for p in scope.index.pointers if p.path}
    dangling = [str(path) for path, scope in pointed.items() if path not in scope.files]
    for path, fates in (Removals(history).find_fates(dangling, exact=True) if dangling else {}).items():
        targets = [fate.target for fate in fates.values() if isinstance(fate, Renamed)]
        if len(targets) == 1:
            yield PurePosixPath(path), PurePosixPath(targets[0])
