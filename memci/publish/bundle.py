"""The result of a dream as a directory for `publish`: one JSON file with everything that cannot be computed again."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from memci import __version__
from memci.errors import UnsafeError, UsageError
from memci.git.file_tree import CommitTree
from memci.model.memory import Trust
from memci.model.plan import EvidenceKind, LeftOut, NeedsPerson, Operation, PlanStatus, Refused, ScopePlan, Waiting
from memci.model.session import Signal
from memci.report.escape import json_text
from memci.stores.files import write_directory

SCHEMA = "memci/bundle/4"
MANIFEST = "manifest.json"
STATE_NAME = ".memci.json"


@dataclass(frozen=True, slots=True)
class BundledScope:
    """What a dream does to one scope; its files and its ledger follow from the operations."""

    id: str
    path: PurePosixPath
    status: PlanStatus
    reason: str = ""
    operations: tuple[Operation, ...] = ()
    # Without their texts.
    refused: tuple[Refused, ...] = ()
    needs_person: tuple[NeedsPerson, ...] = ()
    # Only those quoted as evidence of the operations.
    signals: tuple[Signal, ...] = ()
    offered: tuple[Signal, ...] = ()
    # What later dreams will propose, and what was not written on purpose; only shown.
    waiting: tuple[Waiting, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    # The new state file; None if the scope keeps the one it has.
    state: str | None = None


@dataclass(frozen=True, slots=True)
class BundleRun:
    """The dream that a bundle comes from."""

    # The commit that the memory was read from.
    base: str
    now: dt.datetime
    engine: str
    cost: Mapping[str, float] = field(default_factory=dict)
    # `2/5`: the second of five bundles that belong together; "" if it is alone.
    shard: str = ""
    report: str = ""
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Bundle:
    """A dream on its way to a pull request."""

    run: BundleRun
    scopes: tuple[BundledScope, ...]


def bundle_of(
    plans: Sequence[ScopePlan], states: Mapping[PurePosixPath, str], tree: CommitTree, run: BundleRun
) -> Bundle:
    """Make a bundle of plans; `states` are the new state files by scope path, `tree` is that of the commit `run.base`.

    Scopes that are not committed stay out: nobody may publish what a person keeps to themselves.
    """
    committed = [plan for plan in plans if plan.scope.trust is Trust.COMMITTED]
    for plan in committed:
        _check_committed(plan, tree)
    return Bundle(run, tuple(_bundle_scope(plan, states.get(plan.scope.path)) for plan in committed))


def _bundle_scope(plan: ScopePlan, state: str | None) -> BundledScope:
    lists = (*(one.evidence for one in plan.operations), *(need.evidence for need in plan.needs_person))
    cited = {proof.source for proofs in lists for proof in proofs if proof.kind is EvidenceKind.SIGNAL}
    return BundledScope(
        plan.scope.id,
        plan.scope.path,
        plan.status,
        plan.reason,
        plan.operations,
        tuple(replace(one, operation=replace(one.operation, texts={})) for one in plan.refused),
        plan.needs_person,
        tuple(signal for signal in plan.signals if signal.id in cited),
        plan.offered,
        plan.waiting,
        plan.left_out,
        state if plan.status is PlanStatus.CHANGED else None,
    )


def _check_committed(plan: ScopePlan, tree: CommitTree) -> None:
    for path, text in plan.before.items():
        committed = tree.read(path)
        if committed != text:
            hint = "commit or stash the changes of the memory first"
            if text.replace("\r\n", "\n") == committed:
                hint = f"git converts its line ends: `{plan.scope.path}/** -text` in .gitattributes leaves them alone"
            raise UnsafeError(f"{path} is not as it was committed", hint=hint)


def write_bundle(target: Path, bundle: Bundle) -> None:
    """Write a bundle into a new or empty directory."""
    if target.name.startswith("."):
        raise UsageError(f"{target} is hidden, and uploads leave hidden files out", hint="choose a name without a dot")
    write_directory(target, {PurePosixPath(MANIFEST): render_manifest(bundle).encode("ascii")})


def render_manifest(bundle: Bundle) -> str:
    """Return the manifest: one JSON object, in ASCII."""
    return json_text({"schema": SCHEMA, "run": bundle.run, "scopes": bundle.scopes})
