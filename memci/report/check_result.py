"""What a run of the rules came to: the one value all output formats are rendered from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from memci.model.finding import Finding, Severity

# The message for a repository without memory.
NOTHING = "nothing to check: no memory was found"
CLAIM_VERDICTS = ("verified", "moved", "missing", "unverifiable")
SEVERITY_ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}
_SAFETY = "Safety"
# What misleads an agent comes before what it does not load, and that before what is untidy.
_BY_VALUE = (_SAFETY, "Change", "Truth", "Time", "Index", "Topic", "File", "Content")


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """The description of a rule for the output formats."""

    id: str
    severity: Severity
    summary: str
    remedy: str
    group: str

    @property
    def is_safety(self) -> bool:
        """Whether a finding of this rule is a security problem."""
        return self.group == _SAFETY


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The findings of one run and what the run covered; findings are kept sorted by place."""

    findings: tuple[Finding, ...]
    rules: Mapping[str, RuleInfo]
    scopes: int
    topics: int
    guides: int = 0
    suppressed: int = 0
    baselined: int = 0
    # Proven stale citations in text that may describe the past: evidence, no problems.
    possible: tuple[Finding, ...] = ()
    # What was not checked, and why.
    skipped: tuple[tuple[str, str], ...] = ()
    # Findings whose fix was applied; they are no longer among `findings`.
    fixed: tuple[Finding, ...] = ()
    # The revision that `--since` named.
    since: str | None = None
    # How many claims got which verdict, and how many of the unverifiable for which reason.
    claims: Mapping[str, int] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort, and refuse a finding whose rule is unknown: every format would have to guess."""
        unknown = {finding.rule for finding in self.findings} - set(self.rules)
        if unknown:
            raise ValueError(f"findings of unknown rules: {', '.join(sorted(unknown))}")
        object.__setattr__(self, "findings", tuple(sorted(self.findings, key=lambda finding: finding.order)))

    @property
    def everything(self) -> "CheckResult":
        """The result with the possible findings among the others."""
        return replace(self, findings=(*self.findings, *self.possible), possible=())

    @property
    def by_path(self) -> dict[str, list[Finding]]:
        """The findings of each file, in order."""
        files: dict[str, list[Finding]] = {}
        for finding in self.findings:
            files.setdefault(str(finding.path), []).append(finding)
        return files

    @property
    def by_rule(self) -> dict[str, list[Finding]]:
        """The findings of each rule, in order: the worst rules first, then the most valuable."""
        rules: dict[str, list[Finding]] = {}
        for finding in self.findings:
            rules.setdefault(finding.rule, []).append(finding)

        def value(rule: str) -> tuple[int, int, int]:
            worst = max(finding.severity.rank for finding in rules[rule])
            group = self.rules[rule].group
            return -worst, _BY_VALUE.index(group) if group in _BY_VALUE else len(_BY_VALUE), -len(rules[rule])

        return {rule: rules[rule] for rule in sorted(rules, key=value)}

    @property
    def fixable(self) -> int:
        """How many findings `--fix` would repair."""
        return sum(finding.fix is not None for finding in self.findings)

    @property
    def worst(self) -> Severity | None:
        """The highest severity found; None without findings."""
        return max((finding.severity for finding in self.findings), key=lambda severity: severity.rank, default=None)

    def count(self, severity: Severity) -> int:
        """Return how many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def safety(self, finding: Finding) -> bool:
        """Return whether this is a security problem."""
        return self.rules[finding.rule].is_safety


def amount(number: int, noun: str) -> str:
    """Return `1 error`, `2 errors`, `1,200 errors`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def describe_findings(result: CheckResult) -> str:
    """Say in a few words what was found: `3 errors, 1 warning in 2 files`."""
    if not result.findings:
        if result.fixed:
            return f"{amount(len(result.fixed), 'problem')} fixed, none left"
        return "no problems found" if result.scopes or result.guides else NOTHING
    levels = [
        amount(result.count(severity), severity.value)
        for severity in sorted(Severity, key=lambda severity: -severity.rank)
        if result.count(severity)
    ]
    return f"{', '.join(levels)} in {amount(len(result.by_path), 'file')}"


def describe_run(result: CheckResult, quote: Callable[[str], str]) -> str:
    """Say what was done and what was looked at; `quote` makes untrusted text harmless."""
    parts = []
    if result.fixable:
        parts.append(f"{result.fixable:,} fixable with --fix")
    if result.findings and result.fixed:
        parts.append(f"{len(result.fixed):,} fixed")
    if result.possible:
        parts.append(f"{amount(len(result.possible), 'stale citation')} in text that may describe the past (see -v)")
    if result.suppressed:
        parts.append(f"{result.suppressed:,} suppressed")
    if result.baselined:
        parts.append(f"{result.baselined:,} in the baseline")
    if result.skipped:
        parts.append(f"{len(result.skipped):,} not checked")
    total = sum(result.claims.values())
    if total:
        verdicts = ", ".join(f"{result.claims[name]:,} {name}" for name in CLAIM_VERDICTS if result.claims.get(name))
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in result.reasons.items())
        parts.append(f"{amount(total, 'claim')}: {verdicts}" + (f" ({reasons})" if reasons else ""))
    since = f", changes since {quote(result.since)}" if result.since else ""
    guides = f", {amount(result.guides, 'guide')}" if result.guides else ""
    parts.append(f"checked {amount(result.scopes, 'scope')}, {amount(result.topics, 'topic')}{guides}{since}")
    return "; ".join(parts)


def unique_fingerprints(findings: tuple[Finding, ...]) -> list[str]:
    """Return a fingerprint per finding; equal ones get an ordinal, because report readers drop repeated ids."""
    seen: dict[str, int] = {}
    unique = []
    for finding in findings:
        fingerprint = finding.fingerprint
        seen[fingerprint] = seen.get(fingerprint, 0) + 1
        unique.append(fingerprint if seen[fingerprint] == 1 else f"{fingerprint}-{seen[fingerprint]}")
    return unique
