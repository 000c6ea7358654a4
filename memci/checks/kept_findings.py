"""Findings of the last run by rules that look at memory only: they hold as long as it, the settings and the day do."""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from memci.checks.rule import Group, Material, Rule
from memci.model.finding import Finding, Fix, Severity
from memci.redaction.secrets import redact

Found = Mapping[str, tuple[Finding, ...]]
# A finding without its rule and its claim.
_FIELDS = ("severity", "path", "message", "line", "column", "suggestion", "fix", "key")
_Row = tuple[Severity, str, str, int, int, str, Fix | None, str]


def is_keepable(rule: Rule) -> bool:
    """Whether a rule reads nothing but memory; the truth rules read the repository."""
    return rule.group is not Group.TRUTH


def digest_material(material: Material, code: object) -> str:
    """Return a digest of all that the findings of these rules depend on; `code` tells one version from another."""
    memory = [
        (one.scope, [(text.path, text.text) for text in one.texts], one.unread, one.others)
        for one in material.snapshot.scopes
    ]
    guides = (material.snapshot.guides, material.snapshot.checked_guides)
    day = material.now.astimezone(dt.UTC).date()
    return hashlib.sha256(repr((code, memory, guides, material.config, day)).encode("utf-8", "replace")).hexdigest()


def render_findings(state: str, found: Found) -> bytes:
    """Return what to keep for the next run; nothing if it would copy a secret out of memory."""
    import msgspec

    rows = {rule: [[getattr(one, name) for name in _FIELDS] for one in findings] for rule, findings in found.items()}
    body = msgspec.json.encode(rows, enc_hook=str)
    copied = "\n".join(text for findings in found.values() for one in findings for text in _list_copied(one))
    return b"" if redact(copied) != copied else f"{state} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def _list_copied(finding: Finding) -> Iterable[str]:
    """Return the parts of a finding that quote memory as it is."""
    edits = finding.fix.edits if finding.fix else ()
    return (finding.key, *(text for edit in edits for text in (edit.old, edit.new)))


def parse_findings(data: bytes, state: str) -> Found | None:
    """Return the kept findings; None if they are of another state, or damaged."""
    head, _, body = data.partition(b"\n")
    if head != f"{state} {hashlib.sha256(body).hexdigest()}".encode():
        return None
    import msgspec

    rows = msgspec.convert(json.loads(body), dict[str, list[_Row]], dec_hook=lambda kind, value: kind(value))
    return {
        rule: tuple(Finding(rule, row[0], PurePosixPath(row[1]), *row[2:]) for row in found)
        for rule, found in rows.items()
    }
