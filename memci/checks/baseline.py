"""Baselines: known findings that a team has accepted for now."""

import json
from collections import Counter
from collections.abc import Iterable

from memci.errors import ConfigError
from memci.model.finding import Finding

_SCHEMA = "memci/baseline/1"


def render_baseline(findings: Iterable[Finding]) -> str:
    """Return a baseline file: how often each fingerprint occurs, one per line so that it merges well."""
    counts = Counter(finding.fingerprint for finding in findings)
    return json.dumps({"schema": _SCHEMA, "findings": dict(sorted(counts.items()))}, indent=1) + "\n"


def parse_baseline(text: str, name: str) -> Counter[str]:
    """Read a baseline file."""
    try:
        content = json.loads(text)
        counts = content["findings"] if content["schema"] == _SCHEMA else None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{name} is no baseline", hint="write one with --write-baseline") from error
    if not isinstance(counts, dict) or not all(isinstance(count, int) and count > 0 for count in counts.values()):
        raise ConfigError(f"{name} is no baseline of this version", hint="write it again with --write-baseline")
    return Counter(counts)


def subtract(findings: Iterable[Finding], known: Iterable[str]) -> list[Finding]:
    """Return the findings whose fingerprint is not among the known ones, each of which covers one finding."""
    left = Counter(known)
    new = []
    for finding in findings:
        if left[finding.fingerprint]:
            left[finding.fingerprint] -= 1
        else:
            new.append(finding)
    return new
