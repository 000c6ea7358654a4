"""The result of a dream as a directory for `publish`: a manifest, and texts named by their SHA-256.

Hashes as names avoid hidden files, which artifact uploads omit, and path traversal.
"""

import dataclasses
import datetime as dt
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from memci import __version__
from memci.errors import UnsafeError, UsageError
from memci.git.file_tree import CommitTree
from memci.model.memory import Trust
from memci.model.plan import (
    EvidenceKind,
    Fate,
    Ledger,
    LeftOut,
    NeedsPerson,
    Operation,
    PlanStatus,
    Refused,
    ScopePlan,
    Waiting,
)
from memci.model.session import Signal
from memci.report.escape import json_text
from memci.stores.files import write_directory

_T = TypeVar("_T")


def encode_value(value: object) -> Any:
    """Return a value of a plan as JSON: dataclasses are objects with all their fields, enums are strings already."""
    match value:
        case PurePosixPath():
            return str(value)
        case dt.datetime():
            if value.tzinfo is None:
                raise ValueError("a moment has no zone")
            # Raises if it is out of range in UTC, in which all dates are computed.
            value.astimezone(dt.UTC)
            return value.isoformat()
        case Mapping():
            return {str(key): encode_value(item) for key, item in value.items()}
        case tuple():
            return [encode_value(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            return {field.name: encode_value(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


def decode_value(content: object, kind: type[_T]) -> _T:
    """Read a value of a plan; `read_bundle` makes sure that the JSON has nothing else in it."""
    import msgspec

    return msgspec.convert(content, kind, dec_hook=lambda path, text: path(text))


def decode_path(text: str, where: str) -> PurePosixPath:
    """Read a path below the root of a repository."""
    path = PurePosixPath(text)
    parts = {part.casefold() for part in path.parts}
    if str(path) != text or path.is_absolute() or {"..", ".", ".git"} & parts or not text.isprintable() or not parts:
        raise ValueError(f"{where} is no path that memci may write: {text[:100]!r}")
    return path


def encode_operation(operation: Operation, hash_text: Callable[[str], str]) -> dict[str, object]:
    """Return an operation as JSON; its texts are stored separately, by hash."""
    fields: dict[str, object] = encode_value(dataclasses.replace(operation, texts={}))
    del fields["texts"]
    texts = sorted(operation.texts.items())
    return {**fields, "texts": {str(path): None if text is None else hash_text(text) for path, text in texts}}


def decode_operation(content: object, find_text: Callable[[str], str]) -> Operation:
    """Read an operation; `find_text` returns the text with a hash."""
    operation = decode_value(content, Operation)
    decode_path(str(operation.file), "operation.file")
    texts = {
        decode_path(str(path), "operation.texts"): None if digest is None else find_text(digest)
        for path, digest in operation.texts.items()
    }
    return dataclasses.replace(operation, texts=texts)


def encode_refused(refused: Refused) -> dict[str, object]:
    """Return a refused operation as JSON, without its texts."""
    operation = encode_operation(refused.operation, str)
    del operation["texts"], operation["flags"]
    return {**operation, "guard": refused.guard, "why": refused.why}


def decode_refused(content: object) -> Refused:
    """Read a refused operation; its path is not validated, because it may be the reason for the refusal."""
    fields = decode_value(content, dict[str, Any])
    return decode_value({**fields, "operation": {**fields, "texts": {}}}, Refused)


def encode_ledger(ledger: Ledger) -> dict[str, object]:
    """Return the number of lines by fate, and the removed lines."""
    counts: dict[str, object] = {fate.value: ledger.count(fate) for fate in Fate if fate is not Fate.RETIRED}
    retired = [
        {"file": str(entry.file), "line": entry.line, "text": entry.text, "reason": entry.reason}
        for entry in ledger.retired
    ]
    return {**counts, "retired": retired}


SCHEMA = "memci/bundle/3"
MANIFEST = "manifest.json"
TEXTS = "texts"
STATE_NAME = ".memci.json"
NEW_MODE = "100644"


@dataclass(frozen=True, slots=True)
class BundledFile:
    """A file that changes: SHA-256 of the bytes before and after; None where there is no file."""

    path: PurePosixPath
    mode: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class BundledScope:
    """What a dream does to one scope."""

    id: str
    path: PurePosixPath
    status: PlanStatus
    reason: str = ""
    operations: tuple[Operation, ...] = ()
    refused: tuple[Refused, ...] = ()
    needs_person: tuple[NeedsPerson, ...] = ()
    # Only those quoted as evidence of the operations.
    signals: tuple[Signal, ...] = ()
    offered: tuple[Signal, ...] = ()
    # As `manifest.encode_ledger` writes it; not trusted when a bundle is read.
    ledger: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[BundledFile, ...] = ()
    # What later dreams will propose, and what was not written on purpose; only shown.
    waiting: tuple[Waiting, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


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
    # By SHA-256: every text of an operation, and every file after it.
    texts: Mapping[str, bytes]


def bundle_of(
    plans: Sequence[ScopePlan], states: Mapping[PurePosixPath, str], tree: CommitTree, run: BundleRun
) -> Bundle:
    """Make a bundle of plans; `states` are the new state files by scope path, `tree` is that of the commit `run.base`.

    A scope without a new state keeps the one it has.

    Scopes that are not committed stay out: nobody may publish what a person keeps to themselves.
    """
    texts: dict[str, bytes] = {}

    def keep(data: bytes) -> str:
        digest = hash_bytes(data)
        texts[digest] = data
        return digest

    scopes = []
    for plan in plans:
        if plan.scope.trust is not Trust.COMMITTED:
            continue
        _check_committed(plan, tree)
        for operation in plan.operations:
            for text in operation.texts.values():
                if text is not None:
                    keep(encode(text))
        after: dict[PurePosixPath, str] = dict(plan.after)
        if plan.status is PlanStatus.CHANGED and plan.scope.path in states:
            after[plan.scope.path / STATE_NAME] = states[plan.scope.path]
        files = []
        for path in sorted({*plan.before, *after}):
            old, new = _read_old(tree, path), encode(after[path]) if path in after else None
            if old != new:
                entry = tree.entries.get(str(path))
                mode = entry.mode if entry else NEW_MODE
                files.append(
                    BundledFile(
                        path, mode, None if old is None else hash_bytes(old), None if new is None else keep(new)
                    )
                )
        scopes.append(_bundle_scope(plan, tuple(files)))
    return Bundle(run, tuple(scopes), texts)


def _bundle_scope(plan: ScopePlan, files: tuple[BundledFile, ...]) -> BundledScope:
    lists = (*(one.evidence for one in plan.operations), *(need.evidence for need in plan.needs_person))
    cited = {proof.source for proofs in lists for proof in proofs if proof.kind is EvidenceKind.SIGNAL}
    return BundledScope(
        plan.scope.id,
        plan.scope.path,
        plan.status,
        plan.reason,
        plan.operations,
        plan.refused,
        plan.needs_person,
        tuple(signal for signal in plan.signals if signal.id in cited),
        plan.offered,
        encode_ledger(plan.ledger),
        files,
        plan.waiting,
        plan.left_out,
    )


def _check_committed(plan: ScopePlan, tree: CommitTree) -> None:
    for path, text in plan.before.items():
        committed = tree.read(path)
        if committed != text:
            hint = "commit or stash the changes of the memory first"
            if text.replace("\r\n", "\n") == committed:
                hint = f"git converts its line ends: `{plan.scope.path}/** -text` in .gitattributes leaves them alone"
            raise UnsafeError(f"{path} is not as it was committed", hint=hint)


def _read_old(tree: CommitTree, path: PurePosixPath) -> bytes | None:
    text = tree.read(path) if str(path) in tree.entries else None
    if text is None:
        return None
    if not isinstance(text, str):
        raise UnsafeError(f"{path} cannot be changed: {text.reason}")
    return encode(text)


def write_bundle(target: Path, bundle: Bundle) -> None:
    """Write a bundle into a new or empty directory, the manifest last: an incomplete bundle is not read."""
    if target.name.startswith("."):
        raise UsageError(f"{target} is hidden, and uploads leave hidden files out", hint="choose a name without a dot")
    texts = {PurePosixPath(TEXTS, digest): data for digest, data in bundle.texts.items()}
    write_directory(target, texts | {PurePosixPath(MANIFEST): render_manifest(bundle).encode("ascii")})


def render_manifest(bundle: Bundle) -> str:
    """Return the manifest: one JSON object, in ASCII."""
    run = encode_value(bundle.run)
    head = {key: run[key] for key in ("base", "now", "engine", "shard", "cost", "report")}
    scopes = [_encode_scope(scope) for scope in bundle.scopes]
    return json_text({"schema": SCHEMA, "memci": bundle.run.version, **head, "scopes": scopes})


def _encode_scope(scope: BundledScope) -> dict[str, object]:
    fields: dict[str, object] = encode_value(replace(scope, operations=(), refused=()))
    fields["operations"] = [encode_operation(operation, hash_text) for operation in scope.operations]
    fields["refused"] = [encode_refused(refused) for refused in scope.refused]
    return fields


def encode(text: str) -> bytes:
    """Return the bytes of a text of memory."""
    return text.encode("utf-8", "surrogateescape")


def hash_text(text: str) -> str:
    """Return the name of a text in a bundle."""
    return hash_bytes(encode(text))


def hash_bytes(data: bytes) -> str:
    """Return the name of a file in a bundle."""
    return hashlib.sha256(data).hexdigest()
