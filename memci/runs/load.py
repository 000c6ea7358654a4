"""Reading memory and running the rules over it, as several commands need it."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from memci.checks.registry import RULES
from memci.checks.rule import Material
from memci.checks.run import CheckOutcome, run_rules
from memci.citations.cache import MAX_BYTES, parse_cache, render_cache
from memci.citations.extract.claims import find_claims
from memci.citations.history.queries import History
from memci.citations.verdict import JudgedClaims, judge_claims
from memci.config import Config
from memci.dream.absolute_dates import Place, add_dates, find_undated
from memci.errors import ConfigError
from memci.git.file_tree import Tree, WorkTree
from memci.git.workspace import Workspace
from memci.memory.read_guides import read_guides
from memci.memory.snapshot import read_scope, read_scopes
from memci.model.citation import Claim, ClaimKind
from memci.model.finding import Finding
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, TopicType
from memci.report.check_result import RuleInfo
from memci.stores.caches import read_cached, write_cached

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


def find_truth(workspace: Workspace, snapshot: Snapshot) -> JudgedClaims:
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
    truth: JudgedClaims,
    show: Callable[[str], None] = lambda _: None,
) -> CheckOutcome:
    """Run every rule over the memory as it is."""
    validate_rules(config)
    material = Material(snapshot, now, verdicts=truth.verdicts, config=config)
    return run_rules(material, config, RULES, lambda rule: show(f"checking {rule.id}"))


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
