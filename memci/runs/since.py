"""Compares memory with a base commit: which findings and false claims a change introduces."""

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.checks.baseline import subtract
from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import CheckOutcome, run_rules
from memci.citations.verdict import JudgedClaims
from memci.config import Config
from memci.dream import check_memory
from memci.errors import UsageError
from memci.git.file_tree import read_commit
from memci.git.repository import Repository
from memci.git.workspace import Workspace
from memci.memory.scopes import find_scopes
from memci.model.citation import Claim, ClaimKind, Reason, Verdict, VerdictKind
from memci.model.memory import Snapshot
from memci.settings_file import read_config

_FALSE = frozenset({VerdictKind.MOVED, VerdictKind.MISSING})
# Kinds of which git knows whether they ever existed; symbols and flags may belong to a library.
_CERTAIN = frozenset({ClaimKind.PATH, ClaimKind.LINES, ClaimKind.SCRIPT, ClaimKind.COMMIT})


@dataclass(frozen=True, slots=True)
class SinceBase:
    """The memory before a change, and the settings that judge the change."""

    repository: Repository
    commit: str
    config: Config
    snapshot: Snapshot


def read_base(workspace: Workspace, since: str, head: str = "HEAD", *, with_guides: bool = False) -> SinceBase:
    """Read memory at the merge base of `since` and `head`, as pull requests do."""
    if workspace.repository is None:
        raise UsageError("comparing with a revision needs a git repository")
    commit = workspace.repository.resolve(since)
    if workspace.repository.has_commits():
        commit = workspace.repository.merge_base(commit, head)
    tree = read_commit(workspace.repository, commit)
    config = read_config(tree)
    check_memory.validate_rules(config)
    snapshot = check_memory.read_snapshot(
        tree, find_scopes(tree, workspace.root, config.scopes), with_guides=with_guides
    )
    return SinceBase(workspace.repository, commit, config, snapshot)


def judge_change(
    base: SinceBase, snapshot: Snapshot, after: Config, now: dt.datetime, verdicts: tuple[Verdict, ...]
) -> CheckOutcome:
    """Run every rule under the settings of the base, and return only the findings that are new."""
    standing = [rule for rule in RULES if rule.group is not Group.CHANGE]
    known = run_rules(Material(base.snapshot, now, config=base.config), base.config, standing)
    material = Material(snapshot, now, base.snapshot, verdicts, config=after, base_config=base.config)
    outcome = run_rules(material, base.config, RULES)
    renamed = _match_renamed(base.snapshot, snapshot)
    before = (replace(finding, path=renamed.get(finding.path, finding.path)) for finding in known.findings)
    new = subtract(outcome.findings, (finding.fingerprint for finding in before))
    return CheckOutcome(tuple(new), outcome.suppressed)


def _match_renamed(before: Snapshot, after: Snapshot) -> dict[PurePosixPath, PurePosixPath]:
    """Match deleted files with new ones that have most of their lines."""
    old, new = ({text.path: {*text.text.split("\n")} for text in side.texts} for side in (before, after))
    owners = {line: path for path, lines in old.items() if path not in new for line in lines}
    shared = Counter(
        (owners[line], path) for path, lines in new.items() if path not in old for line in lines if line in owners
    )
    renamed: dict[PurePosixPath, PurePosixPath] = {}
    for (path, place), count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if 2 * count > len(old[path]) and path not in renamed and place not in renamed.values():
            renamed[path] = place
    return renamed


def select_new_verdicts(base: SinceBase, after: Snapshot, truth: JudgedClaims) -> tuple[Verdict, ...]:
    """Select the verdicts that a change introduces: on its new lines, and on older lines that it made false.

    On new lines, names that never existed count as missing: an agent may have invented them.
    """
    fresh = _list_new_lines(base.snapshot, after)
    own = frozenset(base.repository.run("rev-list", f"{base.commit}..HEAD").decode().split())
    changed: set[str] | None = None
    kept = []
    for verdict in truth.verdicts:
        if (verdict.claim.path, verdict.claim.line) in fresh:
            invented = verdict.reason is Reason.NEVER and verdict.claim.kind in _CERTAIN
            kept.append(replace(verdict, kind=VerdictKind.MISSING) if invented else verdict)
        elif verdict.kind in _FALSE and verdict.broken:
            kept += [verdict] if verdict.broken.id in own else []
        elif verdict.kind in _FALSE:
            changed = _list_changed(base, after) if changed is None else changed
            kept += [verdict] if _may_break(verdict.claim, changed) else []
    return tuple(kept)


def _list_new_lines(before: Snapshot, after: Snapshot) -> set[tuple[PurePosixPath, int]]:
    """Return the lines that no file of memory had before."""
    known = {line for text in before.texts for line in text.text.split("\n")}
    return {
        (text.path, number)
        for text in after.texts
        for number, line in enumerate(text.text.split("\n"), 1)
        if line not in known
    }


def _list_changed(base: SinceBase, after: Snapshot) -> set[str]:
    """Return the files outside memory that differ from the base."""
    clean = base.repository.list_clean()
    memory = {str(text.path) for side in (base.snapshot, after) for text in side.texts}
    before = base.repository.list_tree(base.commit)
    files = (entry for entry in before if entry.mode.startswith("100"))
    return {entry.path for entry in files if clean.get(entry.path) != entry.oid} - memory


def _may_break(claim: Claim, changed: set[str]) -> bool:
    """Whether a change to these files can have made a claim false, where git names no commit."""
    if claim.kind not in {ClaimKind.PATH, ClaimKind.LINES}:
        return bool(changed)
    # The part before a pattern or a line number; citations often omit the first directories.
    name = re.split(r"[*?\[:]", claim.text, maxsplit=1)[0].removeprefix("./")
    return any(name in path for path in changed)
