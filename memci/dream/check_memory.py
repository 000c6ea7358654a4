"""Reads memory, checks its claims against the repository and runs the rules: all of `memci check`."""

import datetime as dt
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from memci.checks.rule import Material, Rule
from memci.checks.rule_names import RULE_IDS, suggest_rule
from memci.checks.run import CheckOutcome, find_problems, run_rules
from memci.citations.extract.claims import find_claims, find_guide_claims
from memci.citations.verdict import JudgedClaims, judge_claims
from memci.config import Config
from memci.errors import ConfigError
from memci.git.file_tree import Tree, WorkTree
from memci.git.workspace import Workspace
from memci.memory.guide_files import read_all_guides, read_guides
from memci.memory.snapshot import read_scope, read_scopes
from memci.model.citation import Claim, ClaimKind, Verdict, Wording
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, TopicType

if TYPE_CHECKING:
    from memci.checks.kept_findings import Found
    from memci.citations.kept_history import KeptHistory

# More verdicts than any memory has.
_MAX_BYTES = 64_000_000
# Checking memory with fewer claims takes no time worth a file.
_MIN_CLAIMS = 100
_VERDICTS_NAME = "verdicts"
_FINDINGS_NAME = "findings"
_OLD_NAMES = "old-names"


def read_snapshot(
    tree: Tree, scopes: Sequence[Scope], own: Sequence[Scope] = (), *, with_guides: bool = False
) -> Snapshot:
    """Read the scopes of a tree with the guides beside them, the person's own scopes, and if asked every guide."""
    outside = tuple(read_scope(WorkTree(scope.target, shown=scope.path), scope) for scope in own)
    checked = read_all_guides(tree) if with_guides else ()
    inside = [scope.path for scope in scopes]
    # A guide that includes a memory file does not make it a guide.
    mine = tuple(guide for guide in checked if not any(guide.path.is_relative_to(path) for path in inside))
    return Snapshot((*read_scopes(tree, scopes), *outside), read_guides(tree, scopes), mine)


def verify_claims(workspace: Workspace, snapshot: Snapshot) -> JudgedClaims:
    """Check every claim of the scopes inside the workspace against the repository and its history."""
    claims, memory = _list_all_claims(workspace, snapshot), _list_memory(workspace, snapshot)
    repository = workspace.repository
    if repository is None:
        return _judge(workspace, claims, memory)
    # `verify_file` keeps nothing, and a session waits for it.
    from memci.citations.kept_history import KeptHistory
    from memci.citations.kept_verdicts import MIN_KEPT, parse_verdicts, read_code, read_state, render_verdicts
    from memci.stores.state_directory import read_cached, write_cached

    state = read_state(claims, repository, workspace.tree.paths(), memory, time.time_ns())
    kept = parse_verdicts(read_cached(repository.common, _VERDICTS_NAME, _MAX_BYTES) if state else b"", state, claims)
    if kept is not None:
        return kept
    # What old blobs have does not depend on the moment; few claims are not worth a file.
    names = KeptHistory(
        read_cached(repository.common, _OLD_NAMES, _MAX_BYTES) if len(claims) >= MIN_KEPT else b"", read_code()
    )
    judged = _judge(workspace, claims, memory, names)
    if names.changed and len(claims) >= MIN_KEPT:
        write_cached(repository.common, _OLD_NAMES, names.render())
    if state and (data := render_verdicts(state, judged)):
        write_cached(repository.common, _VERDICTS_NAME, data)
    return judged


def verify_file(workspace: Workspace, snapshot: Snapshot, path: PurePosixPath) -> JudgedClaims:
    """Check the claims of one file only."""
    claims = [claim for claim in _list_all_claims(workspace, snapshot) if claim.path == path]
    return _judge(workspace, claims, _list_memory(workspace, snapshot))


def judge_line(
    workspace: Workspace, snapshot: Snapshot, path: PurePosixPath, line: int
) -> list[tuple[Verdict, Wording]]:
    """Judge the claims of one line as if they were stated plainly; return the verdicts and their true wordings."""
    claims = _list_all_claims(workspace, snapshot)
    asked = {
        claim._replace(wording=Wording.PLAIN): claim.wording
        for claim in claims
        if claim.path == path and claim.line == line
    }
    others = [claim for claim in claims if claim.path != path or claim.line != line]
    judged = _judge(workspace, [*asked, *others], _list_memory(workspace, snapshot))
    return [(verdict, asked[verdict.claim]) for verdict in judged.verdicts[: len(asked)]]


def _list_memory(workspace: Workspace, snapshot: Snapshot) -> list[str]:
    return [str(one.scope.path) for one in snapshot.scopes if one.scope.target.is_relative_to(workspace.root)]


def _list_all_claims(workspace: Workspace, snapshot: Snapshot) -> list[Claim]:
    """Return the claims of all scopes inside the workspace, and of the guides."""
    mine = [scope for scope in snapshot.scopes if scope.scope.target.is_relative_to(workspace.root)]
    guided = (claim for guide in snapshot.checked_guides for claim in find_guide_claims(guide.path, guide.text))
    return [*(claim for scope in mine for claim in list_claims(scope)), *guided]


def _judge(
    workspace: Workspace, claims: Sequence[Claim], memory: Sequence[str], names: "KeptHistory | None" = None
) -> JudgedClaims:
    return judge_claims(claims, workspace.root, workspace.repository, workspace.tree.paths(), memory, names)


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
    rules: Sequence[Rule] = (),
    common: Path | None = None,
) -> CheckOutcome:
    """Run rules over a snapshot, all if none are named.

    What is found in memory alone is kept in the git directory, if that is named.
    """
    if not rules:
        from memci.checks.registry import RULES

        rules = RULES
    validate_rules(config)
    material = Material(snapshot, now, verdicts=truth.verdicts, config=config)
    known = _find_stated(material, rules, common) if common and len(truth.verdicts) >= _MIN_CLAIMS else {}
    return run_rules(material, config, rules, lambda rule: show(f"checking {rule.id}"), known)


def _find_stated(material: Material, rules: Sequence[Rule], common: Path) -> "Found":
    """Return what the rules find that look at memory only, from the last run if nothing has changed."""
    from memci.checks.kept_findings import digest_material, is_keepable, parse_findings, render_findings
    from memci.citations.kept_verdicts import read_code
    from memci.stores.state_directory import read_cached, write_cached

    state = digest_material(material, read_code())
    kept = parse_findings(read_cached(common, _FINDINGS_NAME, _MAX_BYTES), state)
    if kept is not None:
        return kept
    found = {rule.id: find_problems(rule, material) for rule in rules if is_keepable(rule)}
    if data := render_findings(state, found):
        write_cached(common, _FINDINGS_NAME, data)
    return found


def validate_rules(config: Config) -> None:
    """Refuse settings that name a rule which does not exist."""
    for rule, _ in config.severity:
        if rule not in RULE_IDS:
            raise ConfigError(f"{config.path}: severity names no rule {rule!r}", hint=suggest_rule(rule))
    for entry in config.ignore:
        if entry.rule not in RULE_IDS:
            where = f"{config.path}:{entry.line}"
            raise ConfigError(f"{where}: there is no rule {entry.rule!r}", hint=suggest_rule(entry.rule))
