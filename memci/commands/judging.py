"""Reading memory and running the rules over it, as several commands need it."""

import contextlib
import datetime as dt
from collections.abc import Callable, Sequence

from memci.checks.baseline import subtract
from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import Outcome, run_rules
from memci.config import Config
from memci.errors import ConfigError, UsageError
from memci.git import Repository
from memci.model import Finding, Scope, Snapshot
from memci.report.result import RuleInfo
from memci.sources.guides import read_guides
from memci.sources.scopes import find_scopes
from memci.sources.settings import read_config
from memci.sources.snapshot import read_scope, read_scopes
from memci.sources.tree import Tree, WorkTree, read_commit
from memci.sources.workspace import Workspace

RULE_INFOS = {
    rule.id: RuleInfo(rule.id, rule.severity, rule.summary, rule.remedy, f"docs/rules.md#{rule.id}", rule.group)
    for rule in RULES
}


def read_snapshot(tree: Tree, scopes: Sequence[Scope], own: Sequence[Scope] = ()) -> Snapshot:
    """Read the scopes of a repository, the guides beside them, and the person's own scopes."""
    outside = tuple(read_scope(WorkTree(scope.target, shown=scope.path), scope) for scope in own)
    return Snapshot((*read_scopes(tree, scopes), *outside), read_guides(tree, scopes))


def judge(
    snapshot: Snapshot, config: Config, now: dt.datetime, show: Callable[[str], None] = lambda _: None
) -> Outcome:
    """Run every rule over the memory as it is."""
    validate_rules(config)
    return run_rules(Material(snapshot, now, config=config), config, RULES, lambda rule: show(f"checking {rule.id}"))


def judge_change(
    workspace: Workspace, snapshot: Snapshot, after: Config, since: str, now: dt.datetime
) -> tuple[Outcome, Config]:
    """Run every rule and leave out what was there before; the settings from before the change are in force."""
    if workspace.repository is None:
        raise UsageError("--since needs a git repository")
    commit = _find_base(workspace.repository, since)
    with contextlib.closing(workspace.repository):
        tree = read_commit(workspace.repository, commit)
        before = read_config(tree)
        validate_rules(before)
        base = read_snapshot(tree, find_scopes(tree, workspace.root, before.scopes))
    standing = [rule for rule in RULES if rule.group is not Group.CHANGE]
    known = run_rules(Material(base, now, config=before), before, standing)
    outcome = run_rules(Material(snapshot, now, base, after, before), before, RULES)
    new = subtract(outcome.findings, (finding.fingerprint for finding in known.findings))
    return Outcome(tuple(new), outcome.suppressed), before


def _find_base(repository: Repository, since: str) -> str:
    """Return where the work left the line that `since` names, as a pull request counts."""
    commit = repository.resolve(since)
    return repository.merge_base(commit, "HEAD") if repository.has_commits() else commit


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
