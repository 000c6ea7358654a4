"""Reading memory and running the rules over it, as several commands need it."""

import contextlib
import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.checks.baseline import subtract
from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import Outcome, run_rules
from memci.config import Config
from memci.dream.dating import Place, add_dates, find_undated
from memci.drift.cache import MAX_BYTES, parse_cache, render_cache
from memci.drift.claims import find_claims
from memci.drift.history import History
from memci.drift.verdicts import Judged, judge_claims
from memci.errors import ConfigError, UsageError
from memci.git import Repository
from memci.model import (
    Claim,
    ClaimKind,
    Finding,
    Reason,
    Scope,
    ScopeSnapshot,
    Snapshot,
    TopicType,
    Verdict,
    VerdictKind,
)
from memci.report.result import RuleInfo
from memci.sources.guides import read_guides
from memci.sources.scopes import find_scopes
from memci.sources.settings import read_config
from memci.sources.snapshot import read_scope, read_scopes
from memci.sources.tree import Tree, WorkTree, read_commit
from memci.sources.workspace import Workspace
from memci.stores.caches import read_cached, write_cached

# Of these one can say that they never existed; symbols and flags may belong to a library.
_CERTAIN = frozenset({ClaimKind.PATH, ClaimKind.LINES, ClaimKind.SCRIPT, ClaimKind.COMMIT})
# Fewer files are searched in the time that it takes to ask git which of them have changed.
_MIN_CACHED = 1_000
_CACHE_NAME = "names"
RULE_INFOS = {
    rule.id: RuleInfo(rule.id, rule.severity, rule.summary, rule.remedy, f"docs/rules.md#{rule.id}", rule.group)
    for rule in RULES
}


def read_snapshot(tree: Tree, scopes: Sequence[Scope], own: Sequence[Scope] = ()) -> Snapshot:
    """Read the scopes of a repository, the guides beside them, and the person's own scopes."""
    outside = tuple(read_scope(WorkTree(scope.target, shown=scope.path), scope) for scope in own)
    return Snapshot((*read_scopes(tree, scopes), *outside), read_guides(tree, scopes))


def find_truth(workspace: Workspace, snapshot: Snapshot) -> Judged:
    """Ask the repository and its history about every claim of the scopes that belong to it."""
    mine = [scope for scope in snapshot.scopes if scope.scope.target.is_relative_to(workspace.root)]
    claims = [claim for scope in mine for claim in find_scope_claims(scope)]
    memory = [str(scope.scope.path) for scope in mine]
    paths, repository = workspace.tree.paths(), workspace.repository
    if repository is None or len(paths) < _MIN_CACHED:
        return judge_claims(claims, workspace.root, repository, paths, memory)
    cache = parse_cache(read_cached(repository.common, _CACHE_NAME, MAX_BYTES))
    judged = judge_claims(claims, workspace.root, repository, paths, memory, cache)
    if judged.kept and (data := render_cache(judged.kept)):
        write_cached(repository.common, _CACHE_NAME, data)
    return judged


def find_scope_claims(scope: ScopeSnapshot) -> Iterator[Claim]:
    """Find what a scope says about the repository; people and their feedback are not asked for names in code."""
    if scope.index:
        pointers = {(pointer.line, pointer.target) for pointer in scope.index.pointers}
        for claim in find_claims(scope.index.path, scope.index.text):
            # Where a pointer leads has rules of its own.
            if (claim.line, claim.text) not in pointers:
                yield claim
    for topic in scope.topics:
        lenient = topic.type in {TopicType.USER, TopicType.FEEDBACK}
        for claim in find_claims(topic.path, topic.body, topic.body_line):
            if not (lenient and claim.kind is ClaimKind.SYMBOL):
                yield claim


def judge(
    snapshot: Snapshot,
    config: Config,
    now: dt.datetime,
    truth: Judged,
    show: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Run every rule over the memory as it is."""
    validate_rules(config)
    material = Material(snapshot, now, verdicts=truth.verdicts, config=config)
    return run_rules(material, config, RULES, lambda rule: show(f"checking {rule.id}"))


@dataclass(frozen=True, slots=True)
class Base:
    """The memory before a change, and the settings that judge the change."""

    repository: Repository
    commit: str
    config: Config
    snapshot: Snapshot


def read_base(workspace: Workspace, since: str, head: str = "HEAD") -> Base:
    """Read the memory where the work left the line that `since` names, as a pull request counts."""
    if workspace.repository is None:
        raise UsageError("comparing with a revision needs a git repository")
    commit = _find_base(workspace.repository, since, head)
    with contextlib.closing(workspace.repository):
        tree = read_commit(workspace.repository, commit)
        config = read_config(tree)
        validate_rules(config)
        snapshot = read_snapshot(tree, find_scopes(tree, workspace.root, config.scopes))
    return Base(workspace.repository, commit, config, snapshot)


def judge_change(base: Base, snapshot: Snapshot, after: Config, now: dt.datetime, truth: Judged) -> Outcome:
    """Run every rule and leave out what was there before; the settings from before the change are in force."""
    standing = [rule for rule in RULES if rule.group is not Group.CHANGE]
    known = run_rules(Material(base.snapshot, now, config=base.config), base.config, standing)
    verdicts = find_new_verdicts(base.repository, base.commit, base.snapshot, snapshot, truth)
    material = Material(snapshot, now, base.snapshot, verdicts, config=after, base_config=base.config)
    outcome = run_rules(material, base.config, RULES)
    new = subtract(outcome.findings, (finding.fingerprint for finding in known.findings))
    return Outcome(tuple(new), outcome.suppressed)


def find_new_verdicts(
    repository: Repository, base: str, before: Snapshot, after: Snapshot, truth: Judged
) -> tuple[Verdict, ...]:
    """Keep the verdicts that a change brings in: on its new lines, and where it broke what older lines say.

    On new lines names that never existed count too: an agent may have invented them.
    """
    old = {text.path: Counter(text.text.split("\n")) for scope in before.scopes for text in scope.texts}
    fresh: set[tuple[PurePosixPath, int]] = set()
    for text in (text for scope in after.scopes for text in scope.texts):
        known = old.get(text.path, Counter())
        for number, line in enumerate(text.text.split("\n"), 1):
            if known[line] > 0:
                known[line] -= 1
            else:
                fresh.add((text.path, number))
    own = frozenset(repository.run("rev-list", f"{base}..HEAD").decode().split())
    kept = []
    for verdict in truth.verdicts:
        if (verdict.claim.path, verdict.claim.line) in fresh:
            invented = verdict.reason is Reason.NEVER and verdict.claim.kind in _CERTAIN
            kept.append(replace(verdict, kind=VerdictKind.MISSING) if invented else verdict)
        elif verdict.broken is None or verdict.broken.id in own:
            kept.append(verdict)
    return tuple(kept)


def _find_base(repository: Repository, since: str, head: str) -> str:
    commit = repository.resolve(since)
    return repository.merge_base(commit, head) if repository.has_commits() else commit


def validate_rules(config: Config) -> None:
    """Refuse exceptions from rules that do not exist."""
    for entry in config.ignore:
        if entry.rule not in RULE_INFOS:
            raise ConfigError(f"{config.path}:{entry.line}: there is no rule {entry.rule!r}", hint="see docs/rules.md")


def count_topics(snapshot: Snapshot) -> int:
    """Return how many topics a snapshot holds."""
    return sum(len(scope.topics) for scope in snapshot.scopes)


def is_below(finding: Finding, wanted: Sequence[object]) -> bool:
    """Whether a finding concerns one of the paths that were named; everything does if none was."""
    return not wanted or any(path in (finding.path, *finding.path.parents) for path in wanted)


def date_findings(findings: Sequence[Finding], snapshot: Snapshot, history: History) -> tuple[Finding, ...]:
    """Give relative dates the day on which git says that they were written; uncommitted lines have none."""
    texts = {text.path: text.text for scope in snapshot.scopes for text in scope.texts}
    wanted: dict[str, dict[int, str]] = {}
    for (path, number), row in find_undated(findings, texts):
        wanted.setdefault(str(path), {})[number] = row.rstrip("\r\n")
    days: dict[Place, dt.date] = {}
    for (name, line), writer in (history.find_written(wanted) if wanted else {}).items():
        if writer is not None:
            days[PurePosixPath(name), line] = dt.datetime.fromtimestamp(writer.time, dt.UTC).date()
    return tuple(add_dates(findings, texts, days))
